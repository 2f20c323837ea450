"""Names that a tool had before: callable, never listed, and whoever uses one is told the new one."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import pytest
from mcp import Client
from mcp_types import TextContent
from pydantic import Field
from tests.kit.shop import TEAPOT, Shop, ShopClient, Thing, both_eras, call, refusal, said, service, serving, toolset

from aboveboard.effects import ADD, READ
from aboveboard.kit.audit_log import AuditLog
from aboveboard.kit.mode import Mode
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue
from aboveboard.kit.toolset import Toolset

pytestmark = pytest.mark.anyio

TOLD = "shop_order is now called shop_buy."


def renamed(aliases: Sequence[str] = ("order", "get")) -> Toolset[ShopClient]:
    tools = toolset()

    @tools.tool("Buy Thing", ADD, example=TEAPOT, aliases=aliases)
    async def buy(shop: ShopClient, name: Annotated[str, Field(description="Which.", max_length=9)]) -> Thing:
        """Buy it."""
        return await shop.send("POST", name)

    assert callable(buy)
    return tools


@both_eras
async def test_an_old_name_is_not_listed_and_does_the_same(mode: str) -> None:
    shop = Shop()
    async with Client(serving(renamed(), shop=shop), mode=mode) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["shop_buy"]
        new = await client.call_tool("shop_buy", {"name": "Mug"})
        old = await client.call_tool("shop_order", {"name": "Mug"})
    assert shop.lines == ["POST /things/Mug"] * 2
    assert old.structured_content == new.structured_content
    assert old.content == [*new.content, TextContent(text=TOLD)]


async def test_a_mistake_under_an_old_name_is_told_with_the_new_name() -> None:
    result = await call(serving(renamed()), "shop_get", {"name": "far too long"})
    assert result.is_error
    assert [block.text for block in result.content if isinstance(block, TextContent)] == [
        "name must have at most 9 characters.",
        "shop_get is now called shop_buy.",
    ]


@pytest.mark.parametrize(
    "policy", [Policy(mode=Mode.READ_ONLY), *(Policy(exclude=[name]) for name in ("buy", "order", "shop_order"))]
)
async def test_the_policy_holds_for_every_name(policy: Policy) -> None:
    for name in ("shop_buy", "shop_order"):
        shop = Shop()
        result = await call(serving(renamed(), shop=shop, policy=policy), name, {"name": "Mug"})
        assert result.is_error
        assert shop.lines == []


async def test_the_audit_log_has_the_new_name(tmp_path: Path) -> None:
    log = tmp_path / "audit.ndjson"
    await call(serving(renamed(), audit_log=AuditLog(str(log))), "shop_order", {"name": "Mug"})
    assert json.loads(log.read_text())["tool"] == "shop_buy"


async def test_an_old_name_takes_the_prefix_that_the_operator_chose() -> None:
    assert not (await call(serving(renamed(), prefix="s."), "s.order", {"name": "Mug"})).is_error
    problem = await refusal(serving(renamed(), prefix="s."), "shop_order")
    assert "no tool 'shop_order'" in problem.message


@pytest.mark.parametrize("aliases", [("buy",), ("order", "order"), ("sell",), ("hand_over",)])
def test_an_old_name_that_another_tool_has_is_an_error_at_once(aliases: Sequence[str]) -> None:
    tools = renamed(aliases)

    @tools.tool("Sell Thing", READ, example=TEAPOT, aliases=["hand_over"])
    async def sell(shop: ShopClient) -> Thing:
        """Sell it."""
        raise NotImplementedError

    assert callable(sell)
    with pytest.raises(TypeError, match=f"Two tools share a name: shop_{aliases[0]}"):
        Catalogue(service(tools), Policy())


async def test_who_uses_the_name_of_today_is_told_nothing() -> None:
    assert said(await call(serving(renamed()), "shop_buy", {"name": "Mug"})) == '{"name":"Teapot"}'
