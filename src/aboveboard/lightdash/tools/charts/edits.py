"""Making, changing and deleting saved charts."""

from typing import Annotated, Any, get_args

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.errors import BadInput, Failure
from aboveboard.kit.json_object import JsonObject
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Model, Page
from aboveboard.lightdash.client.charts import ChartDetails
from aboveboard.lightdash.client.dashboards.dashboards import DashboardDetails
from aboveboard.lightdash.client.ids import uuid
from aboveboard.lightdash.client.queries.metric_query import changed_query, metric_query
from aboveboard.lightdash.client.versions import Version
from aboveboard.lightdash.tools.charts.charts import DETAILS, ChartId, tools
from aboveboard.lightdash.tools.charts.drawing import SERIES, ChartType, GroupBy, Kind, Stacked, X, Y, chart_parts
from aboveboard.lightdash.tools.dashboards.tiles import chart_tile, filters_on, with_tile
from aboveboard.lightdash.tools.gone import Deleted, deleted_content, for_good
from aboveboard.lightdash.tools.parameters import Limit, OfProject, PageNumber, ProjectUuid
from aboveboard.lightdash.tools.queries.queries import (
    ROWS,
    Condition,
    Dimensions,
    Metrics,
    RowLimit,
    SameFilters,
    Sort,
)
from aboveboard.lightdash.tools.versions import VERSIONS, VersionUuid, go_back_to, history_of

Name = Annotated[str, Field(description="The name people see.", min_length=1, max_length=255)]
NewName = Annotated[str | None, Field(description="New name; left out, it stays.", min_length=1, max_length=255)]
Description = Annotated[str | None, Field(description="What it shows, for people.")]
ChartConfig = Annotated[
    JsonObject | None, Field(description="JSON object: how to draw it, in full, as get_chart shows it.")
]


class OnDashboard(Model):
    """The dashboard that shows a chart, and those of its filters that apply to the chart too."""

    uuid: str
    name: str
    url: str | None = None
    filters: list[str] | None = None


class SavedChart(ChartDetails):
    """A chart that was just saved, and where it is shown."""

    on_dashboard: OnDashboard | None = None


@tools.tool("Create Chart", ADD, example=SavedChart.model_validate(DETAILS.model_dump()), core=True)
async def create_chart(
    lightdash: LightdashClient,
    name: Name,
    space_uuid: Annotated[str | None, Field(description="Space UUID, slug or name; left out: the dashboard's.")] = None,
    explore: Annotated[str | None, Field(description="Explore to ask; not with query_uuid.")] = None,
    dimensions: Dimensions = [],  # noqa: B006 (published as the default, never changed)
    metrics: Metrics = [],  # noqa: B006
    filters: SameFilters = [],  # noqa: B006
    sort: Sort = [],  # noqa: B006
    limit: RowLimit = ROWS,
    query_uuid: Annotated[str | None, Field(description="Save this query, which run_metric_query ran.")] = None,
    chart_type: ChartType = "table",
    x: X = None,
    y: Y = None,
    group_by: GroupBy = None,
    stacked: Stacked = False,
    chart_config: ChartConfig = None,
    dashboard: Annotated[
        str | None, Field(description="Dashboard (UUID, slug or name) to show it on, at the end.")
    ] = None,
    description: Description = None,
    project_uuid: ProjectUuid = None,
) -> SavedChart:
    """Save a query as a new chart; render_chart shows its picture. The same call again saves another one."""
    ran = None if query_uuid is None else uuid("query", query_uuid)
    board = None if dashboard is None else await lightdash.dashboards.get(dashboard, project_uuid)
    place = board.space_uuid if board and space_uuid is None else space_uuid
    if place is None:
        raise BadInput("Give a space_uuid to save it in, or a dashboard, whose space it then takes.")
    space = await lightdash.spaces.get(project_uuid, place)  # Lightdash would take one of another project
    if ran is not None:
        if explore or dimensions or metrics or filters or sort or limit != ROWS:
            raise BadInput("Give query_uuid alone, or what to ask: explore, dimensions, metrics, filters, sort, limit.")
        query = _ran(lightdash, ran)
    elif explore is None:
        raise BadInput("Give explore with dimensions and metrics, or the query_uuid of a query that ran.")
    else:
        known = await lightdash.explores.get(project_uuid, explore)
        query = metric_query(known, dimensions=dimensions, metrics=metrics, filters=filters, sort=sort, limit=limit)
    body = {
        "name": name,
        **({} if description is None else {"description": description}),
        "spaceUuid": space.uuid,
        "tableName": query["exploreName"],
        "metricQuery": query,
        **_drawing(query, chart_type or "table", chart_config, x=x, y=y, group_by=group_by, stacked=stacked),
        "tableConfig": {"columnOrder": [*query["dimensions"], *query["metrics"]]},
    }
    made = await lightdash.charts.create(project_uuid, body)
    return SavedChart(**made.model_dump(), on_dashboard=await _shown_on(lightdash, board, made))


