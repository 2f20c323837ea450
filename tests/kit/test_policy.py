"""The operator's policy: what a client sees, what it may call, and what it is told otherwise."""

import pytest
from mcp import Client
from tests.kit.shop import TEAPOT, Shop, ShopClient, Thing, both_eras, call, said, service, serving, toolset

from aboveboard.effects import ADD, DELETE, EDIT, EFFECTS, ENSURE, READ, REPLACE, RUN, Effect
from aboveboard.errors import BadInput
from aboveboard.kit.mode import Mode
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue
from aboveboard.kit.toolset import Toolset

pytestmark = pytest.mark.anyio


def one_of_each() -> Toolset[ShopClient]:
    """Declare a tool of every effect: `do_read`, `do_add` and so on; `do_read` is core."""
    tools = toolset()
    for effect in EFFECTS:
        _declare(tools, effect, f"do_{effect.name.lower()}", core=effect is READ)
    return tools


def stock() -> Toolset[ShopClient]:
    tools = toolset("stock")
    _declare(tools, READ, "count_stock", core=False)
    return tools


def rare() -> Toolset[ShopClient]:
    tools = Toolset[ShopClient]("rare", title="Rare", icon="M0 0h24v24z", default=False)
    _declare(tools, READ, "find_rarity", core=True)
    return tools


def _declare(tools: Toolset[ShopClient], effect: Effect, name: str, *, core: bool) -> None:
    async def act(shop: ShopClient) -> Thing:
        """Send a request that fits."""
        return await shop.send("GET" if effect.read_only else "POST")

    act.__name__ = name
    tools.tool(f"Do {name}", effect, example=TEAPOT, core=core)(act)


async def listed(policy: Policy, mode: str = "auto") -> set[str]:
    async with Client(serving(one_of_each(), stock(), policy=policy), mode=mode) as client:
        return {tool.name.removeprefix("shop_") for tool in (await client.list_tools()).tools}


def names(*effects: Effect) -> set[str]:
    return {f"do_{effect.name.lower()}" for effect in effects}


@both_eras
@pytest.mark.parametrize(
    ("policy", "visible"),
    [
        (Policy(), names(*EFFECTS) | {"count_stock"}),
        (Policy(mode=Mode.READ_ONLY), names(READ) | {"count_stock"}),
        (Policy(mode=Mode.ADDITIVE), names(READ, ADD, ENSURE) | {"count_stock"}),
        (Policy(toolsets=["stock"]), {"count_stock"}),
        (Policy(toolsets=["core"]), names(READ)),
        (Policy(toolsets=["core", "stock"]), names(READ) | {"count_stock"}),
        (Policy(toolsets=["things"]), names(*EFFECTS)),
        (Policy(toolsets=[]), set[str]()),
        (Policy(exclude=["things"]), {"count_stock"}),
        (Policy(exclude=["do_run", "shop_do_edit"]), names(*EFFECTS) - names(RUN, EDIT) | {"count_stock"}),
        (Policy(mode=Mode.READ_ONLY, toolsets=["things"], exclude=["do_read"]), set[str]()),
    ],
    ids=lambda value: repr(value) if isinstance(value, Policy) else f"shows-{len(value)}",
)
async def test_a_policy_lists_what_it_says(policy: Policy, visible: set[str], mode: str) -> None:
    assert await listed(policy, mode) == visible


@pytest.mark.parametrize(
    ("chosen", "shown"), [(["all"], False), (["core"], False), (["things"], False), (["all", "rare"], True)], ids=str
)
def test_an_area_that_few_can_use_is_there_only_where_it_is_named(chosen: list[str], *, shown: bool) -> None:
    rare = Toolset[ShopClient]("rare", title="Rare", icon="M0 0h1", default=False)
    _declare(rare, READ, "find_rare", core=True)
    catalogue = Catalogue(service(one_of_each(), rare), Policy(toolsets=chosen))
    assert ("shop_find_rare" in {tool.name for tool in catalogue.definitions()}) == shown


@pytest.mark.parametrize(
    ("toolsets", "visible"),
    [
        (["all"], {"count_stock"}),
        (["core"], set[str]()),
        (["all", "rare"], {"count_stock", "find_rarity"}),
        (["rare"], {"find_rarity"}),
        (["core", "rare"], {"find_rarity"}),
    ],
)
async def test_a_toolset_that_is_off_by_default_is_there_only_where_it_is_named(
    toolsets: list[str], visible: set[str]
) -> None:
    server = serving(stock(), rare(), policy=Policy(toolsets=toolsets))
    async with Client(server) as client:
        assert {tool.name.removeprefix("shop_") for tool in (await client.list_tools()).tools} == visible
    result = await call(serving(stock(), rare(), policy=Policy(toolsets=toolsets)), "shop_find_rarity")
    assert bool(result.is_error) == ("find_rarity" not in visible)
    if result.is_error:
        assert "the toolset rare is not among those switched on (--toolsets, ABOVEBOARD_TOOLSETS)" in said(result)


