"""What people make of charts and dashboards: verified, pinned, favourites, promoted."""

from typing import Annotated, Literal

from pydantic import Field

from aboveboard.effects import DELETE, ENSURE, READ, REPLACE, RUN
from aboveboard.kit.gone import GONE_BEFORE, Gone, by_calling
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Model, Page, slice_page
from aboveboard.lightdash.client.charts import ChartDetails
from aboveboard.lightdash.client.content.curation import PromotionChange, Verified
from aboveboard.lightdash.client.dashboards.dashboards import DashboardDetails
from aboveboard.lightdash.tools.content import chart_or_dashboard, tools
from aboveboard.lightdash.tools.parameters import Limit, OfProject, PageNumber, ProjectUuid

ChartOrDashboard = Annotated[Literal["chart", "dashboard"], Field(description="What it is.")]
ItemId = Annotated[str, Field(description="Its UUID, slug or name.")]


class Unverified(Gone):
    """Something that nobody vouches for any more."""

    uuid: str
    name: str
    value: bool
    url: str | None = None


class Flag(Model):
    """Whether something is pinned, a favourite or verified now."""

    uuid: str
    name: str
    value: bool
    url: str | None = None


UNVERIFIED = Unverified(
    gone="the mark of Orders",
    to_get_back="verify_content with {...} verifies it again.",
    uuid="6513...",
    name="Orders",
    value=False,
    url="https://...",
)


class Promoted(Model):
    """Whether anything upstream had to change, and what is there now."""

    changed: bool
    upstream_uuid: str | None = None
    url: str | None = None
    """Of what is upstream."""


@tools.tool(
    "List Verified Content",
    READ,
    example=Page[Verified](items=[Verified(content_uuid="6513...", name="Orders by status")], total=1),
)
async def list_verified_content(
    lightdash: LightdashClient, project_uuid: ProjectUuid = None, limit: Limit = 50, page: PageNumber = 1
) -> Page[Verified]:
    """List the charts and dashboards that somebody vouches for."""
    return slice_page(await lightdash.curation.verified(project_uuid), Verified, limit=limit, page=page)


@tools.tool("Verify Content", ENSURE, example=Flag(uuid="6513...", name="Orders by status", value=True))
async def verify_content(
    lightdash: LightdashClient, kind: ChartOrDashboard, item: ItemId, project_uuid: OfProject = None
) -> Flag:
    """Mark a chart or dashboard as verified, in the name of the token's owner; one that is stays as it is."""
    found = await chart_or_dashboard(lightdash, kind, item, project_uuid)
    if not await _is_verified(lightdash, found):
        await lightdash.curation.verify(kind, found.uuid, found.project_uuid)
    return Flag(uuid=found.uuid, name=found.name, value=True, url=found.url)


@tools.tool("Unverify Content", DELETE, example=UNVERIFIED)
async def unverify_content(
    lightdash: LightdashClient, kind: ChartOrDashboard, item: ItemId, project_uuid: OfProject = None
) -> Unverified:
    """Take the verified mark off a chart or dashboard; who gave it, and when, is gone."""
    found = await chart_or_dashboard(lightdash, kind, item, project_uuid)
    back = GONE_BEFORE
    if await _is_verified(lightdash, found):
        await lightdash.curation.unverify(kind, found.uuid, found.project_uuid)
        thing = {"kind": kind, "item": found.uuid, "project_uuid": found.project_uuid}
        back = by_calling("verify_content", "verifies it again, in your name", **thing)
    gone = f"the verified mark of {found.name}"
    return Unverified(gone=gone, to_get_back=back, uuid=found.uuid, name=found.name, value=False, url=found.url)


async def _is_verified(lightdash: LightdashClient, one: ChartDetails | DashboardDetails) -> bool:
    return one.uuid in {verified.content_uuid for verified in await lightdash.curation.verified(one.project_uuid)}


# Upstream these two are toggles; the wanted state is an argument here.
@tools.tool("Pin Content", REPLACE, example=Flag(uuid="6513...", name="Orders by status", value=True))
async def pin_content(
    lightdash: LightdashClient,
    kind: ChartOrDashboard,
    item: ItemId,
    pinned: Annotated[bool, Field(description="False takes the pin off.")] = True,
    project_uuid: OfProject = None,
) -> Flag:
    """Pin a chart or dashboard to the project's homepage for everyone, or take it off."""
    found = await chart_or_dashboard(lightdash, kind, item, project_uuid)
    await lightdash.curation.pin(kind, found.uuid, found.project_uuid, pinned=pinned)
    return Flag(uuid=found.uuid, name=found.name, value=pinned, url=found.url)


@tools.tool("Favorite Content", REPLACE, example=Flag(uuid="6513...", name="Orders by status", value=True))
async def favorite_content(
    lightdash: LightdashClient,
    kind: ChartOrDashboard,
    item: ItemId,
    favorite: Annotated[bool, Field(description="False takes it off the list.")] = True,
    project_uuid: OfProject = None,
) -> Flag:
    """Put a chart or dashboard on the token owner's list of favourites, or take it off."""
    found = await chart_or_dashboard(lightdash, kind, item, project_uuid)
    await lightdash.curation.favour(kind, found.uuid, found.project_uuid, favourite=favorite)
    return Flag(uuid=found.uuid, name=found.name, value=favorite, url=found.url)


@tools.tool(
    "Preview Promotion",
    READ,
    example=Page[PromotionChange](items=[PromotionChange(kind="charts", action="create", name="Orders")], total=1),
)
async def preview_promotion(
    lightdash: LightdashClient, kind: ChartOrDashboard, item: ItemId, project_uuid: OfProject = None
) -> Page[PromotionChange]:
    """Show what promote_content would create or replace in the upstream project."""
    found = await chart_or_dashboard(lightdash, kind, item, project_uuid)
    changes = await lightdash.curation.promotion(kind, found.uuid, found.project_uuid)
    return Page[PromotionChange](items=changes, total=len(changes))


# A chart that is the same upstream is left alone; of a dashboard Lightdash cannot tell, and writes one more version.
@tools.tool("Promote Content", RUN, example=Promoted(changed=True, upstream_uuid="6481...", url="https://..."))
async def promote_content(
    lightdash: LightdashClient, kind: ChartOrDashboard, item: ItemId, project_uuid: OfProject = None
) -> Promoted:
    """Write a chart or dashboard to the upstream project, over what is there under the same slug."""
    found = await chart_or_dashboard(lightdash, kind, item, project_uuid)
    changes = await lightdash.curation.promotion(kind, found.uuid, found.project_uuid)
    if changes and all(change.action == "no changes" for change in changes):
        upstream = changes[0].project_uuid  # where it has the same slug
        return Promoted(changed=False, url=upstream and lightdash.pages.content(kind, upstream, found.slug))
    there = await lightdash.curation.promote(kind, found.uuid, found.project_uuid)
    url = lightdash.pages.content(kind, there.project_uuid, there.uuid)
    return Promoted(changed=True, upstream_uuid=there.uuid, url=url)
