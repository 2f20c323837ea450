"""Every writing tool on a bad day: none says that it is done when it is not, and each says what is not known."""

import json
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any, Final

import anyio
import httpx2
import pytest
from tests.faults import BadDay, Fault, Faulty, says_doubt
from tests.lightdash import places
from tests.lightdash.analyst import analyst, submitted
from tests.lightdash.calls import arranged
from tests.lightdash.sessions import TOOLS, Session, facts
from tests.undoing import undone

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
    wait_never(monkeypatch)


def wait_never(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(retry, "pause", lambda attempt, retry_after: 0.0)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    """Give one with agents and with a bin, as the plan has it."""
    made = Sandbox(enterprise=True, soft_delete=True)
    yield made
    made.close()


class Walk:
    """Every tool on every kind of bad day, each time as if there had been no other: it is arranged once."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox, self._changes = sandbox, ExitStack()
        self.wrong: dict[Fault | str, dict[str, str]] = {}

    async def go(self) -> None:
        """Note which tools tell it wrongly, and what they say."""
        service = Faulty(httpx2.ASGITransport(self._sandbox.app))
        async with analyst(service) as session:
            for tool in WRITING:
                day = BadDay(session, service, await self._arranged(session, tool), self._state, self._back)
                self._back()
                for fault in Fault:
                    self._note(fault, await day.spoilt([tool], fault))
                self._note("half done", await day.half_done([tool]))
                self._note("lost once", await day.lost_once([tool]))
                self._changes.close()
                self._sandbox.reset()

    def _note(self, what: Fault | str, wrong: dict[str, str]) -> None:
        self.wrong.setdefault(what, {}).update(wrong)

    async def _arranged(self, session: Session, tool: str) -> Callable[[Session, str], Awaitable[dict[str, Any]]]:
        arguments = await arranged(session, tool)

        async def given(_session: Session, _tool: str) -> dict[str, Any]:
            return arguments

        return given

    def _state(self) -> dict[str, object]:
        return {key: _without_ids(value) for key, value in facts(self._sandbox).items()}

    def _back(self) -> None:
        """Take back what was done since it was arranged."""
        self._changes.close()
        self._changes.enter_context(undone(self._sandbox))


@pytest.fixture(scope="module")
def walk() -> Iterator[Walk]:
    with pytest.MonkeyPatch.context() as patch, closing(Sandbox(enterprise=True, soft_delete=True)) as sandbox:
        wait_never(patch)
        walk = Walk(sandbox)
        anyio.run(walk.go)
        yield walk


@pytest.mark.parametrize("fault", Fault)
def test_a_write_whose_answer_is_spoilt_is_no_success_and_says_that_it_may_have_been_done(
    walk: Walk, fault: Fault
) -> None:
    assert walk.wrong[fault] == {}


def test_a_tool_that_cannot_read_what_it_wrote_says_that_it_wrote(walk: Walk) -> None:
    assert walk.wrong["half done"] == {}


def test_after_one_lost_answer_all_is_as_after_a_good_day_or_the_reader_is_told_to_look(walk: Walk) -> None:
    assert walk.wrong["lost once"] == {}


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
