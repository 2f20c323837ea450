"""Answers that are none: each becomes a sentence, through a real Lightdash server, and no secret comes along."""

import gzip
import json
import logging
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as mcp
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from pydantic import SecretStr
from tests.http.wire import TOKEN, Wire, answer, session
from tests.kit.shop import both_eras, said

from aboveboard.errors import ApiError, Conflict, NotFound, RateLimited, Refused, Unauthorised, api_error
from aboveboard.kit.audit_log import AuditLog
from aboveboard.kit.definitions import ToolDefinition
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.server import SERVICE

pytestmark = pytest.mark.anyio

ID = "3675b69e-1f0c-4a3e-9d2b-0a1b2c3d4e5f"
HTML = b"<!doctype html><HTML><body>Please log in</body></html>"
SHAPES: list[object] = [None, 5, "text", [], {}, [{}], {"data": None}, {"data": [{}]}, [None], {"pagination": 1}]


def arguments_of(tool: ToolDefinition[Any]) -> dict[str, Any]:
    """Fill in what a tool requires; an id is as good as any text."""
    properties: dict[str, dict[str, Any]] = tool.input_schema.get("properties", {})
    fillers: dict[str, Any] = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
    wanted = {*tool.input_schema.get("required", []), *({"project_uuid", "name"} & properties.keys())}
    return {name: fillers.get(str(properties[name].get("type")), ID) for name in wanted}


def lightdash(url: str, response: httpx2.Response | None = None, audit_log: AuditLog | None = None) -> Server[None]:
    """Serve Lightdash's tools over one scripted answer, or over a socket."""

    def script(_: httpx2.Request) -> httpx2.Response:
        assert response is not None
        return httpx2.Response(response.status_code, headers=response.headers, content=response.content)

    transport = None if response is None else httpx2.MockTransport(script)
    client = LightdashClient(url, SecretStr(TOKEN), transport=transport)
    return build_server(Catalogue(SERVICE, Policy()), OneClient(client), [audit_log] if audit_log else [])


async def ask(server: Server[None], tool: str = "list_projects", mode: str = "auto") -> mcp.CallToolResult:
    [declared] = [one for one in SERVICE.tools if one.name == tool]
    async with Client(server, mode=mode) as client:
        return await client.call_tool(f"lightdash_tools__{tool}", arguments_of(declared))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The service answered with an empty body where data was expected."),
        (
            HTML,
            "The service answered with a web page (is the address right, and is there a login page in front of it?)",
        ),
        (b'{"status": "ok", "results": [', "The service answered with something instead of JSON."),
        (b"\xff\xfe\xfd", "The service answered with something instead of JSON."),
        (b"[" * 200_000, "The service answered with something instead of JSON."),
        (b"[1, 2]", "Lightdash answered with JSON that is not its own."),
        (b'"ok"', "Lightdash answered with JSON that is not its own."),
        (b"null", "Lightdash answered with JSON that is not its own."),
        (b'{"results": []}', "Lightdash answered with JSON that is not its own."),
        (b'{"status": "ok"}', "Lightdash answered in a form this client does not know (at its results)."),
    ],
    ids=lambda value: repr(value[:30]),
)
async def test_an_answer_that_is_none_is_told_in_a_sentence(content: bytes, sentence: str) -> None:
    result = await ask(lightdash("http://ld.test", httpx2.Response(200, content=content)))
    assert result.is_error
    assert said(result).startswith(sentence)


@pytest.mark.parametrize("tool", ["get_project", "list_charts", "get_chart", "get_space", "create_space", "get_group"])
@pytest.mark.parametrize("results", SHAPES, ids=repr)
async def test_results_of_the_wrong_shape_are_told_as_such(tool: str, results: object) -> None:
    envelope = httpx2.Response(200, json={"status": "ok", "results": results})
    result = await ask(lightdash("http://ld.test", envelope), tool)
    assert result.is_error
    assert said(result).startswith("Lightdash answered in a form this client does not know (at ")


