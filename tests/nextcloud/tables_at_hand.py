"""A table that a test made, and what tests of Tables ask for."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from tests.nextcloud.odd_things import ODD_TABLE, bring
from tests.nextcloud.sessions import Session, Watched, connected, serving

from aboveboard.nextcloud.sandbox import Sandbox


class Hand:
    """A session, a table with a column of every type and one row, and what arrived at the app."""

    def __init__(self, session: Session, watched: Watched, sandbox: Sandbox, ids: dict[str, Any]) -> None:
        self.session, self.watched, self.sandbox, self.ids = session, watched, sandbox, ids
        self.table, self.row = ids["table"], ids["row"]

    async def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool of tables that should succeed."""
        return await self.session.ask(f"nc_tables_{tool}", **arguments)

    async def refusal(self, tool: str, **arguments: Any) -> str:
        """Call a tool of tables that should fail."""
        return await self.session.refusal(f"nc_tables_{tool}", **arguments)

    async def values(self, row: int | None = None) -> dict[str, Any]:
        """Read a row of the table."""
        items = (await self.ask("read_table", table_id=self.table))["items"]
        return next(item["values"] for item in items if item["id"] == (row or self.row))

    def sent(self) -> list[str]:
        """Return method and path of what arrived since this was last asked."""
        lines = [
            line.replace("/index.php/apps/tables/api/1", "1").replace("/ocs/v2.php/apps/tables/api/2", "2")
            for line in self.watched.lines
        ]
        self.watched.arrived.clear()
        return lines

    async def raw(self, method: str, path: str, *, user: str = "admin", json: object = None) -> httpx2.Response:
        """Ask the sandbox past our own client."""
        return await send(self.sandbox, method, path, user=user, json=json)


async def send(
    sandbox: Sandbox, method: str, path: str, *, user: str = "admin", json: object = None
) -> httpx2.Response:
    """Ask the sandbox past our own client."""
    headers = {"ocs-apirequest": "true", "accept": "application/json"}
    transport, auth = httpx2.ASGITransport(sandbox.app), (user, sandbox.users[user])
    async with httpx2.AsyncClient(transport=transport, auth=auth, base_url="http://sandbox") as client:
        answer = await client.request(method, path, json=json, headers=headers)
    assert answer.status_code < 300, answer.text
    return answer


@asynccontextmanager
async def at_hand(sandbox: Sandbox) -> AsyncGenerator[Hand]:
    """Make the table and open a session."""
    ids = await bring(sandbox, *ODD_TABLE)
    watched = serving(sandbox)
    async with connected(watched) as session:
        yield Hand(session, watched, sandbox, ids)
