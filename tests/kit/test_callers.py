"""Several callers on one server: each sees and may do what was granted, below what the operator allows."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as mcp
import pytest
from mcp import Client
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from tests.kit.shop import TEAPOT, Shop, ShopClient, Thing, both_eras, said, service, toolset

from aboveboard.effects import ADD, DELETE, READ, Effect
from aboveboard.kit.call import Call
from aboveboard.kit.caller import Caller
from aboveboard.kit.mode import Mode
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue
from aboveboard.kit.toolset import Toolset

pytestmark = pytest.mark.anyio

READER = Caller(subject="ada", scopes=frozenset({"things.read", "shelf.read"}))
CLERK = Caller(subject="bob", scopes=frozenset({"things.read", "things.write", "of.another.service"}))
CAREFUL = Caller(subject="eve", mode=Mode.ADDITIVE)


class Several:
    """A provider whose next request comes from whom the test says; it counts the clients on loan."""

    has_many_callers = True

    def __init__(self, asking: Caller) -> None:
        self.asking, self.leases, self.on_loan = asking, 0, 0

    def caller(self, context: ServerRequestContext[Any, Any]) -> Caller:
        del context
        return self.asking

    @asynccontextmanager
    async def lease(self, call: Call) -> AsyncGenerator[ShopClient]:
        assert call.caller is self.asking
        self.leases += 1
        self.on_loan += 1
        try:
            yield ShopClient(Shop())
        finally:
            self.on_loan -= 1

    async def aclose(self) -> None: ...


def things(provider: Several | None = None) -> Toolset[ShopClient]:
    tools = toolset()

    def declare(title: str, effect: Effect, name: str) -> None:
        async def act(shop: ShopClient) -> Thing:
            """Do it."""
            assert provider is None or provider.on_loan == 1
            return await shop.send("GET" if effect.read_only else "POST")

        act.__name__ = name
        tools.tool(title, effect, example=TEAPOT)(act)

    declare("See It", READ, "see")
    declare("Add It", ADD, "add")
    declare("Drop It", DELETE, "drop")
    return tools


def shelf() -> Toolset[ShopClient]:
    tools = toolset("shelf")

    async def names(shop: ShopClient, typed: str) -> Sequence[str]:
        return [(await shop.send("GET", typed or "1")).name]

    @tools.resource("shop://shelf/{place}", "Place", completers={"place": names})
    async def place(shop: ShopClient, place: str) -> Thing:
        """What stands there."""
        return await shop.send("GET", place)

    @tools.prompt("Tidy Up")
    def tidy() -> str:
        """Put things in order."""
        return "Tidy up."

    assert all(map(callable, (place, tidy)))
    return tools


def serving(provider: Several, policy: Policy | None = None) -> Server[None]:
    return build_server(Catalogue(service(things(provider), shelf()), policy or Policy()), provider)


async def listed(client: Client) -> list[str]:
    # Asked directly: a client may keep the list of one who asks twice.
    answer = await client.session.send_request(mcp.ListToolsRequest(), mcp.ListToolsResult)
    return [tool.name.removeprefix("shop_") for tool in answer.tools]


@both_eras
async def test_each_caller_is_listed_what_was_granted_whoever_asked_before(mode: str) -> None:
    provider = Several(READER)
    async with Client(serving(provider), mode=mode) as client:
        for _ in range(2):
            provider.asking = READER
            assert await listed(client) == ["see"]
            provider.asking = CLERK
            assert await listed(client) == ["see", "add", "drop"]
            provider.asking = CAREFUL
            assert await listed(client) == ["see", "add"]
            provider.asking = Caller(subject="joe")  # who differs from the careful one in the mode alone
            assert await listed(client) == ["see", "add", "drop"]
            provider.asking = Caller(subject="nobody", scopes=frozenset())
            assert await listed(client) == []


def test_a_list_is_made_once_for_all_who_are_shown_the_same() -> None:
    catalogue = Catalogue(service(things(), shelf()), Policy())
    made = catalogue.definitions(CLERK)
    dan = Caller(subject="dan", client="Another", scopes=frozenset({"things.read", "things.write"}))
    assert catalogue.definitions(dan) is made
    assert catalogue.definitions(READER) is not made
    assert catalogue.definitions(CLERK) is made


async def test_the_operators_policy_is_the_ceiling_of_every_grant() -> None:
    async with Client(serving(Several(CLERK), Policy(mode=Mode.READ_ONLY))) as client:
        assert await listed(client) == ["see"]
        assert "--safety-mode" in said(await client.call_tool("shop_add"))


@both_eras
@pytest.mark.parametrize(
    ("caller", "tool", "why"),
    [
        (READER, "shop_add", "shop_add needs the scope things.write, which you were not granted."),
        (
            CAREFUL,
            "shop_drop",
            "shop_drop is not allowed: your access is additive, which allows no tool that can lose data.",
        ),
    ],
)
async def test_a_call_that_was_not_granted_names_what_is_missing(
    caller: Caller, tool: str, why: str, mode: str
) -> None:
    provider = Several(caller)
    async with Client(serving(provider), mode=mode) as client:
        result = await client.call_tool(tool)
    assert result.is_error
    assert said(result) == why
    assert provider.leases == 0


async def test_resources_prompts_and_completions_need_their_scope_too() -> None:
    template = mcp.ResourceTemplateReference(uri="shop://shelf/{place}")
    async with Client(serving(Several(READER))) as client:
        assert len((await client.list_resource_templates()).resource_templates) == 1
        assert len((await client.list_prompts()).prompts) == 1
        assert (await client.read_resource("shop://shelf/1")).contents
        assert (await client.complete(template, {"name": "place", "value": ""})).completion.values == ["Teapot"]
        assert (await client.get_prompt("tidy")).messages
    async with Client(serving(Several(CLERK))) as client:
        assert (await client.list_resource_templates()).resource_templates == []
        assert (await client.list_prompts()).prompts == []
        for asked in (
            lambda: client.read_resource("shop://shelf/1"),
            lambda: client.complete(template, {"name": "place", "value": ""}),
            lambda: client.get_prompt("tidy"),
        ):
            with pytest.raises(MCPError, match=r"needs the scope shelf\.read, which you were not granted"):
                await asked()


async def test_a_client_is_on_loan_for_the_length_of_the_call() -> None:
    provider = Several(CLERK)
    async with Client(serving(provider)) as client:
        assert not (await client.call_tool("shop_add")).is_error
    assert (provider.leases, provider.on_loan) == (1, 0)


async def test_a_tool_that_takes_the_call_in_place_of_a_client_needs_none() -> None:
    tools = toolset()

    @tools.tool("Who Am I", READ, example=TEAPOT)
    async def who_am_i(call: Call) -> Thing:
        """Tell who asks."""
        return Thing(name=call.caller.subject)

    assert callable(who_am_i)
    provider = Several(CLERK)
    async with Client(build_server(Catalogue(service(tools), Policy()), provider)) as client:
        [tool] = (await client.list_tools()).tools
        assert tool.input_schema == {"type": "object", "properties": {}, "additionalProperties": False}
        assert (await client.call_tool("shop_who_am_i")).structured_content == {"name": "bob"}
    assert provider.leases == 0


@pytest.mark.parametrize(
    ("toolsets", "provider", "scopes"),
    [
        ("all", Several(CLERK), ["private"] * 4),
        ("all", OneClient(ShopClient(Shop())), ["public"] * 4),
        ("auto", OneClient(ShopClient(Shop())), ["private", *["public"] * 3]),  # what it holds depends on the client
    ],
)
async def test_a_list_that_is_not_the_same_for_all_says_so(toolsets: str, provider: Any, scopes: list[str]) -> None:
    catalogue = Catalogue(service(things(), shelf()), Policy(toolsets=[toolsets]))
    async with Client(build_server(catalogue, provider)) as client:
        hints = [
            (await client.list_tools()).cache_scope,
            (await client.list_prompts()).cache_scope,
            (await client.list_resources()).cache_scope,
            (await client.list_resource_templates()).cache_scope,
        ]
    assert hints == scopes
