"""Queries: ask an explore, run what is saved, read on, cancel."""

import json
from typing import Annotated, Any, Final, Literal
from urllib.parse import quote

from pydantic import Field, WithJsonSchema

from aboveboard.effects import ADD, READ, REPLACE
from aboveboard.errors import ApiError
from aboveboard.kit.call import Call
from aboveboard.kit.json_object import JsonObject
from aboveboard.kit.library import Content
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Model, Page
from aboveboard.lightdash.client.ids import uuid
from aboveboard.lightdash.client.queries.filters import OPERATORS, SHAPE, UNITS, lightdash_filters
from aboveboard.lightdash.client.queries.metric_query import Calculation, CustomMetric, metric_query
from aboveboard.lightdash.client.queries.queries import UNFINISHED, Column, CompiledQuery, PastQuery, Submitted
from aboveboard.lightdash.tools.parameters import ExploreName, Limit, PageNumber, ProjectUuid
from aboveboard.lightdash.tools.queries.calculations import check_calculations
from aboveboard.lightdash.tools.queries.results import QueryResult
from aboveboard.lightdash.tools.queries.waiting import await_rows, job_done

tools = Toolset[LightdashClient]("queries", title="Queries", icon="M10 4a6 6 0 1 0 4 10l5 5 2-2-5-5A6 6 0 0 0 10 4z")

Dimensions = Annotated[list[str], Field(description="Dimension ids to group by, such as orders_status.")]
Metrics = Annotated[list[str], Field(description="Metric ids, such as orders_order_count.")]
Condition = Annotated[dict[str, Any], WithJsonSchema(SHAPE)]
Filters = Annotated[
    list[Condition],
    Field(
        description="All must hold. Each: {field, operator, values}, or {or: [...]} of such (also {and: [...]}). "
        f"Operators: {', '.join(OPERATORS)}. The relative ones take unit ({', '.join(UNITS[4:])}; or shorter); "
        "those with a number also completed (true: whole periods only), e.g. "
        '{"field": "orders_date", "operator": "inThePast", "values": ["3"], "unit": "months"}.'
    ),
]
Same = Field(description="As run_metric_query takes them.")
SameFilters = Annotated[list[Condition], Field(description="As run_metric_query takes them.")]
Sort = Annotated[list[str], Field(description="Columns to sort by; -id sorts down.")]
Calculations = Annotated[
    list[Calculation],
    Field(description="Computed columns: {name, sql}, sql such as ${orders.total} / ${orders.count}."),
]
RowLimit = Annotated[int, Field(description="Rows to compute at most.", ge=1)]
ROWS: Final = 500
"""What is computed at most where nobody says how much."""
Rows = Annotated[int, Field(description="Rows to show now.", ge=1, le=500)]
CustomMetrics = Annotated[
    list[CustomMetric], Field(description="Metrics of your own: {name, dimension, type}; as columns: table_name.")
]
Parameters = Annotated[
    JsonObject | None,
    Field(description="JSON object: values by parameter name, as get_project_parameters shows them; others: defaults."),
]
QueryUuid = Annotated[str, Field(description="query_uuid of a query that ran.")]

RESULT = QueryResult(
    status="ready",
    query_uuid="244d...",
    columns=[Column(id="orders_status", label="Status", type="string")],
    rows=[["completed"]],
    total_rows=1,
)


class Cancelled(Model):
    """Whether a query was stopped; one that had ended is left as it is."""

    query_uuid: str
    cancelled: bool
    status: str


class Export(Model):
    """A file that Lightdash wrote; the link works for whoever is signed in as the token's owner."""

    file_url: str
    resource: str
    format: str
    truncated: bool = False


