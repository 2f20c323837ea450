"""Making, changing and deleting dashboards and their tiles."""

from typing import Annotated, Any

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.gone import FOR_GOOD, Gone, by_calling, shorten_text
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page
from aboveboard.lightdash.client.charts import ChartDetails
from aboveboard.lightdash.client.dashboards.dashboards import DashboardDetails, Tile
from aboveboard.lightdash.client.sql.charts import SqlChart
from aboveboard.lightdash.client.versions import Version
from aboveboard.lightdash.tools.charts.edits import Name, NewName
from aboveboard.lightdash.tools.dashboards.dashboards import DETAILS, DashboardId, tools
from aboveboard.lightdash.tools.dashboards.tiles import (
    HEIGHT,
    WIDTH,
    Shown,
    chart_tile,
    chosen_tab,
    filters_on,
    with_tile,
)
from aboveboard.lightdash.tools.gone import Deleted, deleted_content, for_good
from aboveboard.lightdash.tools.parameters import Limit, OfProject, PageNumber, ProjectUuid, SpaceUuid
from aboveboard.lightdash.tools.queries.saved import either_chart
from aboveboard.lightdash.tools.versions import VERSIONS, VersionUuid, go_back_to, history_of

TileUuid = Annotated[str, Field(description="Tile UUID or title.")]
Chart = Annotated[str | None, Field(description="Chart UUID, slug or name to show.")]
Markdown = Annotated[str | None, Field(description="Text to show, in Markdown.")]
Title = Annotated[str | None, Field(description="The tile's heading.")]
Tab = Annotated[str | None, Field(description="Tab name or UUID, where there are tabs.")]
# What Lightdash tells in a tile of the chart it shows.
OF_THE_CHART = ("chartSlug", "lastVersionChartKind", "belongsToDashboard")
NOTHING: dict[str, list[Any]] = {"dimensions": [], "metrics": [], "tableCalculations": []}


class WithTile(DashboardDetails):
    """A dashboard with a tile more."""

    tile_filters: list[str] | None = None
    """The dashboard's filters that apply to that tile; left out where it has none, and of text."""


WITH_TILE = WithTile(**DETAILS.model_dump(), tile_filters=["orders_status equals placed"])


class Without(DashboardDetails, Gone):
    """A dashboard without the tile that it had."""


WITHOUT = Without(
    **DETAILS.model_dump(exclude={"url"}), gone="Orders", to_get_back="rollback_dashboard with {...} brings it back."
)


@tools.tool("Create Dashboard", ADD, example=DETAILS, core=True)
async def create_dashboard(
    lightdash: LightdashClient,
    name: Name,
    space_uuid: SpaceUuid,
    description: Annotated[str | None, Field(description="What it is for.")] = None,
    project_uuid: ProjectUuid = None,
) -> DashboardDetails:
    """Create an empty dashboard (add_dashboard_tile fills it); the same call again creates another one."""
    space = await lightdash.spaces.get(project_uuid, space_uuid)  # Lightdash would take one of another project
    body: dict[str, Any] = {
        "name": name,
        **({} if description is None else {"description": description}),  # Lightdash refuses null
        "spaceUuid": space.uuid,
        "tiles": [],
        "tabs": [],
        "filters": NOTHING,
    }
    return await lightdash.dashboards.create(project_uuid, body)


@tools.tool("Update Dashboard", REPLACE, example=DETAILS)
async def update_dashboard(
    lightdash: LightdashClient,
    dashboard: DashboardId,
    name: NewName = None,
    description: Annotated[str | None, Field(description="New description; left out, it stays.")] = None,
    project_uuid: OfProject = None,
) -> DashboardDetails:
    """Give a dashboard a new name or description; its tiles stay."""
    if name is None and description is None:
        raise BadInput("Give a new name, a new description, or both: there is nothing to change.")
    old = await lightdash.dashboards.get(dashboard, project_uuid)
    return await lightdash.dashboards.describe(old, name=name, description=description)


@tools.tool("Duplicate Dashboard", ADD, example=DETAILS)
async def duplicate_dashboard(
    lightdash: LightdashClient, dashboard: DashboardId, name: Name, project_uuid: OfProject = None
) -> DashboardDetails:
    """Copy a dashboard under a new name, into the same space; charts that belong to it are copied too."""
    return await lightdash.dashboards.duplicate(await lightdash.dashboards.get(dashboard, project_uuid), name)


@tools.tool("Delete Dashboard", DELETE, example=for_good("1f48...", "Sales today"))
async def delete_dashboard(
    lightdash: LightdashClient, dashboard: DashboardId, project_uuid: OfProject = None
) -> Deleted:
    """Delete a dashboard and the charts that belong to it alone."""
    old = await lightdash.dashboards.get(dashboard, project_uuid)
    await lightdash.dashboards.delete(old)
    return await deleted_content(lightdash, old.project_uuid, "dashboard", old.uuid, old.name)


