"""Clients of people who use a sandbox, with every request that they send written down."""

from collections.abc import Awaitable, Callable

import anyio
import httpx2
from pydantic import SecretStr

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.sandbox import Sandbox

HOST = "http://127.0.0.1:8081"
PRINCIPAL = (
    '<d:multistatus xmlns:d="DAV:"><d:response><d:href>{0}/remote.php/dav/</d:href><d:propstat><d:prop>'
    "<d:current-user-principal><d:href>{0}/remote.php/dav/principals/users/{1}/</d:href></d:current-user-principal>"
    "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>"
)
"""What tells whose credentials they are; with the folder of the installation, and the id."""


class Watched(httpx2.AsyncBaseTransport):
    """Passes requests on and remembers them."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner
        self.requests: list[httpx2.Request] = []
        self._failures: list[Exception] = []

    def fail_next(self, error: Exception) -> None:
        """Lose the next request in this way."""
        self._failures.append(error)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        if self._failures:
            raise self._failures.pop()
        return await self._inner.handle_async_request(request)

    @property
    def methods(self) -> list[str]:
        return [request.method for request in self.requests]


class Person(NextcloudClient):
    """Someone's client; `sent` shows what it asked for."""

    def __init__(
        self,
        inner: httpx2.AsyncBaseTransport,
        login: str,
        password: str,
        host: str = HOST,
        *,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self.watched = Watched(inner)
        super().__init__(host, login, SecretStr(password), transport=self.watched, sleep=sleep)

    @property
    def sent(self) -> list[str]:
        return self.watched.methods

    def forget(self) -> None:
        self.watched.requests.clear()


def person(sandbox: Sandbox, uid: str = "admin", host: str = HOST) -> Person:
    return Person(httpx2.ASGITransport(sandbox.app), uid, sandbox.users[uid], host)


def scripted(script: Callable[[httpx2.Request], httpx2.Response], host: str = "http://cloud.test") -> Person:
    """Return a client of a Nextcloud that answers what a test says."""
    return Person(httpx2.MockTransport(script), "ada", "app-password-1", host)


async def switch_maintenance(sandbox: Sandbox, to: str) -> None:
    """Do what an operator does on the machine: `on` or `off`."""
    headers = {"x-sandbox-token": sandbox.control}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(sandbox.app), base_url=HOST) as operator:
        assert (await operator.post(f"/_sandbox/maintenance/{to}", headers=headers)).status_code == 204
