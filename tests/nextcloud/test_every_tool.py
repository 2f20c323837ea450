"""Every tool of the catalogue, called through MCP: what it answers is what it publishes, and errors help."""

import json
from typing import Any, cast

import httpx2
import pytest
from jsonschema import Draft202012Validator
from tests.nextcloud.samples import BAD, GOOD
from tests.nextcloud.sessions import ERAS, TOOLS, connected, facts, serving, text_of

from aboveboard.kit.server import BUG, Worded
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


async def test_the_samples_are_of_exactly_the_tools_that_are_published(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        published = [tool.name for tool in (await session.client.list_tools()).tools]
    assert sorted(GOOD) == sorted(BAD) == sorted(published) == sorted(TOOLS)


@pytest.mark.parametrize("tool", GOOD)
async def test_a_tool_answers_what_its_output_schema_says_and_the_same_as_text(sandbox: Sandbox, tool: str) -> None:
    # The eras take turns over the catalogue; that both carry the same is shown in tests/kit.
    era = ERAS[list(GOOD).index(tool) % len(ERAS)]
    async with connected(serving(sandbox), era=era) as session:
        result = await session.call(tool, **await GOOD[tool](session))
    assert not result.is_error, text_of(result)
    assert result.content
    schema = closed(TOOLS[tool].output_schema)
    if schema is None:  # it speaks in content of its own, such as a picture
        assert result.structured_content is None
        return
    Draft202012Validator(schema).validate(result.structured_content)  # pyright: ignore[reportUnknownMemberType]
    if issubclass(TOOLS[tool].load().result or object, Worded):
        assert text_of(result)
    else:
        assert json.loads(text_of(result)) == result.structured_content


@pytest.mark.parametrize("tool", BAD)
async def test_a_tool_that_cannot_do_it_says_why_and_changes_nothing(sandbox: Sandbox, tool: str) -> None:
    async with connected(serving(sandbox)) as session:
        arguments = await BAD[tool].sample(session)
        before = facts(sandbox)
        text = await session.refusal(tool, **arguments)
    assert BAD[tool].reason in text
    assert facts(sandbox) == before


@pytest.mark.parametrize("tool", GOOD)
async def test_a_tool_keeps_to_its_own_user(sandbox: Sandbox, tool: str) -> None:
    """What works for one is not there for the other, or is the other's own."""
    async with connected(serving(sandbox)) as session:
        arguments = await GOOD[tool](session)
    before = _of(sandbox, "admin")
    async with connected(serving(sandbox), user="bob") as session:
        result = await session.call(tool, **arguments)
    assert BUG not in text_of(result)
    assert _of(sandbox, "admin") == before


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.Response(200, html="<!doctype html><html></html>"),
        httpx2.Response(200, content=b"\xff\xfe"),
        httpx2.Response(200, json=["ok"]),
        httpx2.Response(207, content=b"<d:multistatus"),
        httpx2.Response(401, text="Unauthorized"),
        httpx2.Response(503, json={"message": "In maintenance"}, headers={"retry-after": "120"}),
        httpx2.Response(302, headers={"location": "https://login.example/"}),
    ],
    ids=lambda answer: f"{answer.status_code}-{len(answer.content)}",
)
async def test_no_answer_of_the_service_is_mistaken_for_a_defect_of_ours(
    sandbox: Sandbox, answer: httpx2.Response
) -> None:
    samples: dict[str, dict[str, Any]] = {}
    async with connected(serving(sandbox)) as session:
        for tool, sample in GOOD.items():
            samples[tool] = await sample(session)
    async with connected(lambda request: answer) as session:
        said = {tool: await session.call(tool, **arguments) for tool, arguments in samples.items()}
    assert {tool: text_of(result) for tool, result in said.items() if BUG in text_of(result)} == {}


def _of(sandbox: Sandbox, user: str) -> dict[str, object]:
    return {key: value for key, value in facts(sandbox).items() if f"/{user}/" in f"/{key}/"}


def closed(schema: Any) -> Any:
    """Return the schema with nothing allowed beside what it describes, so that no field goes unpublished."""
    if isinstance(schema, list):
        return [closed(part) for part in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    parts = {name: closed(part) for name, part in cast("dict[str, Any]", schema).items()}
    return {**parts, "additionalProperties": False} if "properties" in parts and "type" in parts else parts
