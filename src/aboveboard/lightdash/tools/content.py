"""Content: charts, dashboards and spaces found, moved, deleted and restored alike."""

import re
from typing import Annotated, Literal
from urllib.parse import unquote

from pydantic import Field

from aboveboard.effects import DELETE, ENSURE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Model, Named, Page
from aboveboard.lightdash.client.charts import ChartDetails
from aboveboard.lightdash.client.content.content import ContentItem, ContentType, DeletedItem
from aboveboard.lightdash.client.dashboards.dashboards import DashboardDetails
from aboveboard.lightdash.tools.gone import Deleted, deleted_content
from aboveboard.lightdash.tools.opened import Opened
from aboveboard.lightdash.tools.parameters import InSpace, Limit, PageNumber, ProjectUuid

tools = Toolset[LightdashClient]("content", title="Content", icon="M4 3h12l4 4v14H4zm3 7h10v2H7zm0 4h10v2H7z")

Kind = Annotated[Literal["chart", "dashboard", "space"], Field(description="What it is.")]
ItemUuid = Annotated[str, Field(description="Its UUID or name.")]
Kinds = Annotated[list[ContentType], Field(description="Kinds to show: chart, dashboard, space.")]

ITEM = ContentItem(
    content_type="chart",
    uuid="6513...",
    slug="orders-by-status",
    name="Orders by status",
    space=Named(uuid="9165...", name="Sales"),
    views=9,
)


GONE = Deleted(gone="Orders", to_get_back="restore_content with {...} brings it back.", uuid="6513...", name="Orders")


class Restored(Opened):
    """What is back, in which space (of a space at the top: none), and where people open it."""

    space: str | None = None


RESTORED = Restored(uuid="6513...", name="Orders", space="Sales", url="https://...")


class Resolved(Model):
    """What an address in Lightdash points at."""

    kind: str
    project_uuid: str
    id: str | None = None
    name: str | None = None


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


@tools.tool("Move Content", REPLACE, example=Opened(uuid="6513...", name="Orders by status", url="https://..."))
async def move_content(
    lightdash: LightdashClient,
    kind: Kind,
    item: ItemUuid,
    to_space_uuid: Annotated[str, Field(description="Space to put it in (UUID, slug or name).")],
    project_uuid: ProjectUuid = None,
) -> Opened:
    """Put a chart, dashboard or space into another space; who sees it changes with its place."""
    target = await lightdash.spaces.get(project_uuid, to_space_uuid)  # Lightdash would take one of another project
    found = await lightdash.contents.find(project_uuid, kind, await lightdash.names.one(kind, item, project_uuid))
    await lightdash.contents.move(project_uuid, found, target.uuid)
    return Opened(uuid=found.uuid, name=found.name, url=lightdash.contents.page_of(project_uuid, found))


@tools.tool("Delete Content", DELETE, example=GONE)
async def delete_content(
    lightdash: LightdashClient, kind: Kind, item: ItemUuid, project_uuid: ProjectUuid = None
) -> Deleted:
    """Delete a chart, dashboard or space with all in it; where this Lightdash keeps a trash, it goes there."""
    found = await lightdash.contents.find(project_uuid, kind, await lightdash.names.one(kind, item, project_uuid))
    await lightdash.contents.delete(project_uuid, found)
    return await deleted_content(lightdash, project_uuid, kind, found.uuid, found.name)


@tools.tool(
    "List Deleted Content",
    READ,
    example=Page[DeletedItem](items=[DeletedItem(uuid="6513...", name="Orders", content_type="chart")], total=1),
)
async def list_deleted_content(
    lightdash: LightdashClient, project_uuid: ProjectUuid = None, limit: Limit = 50, page: PageNumber = 1
) -> Page[DeletedItem]:
    """List what is in the trash; empty where this Lightdash keeps none."""
    return await lightdash.contents.deleted(project_uuid, limit=limit, page=page)


@tools.tool("Restore Content", ENSURE, example=RESTORED, core=True)
async def restore_content(
    lightdash: LightdashClient, kind: Kind, item: ItemUuid, project_uuid: ProjectUuid = None
) -> Restored:
    """Bring something back from the trash, to where it was."""
    restored = await lightdash.contents.restore(project_uuid, kind, item)
    found = await lightdash.contents.find(project_uuid, kind, restored)
    above = found.parent_space_uuid
    space = found.space if above is None else await lightdash.spaces.get(project_uuid, above)
    url = lightdash.contents.page_of(project_uuid, found)
    return Restored(uuid=found.uuid, name=found.name, space=space and space.name, url=url)


@tools.tool("Resolve URL", READ, example=Resolved(kind="chart", project_uuid="3675...", id="6513...", name="Orders"))
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


_HOST = re.compile(r"([\w+.-]+:)?//")
_ROUTE = re.compile(
    r"/projects/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:/([\w-]+)(?:/([^/]+))?)?",
    re.IGNORECASE,
)
_FAMILIES = {
    **{"saved": "chart", "sql-runner": "sql_chart", "dashboards": "dashboard", "spaces": "space"},
    "tables": "explore",
}


async def chart_or_dashboard(
    lightdash: LightdashClient, kind: Literal["chart", "dashboard"], item: str, project: str | None
) -> ChartDetails | DashboardDetails:
    """Get a chart or a dashboard by UUID, slug or name."""
    family = lightdash.charts if kind == "chart" else lightdash.dashboards
    return await family.get(await lightdash.names.one(kind, item, project), project)


async def _name(lightdash: LightdashClient, kind: str, project: str, ident: str) -> str | None:
    if kind == "project":
        return (await lightdash.projects.get(project)).name
    if kind == "space":
        return (await lightdash.spaces.get(project, ident)).name
    if kind == "explore":
        return (await lightdash.explores.get(project, ident)).label
    if kind == "sql_chart":
        return (await lightdash.sql_charts.get(project, ident)).name
    return (await chart_or_dashboard(lightdash, "chart" if kind == "chart" else "dashboard", ident, project)).name
