"""MCP sessions with a Nextcloud server, the sandbox behind it, and what arrived there."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, Literal

import httpx2
import mcp_types as mcp
from mcp import Client
from pydantic import SecretStr

from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import BUG, build_server
from aboveboard.kit.service import Catalogue
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.server import SERVICE

Era = Literal["legacy", "auto"]
ERAS: Final[tuple[Era, ...]] = ("legacy", "auto")
CATALOGUE: Final = Catalogue(SERVICE, Policy())
TOOLS: Final = CATALOGUE.tools
"""Every tool by its full name."""

Script = Callable[[httpx2.Request], httpx2.Response]


class Watched(httpx2.AsyncBaseTransport):
    """Passes requests on and remembers them."""

    def __init__(self, service: httpx2.AsyncBaseTransport | Script) -> None:
        self._service = service if isinstance(service, httpx2.AsyncBaseTransport) else httpx2.MockTransport(service)
        self.arrived: list[httpx2.Request] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.arrived.append(request)
        return await self._service.handle_async_request(request)

    @property
    def lines(self) -> list[str]:
        """Method and raw path of what arrived, percent-encoded as it was sent, without the query."""
        return [
            f"{request.method} {request.url.raw_path.decode('ascii').partition('?')[0]}" for request in self.arrived
        ]


class Session:
    """An MCP client of one user's server."""

    def __init__(self, client: Client, service: httpx2.AsyncBaseTransport) -> None:
        self.client = client
        self.service = service
        """What is behind the server, for what no tool can bring about."""

    async def call(self, tool: str, **arguments: Any) -> mcp.CallToolResult:
        """Call a tool, whatever comes of it.

        The client's own `call_tool` lists all tools first, to check the answer: test_every_tool does that for each.
        """
        params = mcp.CallToolRequestParams(name=tool, arguments=arguments)
        return await self.client.session.send_request(mcp.CallToolRequest(params=params), mcp.CallToolResult)

    async def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that should succeed."""
        result = await self.call(tool, **arguments)
        assert not result.is_error, f"{tool}: {text_of(result)}"
        return result.structured_content

    async def refusal(self, tool: str, **arguments: Any) -> str:
        """Call a tool that should fail, for a reason that is no defect of ours."""
        result = await self.call(tool, **arguments)
        assert result.is_error, f"{tool}: {text_of(result)}"
        assert text_of(result) != BUG, tool
        return text_of(result)


@asynccontextmanager
async def connected(
    service: httpx2.AsyncBaseTransport | Script, *, user: str = "admin", era: Era = "auto"
) -> AsyncGenerator[Session]:
    """Open a session of one of the sandbox's users; nothing that Nextcloud is asked only once is known yet."""
    transport = service if isinstance(service, httpx2.AsyncBaseTransport) else httpx2.MockTransport(service)
    client = NextcloudClient("http://nextcloud", user, SecretStr(Sandbox.users[user]), transport=transport)
    server = build_server(CATALOGUE, OneClient(client))
    async with Client(server, mode=era) as mcp_client:
        yield Session(mcp_client, transport)


def serving(sandbox: Sandbox) -> Watched:
    """Make the transport to a sandbox."""
    return Watched(httpx2.ASGITransport(sandbox.app))


def facts(sandbox: Sandbox) -> dict[str, object]:
    """Return the sandbox's state without what is derived from it."""
    return {key: value for key, value in sandbox.dump().items() if not key.startswith("derived/")}


def text_of(result: mcp.CallToolResult) -> str:
    """Return the text of a result."""
    return "\n".join(block.text for block in result.content if isinstance(block, mcp.TextContent))
