"""What our services publish, all of it: small, complete and true."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import jsonschema_rs
import mcp_types as mcp
import pytest
from hypothesis import HealthCheck, given, settings
from mcp import Client
from pydantic import BaseModel, SecretStr
from tests.kit.schemas import accepted, every_part, validator
from tests.kit.shop import both_eras

from aboveboard.kit.definitions import ToolDefinition
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.server import SERVICE as LIGHTDASH
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.server import SERVICE as NEXTCLOUD

CATALOGUES: list[Catalogue[Any]] = [Catalogue(LIGHTDASH, Policy()), Catalogue(NEXTCLOUD, Policy())]
TOOLS: dict[str, ToolDefinition[Any]] = {
    name: tool for catalogue in CATALOGUES for name, tool in catalogue.tools.items()
}
CLIENTS: dict[str, Any] = {
    "lightdash": LightdashClient("http://nowhere.invalid", SecretStr("t")),
    "nextcloud": NextcloudClient("http://nowhere.invalid", "ada", SecretStr("t")),
}
every_catalogue = pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda one: one.service.name)
TYPED: list[ToolDefinition[Any]] = [one for one in TOOLS.values() if one.output_schema]
DEFINITIONS: list[mcp.Tool] = [definition for catalogue in CATALOGUES for definition in catalogue.definitions()]
drawing = settings(max_examples=4, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def failing(check: Callable[[Any], None], things: Sequence[ToolDefinition[Any] | mcp.Tool]) -> dict[str, str]:
    """Check all of them, and return those of which something is not true, by their names."""
    assert things
    wrong: dict[str, str] = {}
    for thing in things:
        try:
            check(thing)
        except (AssertionError, ValueError) as error:
            wrong[thing.name] = str(error)
    return wrong


def _schemas(definition: mcp.Tool) -> list[tuple[str, dict[str, Any]]]:
    parts = list(every_part(definition.input_schema, "in"))
    return parts + list(every_part(definition.output_schema, "out"))


def test_no_schema_has_a_reference_a_title_or_a_choice_with_null() -> None:
    def check(definition: mcp.Tool) -> None:
        for at, part in _schemas(definition):
            assert not {"$ref", "$defs", "title", "allOf", "oneOf"} & part.keys(), at
            assert {"type": "null"} not in part.get("anyOf", []), at
        assert '"$ref"' not in json.dumps([definition.input_schema, definition.output_schema])

    assert failing(check, DEFINITIONS) == {}


def test_schemas_are_valid_schemas_of_objects() -> None:
    def check(definition: mcp.Tool) -> None:
        for schema in filter(None, (definition.input_schema, definition.output_schema)):
            assert schema["type"] == "object"
            jsonschema_rs.meta.validate(schema)
        assert definition.input_schema["additionalProperties"] is False

    assert failing(check, DEFINITIONS) == {}


def test_every_parameter_is_described_and_an_optional_one_is_not_required() -> None:
    def check(definition: mcp.Tool) -> None:
        parameters = TOOLS[definition.name].load().fields
        published = definition.input_schema.get("properties", {})
        assert published.keys() == parameters.keys()
        for name, schema in published.items():
            assert schema["description"].strip(), name
        required = [name for name, field in parameters.items() if field.is_required()]
        assert definition.input_schema.get("required", []) == required

    assert failing(check, DEFINITIONS) == {}


def test_an_example_is_one_line_that_is_valid_under_the_output_schema() -> None:
    def check(tool: ToolDefinition[Any]) -> None:
        summary, example = tool.description.split("\n")
        assert 1 <= len(re.findall(r"[.!?](?: |$)", summary)) <= 3
        assert example.startswith("Example response: {")
        assert tool.output_schema is not None
        jsonschema_rs.validate(tool.output_schema, json.loads(example.removeprefix("Example response: ")))

    assert failing(check, TYPED) == {}


def test_arguments_that_the_published_schema_accepts_are_accepted() -> None:
    def check(tool: ToolDefinition[Any]) -> None:
        @drawing
        @given(accepted(tool.input_schema))
        def takes(arguments: dict[str, Any]) -> None:
            assert tool.load().arguments.check(arguments).keys() == tool.load().fields.keys()

        takes()

    assert failing(check, list(TOOLS.values())) == {}


def test_results_are_valid_under_the_published_schema() -> None:
    def check(tool: ToolDefinition[Any]) -> None:
        schema, model = tool.output_schema, tool.load().result
        assert schema is not None
        assert model is not None
        published = validator(schema)

        @drawing
        @given(accepted(schema))
        def fits(given: Any) -> None:
            result: BaseModel = model.model_validate(given)
            assert published.is_valid(result.model_dump(mode="json", exclude_none=True))

        fits()

    assert failing(check, TYPED) == {}


@every_catalogue
def test_definitions_are_small_on_average(catalogue: Catalogue[Any]) -> None:
    sizes: dict[str, int] = {}
    for tool in catalogue.definitions():
        schema = json.dumps(tool.input_schema, separators=(",", ":"), ensure_ascii=False)
        sizes[tool.name] = len(f"{tool.name}{tool.description}{schema}".encode())
    assert sum(sizes.values()) / len(sizes) <= 700, sizes


def test_a_definition_keeps_within_what_clients_take() -> None:
    def check(definition: mcp.Tool) -> None:
        assert definition.description is not None
        assert len(definition.description) <= 1024
        assert len(definition.name) <= 60
        assert re.fullmatch(r"[a-zA-Z0-9_-]+", definition.name)
        assert definition.icons is not None
        [icon] = definition.icons
        assert len(icon.src.encode()) <= 300
        assert " " not in icon.src

    assert failing(check, DEFINITIONS) == {}


# Titles that people know from the server whose tools these cover, kept as they are.
_KNOWN_LONGER = {
    "Move Deck Card to Another Board",
    "Add Dependent Card to Deck Card",
    "Remove Dependent Card from Deck Card",
}


@every_catalogue
def test_titles_are_two_to_five_words_and_unique(catalogue: Catalogue[Any]) -> None:
    titles = Counter(definition.title for definition in catalogue.definitions())
    assert [title for title, count in titles.items() if count > 1] == []
    for title in titles.keys() - _KNOWN_LONGER:
        assert title is not None
        assert 2 <= len(title.split()) <= 5, title


def test_a_tool_that_answers_in_content_of_its_own_publishes_no_schema_for_it() -> None:
    def check(tool: ToolDefinition[Any]) -> None:
        assert (tool.load().result is None) == (tool.output_schema is None)

    assert failing(check, list(TOOLS.values())) == {}


@both_eras
@every_catalogue
@pytest.mark.anyio
async def test_a_client_sees_every_hint_of_every_tool(catalogue: Catalogue[Any], mode: str) -> None:
    server = build_server(catalogue, OneClient(CLIENTS[catalogue.service.name]))
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == [tool.name for tool in catalogue.definitions()]
    for tool in tools:
        published = tool.model_dump(by_alias=True, exclude_none=True)["annotations"]
        declared = catalogue.tools[tool.name].effect
        assert published == {
            "title": tool.title,
            "readOnlyHint": declared.read_only,
            "destructiveHint": declared.destructive,
            "idempotentHint": declared.idempotent,
            "openWorldHint": catalogue.service.open_world if declared.open_world is None else declared.open_world,
        }