@both_eras
@pytest.mark.parametrize("mode_of_safety", Mode)
async def test_what_is_listed_can_be_called_and_nothing_else_can(mode_of_safety: Mode, mode: str) -> None:
    policy = Policy(mode=mode_of_safety)
    visible = await listed(policy)
    for effect in EFFECTS:
        shop = Shop()
        name = f"do_{effect.name.lower()}"
        result = await call(serving(one_of_each(), stock(), shop=shop, policy=policy), f"shop_{name}", mode=mode)
        assert bool(result.is_error) == (name not in visible)
        assert len(shop.arrived) == (name in visible)


@pytest.mark.parametrize(
    ("policy", "tool", "sentence"),
    [
        (
            Policy(mode=Mode.READ_ONLY),
            "shop_do_add",
            "the safety mode read-only (--safety-mode, ABOVEBOARD_SAFETY_MODE) allows only tools that read.",
        ),
        (
            Policy(mode=Mode.ADDITIVE),
            "shop_do_replace",
            "the safety mode additive (--safety-mode, ABOVEBOARD_SAFETY_MODE) allows no tool that can lose data.",
        ),
        (
            Policy(toolsets=["stock"]),
            "shop_do_read",
            "the toolset things is not among those switched on (--toolsets, ABOVEBOARD_TOOLSETS).",
        ),
        (
            Policy(toolsets=["core"]),
            "shop_do_delete",
            "it is not one of the core tools, and the toolset things is not among those switched on"
            " (--toolsets, ABOVEBOARD_TOOLSETS).",
        ),
        (
            Policy(exclude=["do_read"]),
            "shop_do_read",
            "it is excluded by name (--exclude, ABOVEBOARD_EXCLUDE).",
        ),
        (
            Policy(exclude=["things"]),
            "shop_do_read",
            "its area things is excluded (--exclude, ABOVEBOARD_EXCLUDE).",
        ),
    ],
)
async def test_a_tool_that_is_switched_off_names_the_setting(policy: Policy, tool: str, sentence: str) -> None:
    shop = Shop()
    result = await call(serving(one_of_each(), stock(), shop=shop, policy=policy), tool)
    assert result.is_error
    assert said(result) == f"{tool} is switched off: {sentence}"
    assert shop.arrived == []


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (Policy(toolsets=["stok"]), "This server has no toolset 'stok': did you mean 'stock'?"),
        (Policy(toolsets=["zzz"]), "This server has no toolset 'zzz'; it has auto, all, core, things, stock."),
        (Policy(toolsets=["all", "Stock"]), "This server has no toolset 'Stock': did you mean 'stock'?"),
        (Policy(toolsets=[""]), "This server has no toolset ''"),
        (Policy(exclude=["do_delet"]), "This server has no tool or toolset 'do_delet': did you mean 'do_delete'"),
        (
            Policy(exclude=["shop_do_delet"]),
            "This server has no tool or toolset 'shop_do_delet': did you mean 'shop_do_delete'",
        ),
        (Policy(exclude=["all"]), "This server has no tool or toolset 'all'"),
    ],
)
def test_a_name_that_does_not_exist_stops_the_start_with_the_nearest(policy: Policy, sentence: str) -> None:
    with pytest.raises(BadInput) as told:
        serving(one_of_each(), stock(), policy=policy)
    assert str(told.value).startswith(sentence)


async def test_another_prefix_replaces_the_services_and_exclusion_still_works() -> None:
    server = serving(one_of_each(), policy=Policy(exclude=["s_do_run", "do_edit"]), prefix="s_")
    async with Client(server) as client:
        found = {tool.name for tool in (await client.list_tools()).tools}
    assert found == {f"s_{name}" for name in names(READ, ADD, ENSURE, REPLACE, DELETE)}


def test_definitions_are_the_same_whatever_the_mode() -> None:
    full = {tool.name: tool for tool in Catalogue(service(one_of_each()), Policy()).definitions()}
    for mode in Mode:
        for tool in Catalogue(service(one_of_each()), Policy(mode=mode)).definitions():
            assert tool == full[tool.name]
