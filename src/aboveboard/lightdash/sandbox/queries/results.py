"""What became of a query: its state, its rows page by page, and how to stop it."""

import json
import math
from sqlite3 import Row

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.paging import list_body, read_page, wanted_page
from aboveboard.lightdash.sandbox.queries import runs
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes
from aboveboard.lightdash.sandbox.wire import ServiceError, forbidden
from aboveboard.sandbox.wire import Response

routes = Routes()

_LARGEST_PAGE, _USUAL_PAGE = 2500, 500


@routes.get("/api/v2/projects/{project}/query/history")
def list_history(call: Call) -> object:
    """Past queries, which the open source edition does not show."""
    project = access.project(call)
    if not call.store.options.enterprise:
        raise forbidden("Query history is not enabled")
    checks = Checks(call.query)
    page, size = read_page(checks)
    checks.done()
    rows = call.store.all("SELECT * FROM queries WHERE project = ? ORDER BY rowid DESC", project["uuid"])
    items = [_past(row) for row in rows]
    windows = ("lastFewMinutes", "lastHour", "last24Hours", "last7Days", "last30Days")
    counts = {
        "total": len(items),
        "warehouseTimeMsLast7Days": 0,
        "windows": dict.fromkeys(windows, 0) | {"lastFewMinutes": len(items)},
        "triggers": {"interactive": len(items), "apps": 0, "scheduled": 0},
    }
    return list_body(items, wanted_page(page, size)) | {"counts": counts}


def _past(row: Row) -> dict[str, object]:
    """A query in the history; only the published document is known of it, no recording."""
    request = json.loads(row["request"])
    semantic = row["kind"] == "metric"
    never = ("processingStartedAt", "resultsUpdatedAt", "resultsExpiresAt", "warehouseExecutionTimeMs", "totalRowCount")
    unsaved = ("chartUuid", "chartName", "savedSqlUuid", "dashboardUuid", "dashboardName")
    explore = request.get("exploreName")
    return {
        **{"queryUuid": row["uuid"], "projectUuid": row["project"], "createdAt": row["created_at"]},
        **{"status": row["status"], "error": row["error"], "erroredAt": row["errored_at"], "cacheHit": False},
        **{"context": "api", "trigger": "interactive", "language": "semantic" if semantic else "sql"},
        **{"title": explore or "SQL", "subline": request.get("sql", ""), "compiledSql": request.get("sql", "")},
        **{"exploreName": explore, "metricQuery": request if semantic else None},
        "requestParameters": {"query": request} if semantic else request,
        **dict.fromkeys((*never, *unsaved)),
    }


@routes.get("/api/v2/projects/{project}/query/{query}")
def get_results(call: Call) -> object:
    """The state of a query, and a page of its rows once it is ready."""
    checks = Checks(call.query)
    page, size = read_page(checks)
    checks.done()
    row = runs.find(call)
    if size and row["page_size"] is None:
        call.store.run("UPDATE queries SET page_size = ? WHERE uuid = ?", size, row["uuid"])
    status = runs.poll(call.store, row)
    head: dict[str, object] = {"status": status, "queryUuid": row["uuid"]}
    if status == "error":
        row = runs.find(call)
        return head | {"error": row["error"], "erroredAt": row["errored_at"]}
    result = runs.result_of(call.store, row["uuid"]) if status == "ready" else None
    if result is None:
        return head | {"error": None} if status == "expired" else head
    return _page(row["uuid"], result, 1 if page is None else page, row["page_size"] if size is None else size)


@routes.get("/api/v2/projects/{project}/query/{query}/results")
def stream_results(call: Call) -> object:
    """All rows, one JSON object a line; a hidden route."""
    result = runs.result_of(call.store, runs.find(call)["uuid"])
    return Response(200, {}, lines(result) if result else b"")


@routes.post("/api/v2/projects/{project}/query/{query}/cancel")
def cancel_query(call: Call) -> object:
    """Stop a query; one that is done loses its rows."""
    access.project(call)
    runs.cancel(call.store, runs.find(call))
    return DONE


def lines(result: runs.Rows) -> bytes:
    """Raw rows, one JSON object a line."""
    rows = [dict(zip(result.columns, (cell[0] for cell in row), strict=False)) for row in result.rows]
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows).encode()


def _page(query: str, result: runs.Rows, page: float, asked: float | None) -> dict[str, object]:
    size = _USUAL_PAGE if asked is None else asked
    if size < 1:
        raise _bad_page("page size should be greater than 0")
    if size > _LARGEST_PAGE:
        raise _bad_page(f"page size is too large, max is {_LARGEST_PAGE}")
    if page < 1:
        raise _bad_page("page should be greater than 0")
    pages = math.ceil(len(result.rows) / size)
    if page > max(pages, 1):
        raise _bad_page(f"invalid page {_plain(page)}, last page is {pages}")
    first = round((page - 1) * size)
    names = list(result.columns)
    rows = [
        {name: {"value": {"raw": cell[0], "formatted": cell[1]}} for name, cell in zip(names, row, strict=False)}
        for row in result.rows[first : first + round(size)]
    ]
    return {
        "rows": rows,
        # The order in which Postgres keeps the keys of a JSON object: short ones first.
        "columns": {
            name: {"type": result.columns[name], "reference": name}
            for name in sorted(names, key=lambda name: (len(name), name))
        },
        "totalPageCount": pages,
        "totalResults": len(result.rows),
        "queryUuid": query,
        "pageSize": len(rows),
        "page": _plain(page),
        **({"nextPage": _plain(page + 1)} if page < pages else {}),
        **({"previousPage": _plain(page - 1)} if page > 1 else {}),
        "metadata": {
            "performance": {"initialQueryExecutionMs": 12, "resultsPageExecutionMs": 3, "queueTimeMs": None},
            "preAggregate": None,
        },
        "status": "ready",
        "pivotDetails": None,
    }


def _bad_page(message: str) -> ServiceError:
    return ServiceError(422, "PaginationError", message)


def _plain(number: float) -> float:
    return int(number) if number == int(number) else number
