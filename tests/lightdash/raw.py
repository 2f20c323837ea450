"""The service itself, asked without our client."""

import json
from typing import Any

import httpx2

from aboveboard.lightdash.sandbox import Sandbox


class Raw:
    """Someone else's program, which sends what it likes as the person whom our client acts for."""

    def __init__(self, service: httpx2.AsyncBaseTransport) -> None:
        self._service = service

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """Return the results of a request that should succeed."""
        answer = await self._send(method, path, body)
        assert answer.status_code < 300, answer.text
        return answer.json().get("results")

    async def status(self, method: str, path: str, body: object) -> int:
        """Return the status of a request, whatever comes of it."""
        return (await self._send(method, path, body)).status_code

    async def answer(self, method: str, path: str, body: object) -> Any:
        """Return all that is answered to a request, whatever comes of it."""
        return (await self._send(method, path, body)).json()

    async def _send(self, method: str, path: str, body: object) -> httpx2.Response:
        client = httpx2.AsyncClient(transport=self._service, base_url="http://lightdash")
        sent = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"ApiKey {Sandbox.token}", "Content-Type": "application/json"}
        return await client.request(method, path, content=sent, headers=headers)
