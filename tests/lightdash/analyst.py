"""An analyst at work: a session with a project of its own, as somebody, that does not wait between looks."""

import json
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx2
from mcp import Client
from mcp.client.extension import advertise
from pydantic import SecretStr
from tests.lightdash import places
from tests.lightdash.contract import held
from tests.lightdash.sessions import EVERYTHING, Era, Script, Session, Watched

from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue
from aboveboard.kit.views import EXTENSION, PAGE
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE

UNDER_WAY: Final = {"pending", "executing", "scheduled", "started"}
MISSING: Final = (
    f"Give a project_uuid: {places.MAIN} (Corner Shop), {places.PREVIEW} (Corner Shop preview)."
    " (LIGHTDASH_PROJECT_UUID sets a default.)"
)
"""What is said where several projects could be meant."""


class Prompt(Watched):
    """A sandbox in which everything is done at once: it is looked at until it is."""

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__(httpx2.ASGITransport(sandbox.app))

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.arrived.append(request)
        while True:
            answer = await self._service.handle_async_request(request)
            content = await answer.aread()
            if request.method != "GET" or _state(content) not in UNDER_WAY:
                return httpx2.Response(answer.status_code, headers=answer.headers, content=content)


class TwoProjects(Prompt):
    """A sandbox in which the preview is a project like others."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = await super().handle_async_request(request)
        content = answer.content.replace(b'"PREVIEW"', b'"DEFAULT"')
        return httpx2.Response(answer.status_code, headers={"content-type": "application/json"}, content=content)


@asynccontextmanager
async def analyst(
    service: Sandbox | httpx2.AsyncBaseTransport | Script,
    *,
    project: str | None = places.MAIN,
    person: str = "admin",
    allowed: Iterable[str] = (),
    policy: Policy = EVERYTHING,
    era: Era = "auto",
    shows_views: bool = False,
) -> AsyncGenerator[Session]:
    """Open a session in which a project need not be named."""
    transport = Prompt(service) if isinstance(service, Sandbox) else service
    transport = transport if isinstance(transport, httpx2.AsyncBaseTransport) else Watched(transport)
    client = LightdashClient(
        "http://lightdash",
        SecretStr(Sandbox.tokens[person]),
        allowed_projects=frozenset(allowed),
        default_project=project,
        transport=held(transport),
    )
    extensions = [advertise(EXTENSION, {"mimeTypes": [PAGE]})] if shows_views else []
    server = build_server(Catalogue(SERVICE, policy), OneClient(client))
    async with Client(server, mode=era, extensions=extensions) as mcp_client:
        yield Session(mcp_client, transport, SERVICE.prefix)


def body_of(request: httpx2.Request) -> dict[str, Any]:
    """Return what was sent."""
    return json.loads(request.content)


def _state(content: bytes) -> object:
    try:
        return json.loads(content)["results"]["status"]
    except (ValueError, KeyError, TypeError):
        return None


async def submitted(session: Session, sql: str) -> str:
    """Start a query without waiting for it."""
    client = httpx2.AsyncClient(transport=session.service, base_url="http://lightdash")
    headers = {"Authorization": f"ApiKey {Sandbox.token}"}
    answer = await client.post(f"/api/v2/projects/{places.MAIN}/query/sql", json={"sql": sql}, headers=headers)
    return answer.json()["results"]["queryUuid"]
