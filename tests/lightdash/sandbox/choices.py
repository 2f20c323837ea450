"""Talking to a sandbox whose operator chose something, as one person or another."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2

from aboveboard.lightdash.sandbox import Sandbox

MAIN, PREVIEW = (f"1a000000-0000-4000-8000-{number:012d}" for number in (1, 2))
PROJECT = f"/api/v1/projects/{MAIN}"
SALES, CUSTOMERS, FINANCE = (f"2a000000-0000-4000-8000-{number:012d}" for number in (1, 4, 5))
ADMIN, EDITOR, VIEWER = (f"0b000000-0000-4000-8000-{number:012d}" for number in (1, 2, 3))


@dataclass
class Person:
    """Somebody with a token."""

    client: httpx2.AsyncClient

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """The results of a request that must succeed."""
        answer = await self.client.request(method, path, json=body)
        assert answer.status_code < 300, answer.text
        return answer.json().get("results") if answer.content else None

    async def refused(self, method: str, path: str, body: object = None) -> tuple[int, str]:
        """The status and the message of a request that must not succeed."""
        answer = await self.client.request(method, path, json=body)
        assert answer.status_code >= 400, answer.text
        return answer.status_code, answer.json()["error"]["message"]


@asynccontextmanager
async def person(sandbox: Sandbox, name: str = "admin") -> AsyncGenerator[Person]:
    headers = {"authorization": f"ApiKey {sandbox.tokens[name]}"}
    transport = httpx2.ASGITransport(sandbox.app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://sandbox", headers=headers) as client:
        yield Person(client)


def facts(sandbox: Sandbox) -> dict[str, object]:
    """The state, without what follows from it."""
    return {key: value for key, value in sandbox.dump().items() if not key.startswith("derived/")}
