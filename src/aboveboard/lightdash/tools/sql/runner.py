"""SQL: read the warehouse directly; a toolset of its own, so that it can be switched off on its own."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import READ
from aboveboard.kit.call import Call
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page, slice_page
from aboveboard.lightdash.client.sql.runner import SqlField, SqlTable
from aboveboard.lightdash.tools.parameters import Limit, PageNumber, ProjectUuid
from aboveboard.lightdash.tools.queries.queries import RESULT, ROWS, RowLimit, Rows
from aboveboard.lightdash.tools.queries.results import QueryResult
from aboveboard.lightdash.tools.queries.waiting import await_rows, submit_in_time
from aboveboard.lightdash.tools.sql.safety import check_select

tools = Toolset[LightdashClient]("sql", title="SQL", icon="M4 5l6 7-6 7h3l6-7-6-7zm8 12h8v2h-8z")


@tools.tool("Run SQL", READ, example=RESULT)
async def run_sql(
    lightdash: LightdashClient,
    call: Call,
    sql: Annotated[
        str,
        Field(
            description="One SELECT in the warehouse's dialect; of two columns named alike, the last is kept.",
            min_length=1,
            max_length=100_000,
        ),
    ],
    limit: RowLimit = ROWS,
    rows: Rows = 100,
    project_uuid: ProjectUuid = None,
) -> QueryResult:
    """Run one SELECT on the warehouse; all else, and functions not known to only read, is refused unsent.

    Lightdash runs it twice, first to learn its columns: over 20 seconds it may end without a query_uuid. The
    warehouse's user should be read-only.
    """
    check_select(sql)
    project = lightdash.project(project_uuid)
    await lightdash.instance.check_limit(limit)
    submitted, left = await submit_in_time(call, lightdash.queries.run_sql(project, sql, limit=limit))
    url = f"{lightdash.url}/projects/{project}/sql-runner"
    return await await_rows(lightdash, call, project, submitted, rows=rows, limit=limit, url=url, budget=left)


@tools.tool(
    "List SQL Tables",
    READ,
    example=Page[SqlTable](items=[SqlTable(database="shop", schema_name="main", table="orders")], total=1),
)
async def list_sql_tables(
    lightdash: LightdashClient, project_uuid: ProjectUuid = None, limit: Limit = 100, page: PageNumber = 1
) -> Page[SqlTable]:
    """List the warehouse's tables that run_sql can read."""
    return slice_page(await lightdash.sql_runner.tables(project_uuid), SqlTable, limit=limit, page=page)


@tools.tool("List SQL Fields", READ, example=Page[SqlField](items=[SqlField(name="status", type="string")], total=1))
async def list_sql_fields(
    lightdash: LightdashClient,
    table: Annotated[str, Field(description="Table name, from list_sql_tables.")],
    schema_name: Annotated[str, Field(description="Its schema.")],
    database: Annotated[str | None, Field(description="Its database.")] = None,
    project_uuid: ProjectUuid = None,
    limit: Limit = 100,
    page: PageNumber = 1,
) -> Page[SqlField]:
    """List the columns of a warehouse table."""
    fields = await lightdash.sql_runner.fields(project_uuid, table, schema=schema_name, database=database)
    return slice_page(fields, SqlField, limit=limit, page=page)