@both_eras
async def test_a_wrong_result_says_where_it_is_wrong_and_not_what_it_holds(mode: str) -> None:
    wrong = [{"projectUuid": ID, "name": {"private": "matter"}, "type": "DEFAULT"}]
    envelope = httpx2.Response(200, json={"status": "ok", "results": wrong})
    assert said(await ask(lightdash("http://ld.test", envelope), mode=mode)) == (
        "Lightdash answered in a form this client does not know (at 0.name). "
        "Its version may be too old or too new for this server."
    )


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, ApiError),
        (401, Unauthorised),
        (403, Refused),
        (404, NotFound),
        (409, Conflict),
        (410, NotFound),
        (412, Conflict),
        (422, ApiError),
        (429, RateLimited),
        (500, ApiError),
    ],
)
async def test_a_status_is_told_with_the_services_words_and_the_advice_that_fits(
    status: int, kind: type[ApiError]
) -> None:
    error = {"status": "error", "error": {"statusCode": status, "name": "X", "message": "No   such\nthing"}}
    refusal = httpx2.Response(status, json=error, headers={"retry-after": "3600"})
    result = await ask(lightdash("http://ld.test", refusal))
    assert result.is_error
    assert said(result) == f"Lightdash answered {status}: No such thing. {kind.advice}".rstrip()
    assert type(api_error(status, "")) is kind


@pytest.mark.parametrize(
    "content",
    [b"Unauthorized", HTML, b"", b"[]", b"null", b"{}", b'{"error": null}', b'{"error": {}}', b'{"error": [1]}', b"["],
    ids=repr,
)
async def test_an_error_without_lightdashs_words_still_names_status_and_advice(content: bytes) -> None:
    result = await ask(lightdash("http://ld.test", httpx2.Response(401, content=content)))
    assert said(result) == f"Lightdash answered 401. {Unauthorised.advice}"


async def test_a_plain_text_401_without_a_content_type_is_told_as_such() -> None:
    async with Wire(answer(401, b"Unauthorized")).listening() as wire:
        assert said(await ask(lightdash(wire.url))) == f"Lightdash answered 401. {Unauthorised.advice}"
    assert f"authorization: apikey {TOKEN}".lower().encode() in wire.arrived[0].lower()


async def test_a_body_that_is_not_encoded_as_it_says_is_told_as_unreadable() -> None:
    async with Wire(answer(200, b"certainly not compressed", content_encoding="gzip")).listening() as wire:
        assert said(await ask(lightdash(wire.url))) == "Lightdash sent an answer that cannot be read."
    assert wire.connections == 1


async def test_a_body_that_is_encoded_as_it_says_is_read() -> None:
    body = gzip.compress(b'{"status": "ok", "results": []}')
    async with Wire(answer(200, body, content_encoding="gzip")).listening() as wire:
        assert (await ask(lightdash(wire.url))).structured_content == {"items": [], "total": 0}


async def test_a_very_long_explanation_is_cut() -> None:
    refusal = httpx2.Response(400, json={"status": "error", "error": {"message": "x" * 10_000}})
    assert len(said(await ask(lightdash("http://ld.test", refusal)))) < 600


@both_eras
async def test_a_token_that_the_service_echoes_goes_no_further(
    mode: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    # At the end of 500 characters, where cutting first would leave half of it.
    message = "y" * 480 + f" ApiKey {TOKEN} is not valid; you sent Authorization: ApiKey {TOKEN}"
    body = json.dumps({"status": "error", "error": {"message": message}}).encode()
    log = tmp_path / "audit.ndjson"
    async with Wire(answer(403, body)).listening() as wire:
        result = await ask(lightdash(wire.url, audit_log=AuditLog(str(log))), mode=mode)
    assert "ApiKey [secret]" in said(result)
    printed = capfd.readouterr()
    for place in (result.model_dump_json(), caplog.text, log.read_text(), printed.out, printed.err):
        assert TOKEN not in place
        assert TOKEN[:8] not in place


async def test_a_secret_is_hidden_wherever_it_stands_and_an_empty_one_hides_nothing() -> None:
    async with session("http://shop.test", secrets=[TOKEN, ""]) as shop:
        assert shop.redact(f"{TOKEN}{TOKEN} and {TOKEN}.") == "[secret][secret] and [secret]."
