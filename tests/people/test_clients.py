"""Clients as they are: claude.ai, Claude Code, clients known by a document, and a step up to more rights."""

import json
from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import httpcore2
import httpx2
import pytest
from mcp.shared.exceptions import MCPError
from starlette.responses import Response
from tests.people.raw import Raw, landed_on
from tests.people.team import Assistant, Team, deployed
from tests.people.web import plain
from tests.sessions import ERAS, Era, text_of

from aboveboard.kit.people.browser import Browsers
from aboveboard.kit.people.documents import (
    LONGEST,
    Fetched,
    NoDocument,
    fetch_document,
    is_document_address,
    is_public,
    read_document,
)
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio
CLAUDE = "https://claude.ai/oauth/mcp-oauth-client-metadata"
CLAUDE_CALLBACK = "https://claude.ai/api/mcp/auth_callback"


@pytest.fixture
async def team(sandbox: Sandbox, tmp_path: Path) -> AsyncGenerator[Team]:
    async with deployed(sandbox, str(tmp_path / "people.db"), tmp_path) as deployment:
        yield deployment


def document(address: str, *redirects: str, **more: object) -> bytes:
    return json.dumps({"client_id": address, "client_name": "Claude", "redirect_uris": redirects, **more}).encode()


async def test_claude_ai_signs_in_by_registration_twice_with_a_leading_blank(team: Team) -> None:
    async with plain() as http:
        claude = Raw(team, http, redirect=CLAUDE_CALLBACK)
        registered = await claude.register()
        for _ in range(2):
            registered = await claude.register(
                client_name="Claude",
                grant_types=["authorization_code", "refresh_token"],
                response_types=["code"],
                scope="read offline_access",
                token_endpoint_auth_method="client_secret_post",
            )
            assert registered.status_code == 201
        code = await claude.code("bob", scope=" offline_access")
        answer = await claude.exchange(code, client_secret=registered.json()["client_secret"])
        assert answer.status_code == 200
        assert answer.json()["scope"] == "read"
        assert (await claude.exchange(code)).status_code == 401, "its secret is asked for"
        assert (await claude.call(answer.json()["access_token"])).status_code == 200


async def test_claude_ai_signs_in_by_its_document(team: Team) -> None:
    team.documents[CLAUDE] = document(CLAUDE, CLAUDE_CALLBACK, token_endpoint_auth_method="none")
    async with plain() as http:
        claude = Raw(team, http, id=CLAUDE, redirect=CLAUDE_CALLBACK)
        async with team.browser() as browser:
            page = await browser.get(claude.authorize_url(), follow_redirects=True)
            assert "Vouched for by" in page.text
            assert "nobody has verified it" not in page.text
        answer = await claude.exchange(await claude.code())
        assert (await claude.call(answer.json()["access_token"])).status_code == 200


async def test_the_sdks_client_signs_in_by_a_document_on_whatever_port_it_listens(team: Team) -> None:
    address = "https://app.example/client.json"
    team.documents[address] = document(address, "http://127.0.0.1/callback")
    async with Assistant(team, "bob", document=address).connected() as client:
        assert "Presents" in text_of(await client.call_tool("nc_notes_list_notes", {}))


@pytest.mark.parametrize(
    "body",
    [
        b"no json",
        b"[]",
        document("https://other.example/c.json", "https://app.example/cb"),
        document("https://app.example/client.json"),
        document("https://app.example/client.json", "javascript:alert(1)"),
        document("https://app.example/client.json", "https://app.example/cb", client_secret="x"),
        document(
            "https://app.example/client.json", "https://app.example/cb", token_endpoint_auth_method="private_key_jwt"
        ),
    ],
)
async def test_a_document_that_will_not_do_makes_no_client(team: Team, body: bytes) -> None:
    team.documents["https://app.example/client.json"] = body
    async with plain() as http:
        raw = Raw(team, http, id="https://app.example/client.json", redirect="https://app.example/cb")
        assert (await raw.authorize()).status_code == 400


async def test_a_document_that_cannot_be_fetched_again_signs_nobody_out(team: Team) -> None:
    team.documents[CLAUDE] = document(CLAUDE, CLAUDE_CALLBACK)
    async with plain() as http:
        claude = Raw(team, http, id=CLAUDE, redirect=CLAUDE_CALLBACK)
        tokens = (await claude.exchange(await claude.code())).json()
        del team.documents[CLAUDE]
        team.clock.now += 7200
        assert (await claude.refresh(tokens["refresh_token"])).status_code == 200


async def test_claude_code_registers_without_scope_and_five_processes_refresh_at_once(team: Team) -> None:
    async with plain() as http:
        code = Raw(team, http)
        await code.register(client_name="Claude Code", scope=None)
        tokens = (await code.exchange(await code.code("bob", scope="read write offline_access"))).json()
        assert tokens["scope"] == "write"
        answers: list[httpx2.Response] = []

        async def process() -> None:
            answers.append(await code.refresh(tokens["refresh_token"], scope="read write offline_access"))

        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(process)
        assert [answer.status_code for answer in answers] == [200] * 5
        for answer in answers:
            assert (await code.call(answer.json()["access_token"])).status_code == 200