@tools.tool("Update Chart", REPLACE, example=SavedChart.model_validate(DETAILS.model_dump()), core=True)
async def update_chart(
    lightdash: LightdashClient,
    chart: ChartId,
    dimensions: Annotated[list[str] | None, Field(description="New dimension ids; left out, they stay.")] = None,
    metrics: Annotated[list[str] | None, Field(description="New metric ids; left out, they stay.")] = None,
    filters: Annotated[
        list[Condition] | None,
        Field(description="New filters, as run_metric_query takes them; left out, they stay."),
    ] = None,
    sort: Annotated[list[str] | None, Field(description="New sort; left out, it stays.")] = None,
    limit: Annotated[int | None, Field(description="New row limit; left out, it stays.", ge=1)] = None,
    chart_type: Annotated[Kind | None, Field(description="Draw it anew, as this; left out, it stays.")] = None,
    x: X = None,
    y: Y = None,
    group_by: GroupBy = None,
    stacked: Stacked = False,
    chart_config: Annotated[
        JsonObject | None, Field(description="JSON object: new drawing; left out, it stays.")
    ] = None,
    query_uuid: Annotated[str | None, Field(description="Ask this query instead, which ran.")] = None,
    dashboard: Annotated[str | None, Field(description="Dashboard (UUID, slug or name) to show it on too.")] = None,
    project_uuid: OfProject = None,
) -> SavedChart:
    """Change what a saved chart asks or how it is drawn; the old query stays in its history."""
    ran = None if query_uuid is None else uuid("query", query_uuid)
    old = await lightdash.charts.get(chart, project_uuid)
    board = None if dashboard is None else await lightdash.dashboards.get(dashboard, old.project_uuid)
    named = (dimensions, metrics, filters) != (None,) * 3
    if ran is not None:
        if named or (sort, limit) != (None, None):
            raise BadInput("Give query_uuid, or what is to be new of the query, not both.")
        query = _in_place_of(old.metric_query, _ran(lightdash, ran))
    else:
        known = await lightdash.explores.get(old.project_uuid, old.table_name) if named else None
        query = changed_query(
            old.metric_query, known, dimensions=dimensions, metrics=metrics, filters=filters, sort=sort, limit=limit
        )
    group_by = group_by or _group_of(old, chart_type, query, x)
    drawing = _drawing(query, chart_type, chart_config, x=x, y=y, group_by=group_by, stacked=stacked)
    asked = {} if ran is None else {"tableName": query["exploreName"]}
    changes: dict[str, Any] = {**asked, "metricQuery": query, "tableConfig": _with_columns(old, query), **drawing}
    without = ["pivotConfig"] if chart_type and "pivotConfig" not in drawing else []
    new = await lightdash.charts.redraw(old, changes, without=without)
    return SavedChart(**new.model_dump(), on_dashboard=await _shown_on(lightdash, board, new))


@tools.tool("Rename Chart", REPLACE, example=DETAILS)
async def rename_chart(
    lightdash: LightdashClient,
    chart: ChartId,
    name: NewName = None,
    description: Annotated[str | None, Field(description="New description; left out, it stays.")] = None,
    project_uuid: OfProject = None,
) -> ChartDetails:
    """Give a saved chart a new name or description; its query and its place stay as they are."""
    if name is None and description is None:
        raise BadInput("Give a new name, a new description, or both: there is nothing to change.")
    old = await lightdash.charts.get(chart, project_uuid)
    return await lightdash.charts.describe(old, name=name, description=description)


@tools.tool("Duplicate Chart", ADD, example=DETAILS)
async def duplicate_chart(
    lightdash: LightdashClient, chart: ChartId, name: Name, project_uuid: OfProject = None
) -> ChartDetails:
    """Copy a saved chart under a new name, into the same space."""
    return await lightdash.charts.duplicate(await lightdash.charts.get(chart, project_uuid), name)


