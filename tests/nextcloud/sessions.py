"""MCP sessions with a Nextcloud server, the sandbox behind it, and what arrived there."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

import httpx2
from mcp import Client
from pydantic import SecretStr
from tests.nextcloud.contract import CONTRACT
from tests.sessions import ERAS, Era, Script, Session, Watched, text_of, transport_to

from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.server import SERVICE

__all__ = [
    "CATALOGUE",
    "ERAS",
    "TOOLS",
    "Era",
    "Script",
    "Session",
    "Watched",
    "connected",
    "facts",
    "serving",
    "text_of",
]

CATALOGUE: Final = Catalogue(SERVICE, Policy())
TOOLS: Final = CATALOGUE.tools
"""Every tool by its full name."""


@asynccontextmanager
async def connected(
    service: httpx2.AsyncBaseTransport | Script,
    *,
    user: str = "admin",
    era: Era = "auto",
    catalogue: Catalogue[NextcloudClient] = CATALOGUE,
) -> AsyncGenerator[Session]:
    """Open a session of one of the sandbox's users; nothing that Nextcloud is asked only once is known yet."""
    transport = transport_to(service)
    client = NextcloudClient("http://nextcloud", user, SecretStr(Sandbox.users[user]), transport=transport)
    server = build_server(catalogue, OneClient(client))
    async with Client(server, mode=era) as mcp_client:
        yield Session(mcp_client, transport)


def serving(sandbox: Sandbox) -> Watched:
    """Make the transport to a sandbox; what passes is held to what Tables publishes of its routes."""
    return Watched(CONTRACT.held(httpx2.ASGITransport(sandbox.app)))


def facts(sandbox: Sandbox) -> dict[str, object]:
    """Return the sandbox's state without what is derived from it."""
    return {key: value for key, value in sandbox.dump().items() if not key.startswith("derived/")}
