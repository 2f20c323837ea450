"""What a query answers: typed rows, pages, a table for the model; and what happens when it takes long or fails."""

import base64
import csv
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final

import httpx2
import mcp_types as mcp
import pytest
from mcp.shared.exceptions import MCPError
from tests.lightdash import places
from tests.lightdash.analyst import analyst, body_of
from tests.lightdash.sandbox.asking import table
from tests.lightdash.sessions import ERAS, Era, Session, Watched, error, ok, raw_path, serving, text_of

from aboveboard.lightdash.client import queries
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE
from aboveboard.lightdash.tools import runs

pytestmark = pytest.mark.anyio

QUERY: Final = "5a000000-0000-4000-8000-000000000001"
BY_STATUS: Final[Mapping[str, Any]] = {
    "explore": "orders",
    "dimensions": ["orders_status"],
    "metrics": ["orders_order_count"],
}
SLOW: Final = "select 7 as seven -- sandbox: slow 2"
TABLE_OF_8_000_TOKENS: Final = 24_000
Cells = Mapping[str, object]
Progress = tuple[float, float | None, str | None]


async def test_counts_are_numbers_empty_is_null_and_yes_or_no_is_true_or_false(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        result = await session.call(
            "run_metric_query",
            explore="orders",
            dimensions=["customers_is_member"],
            metrics=["orders_order_count", "orders_total_revenue"],
            sort=["customers_is_member"],
        )
    rows = result.structured_content["rows"]
    assert sorted(json.dumps(row[0]) for row in rows) == ["false", "null", "true"]
    assert all(type(row[1]) is int and isinstance(row[2], int | float) for row in rows)
    assert sum(row[1] for row in rows) == len(table("orders"))
    # Lightdash itself would show the empty one as ∅.
    assert "∅" not in text_of(result)
    lines = text_of(result).splitlines()
    assert lines[0] == "customers_is_member,orders_order_count,orders_total_revenue"
    assert {line.split(",")[0] for line in lines[1:4]} == {"", "false", "true"}


@pytest.mark.parametrize(
    ("kind", "raw", "shown"),
    [
        ("number", "97", 97),
        ("number", "-3", -3),
        ("number", "9007199254740993", 9007199254740993),
        ("number", "12.50", 12.5),
        ("number", ".5", 0.5),
        ("number", "1e3", 1000.0),
        ("number", 1.5, 1.5),
        ("number", None, None),
        ("number", "Infinity", "Infinity"),
        ("string", "0042", "0042"),
        ("string", None, None),
        ("string", {"a": 1}, {"a": 1}),
        ("boolean", True, True),
        ("date", "2026-11-15T00:00:00.000Z", "2026-11-15T00:00:00.000Z"),
    ],
)
async def test_a_value_is_what_its_columns_type_says(kind: str, raw: object, shown: object) -> None:
    async with analyst(answering(ready([{"x": raw}], {"x": kind}))) as session:
        (row,) = (await session.ask("get_query_result", query_uuid=QUERY))["rows"]
    assert row == [shown]
    assert type(row[0]) is type(shown)


async def test_columns_follow_the_rows_and_not_the_order_in_which_lightdash_keeps_them() -> None:
    kinds = {"b": "number", "c": "string", "long_name": "string"}
    async with analyst(answering(ready([{"long_name": "x", "c": "y", "b": "1"}], kinds))) as session:
        answer = await session.ask("get_query_result", query_uuid=QUERY)
    assert [column["id"] for column in answer["columns"]] == ["long_name", "c", "b"]
    assert answer["rows"] == [["x", "y", 1]]


async def test_a_query_without_rows_still_says_what_its_columns_are(sandbox: Sandbox) -> None:
    nowhere = {"field": "orders_status", "operator": "equals", "values": ["lost"]}
    async with analyst(sandbox) as session:
        result = await session.call("run_metric_query", **BY_STATUS, filters=[nowhere])
    answer = result.structured_content
    assert [(column["id"], column["label"], column["type"]) for column in answer["columns"]] == [
        ("orders_status", "Status", "string"),
        ("orders_order_count", "Order count", "number"),
    ]
    assert (answer["rows"], answer["total_rows"]) == ([], 0)
    assert text_of(result).startswith("orders_status,orders_order_count\n0 rows.\n")


@pytest.mark.parametrize("rows", [1, 150, 399, 400, 500])
async def test_walking_the_pages_gives_every_row_exactly_once_and_in_order(sandbox: Sandbox, rows: int) -> None:
    every = sorted(row["order_id"] for row in table("orders"))
    if rows == 1:
        every = every[:7]
    asked: dict[str, Any] = {"explore": "orders", "dimensions": ["orders_order_id"], "sort": ["orders_order_id"]}
    async with analyst(sandbox) as session:
        page = await session.ask("run_metric_query", **asked, limit=len(every), rows=rows)
        found = [row[0] for row in page["rows"]]
        while number := page.get("next_page"):
            assert f"query_uuid {page['query_uuid']}, page {number}, rows {rows}." in page["next_step"]
            page = await session.ask("get_query_result", query_uuid=page["query_uuid"], page=number, rows=rows)
            assert page["total_rows"] == len(every)
            found += [row[0] for row in page["rows"]]
            assert len(found) <= len(every)
    assert found == every


async def test_every_page_has_the_same_columns(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        first = await session.ask("run_metric_query", **BY_STATUS, rows=2)
        second = await session.ask("get_query_result", query_uuid=first["query_uuid"], page=2, rows=2)
    assert [column["id"] for column in second["columns"]] == [column["id"] for column in first["columns"]]


async def test_a_page_past_the_end_is_an_error_in_lightdashs_words(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        query = (await session.ask("run_metric_query", **BY_STATUS))["query_uuid"]
        text = await session.refusal("get_query_result", query_uuid=query, page=2)
        odd = await session.refusal("get_query_result", query_uuid="../cancel")
    assert text == "Lightdash answered 422: invalid page 2, last page is 1."
    assert "is not a UUID" in odd


async def test_a_table_too_long_to_read_is_cut_at_whole_rows_and_says_how_to_get_the_rest() -> None:
    cells = [{"n": str(number), "text": "x" * 400} for number in range(100)]
    service = answering(ready(cells, {"n": "number", "text": "string"}, total=250, next_page=2))
    async with analyst(service) as session:
        result = await session.call("get_query_result", query_uuid=QUERY)
    text = text_of(result)
    shown = list(csv.reader(io.StringIO(text[: text.index("The first ")])))
    assert len(text) < TABLE_OF_8_000_TOKENS + 500
    assert [int(row[0]) for row in shown[1:]] == list(range(len(shown) - 1))
    assert 40 < len(shown) - 1 < 100
    assert f"The first {len(shown) - 1} of 100 rows here, of 250 in all; the rest would not fit: " in text
    assert f"get_query_result with query_uuid {QUERY} and rows {len(shown) - 1} pages through them." in text
    assert "page 2, rows 100." in text
    assert len(result.structured_content["rows"]) == 100


async def test_a_row_too_long_to_read_is_left_out_and_said_to_be() -> None:
    async with analyst(answering(ready([{"text": "x" * 50_000}], {"text": "string"}))) as session:
        text = text_of(await session.call("get_query_result", query_uuid=QUERY))
    assert text == "text\nThe first 0 of 1 rows here, of 1 in all; the rest would not fit: ask for fewer columns."


async def test_the_tiles_of_a_dashboard_share_what_can_be_read_at_once() -> None:
    cells = [{"text": "x" * 900} for _ in range(20)]
    async with analyst(dashboard(12, lambda: ready(cells, {"text": "string"}))) as session:
        text = text_of(await session.call("run_dashboard", dashboard="board"))
    assert len(text) < TABLE_OF_8_000_TOKENS + 12 * 400
    assert text.count("The first 2 of 20 rows here") == 12


async def test_text_with_commas_quotes_and_lines_stays_one_cell() -> None:
    odd = 'He said "no, thanks"\nand left'
    async with analyst(answering(ready([{"a": odd, "b": "x"}], {"a": "string", "b": "string"}))) as session:
        text = text_of(await session.call("get_query_result", query_uuid=QUERY))
    assert list(csv.reader(io.StringIO(text)))[:2] == [["a", "b"], [odd, "x"]]
    assert text.endswith("1 row.")


@pytest.mark.parametrize("era", ERAS)
async def test_a_long_query_tells_how_long_it_has_been_running(sandbox: Sandbox, era: Era) -> None:
    heard: list[Progress] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async with analyst(serving(sandbox), era=era) as session:
        result = await session.client.call_tool(f"{SERVICE.prefix}run_sql", {"sql": SLOW}, progress_callback=hear)
    assert result.structured_content is not None
    assert result.structured_content["rows"] == [[7]]
    assert len(heard) == 3
    assert [progress for progress, _, _ in heard] == sorted({progress for progress, _, _ in heard})
    assert heard[0][1:] == (45.0, "The query runs, 0 s so far")


async def test_after_45_seconds_the_answer_is_that_it_still_runs_and_it_can_be_waited_for_or_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    monkeypatch.setattr(queries, "time", clock)
    polls: list[dict[str, Any]] = [state("pending"), state("queued"), *[state("executing")] * 2]
    polls += [state("executing"), ready([{"n": "5"}], {"n": "number"}), state("executing")]
    service = Watched(Service(polls, clock, seconds=14))
    async with analyst(service) as session:
        first = await session.call("run_sql", sql="select 5 as n")
        assert len(service.lines) == 2 + 4
        assert service.lines[1:3] == [f"POST /api/v2/projects/{places.MAIN}/query/sql", GET_RESULT]
        then = await session.ask("get_query_result", query_uuid=QUERY)
        cancelled = await session.ask("cancel_query", query_uuid=QUERY)
    assert first.structured_content == {
        "status": "running",
        "query_uuid": QUERY,
        "columns": [],
        "rows": [],
        "total_rows": 0,
        "next_step": "Call get_query_result with this query_uuid to wait on, or cancel_query to stop it.",
        "url": f"http://lightdash/projects/{places.MAIN}/sql-runner",
    }
    assert text_of(first).startswith(f"Still running; query_uuid {QUERY}. Call get_query_result with this query_uuid")
    assert (then["status"], then["rows"]) == ("ready", [[5]])
    assert cancelled == {"query_uuid": QUERY, "cancelled": True, "status": "cancelled"}
    assert service.lines[-2:] == [GET_RESULT, f"POST /api/v2/projects/{places.MAIN}/query/{QUERY}/cancel"]


async def test_a_search_that_takes_too_long_gives_up_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(queries, "time", clock)
    service = Service([state("executing")], clock, seconds=50)
    async with analyst(service) as session:
        text = await session.refusal("search_field_values", explore="orders", field="orders_status")
    assert text == "Lightdash took more than 45 seconds for this. Try a narrower search."


async def test_a_dashboard_as_a_whole_keeps_to_the_time_of_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    for module in (queries, runs):
        monkeypatch.setattr(module, "time", clock)
    heard: list[Progress] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    def slow() -> dict[str, Any]:
        clock.now += 5
        return state("executing")

    service = Watched(dashboard(14, slow))
    async with analyst(service) as session:
        result = await session.client.call_tool(
            f"{SERVICE.prefix}run_dashboard", {"dashboard": "board"}, progress_callback=hear
        )
    assert result.structured_content is not None
    tiles = result.structured_content["tiles"]
    assert [tile["result"]["status"] for tile in tiles] == ["running"] * 14
    assert all("get_query_result" in tile["result"]["next_step"] for tile in tiles)
    # Those that begin when the time is up are looked at once.
    looks = [service.lines.count(f"GET {RESULTS}{tile['result']['query_uuid']}") for tile in tiles]
    assert looks[-8:] == [1] * 8
    assert [progress for progress, _, _ in heard] == sorted(progress for progress, _, _ in heard)
    assert heard[-1][2] == "14 of 14 tiles"


async def test_cancelling_stops_a_query_that_runs_and_leaves_the_rows_of_one_that_has_ended(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with analyst(service) as session:
        ended = (await session.ask("run_metric_query", **BY_STATUS))["query_uuid"]
        kept = await session.ask("cancel_query", query_uuid=ended)
        rows = (await session.ask("get_query_result", query_uuid=ended))["rows"]
        running = await submitted(session, "select pg_sleep(50), 1 as one")
        stopped = await session.ask("cancel_query", query_uuid=running)
        gone = await session.refusal("get_query_result", query_uuid=running)
        again = await session.ask("cancel_query", query_uuid=running)
    assert kept == {"query_uuid": ended, "cancelled": False, "status": "ready"}
    assert len(rows) == 5
    assert stopped == {"query_uuid": running, "cancelled": True, "status": "cancelled"}
    assert gone == "The query was cancelled, and its rows are gone. Run it again."
    assert again == {"query_uuid": running, "cancelled": False, "status": "cancelled"}


@pytest.mark.parametrize(
    ("explore", "said"),
    [
        ("failing_orders", "The query failed: the warehouse gave up."),
        ("expiring_orders", "The query's rows have expired. Run it again."),
    ],
)
async def test_a_query_that_fails_while_it_runs_is_an_error_that_quotes_lightdash(
    sandbox: Sandbox, explore: str, said: str
) -> None:
    async with analyst(sandbox) as session:
        assert await session.refusal("run_metric_query", **{**BY_STATUS, "explore": explore}) == said


async def test_a_failure_without_words_is_still_an_error() -> None:
    async with analyst(answering(state("error"))) as session:
        text = await session.refusal("get_query_result", query_uuid=QUERY)
    assert text == "The query failed: Lightdash does not say why."


async def test_a_query_that_is_refused_at_once_is_an_error_that_quotes_lightdash(sandbox: Sandbox) -> None:
    wrong = [{"name": "x", "sql": "${orders.nothing} * 2"}]
    async with analyst(sandbox) as session:
        text = await session.refusal("run_metric_query", **BY_STATUS, table_calculations=wrong)
    assert text.startswith("Lightdash answered 400: ")
    assert "nothing" in text


@pytest.mark.parametrize("era", ERAS)
async def test_an_export_can_be_read_as_a_resource(sandbox: Sandbox, era: Era) -> None:
    async with analyst(sandbox, era=era) as session:
        query = (await session.ask("run_metric_query", **BY_STATUS, sort=["-orders_order_count"]))["query_uuid"]
        sheet = await session.ask("export_query", query_uuid=query)
        again = await session.ask("export_query", query_uuid=query)
        book = await session.ask("export_query", query_uuid=query, file_format="xlsx")
        text = (await blob(session, sheet["resource"])).decode("utf-8-sig")
        workbook = await blob(session, book["resource"])
    assert (sheet["format"], book["format"], sheet["truncated"]) == ("csv", "xlsx", False)
    assert sheet["file_url"].endswith("/" + sheet["resource"].removeprefix("lightdash://exports/"))
    assert sheet["resource"] != again["resource"]
    assert next(csv.reader(io.StringIO(text))) == ["Status", "Order count"]
    assert list(csv.reader(io.StringIO(text)))[1] == ["completed", "331"]
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        assert archive.testzip() is None


async def test_an_export_that_fails_says_why_and_a_file_that_is_not_there_is_not_found(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        text = await session.refusal("export_query", query_uuid=QUERY)
        odd = await session.refusal("export_query", query_uuid="not-a-uuid")
        with pytest.raises(MCPError, match="Lightdash answered 404") as missing:
            await session.client.read_resource("lightdash://exports/nothing-here")
    assert text == f"The job failed: Query {QUERY} not found for project {places.MAIN}."
    # Lightdash itself would answer with SQL of its own database.
    assert odd.startswith("The query 'not-a-uuid' is not a UUID.")
    assert missing.value.error.code == mcp.INVALID_PARAMS


async def test_an_export_that_gets_lost_is_an_error() -> None:
    def exporting(request: httpx2.Request) -> httpx2.Response:
        if request.method == "POST":
            return ok({"jobId": "7"})
        return ok({"status": "completed", "details": {}})

    async with analyst(exporting) as session:
        text = await session.refusal("export_query", query_uuid=QUERY)
    assert text == "Lightdash exported the query and does not say where."


async def test_only_who_exported_a_file_can_read_it(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        query = (await session.ask("run_metric_query", **BY_STATUS))["query_uuid"]
        resource = (await session.ask("export_query", query_uuid=query))["resource"]
    async with analyst(sandbox, person="editor") as session:
        with pytest.raises(MCPError, match="Lightdash answered 404"):
            await session.client.read_resource(resource)


async def blob(session: Session, uri: str) -> bytes:
    (content,) = (await session.client.read_resource(uri)).contents
    assert isinstance(content, mcp.BlobResourceContents)
    assert content.mime_type == "application/octet-stream"
    return base64.b64decode(content.blob)


async def submitted(session: Session, sql: str) -> str:
    """Start a query without waiting for it."""
    client = httpx2.AsyncClient(transport=session.service, base_url="http://lightdash")
    headers = {"Authorization": f"ApiKey {Sandbox.token}"}
    answer = await client.post(f"{RESULTS}sql", json={"sql": sql}, headers=headers)
    return answer.json()["results"]["queryUuid"]


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
