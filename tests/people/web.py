"""Applications on real sockets within the test's own event loop, and MCP clients that bring their own headers."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Final

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.types import ASGIApp
from tests.patience import patience
from tests.sessions import Era

from aboveboard.cli.demo.people.hosting import running
from aboveboard.kit.serving.listening import listening

UNENCRYPTED: Final = httpx2.create_ssl_context(verify=False)
"""For clients of servers on this machine, which encrypt nothing: to make one takes longer than a request does."""


@asynccontextmanager
async def served(make: Callable[[str], ASGIApp]) -> AsyncGenerator[str]:
    """Serve the application that is made for an address, and yield the address."""
    listener = listening("127.0.0.1", 0)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    async with running(make(address), listener):
        yield address


@asynccontextmanager
async def speaking(url: str, era: Era = "auto", headers: Mapping[str, str] | None = None) -> AsyncGenerator[Client]:
    """Open a session with the server at an address, with headers of one's own."""
    async with (
        plain(headers) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=era) as client,
    ):
        yield client


def plain(headers: Mapping[str, str] | None = None) -> httpx2.AsyncClient:
    """Make an HTTP client for servers on this machine."""
    return httpx2.AsyncClient(headers=dict(headers or {}), timeout=patience(60), trust_env=False, verify=UNENCRYPTED)
