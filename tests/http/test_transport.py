"""The guard as a transport: any server with an HTTP client of its own is held to its hints."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as mcp
import pytest
from mcp import Client
from mcp.server import MCPServer
from tests.http.libraries import NAMES, library
from tests.kit.shop import said

from aboveboard import ADD, DELETE, ENSURE, READ, REPLACE, BadInput, GuardError, declaring, guarded, holding, under
from aboveboard.effects import DryRunStopped, Effect

pytestmark = pytest.mark.anyio


class Wire:
    """A transport's other end, which keeps what arrives."""

    def __init__(self, http: Any, status: int = 200, **headers: str) -> None:
        self.arrived: list[str] = []
        self._http, self._status, self._headers = http, status, headers

    def __call__(self, request: Any) -> Any:
        self.arrived.append(f"{request.method} {request.url.path}")
        first = len(self.arrived) == 1
        return self._http.Response(self._status if first else 200, headers=self._headers if first else {}, json={})


@pytest.fixture(params=NAMES)
def http(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    return library(request.param, tmp_path, monkeypatch)


def waiting(http: Any, wire: Wire, *reads: str, **more: Any) -> Any:
    transport = guarded(http.MockTransport(wire), reads=reads)
    return http.AsyncClient(transport=transport, base_url="http://shop.test", **more)


ALLOWED = [(READ, "GET"), (ADD, "POST"), (ENSURE, "POST"), (REPLACE, "PUT"), (REPLACE, "POST"), (DELETE, "DELETE")]
STOPPED = [(READ, "POST"), (READ, "DELETE"), (ADD, "PUT"), (ADD, "DELETE"), (ENSURE, "PATCH")]


@pytest.mark.parametrize(("effect", "method"), ALLOWED, ids=str)
async def test_what_the_effect_allows_is_sent(http: Any, effect: Effect, method: str) -> None:
    wire = Wire(http)
    async with waiting(http, wire) as client:
        with under(effect):
            answer = await client.request(method, "/things/1", params={"a": "b"})
    assert (answer.status_code, wire.arrived) == (200, [f"{method} /things/1"])


@pytest.mark.parametrize(("effect", "method"), STOPPED, ids=str)
async def test_what_exceeds_the_effect_is_not_sent(http: Any, effect: Effect, method: str) -> None:
    wire = Wire(http)
    async with waiting(http, wire) as client:
        with under(effect), pytest.raises(GuardError) as stopped:
            await client.request(method, "/things/1", params={"key": "5ecret"})
    assert str(stopped.value).startswith(f"A tool declared {effect.name} tried to send {method} /things/1, which ")
    assert "5ecret" not in str(stopped.value)
    assert wire.arrived == []


def test_a_client_for_plain_code_is_held_too(http: Any) -> None:
    wire = Wire(http)
    with http.Client(transport=guarded(http.MockTransport(wire)), base_url="http://shop.test") as client:
        with under(READ), pytest.raises(GuardError):
            client.delete("/things/1")
        with under(DELETE):
            client.delete("/things/2")
    assert wire.arrived == ["DELETE /things/2"]


async def test_outside_a_tool_only_reading_is_allowed(http: Any) -> None:
    wire = Wire(http)
    async with waiting(http, wire) as client:
        await client.get("/things")
        with pytest.raises(GuardError):
            await client.post("/things")
    assert wire.arrived == ["GET /things"]


async def test_a_post_that_only_reads_is_named(http: Any) -> None:
    wire = Wire(http)
    async with waiting(http, wire, "POST /search", "POST /shops/*/search", "DELETE /things") as client:
        await client.post("/search")
        await client.post("/shops/7/search")
        for method, path in [
            ("POST", "/searches"),
            ("POST", "/shops/7/8/search"),
            ("PUT", "/search"),
            ("DELETE", "/things"),
        ]:
            with pytest.raises(GuardError):
                await client.request(method, path)
    assert wire.arrived == ["POST /search", "POST /shops/7/search"]


@pytest.mark.parametrize("text", ["/search", "POST", "POST search", "post /search", "POST /a b"])
def test_a_route_that_names_no_request_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="names no requests"):
        guarded(httpx2.AsyncHTTPTransport(), reads=[text])


async def test_a_redirect_is_a_request_like_others(http: Any) -> None:
    wire = Wire(http, 307, location="http://elsewhere.test/things")
    async with waiting(http, wire, "POST /search", follow_redirects=True) as client:
        with pytest.raises(GuardError):
            await client.post("/search")
    assert wire.arrived == ["POST /search"]


async def test_a_dry_run_ends_at_the_first_write() -> None:
    wire = Wire(httpx2)
    async with waiting(httpx2, wire) as client:
        with under(ADD, dry_run=True), pytest.raises(DryRunStopped) as would:
            await client.post("/things")
    assert (would.value.method, would.value.path, wire.arrived) == ("POST", "/things", [])


async def test_closing_the_client_closes_the_transport_that_is_guarded() -> None:
    class Counted(httpx2.MockTransport):
        closed = 0

        async def aclose(self) -> None:
            self.closed += 1

    inner = Counted(Wire(httpx2))
    client = httpx2.AsyncClient(transport=guarded(inner))
    await client.aclose()
    assert inner.closed == 1


def server_on(client: Any, act: Callable[[Any], Awaitable[Any]]) -> MCPServer[Any]:
    """Build a server on the SDK's own framework, of a tool that says READ and does what the test wants."""
    server: MCPServer[Any] = MCPServer("shop")
    tool = declaring(server.tool, open_world=False)

    @tool("Look At Thing", READ)
    async def look_at_thing(number: int) -> str:
        """Look at a thing."""
        await act(client)
        return f"{number}"

    return server


async def test_a_server_on_another_framework_publishes_the_hints_and_keeps_to_them(http: Any) -> None:
    wire = Wire(http)
    async with waiting(http, wire) as shop:
        async with Client(server_on(shop, lambda shop: shop.get("/things/1"))) as client:
            [tool] = (await client.list_tools()).tools
            honest = await client.call_tool("look_at_thing", {"number": 7})
        async with Client(server_on(shop, lambda shop: shop.delete("/things/1"))) as client:
            lie = await client.call_tool("look_at_thing", {"number": 7})
    assert (tool.title, tool.description, list(tool.input_schema["properties"])) == (
        "Look At Thing",
        "Look at a thing.",
        ["number"],
    )
    assert tool.annotations == mcp.ToolAnnotations(
        title="Look At Thing",
        read_only_hint=True,
        destructive_hint=False,
        idempotent_hint=True,
        open_world_hint=False,
    )
    assert (honest.is_error, said(honest)) == (False, "7")
    assert lie.is_error
    assert wire.arrived == ["GET /things/1"]


async def test_a_plain_function_holds_its_effect_in_the_thread_where_a_framework_runs_it() -> None:
    wire = Wire(httpx2)
    shop = httpx2.Client(transport=guarded(httpx2.MockTransport(wire)), base_url="http://shop.test")
    server: MCPServer[Any] = MCPServer("shop")

    @server.tool()
    @holding(ADD)
    def add_thing(name: str) -> str:
        """Add a thing."""
        return str(shop.post("/things", json={"name": name}).status_code)

    async with Client(server) as client:
        added = await client.call_tool("add_thing", {"name": "Mug"})
    shop.close()
    assert (said(added), wire.arrived) == ("200", ["POST /things"])