async def test_what_is_not_known_of_the_scopes_is_left_out_and_a_right_per_tool_is_understood(team: Team) -> None:
    async with plain() as http:
        raw = Raw(team, http)
        await raw.register(scope="openid profile")
        code = await raw.code("bob", scope="notes:write openid nonsense")
        assert (await raw.exchange(code)).json()["scope"] == "notes.write"


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_steps_up_to_what_a_call_needs_and_keeps_what_it_had(team: Team, era: Era) -> None:
    bob = Assistant(team, "bob")  # who lets the page stand as it comes: what the client asks for is ticked
    async with bob.connected(era) as client:
        assert "Presents" in text_of(await client.call_tool("nc_notes_list_notes", {}))
        made = await client.call_tool("nc_notes_create_note", {"title": "Stepped up", "content": "x", "category": ""})
        assert not made.is_error, text_of(made)
        assert "Stepped up" in text_of(await client.call_tool("nc_notes_list_notes", {}))
    assert bob.sign_ins == 2
    assert "notes.write" in landed_on(bob.opened[1])["scope"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_person_who_grants_less_than_asked_is_asked_once_and_the_client_goes_on(team: Team, era: Era) -> None:
    bob = Assistant(team, "bob", (("mode", "read-only"),))
    async with bob.connected(era) as client:
        assert "Presents" in text_of(await client.call_tool("nc_notes_list_notes", {}))
        with pytest.raises(MCPError, match="error response"):
            await client.call_tool("nc_notes_create_note", {"title": "No", "content": "x", "category": ""})
        assert "Presents" in text_of(await client.call_tool("nc_notes_list_notes", {}))
    assert bob.sign_ins == 2


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("https://claude.ai/client.json", True),
        ("https://claude.ai:443/client.json", True),
        ("http://claude.ai/client.json", False),
        ("https://claude.ai", False),
        ("https://user@claude.ai/c", False),
        ("https://claude.ai/c#f", False),
        ("https://claude.ai/a/../c", False),
        ("https://claude.ai:8443/c", False),
        ("https://claude.ai:x/c", False),
        ("https://[::1/c", False),
        ("https://münchen.example/c", False),
        ("file:///etc/passwd", False),
    ],
)
async def test_a_documents_address_is_plain_https(address: str, good: bool) -> None:  # noqa: FBT001
    assert is_document_address(address) is good


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:4700::1111", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),  # noqa: S104
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::a00:1", False),
        ("2002:a00:1::", False),
        ("224.0.0.1", False),
    ],
)
async def test_only_addresses_of_the_open_internet_are_public(address: str, public: bool) -> None:  # noqa: FBT001
    assert is_public(address) is public


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "0x7f000001", "2130706433", "127.1"])
async def test_no_document_is_fetched_from_this_machine_however_it_is_spelled(host: str) -> None:
    with pytest.raises(NoDocument, match="not public"):
        await fetch_document(f"https://{host}/client.json")


async def test_no_document_is_fetched_from_a_name_that_leads_to_this_machine_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def both(host: str, port: int, **more: object) -> list[tuple[object, ...]]:
        del host, more
        return [(0, 0, 0, "", (address, port)) for address in ("127.0.0.1", "93.184.216.34")]

    monkeypatch.setattr(anyio, "getaddrinfo", both)
    with pytest.raises(NoDocument, match="its address is not public"):
        await fetch_document("https://rebound.example/client.json")


async def test_a_document_is_read_again_when_it_is_old_and_not_before(team: Team) -> None:
    team.documents[CLAUDE] = document(CLAUDE, CLAUDE_CALLBACK)
    async with plain() as http:
        claude = Raw(team, http, id=CLAUDE, redirect=CLAUDE_CALLBACK)
        assert (await claude.authorize()).status_code == 302
        team.documents[CLAUDE] = document(CLAUDE, "https://claude.ai/new_callback")
        assert (await claude.authorize()).status_code == 302
        team.clock.now += 3601
        assert (await claude.authorize()).status_code == 400
        claude.redirect = "https://claude.ai/new_callback"
        assert (await claude.authorize()).status_code == 302


async def test_documents_are_not_fetched_without_end(team: Team) -> None:
    async with plain() as http:
        statuses: list[int] = []
        for number in range(12):
            address = f"https://app.example/{number}.json"
            team.documents[address] = document(address, "https://app.example/cb")
            raw = Raw(team, http, id=address, redirect="https://app.example/cb")
            statuses.append((await raw.authorize()).status_code)
    assert statuses == [302] * 10 + [400] * 2


@pytest.mark.parametrize(
    ("head", "body", "told"),
    [
        (b"HTTP/1.1 200 OK", b"x" * LONGEST, 3600.0),
        (b"HTTP/1.1 200 OK\r\nCache-Control: public, max-age=60", b"{}", 60.0),
        (b"HTTP/1.1 200 OK\r\nCache-Control: max-age=9999999", b"{}", 86400.0),
        (b"HTTP/1.1 200 OK\r\nCache-Control: no-store", b"{}", 0.0),
        (b"HTTP/1.1 200 OK", b"x" * (LONGEST + 1), "too long"),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/", b"", "answered 302"),
        (b"HTTP/1.1 404 Not Found", b"{}", "answered 404"),
    ],
)
async def test_a_document_is_short_and_just_where_its_address_says(head: bytes, body: bytes, told: float | str) -> None:
    lines = head + f"\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    async with httpcore2.AsyncConnectionPool(network_backend=httpcore2.AsyncMockBackend([lines, body])) as pool:
        if isinstance(told, str):
            with pytest.raises(NoDocument, match=told):
                await read_document(pool, "http://app.example/client.json")
        else:
            assert await read_document(pool, "http://app.example/client.json") == Fetched(body, told)


async def test_no_script_and_no_other_site_gets_the_cookie_of_a_sign_in() -> None:
    browsers = Browsers("https://mcp.example.org")
    for name in (browsers.sign_in, browsers.account):
        cookie = browsers.remember(Response(), name, "secret", 60).headers["set-cookie"]
        parts = {part.lower() for part in cookie.split("; ")}
        assert cookie.startswith("__Host-")
        assert {"httponly", "secure", "samesite=lax", "path=/"} <= parts
        assert not any(part.startswith("domain") for part in parts)
