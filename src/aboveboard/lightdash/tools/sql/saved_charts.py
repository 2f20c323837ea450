"""Saved SQL charts: a SELECT with a name and a place."""

from typing import Annotated, Any

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Named
from aboveboard.lightdash.client.sql.charts import SavedSql, SqlChart
from aboveboard.lightdash.tools.charts.edits import Name, NewName
from aboveboard.lightdash.tools.gone import Deleted, deleted_content, for_good
from aboveboard.lightdash.tools.parameters import ProjectUuid, SpaceUuid
from aboveboard.lightdash.tools.queries.queries import ROWS, RowLimit
from aboveboard.lightdash.tools.sql.runner import tools
from aboveboard.lightdash.tools.sql.safety import check_select

SqlChartId = Annotated[str, Field(description="SQL chart UUID, slug or name.")]
Statement = Annotated[str, Field(description="One SELECT.", min_length=1, max_length=100_000)]
TABLE: dict[str, Any] = {"type": "table", "metadata": {"version": 1}, "columns": {}, "display": {}}

SAVED = SqlChart(
    saved_sql_uuid="6dd8...",
    slug="orders",
    name="Orders",
    sql="SELECT ...",
    limit=500,
    config={"type": "table"},
    space=Named(uuid="9165...", name="Sales"),
    url="https://...",
)


@tools.tool("Get SQL Chart", READ, example=SAVED)
async def get_sql_chart(
    lightdash: LightdashClient, sql_chart: SqlChartId, project_uuid: ProjectUuid = None
) -> SqlChart:
    """Get a saved SQL chart: its statement and how it is drawn."""
    return await lightdash.sql_charts.get(project_uuid, sql_chart)


@tools.tool("Create SQL Chart", ADD, example=SavedSql(saved_sql_uuid="6dd8...", slug="orders"))
async def create_sql_chart(
    lightdash: LightdashClient,
    name: Name,
    space_uuid: SpaceUuid,
    sql: Statement,
    limit: RowLimit = ROWS,
    description: Annotated[str | None, Field(description="What it shows.")] = None,
    project_uuid: ProjectUuid = None,
) -> SavedSql:
    """Save a SELECT as a chart, drawn as a table; the same call again saves another one."""
    check_select(sql)
    space = await lightdash.spaces.get(project_uuid, space_uuid)  # Lightdash would take one of another project
    body = {
        "name": name,
        "description": description,
        "sql": sql,
        "limit": limit,
        "config": TABLE,
        "spaceUuid": space.uuid,
    }
    return await lightdash.sql_charts.create(project_uuid, body)


@tools.tool("Update SQL Chart", REPLACE, example=SAVED)
async def update_sql_chart(
    lightdash: LightdashClient,
    sql_chart: SqlChartId,
    name: NewName = None,
    description: Annotated[str | None, Field(description="New description; left out, it stays.")] = None,
    sql: Annotated[str | None, Field(description="New SELECT; left out, it stays.", min_length=1)] = None,
    limit: Annotated[int | None, Field(description="New row limit; left out, it stays.", ge=1)] = None,
    project_uuid: ProjectUuid = None,
) -> SqlChart:
    """Change a saved SQL chart; what it was is gone."""
    if (name, description, sql, limit) == (None,) * 4:
        raise BadInput("Give a new name, description, sql or limit: there is nothing to change.")
    old = await lightdash.sql_charts.get(project_uuid, sql_chart)
    body: dict[str, Any] = {}
    told = {"name": name or old.name, "description": old.description if description is None else description}
    if told != {"name": old.name, "description": old.description}:
        body["unversionedData"] = {**told, "spaceUuid": old.space.uuid}
    if (sql or old.sql, limit or old.limit) != (old.sql, old.limit):
        if sql is not None:
            check_select(sql)
        body["versionedData"] = {"sql": sql or old.sql, "limit": limit or old.limit, "config": old.config}
    if not body:
        return old  # Lightdash would write one more equal version
    await lightdash.sql_charts.update(project_uuid, old, body)
    return await lightdash.sql_charts.get(project_uuid, old.saved_sql_uuid)


@tools.tool("Delete SQL Chart", DELETE, example=for_good("6dd8...", "Orders"))
async def delete_sql_chart(
    lightdash: LightdashClient, sql_chart: SqlChartId, project_uuid: ProjectUuid = None
) -> Deleted:
    """Delete a saved SQL chart; where this Lightdash keeps a trash, it goes there."""
    old = await lightdash.sql_charts.get(project_uuid, sql_chart)
    await lightdash.sql_charts.delete(project_uuid, old)
    return await deleted_content(lightdash, project_uuid, "chart", old.saved_sql_uuid, old.name)