@tools.tool("Run Metric Query", READ, example=RESULT, core=True)
async def run_metric_query(
    lightdash: LightdashClient,
    call: Call,
    explore: ExploreName,
    dimensions: Dimensions = [],  # noqa: B006 (published as the default, never changed)
    metrics: Metrics = [],  # noqa: B006
    filters: Filters = [],  # noqa: B006
    sort: Sort = [],  # noqa: B006
    limit: RowLimit = ROWS,
    table_calculations: Calculations = [],  # noqa: B006
    custom_metrics: CustomMetrics = [],  # noqa: B006
    parameters: Parameters = None,
    rows: Rows = 100,
    project_uuid: ProjectUuid = None,
) -> QueryResult:
    """Query an explore and return rows. A long query answers status running: then call get_query_result."""
    project = lightdash.project(project_uuid)
    check_calculations(call, table_calculations)
    await lightdash.instance.check_limit(limit)
    await lightdash.projects.check_parameters(project, parameters)
    query = metric_query(
        await lightdash.explores.get(project, explore),
        dimensions=dimensions,
        metrics=metrics,
        filters=filters,
        sort=sort,
        limit=limit,
        calculations=table_calculations,
        custom_metrics=custom_metrics,
    )
    submitted = await lightdash.queries.run_metrics(project, query, parameters or {})
    url = _explore_url(lightdash, project, query)
    order = columns_of(submitted)
    return await await_rows(lightdash, call, project, submitted, rows=rows, order=order, limit=limit, url=url)


@tools.tool("Compile Query", READ, example=CompiledQuery(query="SELECT ..."))
async def compile_query(
    lightdash: LightdashClient,
    call: Call,
    explore: ExploreName,
    dimensions: Dimensions = [],  # noqa: B006
    metrics: Metrics = [],  # noqa: B006
    filters: SameFilters = [],  # noqa: B006
    sort: Sort = [],  # noqa: B006
    limit: RowLimit = ROWS,
    table_calculations: Annotated[list[Calculation], Same] = [],  # noqa: B006
    custom_metrics: Annotated[list[CustomMetric], Same] = [],  # noqa: B006
    parameters: Annotated[JsonObject | None, Field(description="JSON object, as run_metric_query takes it.")] = None,
    project_uuid: ProjectUuid = None,
) -> CompiledQuery:
    """Show the SQL that a query would run, without running it."""
    check_calculations(call, table_calculations)
    await lightdash.projects.check_parameters(project_uuid, parameters)
    query = metric_query(
        await lightdash.explores.get(project_uuid, explore),
        dimensions=dimensions,
        metrics=metrics,
        filters=filters,
        sort=sort,
        limit=limit,
        calculations=table_calculations,
        custom_metrics=custom_metrics,
    )
    return await lightdash.queries.compile(project_uuid, explore, query, parameters or {})


@tools.tool("Get Query Result", READ, example=RESULT, core=True)
async def get_query_result(
    lightdash: LightdashClient,
    call: Call,
    query_uuid: QueryUuid,
    page: PageNumber = 1,
    rows: Rows = 100,
    project_uuid: ProjectUuid = None,
) -> QueryResult:
    """Wait on for a query that still runs, or read another page of its rows, counted in pages of `rows` rows."""
    asked = lightdash.queries.remembered(query_uuid)
    submitted = asked.submitted or Submitted(query_uuid=query_uuid)
    order = asked.order or columns_of(submitted)
    return await await_rows(lightdash, call, project_uuid, submitted, rows=rows, page=page, order=order, url=asked.url)


# Cancelling throws away the rows of a query that ends at this very moment, so it counts as a loss.
@tools.tool("Cancel Query", REPLACE, example=Cancelled(query_uuid="244d...", cancelled=True, status="cancelled"))
async def cancel_query(
    lightdash: LightdashClient, query_uuid: QueryUuid, project_uuid: ProjectUuid = None
) -> Cancelled:
    """Give up a query that still runs; one that has ended keeps its rows. The warehouse goes on with its statement."""
    poll = await lightdash.queries.poll(project_uuid, query_uuid, page=1, size=1)
    if poll.status not in UNFINISHED:
        return Cancelled(query_uuid=poll.query_uuid, cancelled=False, status=poll.status)
    await lightdash.queries.cancel(project_uuid, query_uuid)
    return Cancelled(query_uuid=poll.query_uuid, cancelled=True, status="cancelled")


@tools.tool("Get Underlying Data", READ, example=RESULT)
async def get_underlying_data(
    lightdash: LightdashClient,
    call: Call,
    query_uuid: QueryUuid,
    explore: ExploreName,
    metric: Annotated[str, Field(description="Metric id whose single rows to show.")],
    filters: SameFilters = [],  # noqa: B006
    limit: RowLimit = ROWS,
    rows: Rows = 100,
    project_uuid: ProjectUuid = None,
) -> QueryResult:
    """Show the single records behind a metric of a query that ran, filtered to one of its rows or not."""
    project, source = lightdash.project(project_uuid), uuid("query", query_uuid)
    await lightdash.instance.check_limit(limit)
    known = await lightdash.explores.get(project, explore)
    item = known.field(metric, "metric").id  # Lightdash answers with all fields for one it does not know
    written = lightdash_filters(filters, known)
    submitted = await lightdash.queries.underlying_data(project, source, item=item, filters=written, limit=limit)
    order = columns_of(submitted)
    return await await_rows(lightdash, call, project, submitted, rows=rows, order=order, limit=limit)


