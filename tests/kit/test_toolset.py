"""Declaring tools: what is forgotten stops the start, and what is declared is what is published."""

import json
from typing import Annotated, Any

import jsonschema
import mcp_types as mcp
import pytest
from mcp import Client
from pydantic import BaseModel, Field
from tests.kit.shop import TEAPOT, ShopClient, Thing, both_eras, doing, service, serving, toolset

from aboveboard.effects import ADD, DELETE, EFFECTS, READ, Effect
from aboveboard.errors import BadInput
from aboveboard.kit.call import Call
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue, Service
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.server import SERVICE as LIGHTDASH
from aboveboard.nextcloud.server import SERVICE as NEXTCLOUD

pytestmark = pytest.mark.anyio

Name = Annotated[str, Field(description="Its name.")]


class Receipt(BaseModel):
    """Not a thing."""

    total: int


async def nothing(_: ShopClient) -> None: ...


def declare(function: Any, example: BaseModel | None = TEAPOT) -> Toolset[ShopClient]:
    """Declare a function that the type checker would not let through."""
    tools = toolset()
    anything: Any = tools.tool
    anything("Buy Thing", ADD, example=example)(function)
    return tools


async def no_description(shop: ShopClient, name: str) -> Thing:
    """Buy it."""
    raise NotImplementedError


async def empty_description(shop: ShopClient, name: Annotated[str, Field(description="")]) -> Thing:
    """Buy it."""
    raise NotImplementedError


async def no_annotation(shop: ShopClient, name) -> Thing:  # pyright: ignore
    """Buy it."""
    raise NotImplementedError


async def no_docstring(shop: ShopClient, name: Name) -> Thing:
    raise NotImplementedError


async def blank_docstring(shop: ShopClient, name: Name) -> Thing:
    """ """
    raise NotImplementedError


async def no_return(shop: ShopClient, name: Name):
    """Buy it."""


async def loose_return(shop: ShopClient, name: Name) -> dict[str, Any]:
    """Buy it."""
    raise NotImplementedError


async def other_return(shop: ShopClient, name: Name) -> Receipt:
    """Buy it."""
    raise NotImplementedError


async def raw_return(shop: ShopClient, name: Name) -> mcp.CallToolResult:
    """Buy it."""
    raise NotImplementedError


async def computed_default(
    shop: ShopClient, names: Annotated[list[str], Field(description="Names.", default_factory=list)]
) -> Thing:
    """Buy it."""
    raise NotImplementedError


async def shadowing(shop: ShopClient, schema: Annotated[str, Field(description="Where.")]) -> Thing:
    """Buy it."""
    raise NotImplementedError


INCOMPLETE: list[tuple[Any, str]] = [
    (no_description, "The parameter name of the tool no_description has no description"),
    (empty_description, "The parameter name of the tool empty_description has no description"),
    (no_annotation, "The parameter name of the tool no_annotation has no description"),
    (no_docstring, "The tool no_docstring has no docstring"),
    (blank_docstring, "The tool blank_docstring has no docstring"),
    (no_return, "The tool no_return does not say what it answers"),
    (loose_return, "The tool loose_return does not say what it answers"),
    (other_return, "The tool other_return answers a Receipt, and its example is something else"),
    (raw_return, "The tool raw_return answers raw content, and has an example"),
    (computed_default, "The parameter names of the tool computed_default has a computed default"),
    (shadowing, "The parameter schema of the tool shadowing"),
]


@pytest.mark.parametrize(("function", "problem"), INCOMPLETE, ids=lambda value: getattr(value, "__name__", ""))
def test_an_incomplete_tool_is_refused_where_it_is_declared(function: Any, problem: str) -> None:
    with pytest.raises(TypeError) as refused:
        declare(function)
    assert str(refused.value).startswith(problem)


def test_a_tool_without_an_example_publishes_its_docstring_alone() -> None:
    [tool] = declare(other_return, example=None).tools
    assert tool.description == tool.summary


async def test_an_area_without_an_icon_publishes_none() -> None:
    tools = Toolset[ShopClient]("things", title="Things")
    tools.tool("Do It", READ)(doing(READ, nothing).tools[0].load().function)
    async with Client(serving(tools)) as client:
        [published] = (await client.list_tools()).tools
    assert "icons" not in published.model_dump(by_alias=True, exclude_none=True)


@pytest.mark.parametrize("own", [LIGHTDASH, NEXTCLOUD], ids=lambda service: service.name)
def test_our_own_tools_all_have_an_icon_and_an_example(own: Service[Any]) -> None:
    assert [toolset.area for toolset in own.toolsets if toolset.icon is None] == []
    functions = {tool.name: tool.load() for tool in own.tools}
    assert [name for name, tool in functions.items() if tool.result is not None and tool.example is None] == []


def test_a_tool_that_speaks_in_raw_content_needs_no_example() -> None:
    [tool] = declare(raw_return, example=None).tools
    assert tool.output_schema is None
    assert tool.description == "Buy it."


