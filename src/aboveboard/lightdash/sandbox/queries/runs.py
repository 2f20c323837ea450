"""The life of a query: pending when first asked for, executing as long as it takes, then ready, failed or expired.

How long a query takes does not depend on a real clock. It is pending on the first poll and done on the second, unless
it asks for something else: the explores `slow_orders`, `failing_orders` and `expiring_orders`, `pg_sleep(n)` in SQL,
which keeps it executing for n polls, or a comment such as `-- sandbox: slow 5`, `-- sandbox: fail disk full` or
`-- sandbox: expire`.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox.routes import Call, as_uuid
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.lightdash.sandbox.warehouse import WarehouseError
from aboveboard.lightdash.sandbox.wire import ServiceError, missing
from aboveboard.sandbox.table import Table

QUERIES_TABLE = Table(
    "queries",
    "uuid TEXT PRIMARY KEY, project TEXT, user TEXT, kind TEXT, status TEXT, polls INTEGER, outcome TEXT,"
    " page_size REAL, request TEXT, error TEXT, created_at TEXT, errored_at TEXT",
    fleeting=True,
    json={"request"},
)

QUERY_RESULTS_TABLE = Table(
    "query_results",
    "query TEXT PRIMARY KEY, columns TEXT, rows TEXT",
    hidden="What a query found follows from the warehouse, which never changes.",
)

SLOW_POLLS = 5
_SLEEP = re.compile(r"\bpg_sleep\s*\(\s*(\d+)", re.IGNORECASE)
_WISH = re.compile(r"--\s*sandbox:\s*(slow|fail|expire)\b[ \t]*([^\n]*)", re.IGNORECASE)
_EXPLORES = {"slow_orders": "slow", "failing_orders": "fail", "expiring_orders": "expire"}


@dataclass(frozen=True)
class Rows:
    """A result: the type of each column, and the rows, a raw and a formatted value for each column."""

    columns: Mapping[str, str]
    rows: Sequence[Sequence[tuple[Any, str]]]
    keep_columns: bool = False  # even when there are no rows


@dataclass(frozen=True)
class Pace:
    """How long a query takes, and how it ends."""

    polls: int = 1
    outcome: str = "ready"
    error: str | None = None


def pace_of_explore(name: str) -> Pace:
    """The pace of a metric query, by the name of its explore."""
    return _pace(_EXPLORES.get(name, ""), "")


def pace_of_sql(sql: str) -> Pace:
    """The pace that a statement asks for."""
    wish = _WISH.search(sql)
    if wish:
        return _pace(wish[1].lower(), wish[2].strip())
    slept = _SLEEP.search(sql)
    return Pace(1 + int(slept[1])) if slept else Pace()


def _pace(wish: str, detail: str) -> Pace:
    if wish == "slow":
        return Pace(1 + (int(detail) if detail.isdigit() else SLOW_POLLS))
    if wish == "fail":
        return Pace(outcome="error", error=detail or "the warehouse gave up")
    return Pace(outcome="expired") if wish == "expire" else Pace()


def start(
    call: Call, project: Row, kind: str, request: Mapping[str, Any], pace: Pace, run: Callable[[], Rows]
) -> dict[str, object]:
    """Take a query: its id, and the head of the answer."""
    outcome, error, result = pace.outcome, pace.error, None
    if outcome == "ready":
        try:
            result = run()
        except WarehouseError as failed:
            outcome, error = "error", failed.message
    store = call.store
    uuid = store.new_uuid()
    store.insert(
        "queries",
        uuid=uuid,
        project=project["uuid"],
        user=call.user["uuid"],
        kind=kind,
        status="pending",
        polls=pace.polls,
        outcome=outcome,
        request=dict(request),
        error=error,
        created_at=store.now(),
    )
    if result is not None:
        columns = dict(result.columns if result.rows or result.keep_columns else dict[str, str]())
        store.insert("query_results", query=uuid, columns=columns, rows=[list(row) for row in result.rows])
    return {"queryUuid": uuid, "cacheMetadata": {"cacheHit": False}}


def find(call: Call, name: str = "query") -> Row:
    """The caller's own query of the path; anybody else's is not there."""
    return find_by(call.store, call.params["project"], call.params[name], call.user["uuid"])


def find_by(store: Store, project: str, query: str, user: str) -> Row:
    """A person's own query by id."""
    row = store.one(
        "SELECT * FROM queries WHERE uuid = ? AND project = ? AND user = ?", as_uuid(query), as_uuid(project), user
    )
    if row is None:
        raise missing(f"Query {query} not found for project {project}")
    return row


def poll(store: Store, row: Row) -> str:
    """Where a query is now; asking brings it on."""
    status: str = row["status"]
    if status not in {"pending", "executing"}:
        return status
    if row["polls"] > 0:
        store.run("UPDATE queries SET status = 'executing', polls = polls - 1 WHERE uuid = ?", row["uuid"])
        return status
    errored = store.now() if row["outcome"] == "error" else None
    store.run("UPDATE queries SET status = outcome, errored_at = ? WHERE uuid = ?", errored, row["uuid"])
    return row["outcome"]


def cancel(store: Store, row: Row) -> None:
    """Stop a query, or throw away the rows of one that is done."""
    store.run("UPDATE queries SET status = 'cancelled' WHERE uuid = ?", row["uuid"])
    store.run("DELETE FROM query_results WHERE query = ?", row["uuid"])


def result_of(store: Store, query: str) -> Rows | None:
    """What a query gave, if it gave anything and still has it."""
    row = store.one("SELECT * FROM query_results WHERE query = ?", query)
    return Rows(json.loads(row["columns"]), json.loads(row["rows"])) if row else None


def refused(error: WarehouseError) -> ServiceError:
    """A statement that the warehouse does not even take."""
    data = {"lineNumber": error.at[0], "charNumber": error.at[1]} if error.at else {}
    return ServiceError(400, "WarehouseQueryError", error.message, data)
