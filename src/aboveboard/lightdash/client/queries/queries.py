"""Queries: submitted, waited for, read page by page, cancelled."""

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal

import anyio

from aboveboard.errors import ApiError, NotFound, Refused
from aboveboard.http import Nature, Path, path
from aboveboard.http.path import uuid
from aboveboard.lightdash.client.api import Api, Model, Page
from aboveboard.lightdash.client.dashboards.dashboards import DashboardDetails, Tile

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
UNFINISHED = ("pending", "queued", "executing")
REMEMBERED = 200
"""Queries of which it is kept what was asked: some pages are read long after the first."""
NOTHING: Mapping[str, Any] = {}
_NO_FILTERS: Mapping[str, list[Any]] = {"dimensions": [], "metrics": [], "tableCalculations": []}

Progress = Callable[[float], Awaitable[None]]
"""Told the seconds waited so far."""


class Submitted(Model):
    """A query that Lightdash has taken on."""

    query_uuid: str
    metric_query: dict[str, Any] | None = None
    fields: dict[str, dict[str, Any]] | None = None
    applied_dashboard_filters: dict[str, Any] | None = None


class Asked(Model):
    """What was asked for, which Lightdash does not tell with the rows: labels, the order of columns, where to look."""

    submitted: Submitted | None = None
    order: tuple[str, ...] = ()
    url: str | None = None


class Column(Model):
    """One column of a result."""

    id: str
    label: str
    type: str


class Poll(Model):
    """What Lightdash says of a query, with a page of rows once it is ready."""

    query_uuid: str
    status: Literal["pending", "queued", "executing", "ready", "error", "expired", "cancelled"]
    error: str | None = None
    rows: list[dict[str, Any]] | None = None
    columns: dict[str, dict[str, Any]] | None = None
    page: int = 1
    next_page: int | None = None
    total_results: int = 0


class CompiledQuery(Model):
    """The SQL that a query becomes."""

    query: str


class _Job(Model):
    job_id: str


class JobStatus(Model):
    """How a background job goes."""

    status: Literal["scheduled", "started", "completed", "error"]
    details: dict[str, Any] | None = None


class PastQuery(Model):
    """A query somebody ran."""

    query_uuid: str
    status: str | None = None
    created_at: str | None = None
    context: str | None = None


