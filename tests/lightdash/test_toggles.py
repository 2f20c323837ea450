"""Pins and favourites: Lightdash flips them, our user sets them, whatever gets lost and whoever else is at it."""

from typing import Final

import anyio
import anyio.lowlevel
import httpx2
import pytest
from tests.faults import Fault, Faulty, says_doubt
from tests.lightdash import places
from tests.lightdash.analyst import analyst
from tests.lightdash.sessions import Session, facts

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize(("tool", "flag"), [("pin_content", "pinned"), ("favorite_content", "favorite")]),
]

ITEMS: Final = [("chart", places.MAIN_CHART), ("dashboard", places.MAIN_DASHBOARD)]


class Busy(httpx2.AsyncBaseTransport):
    """Lets other calls go first before each request; now and then somebody else flips the same mark before ours."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._service = httpx2.ASGITransport(sandbox.app)
        self.others = 0
        """How many flips of somebody else are still to come."""
        self.flips = 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        for _ in range(3):
            await anyio.lowlevel.checkpoint()
        if request.method == "PATCH":
            self.flips += 1
            if self.others:
                self.others -= 1
                await self._service.handle_async_request(request)
        return await self._service.handle_async_request(request)


def marked(sandbox: Sandbox) -> bool:
    return any(key.startswith(("pins/", "favorites/")) for key in facts(sandbox))


@pytest.mark.parametrize(("kind", "item"), ITEMS)
@pytest.mark.parametrize("wanted", [True, False])
async def test_equal_calls_at_once_end_as_one_would(
    sandbox: Sandbox, tool: str, flag: str, kind: str, item: str, *, wanted: bool
) -> None:
    service = Busy(sandbox)
    async with analyst(service) as session:
        await session.ask(tool, kind=kind, item=item, **{flag: not wanted})
        assert marked(sandbox) != wanted
        service.flips = 0

        async def ask() -> None:
            await session.ask(tool, kind=kind, item=item, **{flag: wanted})

        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(ask)
    assert marked(sandbox) == wanted
    assert service.flips == 1


async def test_equal_calls_of_two_servers_at_once_end_as_one_would(sandbox: Sandbox, tool: str, flag: str) -> None:
    async def ask(session: Session) -> None:
        await session.ask(tool, kind="chart", item=places.MAIN_CHART, **{flag: True})

    busy = Busy(sandbox)
    async with analyst(busy) as one, analyst(busy) as other, anyio.create_task_group() as group:
        group.start_soon(ask, one)
        group.start_soon(ask, other)
    assert marked(sandbox)


async def test_a_flip_of_somebody_else_is_put_right_once(sandbox: Sandbox, tool: str, flag: str) -> None:
    service = Busy(sandbox)
    async with analyst(service) as session:
        service.others = 1
        answer = await session.ask(tool, kind="chart", item=places.MAIN_CHART, **{flag: True})
    assert answer["value"] is True
    assert marked(sandbox)
    assert service.flips == 2


async def test_a_mark_that_others_keep_flipping_is_not_said_to_be_set(sandbox: Sandbox, tool: str, flag: str) -> None:
    service = Busy(sandbox)
    async with analyst(service) as session:
        service.others = 2
        text = await session.refusal(tool, kind="chart", item=places.MAIN_CHART, **{flag: True})
    assert "Somebody else changed this mark at the same time" in text
    assert not marked(sandbox)


@pytest.mark.parametrize("fault", [Fault.LOST, Fault.GATEWAY, Fault.CUT])
async def test_what_is_done_is_not_undone_because_its_answer_was_lost(
    sandbox: Sandbox, tool: str, flag: str, fault: Fault
) -> None:
    service = Faulty(httpx2.ASGITransport(sandbox.app))
    async with analyst(service) as session:
        service.begin(fault)
        text = await session.refusal(tool, kind="chart", item=places.MAIN_CHART, **{flag: True})
    assert says_doubt(text)
    assert len(service.spoilt) == 1
    assert marked(sandbox)
