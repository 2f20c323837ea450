"""Every writing tool on a bad day: none says that it is done when it is not, and each says what is not known."""

import json
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Final

import httpx2
import pytest
from tests.faults import BadDay, Fault, Faulty, says_doubt
from tests.lightdash import places
from tests.lightdash.analyst import analyst, submitted
from tests.lightdash.calls import arranged
from tests.lightdash.sessions import TOOLS, facts

from aboveboard.http import retry
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

# The plan's case of cancel_query is about a query that has ended, which is left alone.
WRITING: Final = [tool for tool, about in TOOLS.items() if not about.effect.read_only and tool != "cancel_query"]

VERSIONED: Final = (
    *("update_chart", "rollback_chart", "update_sql_chart", "add_dashboard_tile", "update_dashboard_tile"),
    *("remove_dashboard_tile", "rollback_dashboard"),
)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "pause", lambda attempt, retry_after: 0.0)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    """Give one with agents and with a bin, as the plan has it."""
    made = Sandbox(enterprise=True, soft_delete=True)
    yield made
    made.close()


@asynccontextmanager
async def bad_day(sandbox: Sandbox) -> AsyncGenerator[BadDay]:
    """Open a session whose answers can be spoilt."""

    def state() -> dict[str, object]:
        return {key: _without_ids(value) for key, value in facts(sandbox).items()}

    service = Faulty(httpx2.ASGITransport(sandbox.app))
    async with analyst(service) as session:
        yield BadDay(session, service, arranged, state, sandbox.reset)


@pytest.mark.parametrize("fault", Fault)
async def test_a_write_whose_answer_is_spoilt_is_no_success_and_says_that_it_may_have_been_done(
    sandbox: Sandbox, fault: Fault
) -> None:
    async with bad_day(sandbox) as day:
        assert await day.spoilt(WRITING, fault) == {}


async def test_a_tool_that_cannot_read_what_it_wrote_says_that_it_wrote(sandbox: Sandbox) -> None:
    async with bad_day(sandbox) as day:
        assert await day.half_done(WRITING) == {}


async def test_after_one_lost_answer_all_is_as_after_a_good_day_or_the_reader_is_told_to_look(sandbox: Sandbox) -> None:
    async with bad_day(sandbox) as day:
        assert await day.lost_once(WRITING) == {}


def _without_ids(value: object) -> object:
    """Return a list without the ids of what is in it: receivers of a delivery are made anew by each update."""
    return re.sub(r'"uuid": "[^"]+"', "", json.dumps(value)) if isinstance(value, list) else value


@pytest.mark.parametrize("fault", Fault)
async def test_a_query_of_which_nobody_knows_whether_it_was_stopped_is_not_called_stopped(
    sandbox: Sandbox, fault: Fault
) -> None:
    service = Faulty(httpx2.ASGITransport(sandbox.app))
    async with analyst(service) as session:
        running = await submitted(session, "select pg_sleep(50), 1 as one")
        service.begin(fault)
        text = await session.refusal("cancel_query", query_uuid=running)
    assert says_doubt(text), text


async def test_a_space_that_is_gone_after_a_lost_answer_is_not_said_to_be_forbidden(sandbox: Sandbox) -> None:
    service = Faulty(httpx2.ASGITransport(sandbox.app))
    async with analyst(service) as session:
        service.begin(Fault.LOST, 1)
        text = await session.refusal("delete_space", space_uuid=places.SALES)
    assert len(service.spoilt) == 1
    assert "it is gone: look before trying again" in text


async def test_what_adds_a_version_each_time_is_sent_once(sandbox: Sandbox) -> None:
    sent: dict[str, int] = {}
    service = Faulty(httpx2.ASGITransport(sandbox.app))
    async with analyst(service) as session:
        for tool in VERSIONED:
            arguments = await arranged(session, tool)
            service.begin(Fault.LOST)
            await session.refusal(tool, **arguments)
            sent[tool] = len(service.end())
            sandbox.reset()
    assert sent == dict.fromkeys(VERSIONED, 1)
