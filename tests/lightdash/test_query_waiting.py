"""What happens when a query takes long, is cancelled or fails."""

from typing import Any, Final

import anyio
import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import analyst, submitted
from tests.lightdash.scripted import (
    BY_STATUS,
    GET_RESULT,
    QUERY,
    RESULTS,
    Clock,
    Service,
    answering,
    dashboard,
    ready,
    state,
)
from tests.lightdash.sessions import ERAS, Era, Watched, client_of, ok, serving, text_of
from tests.patience import patience

from aboveboard.lightdash.client import jobs
from aboveboard.lightdash.client.queries import queries
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE
from aboveboard.lightdash.tools.queries import runs

pytestmark = pytest.mark.anyio

SLOW: Final = "select 7 as seven -- sandbox: slow 2"
Progress = tuple[float, float | None, str | None]


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


@pytest.mark.surprise(65)
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


@pytest.mark.surprise(3, 62)
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


@pytest.mark.surprise(62)
async def test_a_query_that_is_refused_at_once_is_an_error_that_quotes_lightdash(sandbox: Sandbox) -> None:
    wrong = [{"name": "x", "sql": "${orders.nothing} * 2"}]
    async with analyst(sandbox) as session:
        text = await session.refusal("run_metric_query", **BY_STATUS, table_calculations=wrong)
    assert text.startswith("Lightdash answered 400: ")
    assert "nothing" in text


async def test_a_job_that_does_not_end_is_waited_for_only_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(jobs, "time", clock)
    waited: list[float] = []

    def running(_: httpx2.Request) -> httpx2.Response:
        clock.now += 4
        return ok({"status": "started", "details": {"projectUuid": places.MAIN}})

    async def progress(seconds: float) -> None:
        waited.append(seconds)

    client = client_of(running)
    with anyio.fail_after(patience(20)):
        job = await client.jobs.wait("7", budget=10, progress=progress)
    assert (job.status, waited) == ("running", [4, 8])
    await client.aclose()
