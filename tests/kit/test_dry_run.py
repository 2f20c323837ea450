"""The dry run: a writing tool says what it would send, and sends nothing."""

from typing import Any

import httpx2
import mcp_types as mcp
import pytest
from mcp import Client
from tests.kit.schemas import is_valid
from tests.kit.shop import Act, Shop, ShopClient, both_eras, call, doing, said, serving, toolset

from aboveboard.effects import ADD, DELETE, EFFECTS, ENSURE, READ, RUN, Effect
from aboveboard.errors import NotFound
from aboveboard.kit.mode import Mode
from aboveboard.kit.policy import Policy

pytestmark = pytest.mark.anyio

DRY = Policy(dry_run=True)
WRITING = [effect for effect in EFFECTS if effect is not READ]


def sending(method: str, body: object = None) -> Act:
    return lambda client: client.send(method, body=body)


@both_eras
@pytest.mark.parametrize("effect", WRITING, ids=lambda effect: effect.name)
async def test_a_writing_tool_says_what_it_would_send_and_sends_nothing(effect: Effect, mode: str) -> None:
    shop = Shop()
    tools = doing(effect, sending("POST", {"name": "Mug", "parent": None}))
    async with Client(serving(tools, shop=shop, policy=DRY), mode=mode) as client:
        [definition] = (await client.list_tools()).tools
        result = await client.call_tool("shop_do_it", {})
    assert not result.is_error
    assert said(result) == (
        'Dry run: nothing was sent. This call would send POST /things/1 with {"name": "Mug", "parent": null},'
        " its first write: a dry run goes no further."
    )
    assert result.structured_content == {
        "dry_run": True,
        "method": "POST",
        "path": "/things/1",
        "body": {"name": "Mug", "parent": None},
    }
    assert definition.output_schema is not None
    assert is_valid(result.structured_content, definition.output_schema)
    assert shop.arrived == []


@both_eras
async def test_a_request_without_a_body_is_described_without_one(mode: str) -> None:
    result = await call(serving(doing(DELETE, sending("DELETE")), policy=DRY), mode=mode)
    assert "This call would send DELETE /things/1, its first write: a dry run goes no further." in said(result)
    assert result.structured_content == {"dry_run": True, "method": "DELETE", "path": "/things/1"}


async def test_reading_goes_on_as_ever() -> None:
    shop = Shop()
    result = await call(serving(doing(READ, sending("GET")), shop=shop, policy=DRY))
    assert result.structured_content == {"name": "Teapot"}
    assert shop.lines == ["GET /things/1"]


async def test_a_writing_tool_may_read_before_it_is_stopped() -> None:
    async def look_then_write(client: ShopClient) -> None:
        thing = await client.send("GET")
        await client.send("PUT", body={"name": thing.name})
        await client.send("DELETE")

    shop = Shop()
    result = await call(serving(doing(RUN, look_then_write), shop=shop, policy=DRY))
    assert 'would send PUT /things/1 with {"name": "Teapot"}, its first write' in said(result)
    assert shop.lines == ["GET /things/1"]


@both_eras
async def test_a_tool_that_finds_nothing_to_write_says_so(mode: str) -> None:
    shop = Shop()
    result = await call(serving(doing(ENSURE, sending("GET")), shop=shop, policy=DRY), mode=mode)
    assert not result.is_error
    assert said(result) == "Dry run: nothing was sent. This call would send nothing that writes."
    assert result.structured_content == {"dry_run": True}


async def test_a_failure_on_the_way_to_the_write_is_told_as_ever() -> None:
    shop = Shop(lambda _: httpx2.Response(404))
    result = await call(serving(doing(RUN, sending("GET")), shop=shop, policy=DRY))
    assert result.is_error
    assert said(result) == f"The shop answered 404. {NotFound.advice}"


async def test_a_tool_that_speaks_in_raw_content_has_dry_runs_too() -> None:
    tools = toolset()

    @tools.tool("Order Raw", ADD)
    async def order_raw(shop: ShopClient) -> mcp.CallToolResult:
        """Order it."""
        await shop.send("POST")
        raise NotImplementedError

    @tools.tool("Ask Raw", ADD)
    async def ask_raw(shop: ShopClient) -> mcp.CallToolResult:
        """Order nothing."""
        return mcp.CallToolResult(content=[mcp.TextContent(text="Nothing to order.")])

    shop = Shop()
    server = serving(tools, shop=shop, policy=DRY)
    assert said(await call(server, "shop_order_raw")).startswith("Dry run: nothing was sent.")
    assert said(await call(server, "shop_ask_raw")) == "Nothing to order."
    assert shop.arrived == []


@pytest.mark.parametrize(
    "body",
    [
        {"password": "hunter2"},
        {"apiKey": "hunter2"},
        {"clientSecret": "hunter2"},
        {"access_TOKEN": "hunter2"},
        {"credentials": {"user": "hunter2"}},
        {"deep": [{"deeper": ({"Password": "hunter2"},)}]},
        [{"secret": ["hunter2"]}],
    ],
    ids=str,
)
async def test_secrets_in_a_body_are_not_shown(body: Any) -> None:
    result = await call(serving(doing(ADD, sending("POST", body)), policy=DRY))
    assert "[secret]" in said(result)
    assert "hunter2" not in result.model_dump_json()


async def test_what_is_no_secret_is_shown_as_it_is() -> None:
    body = {"name": "Mug", "tags": ["a", None, 1.5], 7: {"b": "ü"}}
    result = await call(serving(doing(ADD, sending("POST", body)), policy=DRY))
    assert 'with {"name": "Mug", "tags": ["a", null, 1.5], "7": {"b": "ü"}}, its first write' in said(result)


async def test_a_dry_run_opens_nothing_that_the_safety_mode_closes() -> None:
    server = serving(doing(ADD, sending("POST")), policy=Policy(dry_run=True, mode=Mode.READ_ONLY))
    assert "is switched off" in said(await call(server))


async def test_the_hints_stay_what_they_are() -> None:
    async with Client(serving(doing(DELETE, sending("DELETE")), policy=DRY)) as client:
        [tool] = (await client.list_tools()).tools
    assert tool.annotations is not None
    assert tool.annotations.destructive_hint is True
    assert tool.annotations.read_only_hint is False
