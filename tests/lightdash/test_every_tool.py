"""Every tool of the catalogue, called through MCP: what it answers is what it publishes, and errors help."""

import httpx2
import pytest
from tests.lightdash.analyst import analyst
from tests.lightdash.calls import made_up_call
from tests.lightdash.sessions import TOOLS, error, text_of

from aboveboard.errors import DOUBT, Conflict, NotFound, Refused, Unauthorised
from aboveboard.kit.server import BUG

pytestmark = pytest.mark.anyio


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
    async with analyst(lambda request: error(status, "Not on a Sunday")) as session:
        for tool in TOOLS:
            said[tool] = await session.refusal(tool, **made_up_call(tool))
    expected = f"Lightdash answered {status}: Not on a Sunday. {advice}".rstrip()
    # What a write did before it failed is not known; most tools read first.
    doubtful = {tool for tool, text in said.items() if text == f"{expected} {DOUBT}"}
    assert {tool: text for tool, text in said.items() if tool not in doubtful and text != expected} == {}
    assert doubtful <= {tool for tool, about in TOOLS.items() if status == 500 and not about.effect.read_only}


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
    async with analyst(lambda request: answer) as session:
        said = {tool: await session.refusal(tool, **made_up_call(tool)) for tool in TOOLS}
    assert {tool: text for tool, text in said.items() if reason not in text} == {}


@pytest.mark.parametrize("results", [None, [], {}, "text", 7, [None], [{}], ["text"], {"data": None}, {"data": [7]}])
async def test_an_answer_of_another_form_is_never_mistaken_for_a_defect_of_ours(results: object) -> None:
    async with analyst(lambda request: httpx2.Response(200, json={"status": "ok", "results": results})) as session:
        for tool in TOOLS:
            result = await session.call(tool, **made_up_call(tool))
            # An empty list is a good answer where a list is wanted, though what is looked for may not be in it.
            assert text_of(result) != BUG, tool
            # So is an empty map, for a warehouse without tables.
            fine = results == [] or (results == {} and tool in ("list_sql_tables", "list_sql_fields"))
            assert fine or "a form this client does not know" in text_of(result), tool
