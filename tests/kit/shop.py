"""A tiny shop: a scripted service, its client, and tools whose deeds a test chooses."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import mcp_types as mcp
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from aboveboard.effects import Effect
from aboveboard.http import Nature, Session, path
from aboveboard.kit.audit_log import AuditLog
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue, Service
from aboveboard.kit.toolset import Toolset

TOKEN = "shop_5ecretT0ken"
both_eras = pytest.mark.parametrize("mode", ["legacy", "auto"])

Script = Callable[[httpx2.Request], httpx2.Response]


class Thing(BaseModel):
    """Something to buy."""

    name: str
    price: float | None = None


TEAPOT = Thing(name="Teapot")


def in_stock(_: httpx2.Request) -> httpx2.Response:
    return httpx2.Response(200, json={"name": "Teapot"})


class Shop:
    """The service: answers by script, and keeps every request that arrived."""

    def __init__(self, script: Script = in_stock) -> None:
        self._script = script
        self.arrived: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.arrived.append(request)
        return self._script(request)

    @property
    def lines(self) -> list[str]:
        return [f"{request.method} {request.url.path}" for request in self.arrived]


class ShopClient:
    """The client that tools get: it sends whatever it is told to."""

    def __init__(self, shop: Shop) -> None:
        self.closed = 0
        self._session = Session(
            "The shop",
            "http://shop.test",
            headers={"Authorization": f"Bearer {TOKEN}"},
            secrets=[TOKEN],
            transport=httpx2.MockTransport(shop),
            sleep=_no_sleep,
        )

    async def send(self, method: str, thing: str = "1", *, nature: Nature | None = None, body: object = None) -> Thing:
        at = path("/things/{thing}", thing=thing)
        answer = await self._session.request(method, at, nature=nature, json=body)
        if answer.status >= 400:
            raise self._session.error(answer, answer.content.decode())
        return Thing.model_validate(answer.json())

    async def aclose(self) -> None:
        self.closed += 1
        await self._session.aclose()


async def _no_sleep(_: float) -> None: ...


Act = Callable[[ShopClient], Awaitable[object]]


def toolset(area: str = "things") -> Toolset[ShopClient]:
    return Toolset[ShopClient](area, title="Things", icon="M0 0h1")


def doing(effect: Effect, act: Act) -> Toolset[ShopClient]:
    """Declare one tool, `do_it`, with an effect and a deed."""
    tools = toolset()

    @tools.tool("Do It", effect, example=TEAPOT)
    async def do_it(shop: ShopClient) -> Thing:
        """Do what the test wants."""
        done = await act(shop)
        return done if isinstance(done, Thing) else TEAPOT

    return tools


def service(*toolsets: Toolset[ShopClient]) -> Service[ShopClient]:
    return Service[ShopClient](
        name="shop", title="Shop", prefix="shop_", open_world=False, instructions="Buy things.", toolsets=toolsets
    )


def serving(
    *toolsets: Toolset[ShopClient],
    shop: Shop | None = None,
    policy: Policy | None = None,
    audit_log: AuditLog | None = None,
    prefix: str | None = None,
) -> Server[None]:
    catalogue = Catalogue(service(*toolsets), policy or Policy(), prefix)
    return build_server(catalogue, OneClient(ShopClient(shop or Shop())), [audit_log] if audit_log else [])


async def call(
    server: Server[None], tool: str = "shop_do_it", arguments: dict[str, Any] | None = None, *, mode: str = "auto"
) -> mcp.CallToolResult:
    """Call a tool as a client would; the SDK's client checks the result against the published schema."""
    async with Client(server, mode=mode) as client:
        return await client.call_tool(tool, arguments)


async def refusal(
    server: Server[None], tool: str = "shop_do_it", arguments: dict[str, Any] | None = None, *, mode: str = "auto"
) -> mcp.ErrorData:
    """Call a tool that is answered with an error of the protocol."""
    async with Client(server, mode=mode) as client:
        with pytest.raises(MCPError) as told:
            await client.call_tool(tool, arguments)
    return told.value.error


def said(result: mcp.CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, mcp.TextContent)
    return content.text
