"""Two people change one card: what the other changed meanwhile stays, or it is said."""

import httpx2
import pytest
from tests.nextcloud.boards import Made, Somebody, make_card
from tests.nextcloud.sessions import Session, connected
from tests.sessions import raw_path

from aboveboard.nextcloud.client.deck.api import READINGS
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


class _Meddling(httpx2.AsyncBaseTransport):
    """A sandbox in which somebody else changes a card right after it was read, some times."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._rest = httpx2.ASGITransport(sandbox.app)
        self._somebody = Somebody(sandbox, "bob")
        self.made: Made | None = None
        self.times = 0
        self.before = "GET"
        """After which requests of ours they do so; before the write itself, it comes too late to be seen."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        ours = self.made is not None and raw_path(request).endswith(f"/cards/{self.made.card}")
        if ours and self.before == "PUT" == request.method:
            await self._meddle()
        answer = await self._rest.handle_async_request(request)
        if ours and self.before == "GET" == request.method:
            await self._meddle()
        return answer

    async def _meddle(self) -> None:
        if self.times and self.made:
            self.times -= 1
            await self._somebody.change_card(self.made, description=f"Bob's text, {self.times} to come.")


async def _shared(session: Session, service: _Meddling, times: int) -> Made:
    made = await make_card(session)
    await session.ask("deck_share_board", board_id=made.board, participant="bob", can_edit=True)
    service.made, service.times = made, times
    return made


@pytest.mark.parametrize("held", [False, True])
async def test_what_somebody_else_changes_meanwhile_stays(sandbox: Sandbox, *, held: bool) -> None:
    """Even in the same second, where all ETags are equal."""
    service = _Meddling(sandbox)
    async with connected(service) as session:
        made = await _shared(session, service, 1)
        if held:
            sandbox.hold_clock()
        assert "warning" not in await session.ask("deck_update_card", **made.spot, title="Gate")
        card = await session.ask("deck_get_card", **made.spot)
    assert (card["title"], card["description"]) == ("Gate", "Bob's text, 0 to come.")


async def test_a_card_that_never_rests_is_a_conflict_and_nothing_is_written(sandbox: Sandbox) -> None:
    service = _Meddling(sandbox)
    async with connected(service) as session:
        made = await _shared(session, service, READINGS + 1)
        said = await session.refusal("deck_update_card", **made.spot, title="Gate")
        assert said.startswith(f"Somebody else is changing the card {made.card} right now; nothing was written.")
        assert (await session.ask("deck_get_card", **made.spot))["title"] == "Door"


async def test_a_change_that_came_in_between_is_at_least_told(sandbox: Sandbox) -> None:
    service = _Meddling(sandbox)
    async with connected(service) as session:
        made = await _shared(session, service, 1)
        service.before = "PUT"
        changed = await session.ask("deck_update_card", **made.spot, title="Gate")
    assert changed["warning"].startswith("bob changed the card at the same moment")
