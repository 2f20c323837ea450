"""Making, changing and deleting saved charts."""

from typing import Annotated, Any

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Named, Page
from aboveboard.lightdash.client.charts import ChartDetails
from aboveboard.lightdash.client.queries.metric_query import changed_query, metric_query
from aboveboard.lightdash.client.versions import Version
from aboveboard.lightdash.tools.charts.charts import DETAILS, ChartId, tools
from aboveboard.lightdash.tools.parameters import ExploreName, Limit, OfProject, PageNumber, ProjectUuid, SpaceUuid
from aboveboard.lightdash.tools.queries.queries import Dimensions, Metrics, RowLimit, SameFilters, Sort
from aboveboard.lightdash.tools.versions import VERSIONS, VersionUuid, history_of, rolled_back

Name = Annotated[str, Field(description="The name people see.", min_length=1, max_length=255)]
NewName = Annotated[str | None, Field(description="New name; left out, it stays.", min_length=1, max_length=255)]
Description = Annotated[str | None, Field(description="What it shows, for people.")]
ChartConfig = Annotated[
    dict[str, Any] | None, Field(description='How to draw it, as get_chart shows it; left out: {"type": "table"}.')
]

GONE = Named(uuid="65139249-...", name="Orders by status")


@tools.tool("Create Chart", ADD, example=DETAILS)
async def create_chart(
    lightdash: LightdashClient,
    name: Name,
    space_uuid: SpaceUuid,
    explore: ExploreName,
    dimensions: Dimensions = [],  # noqa: B006 (published as the default, never changed)
    metrics: Metrics = [],  # noqa: B006
    filters: SameFilters = [],  # noqa: B006
    sort: Sort = [],  # noqa: B006
    limit: RowLimit = 500,
    description: Description = None,
    chart_config: ChartConfig = None,
    project_uuid: ProjectUuid = None,
) -> ChartDetails:
    """Save a query as a new chart; the same call again saves another one."""
    space = await lightdash.spaces.get(project_uuid, space_uuid)  # Lightdash would take one of another project
    known = await lightdash.explores.get(project_uuid, explore)
    query = metric_query(known, dimensions=dimensions, metrics=metrics, filters=filters, sort=sort, limit=limit)
    body = {
        "name": name,
        **({} if description is None else {"description": description}),
        "spaceUuid": space.uuid,
        "tableName": query["exploreName"],
        "metricQuery": query,
        "chartConfig": chart_config or {"type": "table", "config": {}},
        "tableConfig": {"columnOrder": [*query["dimensions"], *query["metrics"]]},
    }
    return await lightdash.charts.create(project_uuid, body)


@tools.tool("Update Chart", REPLACE, example=DETAILS)
async def update_chart(
    lightdash: LightdashClient,
    chart: ChartId,
    dimensions: Annotated[list[str] | None, Field(description="New dimension ids; left out, they stay.")] = None,
    metrics: Annotated[list[str] | None, Field(description="New metric ids; left out, they stay.")] = None,
    filters: Annotated[
        list[dict[str, Any]] | None,
        Field(description="New filters, as run_metric_query takes them; left out, they stay."),
    ] = None,
    sort: Annotated[list[str] | None, Field(description="New sort; left out, it stays.")] = None,
    limit: Annotated[int | None, Field(description="New row limit; left out, it stays.", ge=1)] = None,
    chart_config: Annotated[dict[str, Any] | None, Field(description="New drawing; left out, it stays.")] = None,
    project_uuid: OfProject = None,
) -> ChartDetails:
    """Change what a saved chart asks or how it is drawn; the old query stays in its history."""
    old = await lightdash.charts.get(chart, project_uuid)
    named = (dimensions, metrics, filters) != (None,) * 3
    known = await lightdash.explores.get(old.project_uuid, old.table_name) if named else None
    query = changed_query(
        old.metric_query, known, dimensions=dimensions, metrics=metrics, filters=filters, sort=sort, limit=limit
    )
    changes: dict[str, Any] = {"metricQuery": query, "tableConfig": _with_columns(old, query)}
    if chart_config:
        changes["chartConfig"] = chart_config
    return await lightdash.charts.redraw(old, changes)


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


@tools.tool("Delete Chart", DELETE, example=GONE)
async def delete_chart(lightdash: LightdashClient, chart: ChartId, project_uuid: OfProject = None) -> Named:
    """Delete a saved chart; dashboards that show it lose what the tile showed."""
    old = await lightdash.charts.get(chart, project_uuid)
    await lightdash.charts.delete(old)
    return Named(uuid=old.uuid, name=old.name)


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
    """Make an earlier version of a chart the current one; what it showed until now stays in its history."""
    return await rolled_back(lightdash.charts, chart, version_uuid, project_uuid)


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
