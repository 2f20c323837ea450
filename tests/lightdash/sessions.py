"""MCP sessions with a Lightdash server, the service behind it, and what arrived there."""

import json
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import Final

import httpx2
from mcp import Client
from pydantic import SecretStr
from tests.lightdash.contract import held as held_to_contract
from tests.sessions import ERAS, Era, Script, Session, Watched, raw_path, text_of, transport_to

from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE

__all__ = [
    "ERAS",
    "EVERYTHING",
    "TOOLS",
    "Era",
    "Script",
    "Session",
    "Watched",
    "client_of",
    "connected",
    "error",
    "facts",
    "ok",
    "raw_path",
    "serving",
    "text_of",
]

TOOLS: Final = {tool.name: tool for tool in SERVICE.tools}
# Those that are off unless they are named included.
EVERYTHING: Final = Policy(toolsets=[toolset.area for toolset in SERVICE.toolsets])


def client_of(
    service: httpx2.AsyncBaseTransport | Script, *, allowed: Iterable[str] = (), held: bool = True
) -> LightdashClient:
    """Make a client of a service in this process; what it sends is held to Lightdash's published contract."""
    transport = held_to_contract(transport_to(service)) if held else transport_to(service)
    token = SecretStr(Sandbox.token)
    return LightdashClient("http://lightdash", token, allowed_projects=frozenset(allowed), transport=transport)


@asynccontextmanager
async def connected(
    service: httpx2.AsyncBaseTransport | Script, *, allowed: Iterable[str] = (), era: Era = "auto"
) -> AsyncGenerator[Session]:
    """Open a session with a server over a service."""
    transport = transport_to(service)
    server = build_server(Catalogue(SERVICE, EVERYTHING), OneClient(client_of(transport, allowed=allowed)))
    async with Client(server, mode=era) as client:
        yield Session(client, transport, SERVICE.prefix)


def serving(sandbox: Sandbox) -> Watched:
    """Make the transport to a sandbox."""
    return Watched(httpx2.ASGITransport(sandbox.app))


def facts(sandbox: Sandbox) -> dict[str, object]:
    """Return the sandbox's state without what is derived from it."""
    return {key: value for key, value in sandbox.dump().items() if not key.startswith("derived/")}


def ok(results: object) -> httpx2.Response:
    """Answer as Lightdash does."""
    return httpx2.Response(200, json={"status": "ok", "results": results})


def error(status: int, message: str, name: str = "SomeError") -> httpx2.Response:
    """Fail as Lightdash does."""
    body: dict[str, object] = {"statusCode": status, "name": name, "message": message, "data": {}}
    return httpx2.Response(status, content=json.dumps({"status": "error", "error": body}))