class Queries:
    """The queries of one person on one instance."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._asked: OrderedDict[str, Asked] = OrderedDict()
        self._exported: set[str] = set()

    def remember(self, submitted: Submitted, order: Sequence[str], url: str | None) -> None:
        """Keep what was asked, for whoever reads on; a server that was started anew knows it no more."""
        self._asked[submitted.query_uuid.lower()] = Asked(submitted=submitted, order=tuple(order), url=url)
        while len(self._asked) > REMEMBERED:
            self._asked.popitem(last=False)

    def remembered(self, query: str) -> Asked:
        """Return what was asked, as far as it is known."""
        return self._asked.get(query.lower(), Asked())

    async def run_metrics(
        self, project: str | None, query: dict[str, Any], parameters: Mapping[str, Any] = NOTHING
    ) -> Submitted:
        at = self._api.at("/api/v2/projects/{project:uuid}/query/metric-query", project)
        body = {"query": query, "context": "mcp.run_metric_query", **_given(parameters=parameters)}
        return await self._api.post(at, Submitted, body, nature=Nature.READS)

    async def run_chart(
        self, project: str | None, chart: str, *, limit: int | None, parameters: Mapping[str, Any] = NOTHING
    ) -> Submitted:
        at = self._api.at("/api/v2/projects/{project:uuid}/query/chart", project)
        body = {"chartUuid": chart, **_given(limit=limit, parameters=parameters)}
        return await self._api.post(at, Submitted, body, nature=Nature.READS)

    async def run_sql_chart(
        self, project: str | None, chart: str, *, limit: int | None, parameters: Mapping[str, Any] = NOTHING
    ) -> Submitted:
        at = self._api.at("/api/v2/projects/{project:uuid}/query/sql-chart", project)
        body = {"savedSqlUuid": chart, **_given(limit=limit, parameters=parameters)}
        return await self._api.post(at, Submitted, body, nature=Nature.READS)

    async def run_tile(
        self, dashboard: DashboardDetails, tile: Tile, *, parameters: Mapping[str, Any] = NOTHING
    ) -> Submitted:
        """Run the chart or SQL chart of a tile as its dashboard shows it."""
        project = dashboard.project_uuid
        body: dict[str, Any] = {
            "dashboardUuid": dashboard.uuid,
            "tileUuid": tile.uuid,
            "dashboardFilters": {**_NO_FILTERS, **dashboard.filters},
            "dashboardSorts": [],
            **_given(parameters=parameters),
        }
        if chart := tile.properties.get("savedChartUuid"):
            at = self._api.at("/api/v2/projects/{project:uuid}/query/dashboard-chart", project)
            return await self._api.post(at, Submitted, {"chartUuid": chart, **body}, nature=Nature.READS)
        at = self._api.at("/api/v2/projects/{project:uuid}/query/dashboard-sql-chart", project)
        return await self._api.post(
            at, Submitted, {"savedSqlUuid": tile.properties["savedSqlUuid"], **body}, nature=Nature.READS
        )

    async def run_sql(self, project: str | None, sql: str, *, limit: int) -> Submitted:
        at = self._api.at("/api/v2/projects/{project:uuid}/query/sql", project)
        return await self._api.post(at, Submitted, {"sql": sql, "limit": limit}, nature=Nature.READS)

    async def underlying_data(
        self, project: str | None, query: str, *, item: str, filters: dict[str, Any], limit: int
    ) -> Submitted:
        at = self._api.at("/api/v2/projects/{project:uuid}/query/underlying-data", project)
        body = {
            "underlyingDataSourceQueryUuid": uuid("query", query),
            "underlyingDataItemId": item,
            "filters": filters,
            "limit": limit,
        }
        return await self._api.post(at, Submitted, body, nature=Nature.READS)

    async def field_values(self, project: str | None, table: str, field: str, *, search: str, limit: int) -> Submitted:
        at = self._api.at("/api/v2/projects/{project:uuid}/query/field-values", project)
        body = {"table": table, "fieldId": field, "search": search, "limit": limit}
        return await self._api.post(at, Submitted, body, nature=Nature.READS)

    async def total(self, project: str | None, query: str, kind: str) -> Submitted:
        at = self._api.at("/api/v2/projects/{project:uuid}/query/{query:uuid}/calculate-total", project, query=query)
        return await self._api.post(at, Submitted, {"kind": kind}, nature=Nature.READS)

    async def poll(self, project: str | None, query: str, *, page: int, size: int) -> Poll:
        at = self._api.at("/api/v2/projects/{project:uuid}/query/{query:uuid}", project, query=query)
        return await self._api.get(at, Poll, {"page": page, "pageSize": size})

    async def wait(
        self, project: str | None, query: str, *, page: int, size: int, budget: float, progress: Progress
    ) -> Poll:
        """Wait until a query is ready or the budget is used up; a failed one is an error in Lightdash's words."""
        started, pause = time.monotonic(), FIRST_PAUSE
        while True:
            poll = await self.poll(project, query, page=page, size=size)
            waited = time.monotonic() - started
            if poll.status not in UNFINISHED or waited + pause > budget:
                return _usable(poll)
            await progress(waited)
            await anyio.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)

    async def cancel(self, project: str | None, query: str) -> None:
        """Cancel a query that still runs; a finished one would lose its rows, so it is left alone."""
        at = self._api.at("/api/v2/projects/{project:uuid}/query/{query:uuid}/cancel", project, query=query)
        await self._api.post(at, type(None), None, nature=Nature.REPLACES)

    async def compile(
        self, project: str | None, explore: str, query: dict[str, Any], parameters: Mapping[str, Any] = NOTHING
    ) -> CompiledQuery:
        at = self._api.at("/api/v1/projects/{project:uuid}/explores/{explore}/compileQuery", project, explore=explore)
        return await self._api.post(at, CompiledQuery, {**query, **_given(parameters=parameters)}, nature=Nature.READS)

    async def export(self, project: str | None, query: str, kind: str) -> str:
        """Start writing a query's rows to a file and return the job's id."""
        at = self._api.at("/api/v2/projects/{project:uuid}/query/{query:uuid}/schedule-download", project, query=query)
        return (await self._api.post(at, _Job, {"type": kind, "onlyRaw": False})).job_id

    async def export_status(self, job: str) -> JobStatus:
        at = path("/api/v1/schedulers/job/{job}/status", job=job)
        return await self._api.get(at, JobStatus, org_wide=True)

    def note_export(self, file: str) -> None:
        """Remember a file that was exported here, and so out of a project that may be touched."""
        self._exported.add(file)

    async def exported_file(self, file: str) -> bytes:
        """Get an exported file; Lightdash gives it to whoever exported it only, and does not say of which project."""
        if self._api.allowed_projects and file not in self._exported:
            raise Refused(
                "This file was not exported here, so it may be of a project that this server may not touch"
                " (LIGHTDASH_ALLOWED_PROJECTS).",
                next_step="export_query writes it anew.",
            )
        return await self._api.download(path("/api/v1/file/{file}", file=file))

    async def history(self, project: str | None, *, limit: int, page: int) -> Page[PastQuery]:
        at = self._api.at("/api/v2/projects/{project:uuid}/query/history", project)
        try:
            return await self._history(at, limit=limit, page=page)
        except Refused as refused:
            if "not enabled" not in str(refused):
                raise
            # It is a setting of the instance, and no right that anybody could be given.
            raise ApiError("This Lightdash keeps no query history: that takes its enterprise edition.") from None

    async def _history(self, at: Path, *, limit: int, page: int) -> Page[PastQuery]:
        return await self._api.get_page(at, PastQuery, {"page": page, "pageSize": limit})


def _given(**more: object) -> dict[str, object]:
    """Return what is there to be sent: Lightdash takes no null for nothing."""
    return {name: value for name, value in more.items() if value}


def _usable(poll: Poll) -> Poll:
    if poll.status == "error":
        raise ApiError(f"The query failed: {poll.error or 'Lightdash does not say why'}.", status=200)
    if poll.status == "cancelled":
        raise NotFound("The query was cancelled, and its rows are gone.", next_step="Run it again.")
    if poll.status == "expired":
        raise NotFound("The query's rows have expired.", next_step="Run it again.")
    return poll
