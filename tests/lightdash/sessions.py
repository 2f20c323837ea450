"""MCP sessions with a Lightdash server, the service behind it, and what arrived there."""

import json
from collections.abc import AsyncGenerator, Callable, Iterable
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
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE

Era = Literal["legacy", "auto"]
ERAS: Final[tuple[Era, ...]] = ("legacy", "auto")
TOOLS: Final = {tool.name: tool for tool in SERVICE.tools}
# Those that are off unless they are named included.
EVERYTHING: Final = Policy(toolsets=[toolset.area for toolset in SERVICE.toolsets])

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
        return [f"{request.method} {raw_path(request)}" for request in self.arrived]


class Session:
    """An MCP client that knows the tools by their short names."""

    def __init__(self, client: Client, service: httpx2.AsyncBaseTransport) -> None:
        self.client = client
        self.service = service
        """What is behind the server, for what no tool can bring about."""

    async def call(self, tool: str, **arguments: Any) -> mcp.CallToolResult:
        """Call a tool, whatever comes of it.

        The client's own `call_tool` lists all tools first, to check the answer: test_every_tool does that for each.
        """
        params = mcp.CallToolRequestParams(name=SERVICE.prefix + tool, arguments=arguments)
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


def client_of(service: httpx2.AsyncBaseTransport | Script, *, allowed: Iterable[str] = ()) -> LightdashClient:
    """Make a client of a service in this process."""
    transport = service if isinstance(service, httpx2.AsyncBaseTransport) else httpx2.MockTransport(service)
    token = SecretStr(Sandbox.token)
    return LightdashClient("http://lightdash", token, allowed_projects=frozenset(allowed), transport=transport)


@asynccontextmanager
async def connected(
    service: httpx2.AsyncBaseTransport | Script, *, allowed: Iterable[str] = (), era: Era = "auto"
) -> AsyncGenerator[Session]:
    """Open a session with a server over a service."""
    transport = service if isinstance(service, httpx2.AsyncBaseTransport) else httpx2.MockTransport(service)
    server = build_server(Catalogue(SERVICE, EVERYTHING), OneClient(client_of(transport, allowed=allowed)))
    async with Client(server, mode=era) as client:
        yield Session(client, transport)


def serving(sandbox: Sandbox) -> Watched:
    """Make the transport to a sandbox."""
    return Watched(httpx2.ASGITransport(sandbox.app))


def facts(sandbox: Sandbox) -> dict[str, object]:
    """Return the sandbox's state without what is derived from it."""
    return {key: value for key, value in sandbox.dump().items() if not key.startswith("derived/")}


def text_of(result: mcp.CallToolResult) -> str:
    """Return the text of a result, which is all there is beside the structured content."""
    (block,) = result.content
    assert isinstance(block, mcp.TextContent)
    return block.text


def raw_path(request: httpx2.Request) -> str:
    """Return the path as it went over the wire, without the query."""
    return request.url.raw_path.decode("ascii").partition("?")[0]


def ok(results: object) -> httpx2.Response:
    """Answer as Lightdash does."""
    return httpx2.Response(200, json={"status": "ok", "results": results})


def error(status: int, message: str, name: str = "SomeError") -> httpx2.Response:
    """Fail as Lightdash does."""
    body: dict[str, object] = {"statusCode": status, "name": name, "message": message, "data": {}}
    return httpx2.Response(status, content=json.dumps({"status": "error", "error": body}))
