"""Boards for tests: made through the tools, or past them as somebody else would."""

from dataclasses import dataclass
from typing import Any, Final

import httpx2
from tests.nextcloud.sessions import Session

from aboveboard.nextcloud.sandbox import Sandbox

API: Final = "/index.php/apps/deck/api/v1.0"


@dataclass(frozen=True)
class Made:
    """A board with a stack that has a card."""

    board: int
    stack: int
    card: int

    @property
    def spot(self) -> dict[str, int]:
        """Where the card is, as arguments."""
        return {"board_id": self.board, "stack_id": self.stack, "card_id": self.card}


async def make_card(session: Session, **fields: Any) -> Made:
    """Make a board, a stack and a card."""
    board = (await session.ask("deck_create_board", title="Workshop", color="31CC7C"))["id"]
    stack = (await session.ask("deck_create_stack", board_id=board, title="To do", order=0))["id"]
    values = {"title": "Door", "description": "Oak.", **fields}
    card = (await session.ask("deck_create_card", board_id=board, stack_id=stack, **values))["id"]
    return Made(board, stack, card)


class Somebody:
    """Somebody who talks to Deck without our client."""

    def __init__(self, sandbox: Sandbox, uid: str = "admin") -> None:
        self._transport = httpx2.ASGITransport(sandbox.app)
        self._auth = (uid, sandbox.users[uid])

    async def send(self, method: str, path: str, body: object = None) -> Any:
        """Send a request that should succeed."""
        headers = {"ocs-apirequest": "true", "accept": "application/json"}
        async with httpx2.AsyncClient(transport=self._transport, auth=self._auth, base_url="http://cloud") as client:
            answer = await client.request(method, path, json=body, headers=headers)
        assert answer.status_code == 200, (method, path, answer.text)
        return answer.json()

    async def card(self, made: Made) -> dict[str, Any]:
        """Read a card as Deck shows it."""
        return await self.send("GET", f"{API}/boards/{made.board}/stacks/{made.stack}/cards/{made.card}")

    async def change_card(self, made: Made, **fields: Any) -> None:
        """Change fields of a card."""
        now = await self.card(made)
        body = {**now, "owner": now["owner"]["uid"], **fields}
        await self.send("PUT", f"{API}/boards/{made.board}/stacks/{made.stack}/cards/{made.card}", body)