@tools.tool("Calculate Total", READ, example=RESULT)
async def calculate_total(
    lightdash: LightdashClient,
    call: Call,
    query_uuid: QueryUuid,
    kind: Annotated[
        Literal["grandTotal", "columnTotal", "rowTotal"], Field(description="Over all, per column, per row of a pivot.")
    ] = "grandTotal",
    project_uuid: ProjectUuid = None,
) -> QueryResult:
    """Compute the totals of a query that ran, over all its rows and not only those shown."""
    submitted = await lightdash.queries.total(project_uuid, query_uuid, kind)
    return await await_rows(lightdash, call, project_uuid, submitted, rows=100, order=columns_of(submitted))


@tools.tool(
    "Export Query",
    ADD,
    example=Export(file_url="https://.../file/Uu0h3b2T", resource="lightdash://exports/Uu0h3b2T", format="csv"),
)
async def export_query(
    lightdash: LightdashClient,
    call: Call,
    query_uuid: QueryUuid,
    file_format: Annotated[Literal["csv", "xlsx"], Field(description="The kind of file.")] = "csv",
    project_uuid: ProjectUuid = None,
) -> Export:
    """Write all rows of a query that ran to a file in Lightdash; each call writes another one."""
    job = await lightdash.queries.export(project_uuid, query_uuid, file_format)
    details = await job_done(lightdash, call, job)
    url = str(details.get("fileUrl") or "")
    if not url:
        raise ApiError("Lightdash exported the query and does not say where.")
    file = url.rstrip("/").rsplit("/", 1)[-1]
    lightdash.queries.note_export(file)
    resource = f"lightdash://exports/{file}"
    return Export(file_url=url, resource=resource, format=file_format, truncated=bool(details.get("truncated")))


# Here and not in the library: who is given an address can read it, whatever else is switched off.
@tools.resource("lightdash://exports/{file}", "Exported File", mime_type="application/octet-stream")
async def exported_file(lightdash: LightdashClient, file: str) -> bytes | Content:
    """A file that export_query wrote; CSV comes as text."""
    data = await lightdash.queries.exported_file(file)
    try:
        return Content(data.decode("utf-8-sig"), "text/csv")
    except UnicodeDecodeError:
        return data  # a workbook is bytes that are no text


@tools.tool(
    "Get Query History",
    READ,
    example=Page[PastQuery](items=[PastQuery(query_uuid="244d...", status="ready")], total=1),
)
async def get_query_history(
    lightdash: LightdashClient, project_uuid: ProjectUuid = None, limit: Limit = 50, page: PageNumber = 1
) -> Page[PastQuery]:
    """List the queries run in a project; only the enterprise edition keeps a history."""
    return await lightdash.queries.history(project_uuid, limit=limit, page=page)


def columns_of(submitted: Submitted) -> list[str]:
    """Return a query's columns in the order they were asked for; Lightdash answers in another."""
    query = submitted.metric_query or {}
    computed: list[dict[str, Any]] = query.get("tableCalculations") or []
    calculations = [str(calculation.get("name")) for calculation in computed]
    return [*(query.get("dimensions") or []), *(query.get("metrics") or []), *calculations]


def limit_of(submitted: Submitted) -> int | None:
    """Return how many rows a query may have, where Lightdash says it."""
    limit = (submitted.metric_query or {}).get("limit")
    return limit if isinstance(limit, int) else None


def _explore_url(lightdash: LightdashClient, project: str, query: dict[str, Any]) -> str:
    """Return the address that opens the same query in Lightdash."""
    state: dict[str, Any] = {
        "tableName": query["exploreName"],
        "metricQuery": query,
        "tableConfig": {"columnOrder": [*query["dimensions"], *query["metrics"]]},
        "chartConfig": {"type": "table", "config": {}},
    }
    text = quote(json.dumps(state, separators=(",", ":")), safe="")
    explore = quote(query["exploreName"], safe="")
    return f"{lightdash.url}/projects/{project}/tables/{explore}?create_saved_chart_version={text}"
