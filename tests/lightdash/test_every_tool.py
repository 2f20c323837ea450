"""Every tool of the catalogue, called through MCP: what it answers is what it publishes, and errors help."""

import json
from typing import Any, cast

import httpx2
import pytest
from jsonschema import Draft202012Validator
from tests.lightdash.samples import BAD, GOOD, SAMPLED, SOMEONE, Known
from tests.lightdash.sessions import ERAS, TOOLS, connected, error, facts, serving, text_of

from aboveboard.errors import DOUBT, Conflict, NotFound, Refused, Unauthorised
from aboveboard.kit.server import BUG, Worded
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE

pytestmark = pytest.mark.anyio


async def test_the_samples_are_of_exactly_the_tools_that_are_published(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        published = [tool.name.removeprefix(SERVICE.prefix) for tool in (await session.client.list_tools()).tools]
    assert sorted(GOOD) == sorted(BAD) == sorted(published)


@pytest.mark.parametrize("tool", SAMPLED)
async def test_a_tool_answers_what_its_output_schema_says_and_the_same_as_text(sandbox: Sandbox, tool: str) -> None:
    # The eras take turns over the catalogue; that both carry the same is shown in tests/kit.
    era = ERAS[list(SAMPLED).index(tool) % len(ERAS)]
    async with connected(serving(sandbox), era=era) as session:
        result = await session.call(tool, **GOOD[tool](await Known.learnt(session, tool)))
    assert not result.is_error, text_of(result)
    schema = closed(TOOLS[tool].output_schema)
    Draft202012Validator(schema).validate(result.structured_content)  # pyright: ignore[reportUnknownMemberType]
    assert result.structured_content
    if issubclass(TOOLS[tool].load().result or object, Worded):  # such as a table of rows
        assert text_of(result)
    else:
        assert json.loads(text_of(result)) == result.structured_content


@pytest.mark.parametrize("tool", SAMPLED)
async def test_a_tool_that_cannot_do_it_says_why_and_changes_nothing(sandbox: Sandbox, tool: str) -> None:
    arguments, reason = BAD[tool]
    async with connected(serving(sandbox)) as session:
        known = await Known.learnt(session, tool)
        before = facts(sandbox)
        text = await session.refusal(tool, **arguments(known))
    assert reason in text
    assert facts(sandbox) == before


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (400, ""),
        (401, Unauthorised.advice),
        (403, Refused.advice),
        (404, NotFound.advice),
        (409, Conflict.advice),
        (422, ""),
        (500, ""),
    ],
)
async def test_an_error_of_the_service_reaches_the_model_in_the_services_words_with_our_advice(
    status: int, advice: str
) -> None:
    said: dict[str, str] = {}
    async with connected(lambda request: error(status, "Not on a Sunday")) as session:
        for tool in SAMPLED:
            said[tool] = await session.refusal(tool, **GOOD[tool](SOMEONE))
    expected = f"Lightdash answered {status}: Not on a Sunday. {advice}".rstrip()
    # What a write did before it failed is not known; most tools read first.
    doubtful = {tool for tool, text in said.items() if text == f"{expected} {DOUBT}"}
    assert {tool: text for tool, text in said.items() if tool not in doubtful and text != expected} == {}
    assert doubtful <= {tool for tool, about in SAMPLED.items() if status == 500 and not about.effect.read_only}


@pytest.mark.surprise(2, 20)
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (httpx2.Response(401, text="Unauthorized"), f"Lightdash answered 401. {Unauthorised.advice}"),
        (httpx2.Response(403, json={"error": "Not here"}), f"Lightdash answered 403: Not here. {Refused.advice}"),
        (httpx2.Response(200, html="<!doctype html><html></html>"), "a web page (is the address right"),
        (httpx2.Response(200, content=b""), "an empty body"),
        (httpx2.Response(200, content=b"\xff\xfe"), "something instead of JSON"),
        (httpx2.Response(200, json=["ok"]), "JSON that is not its own"),
        (httpx2.Response(302, headers={"location": "https://login.example/"}), "redirects to https://login.example"),
    ],
)
async def test_an_answer_that_is_not_lightdashs_is_named_for_what_it_is(answer: httpx2.Response, reason: str) -> None:
    async with connected(lambda request: answer) as session:
        said = {tool: await session.refusal(tool, **GOOD[tool](SOMEONE)) for tool in SAMPLED}
    assert {tool: text for tool, text in said.items() if reason not in text} == {}


@pytest.mark.parametrize("results", [None, [], {}, "text", 7, [None], [{}], ["text"], {"data": None}, {"data": [7]}])
async def test_an_answer_of_another_form_is_never_mistaken_for_a_defect_of_ours(results: object) -> None:
    async with connected(lambda request: httpx2.Response(200, json={"status": "ok", "results": results})) as session:
        for tool in SAMPLED:
            result = await session.call(tool, **GOOD[tool](SOMEONE))
            # An empty list is a good answer where a list is wanted, though what is looked for may not be in it.
            assert text_of(result) != BUG, tool
            # So is an empty map, for a warehouse without tables.
            fine = results == [] or (results == {} and tool in ("list_sql_tables", "list_sql_fields"))
            assert fine or "a form this client does not know" in text_of(result), tool


def closed(schema: Any) -> Any:
    """Return the schema with nothing allowed beside what it describes, so that no field goes unpublished."""
    if isinstance(schema, list):
        return [closed(part) for part in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    parts = {name: closed(part) for name, part in cast("dict[str, Any]", schema).items()}
    return {**parts, "additionalProperties": False} if "properties" in parts and "type" in parts else parts