@tools.tool("Delete Chart", DELETE, example=for_good("6513...", "Orders by status"))
async def delete_chart(lightdash: LightdashClient, chart: ChartId, project_uuid: OfProject = None) -> Deleted:
    """Delete a saved chart; dashboards that show it lose what the tile showed."""
    old = await lightdash.charts.get(chart, project_uuid)
    await lightdash.charts.delete(old)
    return await deleted_content(lightdash, old.project_uuid, "chart", old.uuid, old.name)


@tools.tool("Get Chart History", READ, example=VERSIONS)
async def get_chart_history(
    lightdash: LightdashClient,
    chart: ChartId,
    project_uuid: OfProject = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[Version]:
    """List a chart's versions, the newest first."""
    found = await lightdash.charts.get(chart, project_uuid)
    return await history_of(lightdash.charts, found, limit=limit, page=page)


@tools.tool("Roll Back Chart", REPLACE, example=DETAILS)
async def rollback_chart(
    lightdash: LightdashClient, chart: ChartId, version_uuid: VersionUuid, project_uuid: OfProject = None
) -> ChartDetails:
    """Make an earlier version of a chart the current one; its name stays, its history keeps what it showed."""
    return await go_back_to(lightdash.charts, chart, version_uuid, project_uuid)


async def _shown_on(
    lightdash: LightdashClient, board: DashboardDetails | None, made: ChartDetails
) -> OnDashboard | None:
    if board is None:
        return None
    try:
        if not any(one.properties.get("savedChartUuid") == made.uuid for one in board.tiles):
            await lightdash.dashboards.arrange(board, with_tile(board, *chart_tile(made)), adds=True)
    except Failure as failed:  # the same call again would save a second chart
        raise Failure(
            f"The chart is saved as {made.uuid}, and {board.name!r} may not show it. {failed}",
            next_step="Look at the dashboard, and put the chart there with add_dashboard_tile; do not save it again.",
        ) from None
    filters = await filters_on(lightdash, board, made)
    return OnDashboard(uuid=board.uuid, name=board.name, url=board.url, filters=filters)


def _ran(lightdash: LightdashClient, query_uuid: str) -> dict[str, Any]:
    """Return what was asked by a query that ran here."""
    submitted = lightdash.queries.remembered(query_uuid).submitted
    if submitted is None or not submitted.metric_query:
        raise BadInput(
            f"What the query {query_uuid} asked is not known here: it was not a metric query, or ran long ago.",
            next_step="Give explore, dimensions and metrics instead.",
        )
    return {"exploreName": "", "dimensions": [], "metrics": [], **submitted.metric_query}


def _in_place_of(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return a query in place of a saved one: its columns, calculations and filters go, its time zone stays."""
    left: dict[str, Any] = {
        name: [] if isinstance(value, list) else {} if isinstance(value, dict) else value for name, value in old.items()
    }
    return {**left, **new}


def _group_of(old: ChartDetails, kind: Kind | None, query: dict[str, Any], x: str | None) -> str | None:
    """Return what a chart is grouped by and still asks for: drawn as another kind with axes, it keeps its series."""
    columns: list[str] = (old.pivot_config or {}).get("columns") or []
    kept = kind in SERIES and len(columns) == 1 and columns[0] in query["dimensions"] and columns[0] != x
    return columns[0] if kept else None


def _drawing(
    query: dict[str, Any],
    kind: Kind | None,
    config: dict[str, Any] | None,
    *,
    x: str | None,
    y: list[str] | None,
    group_by: str | None,
    stacked: bool,
) -> dict[str, Any]:
    """Return how it is to be drawn, as far as that is said."""
    placed = x is not None or y is not None or group_by is not None or stacked
    if config is not None:
        if placed:
            raise BadInput("chart_config says all about the drawing: leave out x, y, group_by and stacked.")
        return {"chartConfig": config}
    if kind is None:
        if placed:
            raise BadInput(f"Say what to draw, too: chart_type, one of {', '.join(get_args(Kind))}.")
        return {}
    return chart_parts(kind, query, x=x, y=y, group_by=group_by, stacked=stacked)


def _with_columns(old: ChartDetails, query: dict[str, Any]) -> dict[str, Any]:
    """Return how the table is laid out: a new column stands where the one before it stood, the others stay."""
    table = old.table_config or {}
    order: list[str] = table.get("columnOrder") or []
    for kind in ("dimensions", "metrics"):
        order = _replaced(order, old.metric_query.get(kind, []), query.get(kind, []))
    return {**table, "columnOrder": order}


def _replaced(order: list[str], old: list[str], new: list[str]) -> list[str]:
    if old == new:
        return order
    following = iter(new)
    placed = [next(following, None) if column in old else column for column in order]
    return [*(column for column in placed if column is not None), *following]
