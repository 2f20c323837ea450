"""A scripted Lightdash that knows one query: what it answers, and how long it takes."""

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final

import httpx2
from tests.lightdash import places
from tests.lightdash.analyst import body_of
from tests.lightdash.sessions import error, ok, raw_path

QUERY: Final = "5a000000-0000-4000-8000-000000000001"
BY_STATUS: Final[Mapping[str, Any]] = {
    "explore": "orders",
    "dimensions": ["orders_status"],
    "metrics": ["orders_order_count"],
}
Cells = Mapping[str, object]
RESULTS: Final = f"/api/v2/projects/{places.MAIN}/query/"
GET_RESULT: Final = f"GET {RESULTS}{QUERY}"


class Clock(SimpleNamespace):
    """The time as a test wants it."""

    now: float = 1000.0

    def monotonic(self) -> float:
        return self.now


def state(status: str) -> dict[str, Any]:
    return {"status": status, "queryUuid": QUERY}


def ready(
    rows: Sequence[Cells], kinds: Mapping[str, str], *, total: int | None = None, next_page: int | None = None
) -> dict[str, Any]:
    """Answer as Lightdash does when the rows are there."""
    return {
        **state("ready"),
        "rows": [{name: {"value": {"raw": raw, "formatted": str(raw)}} for name, raw in row.items()} for row in rows],
        "columns": {name: {"type": kind, "reference": name} for name, kind in kinds.items()},
        "totalResults": len(rows) if total is None else total,
        **({"nextPage": next_page} if next_page else {}),
    }


def answering(result: dict[str, Any]) -> Callable[[httpx2.Request], httpx2.Response]:
    """Script a Lightdash that knows the result of one query."""
    return lambda request: ok(result) if raw_path(request).endswith(QUERY) else error(404, "API endpoint not found")


class Service:
    """A scripted Lightdash: one query, whose states come one after the other, each after some seconds."""

    def __init__(self, polls: list[dict[str, Any]], clock: Clock, seconds: float) -> None:
        self._polls, self._clock, self._seconds = list(polls), clock, seconds

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        where = raw_path(request)
        if where == "/api/v1/health":
            limits = {"maxLimit": 5000, "defaultLimit": 500, "maxPageSize": 9}
            return ok({"healthy": True, "version": "1", "query": limits})
        if where.endswith("/explores/orders"):
            status = {"name": "status", "type": "string", "table": "orders"}
            return ok({"name": "orders", "tables": {"orders": {"dimensions": {"status": status}, "metrics": {}}}})
        if request.method == "POST":
            return ok(None) if where.endswith("/cancel") else ok({"queryUuid": QUERY})
        self._clock.now += self._seconds
        return ok(self._polls.pop(0) if len(self._polls) > 1 else self._polls[0])


def dashboard(tiles: int, result: Callable[[], dict[str, Any]]) -> Callable[[httpx2.Request], httpx2.Response]:
    """Script a dashboard of which each chart has the same result."""
    place = {"type": "saved_chart", "x": 0, "y": 0, "w": 1, "h": 1}
    ids = [f"5b000000-0000-4000-8000-{number:012d}" for number in range(tiles)]
    board: dict[str, Any] = {
        **{"uuid": places.MAIN_DASHBOARD, "slug": "board", "name": "Board", "projectUuid": places.MAIN},
        **{"spaceUuid": places.SALES, "spaceName": "Sales", "tabs": [], "filters": {}},
        "tiles": [{"uuid": one, "properties": {"savedChartUuid": one}, **place} for one in ids],
    }

    def answer(request: httpx2.Request) -> httpx2.Response:
        where = raw_path(request)
        if where.endswith("/dashboards/board"):
            return ok(board)
        if request.method == "POST":
            return ok({"queryUuid": body_of(request)["tileUuid"]})
        return ok({**result(), "queryUuid": where.rpartition("/")[2]})

    return answer