@both_eras
@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.name)
async def test_all_four_hints_and_the_title_are_published_whatever_they_are(effect: Effect, mode: str) -> None:
    async with Client(serving(doing(effect, nothing)), mode=mode) as client:
        [tool] = (await client.list_tools()).tools
    assert tool.model_dump(by_alias=True)["annotations"] == {
        "title": "Do It",
        "readOnlyHint": effect.read_only,
        "destructiveHint": effect.destructive,
        "idempotentHint": effect.idempotent,
        "openWorldHint": False,
    }
    assert tool.title == "Do It"


@pytest.mark.parametrize(("effect", "hint"), [(ADD, False), (ADD.reaching_out(), True), (ADD.closed(), False)])
def test_the_service_says_whether_tools_reach_out_unless_a_tool_says_otherwise(effect: Effect, hint: object) -> None:
    catalogue = Catalogue(service(doing(effect, nothing)), Policy())
    [definition] = catalogue.definitions()
    assert definition.annotations is not None
    assert definition.annotations.open_world_hint is hint


def test_a_full_name_is_the_prefix_and_the_functions_name() -> None:
    own = Toolset[ShopClient]("stock", title="Stock", icon="M0 0h1", prefix="stock_")
    own.tool("Do It", READ, example=TEAPOT)(doing(READ, nothing).tools[0].load().function)
    plain = doing(READ, nothing)
    assert [*Catalogue(service(plain, own), Policy()).tools] == ["shop_do_it", "stock_do_it"]
    assert [*Catalogue(service(plain), Policy(), "").tools] == ["do_it"]
    assert [*Catalogue(service(plain), Policy(), "s.").tools] == ["s.do_it"]
    with pytest.raises(BadInput, match="Shop's tools have a prefix for each area"):
        Catalogue(service(plain, own), Policy(), "s.")
    for wrong in ("bad prefix ", "ä_", "x" * 65):
        with pytest.raises(BadInput, match="cannot start a tool's name"):
            Catalogue(service(plain), Policy(), wrong)


def test_two_tools_of_one_full_name_are_refused() -> None:
    with pytest.raises(TypeError, match="shop_do_it"):
        Catalogue(service(doing(READ, nothing), doing(DELETE, nothing)), Policy())


def test_a_scope_is_the_area_and_whether_the_tool_writes() -> None:
    for effect in EFFECTS:
        [tool] = doing(effect, nothing).tools
        assert tool.scope == ("things.read" if effect is READ else "things.write")


def test_core_marks_only_what_is_declared_so() -> None:
    tools = doing(READ, nothing)
    tools.tool("Do More", READ, example=TEAPOT, core=True)(tools.tools[0].load().function)
    assert [tool.core for tool in tools.tools] == [False, True]


def test_a_description_is_the_docstring_and_one_line_of_example() -> None:
    tools = toolset()

    @tools.tool("Buy Thing", ADD, example=Thing(name="Tea\npot \u2028 für zwei"))
    async def buy_thing(shop: ShopClient, call: Call, name: Name) -> Thing:
        """Buy a thing;
        what it replaces is    lost.
        """  # noqa: D205
        raise NotImplementedError

    [tool] = tools.tools
    summary, example = tool.description.split("\n")
    assert summary == "Buy a thing; what it replaces is lost."
    assert example.startswith("Example response: {")
    parsed = json.loads(example.removeprefix("Example response: "))
    assert parsed == {"name": "Tea\npot \u2028 für zwei"}
    assert tool.output_schema is not None
    jsonschema.validate(parsed, tool.output_schema)


def test_the_call_and_the_client_are_not_published() -> None:
    tools = toolset()

    @tools.tool("Buy Thing", ADD, example=TEAPOT)
    async def buy_thing(shop: ShopClient, name: Name, call: Call) -> Thing:
        """Buy it."""
        raise NotImplementedError

    [tool] = tools.tools
    assert tool.load().call_parameter == "call"
    assert tool.input_schema == {
        "type": "object",
        "properties": {"name": {"type": "string", "description": "Its name."}},
        "required": ["name"],
        "additionalProperties": False,
    }


@both_eras
async def test_a_tool_can_report_progress_to_a_client_that_asks_for_it(mode: str) -> None:
    tools = toolset()

    @tools.tool("Count Things", READ, example=TEAPOT)
    async def count_things(shop: ShopClient, call: Call) -> Thing:
        """Count."""
        await call.progress(1, 2, "half")
        await call.progress(2, 2)
        return TEAPOT

    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async with Client(serving(tools), mode=mode) as client:
        result = await client.call_tool("shop_count_things", {}, progress_callback=hear)
    assert result.structured_content == {"name": "Teapot"}
    assert heard == [(1, 2, "half"), (2, 2, None)]


def test_an_icon_is_a_valid_uri_that_draws_the_path() -> None:
    icon = Toolset[ShopClient]("x", title="X", icon="M3 6h7l2 2z").icon
    assert icon is not None
    assert icon.mime_type == "image/svg+xml"
    assert not set(' <>"{}|\\^`') & set(icon.src)
    assert icon.src.startswith("data:image/svg+xml,%3Csvg")
    assert "M3%206h7l2%202z" in icon.src
