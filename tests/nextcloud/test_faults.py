"""Every writing tool on a bad day: none says that it is done when it is not, and each says what is not known."""

import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

import httpx2
import pytest
from tests.faults import READING, BadDay, Fault, Faulty, says_doubt
from tests.nextcloud.calls import arranged
from tests.nextcloud.sessions import TOOLS, Watched, connected, facts, text_of

from aboveboard.errors import Locked
from aboveboard.http import retry
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

# It writes this server's own index, and sends Nextcloud no writing request that could go wrong.
_WRITES_ELSEWHERE: Final = {"nc_update_search_index"}
_EACH_TIME: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{8}T\d{6}Z")
"""Ids and times that are made up anew each time."""
WITHOUT_A_BODY: Final = ("nc_calendar_share_calendar", "nc_calendar_unshare_calendar")
"""Of their answers, status 200 and nothing else, nothing can be cut off."""
WRITING: Final = [name for name, tool in TOOLS.items() if not tool.effect.read_only and name not in _WRITES_ELSEWHERE]


GROUPWARE: Final = [name for name in WRITING if name.startswith(("nc_calendar_", "nc_contacts_"))]


class Locking(Watched):
    """Says of what is to be written that somebody else is writing it: so many times, and then no more."""

    left = 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if self.left and request.method not in READING:
            self.left -= 1
            return httpx2.Response(423, content=b"<d:error xmlns:d='DAV:'/>")
        return await super().handle_async_request(request)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "pause", lambda attempt, retry_after: 0.0)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]


def _timeless(text: str) -> str:
    """Leave out what is made up anew each time."""
    return _EACH_TIME.sub("", text)


def _told(value: object) -> object:
    return value if value is None or isinstance(value, int | float) else _timeless(json.dumps(value))


@asynccontextmanager
async def bad_day(sandbox: Sandbox) -> AsyncGenerator[BadDay]:
    """Open a session whose answers can be spoilt."""
    first = facts(sandbox)

    def changed() -> dict[str, object]:
        now = facts(sandbox)
        new = {key: value for key, value in now.items() if key not in first or first[key] != value}
        gone: dict[str, object] = dict.fromkeys(first.keys() - now.keys(), "gone")
        return {_timeless(key): _told(value) for key, value in (new | gone).items()}

    service = Faulty(httpx2.ASGITransport(sandbox.app))
    async with connected(service) as session:
        yield BadDay(session, service, arranged, changed, sandbox.reset)


@pytest.mark.parametrize("fault", Fault)
async def test_a_write_whose_answer_is_spoilt_is_no_success_and_says_that_it_may_have_been_done(
    sandbox: Sandbox, fault: Fault
) -> None:
    async with bad_day(sandbox) as day:
        tools = [tool for tool in WRITING if fault is not Fault.CUT or tool not in WITHOUT_A_BODY]
        assert await day.spoilt(tools, fault) == {}


async def test_a_tool_that_cannot_read_what_it_wrote_says_that_it_wrote(sandbox: Sandbox) -> None:
    async with bad_day(sandbox) as day:
        assert await day.half_done(WRITING) == {}


async def test_after_one_lost_answer_all_is_as_after_a_good_day_or_the_reader_is_told_to_look(sandbox: Sandbox) -> None:
    async with bad_day(sandbox) as day:
        assert await day.lost_once(WRITING) == {}


async def test_a_write_to_calendars_or_contacts_that_is_locked_out_waits_and_one_that_stays_so_changes_nothing(
    sandbox: Sandbox,
) -> None:
    wrong: dict[str, str] = {}
    async with connected(service := Locking(httpx2.ASGITransport(sandbox.app))) as session:
        for tool in GROUPWARE:
            arguments = await arranged(session, tool)
            before, service.left = facts(sandbox), 1000
            said = text_of(await session.call(tool, **arguments))
            if Locked.advice not in said or says_doubt(said) or facts(sandbox) != before:
                wrong[f"{tool} in the end"] = said
            service.left = 2
            result = await session.call(tool, **arguments)
            if result.is_error or '"outcome":"failed"' in text_of(result) or facts(sandbox) == before:
                wrong[f"{tool} after a while"] = text_of(result)
            sandbox.reset()
    assert wrong == {}
    assert len(GROUPWARE) > 20
