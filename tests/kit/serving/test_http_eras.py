"""Streamable HTTP at /mcp: sessions for clients of 2025, none for those of 2026, both from one server at once."""

import time

import pytest
from mcp import Client
from tests.kit.serving.exchange import (
    ACCEPT,
    ENVELOPE,
    answer_in,
    fetch,
    in_session,
    initialize,
    legacy_call,
    modern,
    modern_call,
    open_stream,
)
from tests.kit.serving.processes import LEGACY, MODERN, Web, deadline, request, serving

LIST = "lightdash_tools__list_projects"


def opened(web: Web) -> str:
    return initialize(web.mcp).headers["mcp-session-id"]


def test_initialize_opens_a_session_of_its_own(open_server: Web) -> None:
    answer = initialize(open_server.mcp)
    assert answer.status_code == 200
    assert answer_in(answer)["result"]["protocolVersion"] == LEGACY
    assert answer.headers["mcp-session-id"] != opened(open_server)


def test_a_call_in_a_session_is_answered(open_server: Web) -> None:
    answer = legacy_call(open_server.mcp, opened(open_server), LIST)
    assert answer.status_code == 200
    assert answer_in(answer)["result"]["structuredContent"]["items"]


@pytest.mark.parametrize(("method", "body"), [("POST", request(1, "tools/list")), ("GET", None), ("DELETE", None)])
def test_without_its_session_a_client_of_2025_is_refused(open_server: Web, method: str, body: object) -> None:
    assert fetch(method, open_server.mcp, {**ACCEPT, "mcp-protocol-version": LEGACY}, body).status_code == 400


def test_a_session_that_was_never_opened_is_not_found(open_server: Web) -> None:
    assert legacy_call(open_server.mcp, "0" * 32, LIST).status_code == 404


def test_a_deleted_session_is_not_found_and_another_goes_on(open_server: Web) -> None:
    ended, other = opened(open_server), opened(open_server)
    assert fetch("DELETE", open_server.mcp, in_session(ended)).status_code == 200
    assert legacy_call(open_server.mcp, ended, LIST).status_code == 404
    assert legacy_call(open_server.mcp, other, LIST).status_code == 200


def test_an_idle_session_expires_and_one_with_an_open_stream_does_not() -> None:
    with serving("--sandbox", "--session-idle-seconds", "0.2") as web:
        idle, listening = opened(web), opened(web)
        with open_stream(web.mcp, listening) as stream:
            assert stream.status_code == 200
            pause, until = 0.1, time.monotonic() + deadline()
            while legacy_call(web.mcp, idle, LIST).status_code != 404:
                assert time.monotonic() < until, "the session does not expire"
                time.sleep(pause)  # every call keeps the session alive, so ask less and less often
                pause *= 2
            assert legacy_call(web.mcp, listening, LIST).status_code == 200


def test_a_client_of_2026_needs_no_session_and_gets_none(open_server: Web) -> None:
    listed, called = modern(open_server.mcp, "tools/list"), modern_call(open_server.mcp, LIST)
    assert (listed.status_code, called.status_code) == (200, 200)
    assert answer_in(listed)["result"]["tools"]
    assert answer_in(called)["result"]["structuredContent"]["items"]
    assert "mcp-session-id" not in listed.headers | called.headers


def test_discovery_names_the_server_and_its_version_of_the_protocol(open_server: Web) -> None:
    found = answer_in(modern(open_server.mcp, "server/discover"))["result"]
    assert found["supportedVersions"] == [MODERN]
    assert found["capabilities"]["tools"] is not None


@pytest.mark.parametrize("header", ["mcp-method", "mcp-name"])
def test_routing_headers_that_contradict_the_body_are_refused(open_server: Web, header: str) -> None:
    assert modern_call(open_server.mcp, LIST, headers={header: "something/else"}).status_code == 400


def test_a_version_nobody_knows_is_refused(open_server: Web) -> None:
    unknown = {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": "1999-01-01"}
    headers = {"mcp-protocol-version": "1999-01-01"}
    answer = modern(open_server.mcp, "tools/list", {"_meta": unknown}, headers)
    assert answer.status_code == 400
    assert MODERN in answer.text


@pytest.mark.anyio
async def test_clients_of_both_eras_are_served_at_once(open_server: Web) -> None:
    async with Client(open_server.mcp, mode="legacy") as older, Client(open_server.mcp) as newer:
        assert (older.protocol_version, newer.protocol_version) == (LEGACY, MODERN)
        for _ in range(3):
            answers = [await client.call_tool(LIST) for client in (older, newer)]
            assert answers[0].structured_content == answers[1].structured_content is not None
