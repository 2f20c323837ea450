"""Texts name tools as clients see them, and only tools that there are."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest
from mcp import Client
from tests.kit.shop import TEAPOT, Shop, ShopClient, Thing, said, serving, toolset

from aboveboard.cli.services import NAMES, server_module
from aboveboard.effects import READ
from aboveboard.errors import BadInput
from aboveboard.kit.gone import FOR_GOOD, Gone, by_calling
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue
from aboveboard.kit.wire_names import WireNames

WORD = re.compile(r"(?<![\w./-])[a-z]+(?:_[a-z]+)+(?![\w=(.])")


def catalogue_of(name: str, prefix: str | None = None) -> Catalogue[Any]:
    return Catalogue[Any](server_module(name).SERVICE, Policy(toolsets=["all"]), prefix)


def texts(catalogue: Catalogue[Any]) -> Iterator[str]:
    """Go through everything that a client reads before it calls a tool."""
    yield catalogue.instructions
    for tool in map(catalogue.definition, catalogue.service.tools):
        yield (tool.description or "").partition("\nExample response")[0]
        yield from descriptions(tool.input_schema)
    for toolset_of in catalogue.service.toolsets:
        yield from (catalogue.wire.said(one.description) for one in (*toolset_of.resources, *toolset_of.prompts))


def descriptions(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in cast("dict[str, Any]", node).items():
            if key == "description" and isinstance(value, str):
                yield value
            yield from descriptions(value)


def messages(package: str) -> Iterator[str]:
    """Go through the sentences in the source of a service, which its errors are made of."""
    folder = Path(str(import_module(package).__file__)).parent
    for file in [*folder.glob("tools/**/*.py"), *folder.glob("client/**/*.py"), *folder.glob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and ". " in f"{node.value} ":
                yield node.value


@pytest.mark.parametrize("name", NAMES)
def test_every_tool_that_a_text_or_a_message_names_exists_and_texts_name_it_in_full(name: str) -> None:
    catalogue = catalogue_of(name)
    tools = catalogue.service.tools
    short = {tool.name for tool in tools if "_" in tool.name}
    twice = {one for one in short if len([tool for tool in tools if tool.name == one]) > 1}
    verbs = {one.split("_")[0] for one in short}
    parameters = {parameter for tool in tools for parameter in tool.input_schema["properties"]}

    def named(text: str) -> set[str]:
        return {word for word in WORD.findall(text) if word.split("_")[0] in verbs} - parameters - {"generate_series"}

    assert {word for text in texts(catalogue) for word in named(text)} - twice == set()
    in_messages = {word for text in messages(f"aboveboard.{name}") for word in named(text)}
    assert in_messages - short - catalogue.tools.keys() == set()
    assert in_messages & short


def test_the_prefix_that_the_operator_chose_is_the_one_that_texts_have() -> None:
    catalogue = catalogue_of("lightdash", "ld_")
    assert "ld_get_context" in catalogue.instructions
    assert not any("lightdash_tools__" in text for text in texts(catalogue))


def test_of_two_areas_with_a_tool_of_one_name_each_means_its_own() -> None:
    names = WireNames(
        [("list_bin", "files", "f_list_bin"), ("list_bin", "mail", "m_list_bin"), ("get_it", "mail", "m_get_it")]
    )
    assert names.said("list_bin, then get_it.", "files") == "f_list_bin, then m_get_it."
    assert names.said("list_bin or m_get_it or x/get_it", "notes") == "list_bin or m_get_it or x/get_it"
    told = names.described({"properties": {"get_it": {"description": "See get_it.", "default": "get_it"}}}, "mail")
    assert told == {"properties": {"get_it": {"description": "See m_get_it.", "default": "get_it"}}}


@pytest.mark.anyio
async def test_an_error_names_tools_in_full() -> None:
    tools = toolset()

    @tools.tool("Show Thing", READ, example=TEAPOT)
    async def show_thing(shop: ShopClient) -> Thing:
        """Show it."""
        raise BadInput("There is none.", next_step="list_things shows what there is; show_thing needs one.")

    assert show_thing
    async with Client(serving(tools, shop=Shop())) as client:
        text = said(await client.call_tool("shop_show_thing", {}))
    assert text == "There is none. list_things shows what there is; shop_show_thing needs one."


def test_how_something_comes_back_begins_with_a_tool_in_full_and_leaves_the_data_alone() -> None:
    wire = catalogue_of("lightdash").wire
    sentence = by_calling("restore_content", item="create_chart", project_uuid=None)
    told = Gone(gone="delete_chart", to_get_back=sentence).in_full(wire.said)
    assert told.to_get_back == 'lightdash_tools__restore_content with {"item": "create_chart"} brings it back.'
    assert told.gone == "delete_chart"
    assert Gone(gone="x", to_get_back=FOR_GOOD).in_full(wire.said).to_get_back == FOR_GOOD
