"""MCP sessions with a server in this process, and what arrived at the service behind it; each service adds its own."""

from collections.abc import Callable
from typing import Any, Final, Literal

import httpx2
import mcp_types as mcp
from mcp import Client

from aboveboard.kit.server import BUG

Era = Literal["legacy", "auto"]
ERAS: Final[tuple[Era, ...]] = ("legacy", "auto")
Script = Callable[[httpx2.Request], httpx2.Response]


def transport_to(service: httpx2.AsyncBaseTransport | Script) -> httpx2.AsyncBaseTransport:
    """Return the way to a service, which may be only a script."""
    return service if isinstance(service, httpx2.AsyncBaseTransport) else httpx2.MockTransport(service)


class Watched(httpx2.AsyncBaseTransport):
    """Passes requests on and remembers them."""

    def __init__(self, service: httpx2.AsyncBaseTransport | Script) -> None:
        self._service = transport_to(service)
        self.arrived: list[httpx2.Request] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.arrived.append(request)
        return await self._service.handle_async_request(request)

    @property
    def lines(self) -> list[str]:
        """Method and raw path of what arrived, percent-encoded as it was sent, without the query."""
        return [f"{request.method} {raw_path(request)}" for request in self.arrived]


class Session:
    """An MCP client that knows the tools by their names behind a prefix."""

    def __init__(self, client: Client, service: httpx2.AsyncBaseTransport, prefix: str = "") -> None:
        self.client, self.prefix = client, prefix
        self.service = service
        """What is behind the server, for what no tool can bring about."""

    async def call(self, tool: str, **arguments: Any) -> mcp.CallToolResult:
        """Call a tool, whatever comes of it.

        The client's own `call_tool` lists all tools first, to check the answer: test_every_tool does that for each.
        """
        params = mcp.CallToolRequestParams(name=self.prefix + tool, arguments=arguments)
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


def text_of(result: mcp.CallToolResult) -> str:
    """Return the text of a result."""
    return "\n".join(block.text for block in result.content if isinstance(block, mcp.TextContent))


def raw_path(request: httpx2.Request) -> str:
    """Return the path as it went over the wire, without the query."""
    return request.url.raw_path.decode("ascii").partition("?")[0]
