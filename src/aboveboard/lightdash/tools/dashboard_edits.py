"""Making, changing and deleting dashboards and their tiles."""

from typing import Annotated, Any, Literal

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.errors import BadInput, unknown
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Named, Page
from aboveboard.lightdash.client.dashboards import DashboardDetails, Tile
from aboveboard.lightdash.client.ids import uuid
from aboveboard.lightdash.client.sql_charts import SqlChart
from aboveboard.lightdash.client.versions import Version
from aboveboard.lightdash.tools.chart_edits import Name, NewName
from aboveboard.lightdash.tools.dashboards import DETAILS, DashboardId, tools
from aboveboard.lightdash.tools.parameters import Limit, OfProject, PageNumber, ProjectUuid, SpaceUuid
from aboveboard.lightdash.tools.saved import either_chart
from aboveboard.lightdash.tools.versions import VERSIONS, VersionUuid, history_of, rolled_back

TileUuid = Annotated[str, Field(description="Tile UUID, from get_dashboard.")]
Chart = Annotated[str | None, Field(description="Chart UUID or slug to show.")]
Markdown = Annotated[str | None, Field(description="Text to show, in Markdown.")]
Title = Annotated[str | None, Field(description="The tile's heading.")]
Tab = Annotated[str | None, Field(description="Tab UUID, where the dashboard has tabs.")]
NOTHING: dict[str, list[Any]] = {"dimensions": [], "metrics": [], "tableCalculations": []}


@tools.tool("Create Dashboard", ADD, example=DETAILS)
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
        "description": description,
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
    body = {"name": name or old.name, "description": old.description if description is None else description}
    return await lightdash.dashboards.update(old, body)


@tools.tool("Duplicate Dashboard", ADD, example=DETAILS)
async def duplicate_dashboard(
    lightdash: LightdashClient, dashboard: DashboardId, name: Name, project_uuid: OfProject = None
) -> DashboardDetails:
    """Copy a dashboard under a new name, into the same space; charts that belong to it are copied too."""
    return await lightdash.dashboards.duplicate(await lightdash.dashboards.get(dashboard, project_uuid), name)


@tools.tool("Delete Dashboard", DELETE, example=Named(uuid="1f486f7b-...", name="Sales today"))
async def delete_dashboard(lightdash: LightdashClient, dashboard: DashboardId, project_uuid: OfProject = None) -> Named:
    """Delete a dashboard and the charts that belong to it alone."""
    old = await lightdash.dashboards.get(dashboard, project_uuid)
    await lightdash.dashboards.delete(old)
    return Named(uuid=old.uuid, name=old.name)


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
    """Make an earlier version of a dashboard the current one; what it showed until now stays in its history."""
    return await rolled_back(
        lightdash.dashboards, dashboard, version_uuid, project_uuid, shows=lambda it: (_layout(it), it.filters)
    )


@tools.tool("Add Dashboard Tile", ADD, example=DETAILS)
async def add_dashboard_tile(
    lightdash: LightdashClient,
    dashboard: DashboardId,
    chart: Chart = None,
    markdown: Markdown = None,
    title: Title = None,
    tab_uuid: Tab = None,
    width: Annotated[int, Field(description="Columns of 36.", ge=1, le=36)] = 18,
    height: Annotated[int, Field(description="Rows.", ge=1, le=100)] = 9,
    project_uuid: OfProject = None,
) -> DashboardDetails:
    """Add a chart or text below a dashboard's other tiles; the same call again adds another one."""
    tab = None if tab_uuid is None else uuid("tab", tab_uuid)
    found = await lightdash.dashboards.get(dashboard, project_uuid)
    kind, properties = await _shown(lightdash, found, chart, markdown, title)
    _check_tab(found, tab)
    below = max((tile.y + tile.h for tile in found.tiles if tile.tab_uuid == tab), default=0)
    place = {"x": 0, "y": below, "w": width, "h": height, "tabUuid": tab}
    body = _body(found, found.tiles)
    body["tiles"].append({"type": kind, "properties": properties, **place})
    return await lightdash.dashboards.update(found, body, adds=True)


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
    wanted = uuid("tile", tile_uuid)
    found = await lightdash.dashboards.get(dashboard, project_uuid)
    old = _tile(found, wanted)
    if chart is None and markdown is None:
        kind, properties = old.type, old.properties if title is None else {**old.properties, "title": title}
    else:
        kind, properties = await _shown(lightdash, found, chart, markdown, title)
    if kind == old.type and properties.items() <= old.properties.items():  # Lightdash adds some of its own
        return found
    new = old.model_copy(update={"type": kind, "properties": properties})
    tiles = [new if tile.uuid == old.uuid else tile for tile in found.tiles]
    return await lightdash.dashboards.update(found, _body(found, tiles))


@tools.tool("Remove Dashboard Tile", DELETE, example=DETAILS)
async def remove_dashboard_tile(
    lightdash: LightdashClient, dashboard: DashboardId, tile_uuid: TileUuid, project_uuid: OfProject = None
) -> DashboardDetails:
    """Take a tile off a dashboard; the chart it showed stays."""
    wanted = uuid("tile", tile_uuid)
    found = await lightdash.dashboards.get(dashboard, project_uuid)
    gone = _tile(found, wanted)
    return await lightdash.dashboards.update(found, _body(found, [tile for tile in found.tiles if tile != gone]))


async def _shown(
    lightdash: LightdashClient,
    dashboard: DashboardDetails,
    chart: str | None,
    markdown: str | None,
    title: str | None,
) -> tuple[Literal["saved_chart", "sql_chart", "markdown"], dict[str, Any]]:
    """Return a tile's kind and properties."""
    if (chart is None) == (markdown is None):
        raise BadInput("Give a chart or markdown, one of the two.")
    if chart is None:
        return "markdown", {"title": title or "", "content": markdown}
    saved = await either_chart(lightdash, chart, dashboard.project_uuid)
    if isinstance(saved, SqlChart):
        return "sql_chart", {"title": title or "", "savedSqlUuid": saved.saved_sql_uuid}
    return "saved_chart", {"title": title or "", "savedChartUuid": saved.uuid, "belongsToDashboard": False}


def _tile(dashboard: DashboardDetails, wanted: str) -> Tile:
    for tile in dashboard.tiles:
        if tile.uuid == wanted:
            return tile
    raise BadInput(unknown("tile", wanted, [tile.uuid for tile in dashboard.tiles], of=dashboard.name))


def _check_tab(dashboard: DashboardDetails, tab: str | None) -> None:
    tabs = [one.uuid for one in dashboard.tabs]
    if tab is None and tabs:
        raise BadInput("This dashboard has tabs: give tab_uuid, one of " + ", ".join(tabs) + ".")
    if tab is not None and tab not in tabs:
        raise BadInput(unknown("tab", tab, tabs, of=dashboard.name))


def _body(dashboard: DashboardDetails, tiles: list[Tile]) -> dict[str, Any]:
    """Write all tiles, since Lightdash replaces them as a whole."""
    return {
        "tiles": [tile.model_dump(by_alias=True) for tile in tiles],
        "tabs": [tab.model_dump(by_alias=True) for tab in dashboard.tabs],
        "filters": dashboard.filters,
    }


def _layout(dashboard: DashboardDetails) -> list[tuple[Any, ...]]:
    """Return what is seen: a rolled back version gives its tiles new ids."""
    return sorted(
        (tile.y, tile.x, tile.w, tile.h, tile.type, str(sorted(tile.properties.items(), key=str)))
        for tile in dashboard.tiles
    )