@tools.tool("Get Dashboard History", READ, example=VERSIONS)
async def get_dashboard_history(
    lightdash: LightdashClient,
    dashboard: DashboardId,
    project_uuid: OfProject = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[Version]:
    """List a dashboard's versions, the newest first."""
    found = await lightdash.dashboards.get(dashboard, project_uuid)
    return await history_of(lightdash.dashboards, found, limit=limit, page=page)


@tools.tool("Roll Back Dashboard", REPLACE, example=DETAILS)
async def rollback_dashboard(
    lightdash: LightdashClient, dashboard: DashboardId, version_uuid: VersionUuid, project_uuid: OfProject = None
) -> DashboardDetails:
    """Make an earlier version of a dashboard the current one; its name stays, its history keeps what it showed."""
    return await go_back_to(lightdash.dashboards, dashboard, version_uuid, project_uuid)


@tools.tool("Add Dashboard Tile", ADD, example=WITH_TILE, core=True)
async def add_dashboard_tile(
    lightdash: LightdashClient,
    dashboard: DashboardId,
    chart: Chart = None,
    markdown: Markdown = None,
    title: Title = None,
    tab_uuid: Tab = None,
    width: Annotated[int, Field(description="Columns of 36.", ge=1, le=36)] = WIDTH,
    height: Annotated[int, Field(description="Rows.", ge=1, le=100)] = HEIGHT,
    project_uuid: OfProject = None,
) -> WithTile:
    """Add a chart or text below a dashboard's other tiles; the same call again adds another one.

    tile_filters: which of the dashboard's filters apply to it.
    """
    found = await lightdash.dashboards.get(dashboard, project_uuid)
    shown = await _asked(lightdash, found, chart, markdown)
    kind, properties = _tile_of(shown)
    tab = chosen_tab(found, tab_uuid)
    tiles = with_tile(found, kind, properties, title=title, tab=tab, width=width, height=height)
    filters = None if isinstance(shown, str) else await filters_on(lightdash, found, shown)
    made = await lightdash.dashboards.arrange(found, tiles, adds=True)
    return WithTile.model_validate({**made.model_dump(), "tile_filters": filters})


@tools.tool("Update Dashboard Tile", REPLACE, example=DETAILS)
async def update_dashboard_tile(
    lightdash: LightdashClient,
    dashboard: DashboardId,
    tile_uuid: TileUuid,
    chart: Chart = None,
    markdown: Markdown = None,
    title: Title = None,
    project_uuid: OfProject = None,
) -> DashboardDetails:
    """Change what a tile shows or its heading; what it showed until now stays in the dashboard's history."""
    found = await lightdash.dashboards.get(dashboard, project_uuid)
    old = found.tile(tile_uuid)
    if chart is None and markdown is None:
        kind, shown = old.type, {}
    else:
        kind, shown = _tile_of(await _asked(lightdash, found, chart, markdown))
    heading = {} if title is None else {"text" if kind == "heading" else "title": title}
    if kind == old.type and {**shown, **heading}.items() <= old.properties.items():
        return found
    kept = _kept_properties(old, kind) if shown else old.properties
    new = {**old.content(), "type": kind, "properties": {**kept, **shown, **heading}}
    tiles = [new if tile.uuid == old.uuid else tile.content() for tile in found.tiles]
    return await lightdash.dashboards.arrange(found, tiles)


@tools.tool("Remove Dashboard Tile", DELETE, example=WITHOUT)
async def remove_dashboard_tile(
    lightdash: LightdashClient, dashboard: DashboardId, tile_uuid: TileUuid, project_uuid: OfProject = None
) -> Without:
    """Take a tile off a dashboard; the chart it showed stays."""
    found = await lightdash.dashboards.get(dashboard, project_uuid)
    gone = found.tile(tile_uuid)
    left = [tile.content() for tile in found.tiles if tile.uuid != gone.uuid]
    now = await lightdash.dashboards.arrange(found, left)
    version = {"dashboard": now.uuid, "version_uuid": now.kept_version, "project_uuid": now.project_uuid}
    back = by_calling("rollback_dashboard", **version) if now.kept_version else FOR_GOOD
    return Without.model_validate({**now.model_dump(), "gone": shorten_text(gone.name), "to_get_back": back})


async def _asked(
    lightdash: LightdashClient,
    dashboard: DashboardDetails,
    chart: str | None,
    markdown: str | None,
) -> ChartDetails | SqlChart | str:
    """Return what a tile shall show: a chart, or text."""
    if (chart is None) == (markdown is None):
        raise BadInput("Give a chart or markdown, one of the two.")
    return await either_chart(lightdash, chart, dashboard.project_uuid) if chart is not None else str(markdown)


def _tile_of(shown: ChartDetails | SqlChart | str) -> Shown:
    """Return a tile's kind and what it shows."""
    return ("markdown", {"content": shown}) if isinstance(shown, str) else chart_tile(shown)


def _kept_properties(tile: Tile, kind: str) -> dict[str, Any]:
    """Return what a tile keeps when it shows another thing, of the same kind or of another."""
    if kind == tile.type:
        return {key: value for key, value in tile.properties.items() if key not in OF_THE_CHART}
    return {"title": "", **{key: tile.properties[key] for key in ("title", "hideTitle") if key in tile.properties}}
