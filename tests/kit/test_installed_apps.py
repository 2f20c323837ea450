"""Tools and resources of an app that an instance may lack: unlisted, and a call of one says why."""

from dataclasses import replace

import httpx2
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from tests.kit.shop import TEAPOT, Shop, ShopClient, Thing, both_eras, call, doing, in_stock, said, service

from aboveboard.effects import READ
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue
from aboveboard.kit.toolset import Toolset

pytestmark = pytest.mark.anyio

WHY = "This Shop does not have the app radio, or you may not use it: ask an administrator."


def radio() -> Toolset[ShopClient]:
    tools = Toolset[ShopClient]("radio", title="Radio", icon="M0 0h1", prefix="radio_", app="radio")

    @tools.tool("Tune In", READ, example=TEAPOT)
    async def tune_in(shop: ShopClient) -> Thing:
        """Listen."""
        return await shop.send("GET")

    @tools.resource("radio://stations", "Stations", completers={})
    async def stations(shop: ShopClient) -> Thing:
        """All of them."""
        return await shop.send("GET")

    @tools.resource("radio://stations/{station}", "Station")
    async def one(shop: ShopClient, station: str) -> Thing:
        """One of them."""
        return await shop.send("GET", station)

    assert all(map(callable, (tune_in, stations, one)))
    return tools


async def has(client: ShopClient, app: str) -> bool:
    return (await client.send("GET", app)).name == "Teapot"


def with_apps(shop: Shop) -> Server[None]:
    everywhere = doing(READ, lambda client: client.send("GET"))
    serviced = replace(service(everywhere, radio()), has_app=has)
    return build_server(Catalogue(serviced, Policy()), OneClient(ShopClient(shop)))


def lacking(request: httpx2.Request) -> httpx2.Response:
    if request.url.path == "/things/radio":
        return httpx2.Response(200, json={"name": "none"})
    return httpx2.Response(404, json={})


def failing(request: httpx2.Request) -> httpx2.Response:
    raise httpx2.ConnectError("no way", request=request)


@both_eras
async def test_what_needs_an_app_is_listed_where_the_app_is(mode: str) -> None:
    async with Client(with_apps(Shop(in_stock)), mode=mode) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["shop_do_it", "radio_tune_in"]
        assert [one.uri for one in (await client.list_resources()).resources] == ["radio://stations"]
        assert len((await client.list_resource_templates()).resource_templates) == 1


@both_eras
async def test_what_needs_an_app_is_not_listed_where_it_is_missing(mode: str) -> None:
    async with Client(with_apps(Shop(lacking)), mode=mode) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["shop_do_it"]
        assert not (await client.list_resources()).resources
        assert not (await client.list_resource_templates()).resource_templates


@both_eras
async def test_an_app_that_is_installed_meanwhile_is_listed_and_one_that_goes_is_not(mode: str) -> None:
    script = lacking
    server = with_apps(Shop(lambda request: script(request)))
    for script, shown in ((lacking, 1), (in_stock, 2), (lacking, 1)):  # noqa: B007 (the shop reads it)
        async with Client(server, mode=mode) as client:
            assert len((await client.list_tools()).tools) == shown


async def test_lists_that_depend_on_apps_are_one_persons() -> None:
    async with Client(with_apps(Shop(in_stock))) as client:
        hints = [
            (await client.list_tools()).cache_scope,
            (await client.list_resources()).cache_scope,
            (await client.list_resource_templates()).cache_scope,
        ]
    assert hints == ["private"] * 3


async def test_what_is_called_without_its_app_says_that_the_app_is_missing() -> None:
    result = await call(with_apps(Shop(lacking)), "radio_tune_in")
    assert result.is_error
    assert said(result) == WHY
    async with Client(with_apps(Shop(lacking))) as client:
        with pytest.raises(MCPError, match="does not have the app radio"):
            await client.read_resource("radio://stations/1")


async def test_a_tool_that_needs_no_app_fails_in_the_services_own_words() -> None:
    result = await call(with_apps(Shop(lacking)))
    assert result.is_error
    assert "404" in said(result)
    assert "app" not in said(result)


async def test_a_call_that_works_does_not_ask_for_apps() -> None:
    shop = Shop(in_stock)
    async with Client(with_apps(shop)) as client:
        await client.list_tools()
        shop.arrived.clear()
        result = await client.call_tool("radio_tune_in")
    assert not result.is_error
    assert shop.lines == ["GET /things/1"]


async def test_an_instance_that_cannot_be_asked_lists_everything_and_its_tools_say_what_is_wrong() -> None:
    async with Client(with_apps(Shop(failing))) as client:
        assert len((await client.list_tools()).tools) == 2
        result = await client.call_tool("radio_tune_in")
    assert result.is_error
    assert "cannot be reached" in said(result)
