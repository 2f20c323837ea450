"""A client that takes few tools is shown the most used ones; what it may call is decided by nothing of this."""

from dataclasses import replace
from typing import Any

import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp_types import Implementation
from tests.kit.shop import TEAPOT, ShopClient, Thing, both_eras, said, service, serving

from aboveboard.cli.services import NAMES, server_module
from aboveboard.effects import READ
from aboveboard.kit.caller import Caller
from aboveboard.kit.client_limits import CLIENTS, room_of
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue
from aboveboard.kit.toolset import Toolset

pytestmark = pytest.mark.anyio

MOST_USED = {90, 30}


def many() -> Toolset[ShopClient]:
    """Declare a hundred tools, of which two that come late are the most used."""
    tools = Toolset[ShopClient]("things", title="Things", icon="M0 0h1")
    for number in range(100):

        async def act(shop: ShopClient) -> Thing:
            """Do it."""
            del shop
            return TEAPOT

        act.__name__ = f"do_{number}"
        tools.tool(f"Do {number}", READ, example=TEAPOT, core=number in MOST_USED)(act)
    return tools


async def listed(name: str, policy: Policy, mode: Any) -> list[str]:
    return await listed_by(serving(many(), policy=policy), name, mode)


async def listed_by(server: Server[None], name: str, mode: Any) -> list[str]:
    async with Client(server, mode=mode, client_info=Implementation(name=name, version="1")) as one:
        return [tool.name.removeprefix("shop_") for tool in (await one.list_tools()).tools]


@both_eras
async def test_a_client_is_shown_what_it_takes_the_most_used_first_and_in_the_usual_order(mode: str) -> None:
    shown = await listed("cursor-vscode", Policy(), mode)
    assert shown == [*(f"do_{number}" for number in range(18)), "do_30", "do_90"]
    assert len(await listed("claude-code", Policy(), mode)) == 100
    assert len(await listed("Cursor", Policy(toolsets=["all"]), mode)) == 100


@both_eras
async def test_clients_of_one_server_are_each_shown_what_they_take_whoever_came_before(mode: str) -> None:
    server = serving(many())
    for _ in range(2):
        for name, shown in (("Cursor", 20), ("claude-code", 100), ("windsurf", 50)):
            assert len(await listed_by(server, name, mode)) == shown, name


@both_eras
async def test_what_is_not_shown_can_be_called(mode: Any) -> None:
    server = serving(many())
    async with Client(server, mode=mode, client_info=Implementation(name="Cursor", version="1")) as client:
        result = await client.call_tool("shop_do_77", {})
    assert not result.is_error, said(result)


@pytest.mark.parametrize(("toolsets", "told"), [(["auto"], True), (["all"], False), (["auto", "all"], False)])
def test_the_instructions_say_where_a_client_may_be_shown_a_part_only(toolsets: list[str], *, told: bool) -> None:
    about = replace(service(many()), instructions="A shop.")
    assert ("--toolsets" in Catalogue(about, Policy(toolsets=toolsets)).instructions) == told


def test_the_instructions_name_the_areas_that_are_switched_off() -> None:
    lightdash = server_module("lightdash").SERVICE
    assert Catalogue(lightdash, Policy()).instructions.endswith("switch off: agents.")
    assert "switch off" not in Catalogue(lightdash, Policy(toolsets=["auto", "agents"])).instructions
    few = Catalogue(lightdash, Policy(toolsets=["all", "agents"], exclude=["people", "sql"]))
    assert few.instructions.endswith("switch off: sql, people.")


@pytest.mark.parametrize("name", [None, "", "claude-ai", "recursor", "my-vscode"])
def test_a_client_that_is_not_known_has_no_limit(name: str | None) -> None:
    assert room_of(name) is None


@pytest.mark.parametrize("name", NAMES)
def test_the_most_used_tools_of_a_service_are_at_most_twenty_and_fit_every_known_client(name: str) -> None:
    catalogue = Catalogue(server_module(name).SERVICE, Policy(toolsets=["core"]))
    core = {tool.name for tool in catalogue.definitions()}
    assert 10 <= len(core) <= min(one.room for one in CLIENTS) == 20
    auto = Catalogue(server_module(name).SERVICE, Policy())
    for known in CLIENTS:
        shown = {tool.name for tool in auto.definitions(Caller(client=known.spelled[0]))}
        assert core <= shown
        assert len(shown) <= known.takes // 2
