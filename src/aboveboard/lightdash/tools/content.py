"""Content: charts, dashboards and spaces found, moved, deleted, restored, verified, pinned and promoted alike."""

import re
from typing import Annotated, Literal
from urllib.parse import unquote

from pydantic import Field

from aboveboard.effects import DELETE, ENSURE, READ, REPLACE, RUN
from aboveboard.errors import BadInput
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Model, Named, Page, sliced
from aboveboard.lightdash.client.charts import ChartDetails
from aboveboard.lightdash.client.content.content import ContentItem, ContentType, DeletedItem
from aboveboard.lightdash.client.content.curation import PromotionChange, Verified
from aboveboard.lightdash.client.dashboards import DashboardDetails
from aboveboard.lightdash.tools.parameters import InSpace, Limit, OfProject, PageNumber, ProjectUuid

tools = Toolset[LightdashClient]("content", title="Content", icon="M4 3h12l4 4v14H4zm3 7h10v2H7zm0 4h10v2H7z")

Kind = Annotated[Literal["chart", "dashboard", "space"], Field(description="What it is.")]
ChartOrDashboard = Annotated[Literal["chart", "dashboard"], Field(description="What it is.")]
ItemUuid = Annotated[str, Field(description="Its UUID.")]
ItemId = Annotated[str, Field(description="Its UUID or slug.")]
Kinds = Annotated[list[ContentType], Field(description="Kinds to show: chart, dashboard, space.")]

ITEM = ContentItem(
    content_type="chart",
    uuid="65139249-...",
    slug="orders-by-status",
    name="Orders by status",
    space=Named(uuid="9165ffb9-...", name="Sales"),
    views=9,
)
MENTION = Named(uuid="65139249-...", name="Orders by status")


class Resolved(Model):
    """What an address in Lightdash points at."""

    kind: str
    project_uuid: str
    id: str | None = None
    name: str | None = None


class Flag(Model):
    """Whether something is pinned, a favourite or verified now."""

    uuid: str
    name: str
    value: bool


class Promoted(Model):
    """Whether anything upstream had to change, and what is there now."""

    changed: bool
    upstream_uuid: str | None = None


@tools.tool("Search Content", READ, example=Page[ContentItem](items=[ITEM], total=1), core=True)
async def search_content(
    lightdash: LightdashClient,
    search: Annotated[str, Field(description="Words to look for in names and descriptions.", min_length=1)],
    kinds: Kinds = ["chart", "dashboard"],  # noqa: B006 (published as the default, never changed)
    project_uuid: ProjectUuid = None,
    limit: Limit = 20,
    page: PageNumber = 1,
) -> Page[ContentItem]:
    """Find charts, dashboards and spaces by words."""
    return await lightdash.contents.list(
        project_uuid, search=search, space=None, kinds=kinds, sort="last_updated_at", limit=limit, page=page
    )


