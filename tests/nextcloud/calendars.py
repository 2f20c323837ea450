"""Calls of the tools for calendars, and of a sandbox's calendars past them."""

from typing import Any

import httpx2
from tests.nextcloud.sessions import Session

from aboveboard.nextcloud.sandbox import Sandbox


async def cal(session: Session, tool: str, **arguments: Any) -> dict[str, Any]:
    return await session.ask(f"nc_calendar_{tool}", **arguments)


async def no(session: Session, tool: str, **arguments: Any) -> str:
    return await session.refusal(f"nc_calendar_{tool}", **arguments)


async def raw(sandbox: Sandbox, method: str, place: str, body: str = "", user: str = "admin") -> bytes:
    """Speak to the sandbox past our own client."""
    auth = (user, sandbox.users[user])
    transport = httpx2.ASGITransport(sandbox.app)
    async with httpx2.AsyncClient(transport=transport, auth=auth, base_url="http://sandbox") as client:
        at = f"/remote.php/dav/calendars/{user}/{place}"
        answer = await client.request(method, at, content=body.encode(), headers={"content-type": "text/calendar"})
        assert answer.status_code < 300, answer.text
        return answer.content