@tools.tool("List Content", READ, example=Page[ContentItem](items=[ITEM], total=1))
async def list_content(
    lightdash: LightdashClient,
    kinds: Kinds = ["chart", "dashboard"],  # noqa: B006
    space_uuid: InSpace = None,
    sort: Annotated[Literal["name", "last_updated_at", "views"], Field(description="Order.")] = "last_updated_at",
    project_uuid: ProjectUuid = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[ContentItem]:
    """List charts, dashboards and spaces together, of a project or of one space."""
    return await lightdash.contents.list(
        project_uuid, search=None, space=space_uuid, kinds=kinds, sort=sort, limit=limit, page=page
    )


@tools.tool("Move Content", REPLACE, example=MENTION)
async def move_content(
    lightdash: LightdashClient,
    kind: Kind,
    item: ItemUuid,
    to_space_uuid: Annotated[str, Field(description="Space to put it in (UUID, slug or name).")],
    project_uuid: ProjectUuid = None,
) -> Named:
    """Put a chart, dashboard or space into another space; who sees it changes with its place."""
    target = await lightdash.spaces.get(project_uuid, to_space_uuid)  # Lightdash would take one of another project
    found = await lightdash.contents.find(project_uuid, kind, item)
    await lightdash.contents.move(project_uuid, found, target.uuid)
    return Named(uuid=found.uuid, name=found.name)


@tools.tool("Delete Content", DELETE, example=MENTION)
async def delete_content(
    lightdash: LightdashClient, kind: Kind, item: ItemUuid, project_uuid: ProjectUuid = None
) -> Named:
    """Delete a chart, dashboard or space with all in it; where this Lightdash keeps a trash, it goes there."""
    found = await lightdash.contents.find(project_uuid, kind, item)
    await lightdash.contents.delete(project_uuid, found)
    return Named(uuid=found.uuid, name=found.name)


@tools.tool(
    "List Deleted Content",
    READ,
    example=Page[DeletedItem](items=[DeletedItem(uuid="65139249-...", name="Orders", content_type="chart")], total=1),
)
async def list_deleted_content(
    lightdash: LightdashClient, project_uuid: ProjectUuid = None, limit: Limit = 50, page: PageNumber = 1
) -> Page[DeletedItem]:
    """List what is in the trash; empty where this Lightdash keeps none."""
    return await lightdash.contents.deleted(project_uuid, limit=limit, page=page)


@tools.tool("Restore Content", ENSURE, example=MENTION, core=True)
async def restore_content(
    lightdash: LightdashClient, kind: Kind, item: ItemUuid, project_uuid: ProjectUuid = None
) -> Named:
    """Bring something back from the trash, to where it was."""
    await lightdash.contents.restore(project_uuid, kind, item)
    found = await lightdash.contents.find(project_uuid, kind, item)
    return Named(uuid=found.uuid, name=found.name)


@tools.tool(
    "Resolve URL", READ, example=Resolved(kind="chart", project_uuid="3675b69e-...", id="65139249-...", name="Orders")
)
async def resolve_url(
    lightdash: LightdashClient, url: Annotated[str, Field(description="An address copied from Lightdash.")]
) -> Resolved:
    """Tell what an address in Lightdash points at: project, chart, SQL chart, dashboard, space or explore."""
    address = re.split("[?#]", url.strip(), maxsplit=1)[0]
    if _HOST.match(address) and not f"{address}/".lower().startswith(f"{lightdash.url}/".lower()):
        raise BadInput(f"This address is not of the Lightdash at {lightdash.url}.")
    found = _ROUTE.search(address)
    if found is None:
        raise BadInput("This address has no project in it: copy one of a chart, dashboard, space or explore.")
    project, family, ident = found.group(1).lower(), found.group(2), unquote(found.group(3) or "")
    kind = _FAMILIES.get(family or "", "project") if ident else "project"
    ident = "" if kind == "project" else ident
    return Resolved(
        kind=kind, project_uuid=project, id=ident or None, name=await _name(lightdash, kind, project, ident)
    )


@tools.tool(
    "List Verified Content",
    READ,
    example=Page[Verified](items=[Verified(content_uuid="65139249-...", name="Orders by status")], total=1),
)
async def list_verified_content(
    lightdash: LightdashClient, project_uuid: ProjectUuid = None, limit: Limit = 50, page: PageNumber = 1
) -> Page[Verified]:
    """List the charts and dashboards that somebody vouches for."""
    return sliced(await lightdash.curation.verified(project_uuid), Verified, limit=limit, page=page)


@tools.tool("Verify Content", ENSURE, example=Flag(uuid="65139249-...", name="Orders by status", value=True))
async def verify_content(
    lightdash: LightdashClient, kind: ChartOrDashboard, item: ItemId, project_uuid: OfProject = None
) -> Flag:
    """Mark a chart or dashboard as verified, in the name of the token's owner; one that is stays as it is."""
    found = await _find(lightdash, kind, item, project_uuid)
    if found.uuid not in {one.content_uuid for one in await lightdash.curation.verified(found.project_uuid)}:
        await lightdash.curation.verify(kind, found.uuid, found.project_uuid)
    return Flag(uuid=found.uuid, name=found.name, value=True)


@tools.tool("Unverify Content", DELETE, example=Flag(uuid="65139249-...", name="Orders by status", value=False))
async def unverify_content(
    lightdash: LightdashClient, kind: ChartOrDashboard, item: ItemId, project_uuid: OfProject = None
) -> Flag:
    """Take the verified mark off a chart or dashboard; who gave it, and when, is gone."""
    found = await _find(lightdash, kind, item, project_uuid)
    await lightdash.curation.unverify(kind, found.uuid, found.project_uuid)
    return Flag(uuid=found.uuid, name=found.name, value=False)


# Upstream these two are toggles; the wanted state is an argument here.
@tools.tool("Pin Content", REPLACE, example=Flag(uuid="65139249-...", name="Orders by status", value=True))
async def pin_content(
    lightdash: LightdashClient,
    kind: ChartOrDashboard,
    item: ItemId,
    pinned: Annotated[bool, Field(description="False takes the pin off.")] = True,
    project_uuid: OfProject = None,
) -> Flag:
    """Pin a chart or dashboard to the project's homepage for everyone, or take it off."""
    found = await _find(lightdash, kind, item, project_uuid)
    await lightdash.curation.pin(kind, found.uuid, found.project_uuid, pinned=pinned)
    return Flag(uuid=found.uuid, name=found.name, value=pinned)


@tools.tool("Favorite Content", REPLACE, example=Flag(uuid="65139249-...", name="Orders by status", value=True))
async def favorite_content(
    lightdash: LightdashClient,
    kind: ChartOrDashboard,
    item: ItemId,
    favorite: Annotated[bool, Field(description="False takes it off the list.")] = True,
    project_uuid: OfProject = None,
) -> Flag:
    """Put a chart or dashboard on the token owner's list of favourites, or take it off."""
    found = await _find(lightdash, kind, item, project_uuid)
    await lightdash.curation.favour(kind, found.uuid, found.project_uuid, favourite=favorite)
    return Flag(uuid=found.uuid, name=found.name, value=favorite)


@tools.tool(
    "Preview Promotion",
    READ,
    example=Page[PromotionChange](items=[PromotionChange(kind="charts", action="create", name="Orders")], total=1),
)
async def preview_promotion(
    lightdash: LightdashClient, kind: ChartOrDashboard, item: ItemId, project_uuid: OfProject = None
) -> Page[PromotionChange]:
    """Show what promote_content would create or replace in the upstream project."""
    found = await _find(lightdash, kind, item, project_uuid)
    changes = await lightdash.curation.promotion(kind, found.uuid, found.project_uuid)
    return Page[PromotionChange](items=changes, total=len(changes))


# A chart that is the same upstream is left alone; of a dashboard Lightdash cannot tell, and writes one more version.
@tools.tool("Promote Content", RUN, example=Promoted(changed=True, upstream_uuid="6481615b-..."))
async def promote_content(
    lightdash: LightdashClient, kind: ChartOrDashboard, item: ItemId, project_uuid: OfProject = None
) -> Promoted:
    """Write a chart or dashboard to the upstream project, over what is there under the same slug."""
    found = await _find(lightdash, kind, item, project_uuid)
    changes = await lightdash.curation.promotion(kind, found.uuid, found.project_uuid)
    if changes and all(change.action == "no changes" for change in changes):
        return Promoted(changed=False)
    return Promoted(changed=True, upstream_uuid=await lightdash.curation.promote(kind, found.uuid, found.project_uuid))


_HOST = re.compile(r"([\w+.-]+:)?//")
_ROUTE = re.compile(
    r"/projects/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:/([\w-]+)(?:/([^/]+))?)?",
    re.IGNORECASE,
)
_FAMILIES = {
    **{"saved": "chart", "sql-runner": "sql_chart", "dashboards": "dashboard", "spaces": "space"},
    "tables": "explore",
}


async def _find(
    lightdash: LightdashClient, kind: str, item: str, project: str | None
) -> ChartDetails | DashboardDetails:
    family = lightdash.charts if kind == "chart" else lightdash.dashboards
    return await family.get(item, project)


async def _name(lightdash: LightdashClient, kind: str, project: str, ident: str) -> str | None:
    if kind == "project":
        return (await lightdash.projects.get(project)).name
    if kind == "space":
        return (await lightdash.spaces.get(project, ident)).name
    if kind == "explore":
        return (await lightdash.explores.get(project, ident)).label
    if kind == "sql_chart":
        return (await lightdash.sql_charts.get(project, ident)).name
    return (await _find(lightdash, kind, ident, project)).name
