"""People who send their own credential in headers: each acts as themselves, and nothing is kept."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation
from starlette.types import ASGIApp
from tests.kit.serving.exchange import ACCEPT, INITIALIZE, in_session
from tests.kit.serving.processes import deadline
from tests.nextcloud.sessions import Sandbox, Watched, text_of
from tests.people.team import Clock
from tests.people.web import plain, served, speaking
from tests.sessions import ERAS, Era

from aboveboard.kit.audit_log import AuditLog
from aboveboard.kit.client_limits import room_of
from aboveboard.kit.people.headers import TURNED_DOWN_FOR
from aboveboard.kit.people.serving import people_app
from aboveboard.kit.people.settings import PeopleSettings
from aboveboard.kit.people.sign_in_mode import SignInMode
from aboveboard.kit.serving.web import WebSettings
from aboveboard.nextcloud.server import SERVICE, ready
from aboveboard.nextcloud.settings import Place
from aboveboard.nextcloud.sign_in import NextcloudSignIn

pytestmark = pytest.mark.anyio
both_eras = pytest.mark.parametrize("era", ERAS)


def of(user: str, password: str | None = None) -> dict[str, str]:
    return {"X-Nextcloud-Username": user, "X-Nextcloud-Password": password or Sandbox.users[user]}


def signing_in(backend: httpx2.AsyncBaseTransport) -> NextcloudSignIn:
    return NextcloudSignIn(Place.read({"NEXTCLOUD_HOST": "http://nextcloud"}), backend)


class Slow(httpx2.AsyncBaseTransport):
    """Answers after a while, in which others may ask as well."""

    def __init__(self, service: httpx2.AsyncBaseTransport) -> None:
        self._service = service

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        await anyio.sleep(0.05)
        return await self._service.handle_async_request(request)


@asynccontextmanager
async def team(sandbox: Sandbox, watched: Watched | None = None, **options: Any) -> AsyncGenerator[str]:
    """Serve the sandbox's people."""
    observers = options.pop("observers", ())

    async def is_ready() -> None:
        await ready({"NEXTCLOUD_HOST": "http://nextcloud"}, sandbox.app)

    def make(_: str) -> ASGIApp:
        settings = PeopleSettings(mode=SignInMode.HEADERS, **options)
        backend = watched or httpx2.ASGITransport(sandbox.app)
        return people_app(SERVICE, signing_in(backend), settings, WebSettings(), ready=is_ready, observers=observers)

    async with served(make) as url:
        yield url


async def notes(client: Client) -> str:
    return text_of(await client.call_tool("nc_notes_list_notes", {}))


@both_eras
async def test_two_people_each_see_their_own(sandbox: Sandbox, era: Era) -> None:
    async with (
        team(sandbox) as url,
        speaking(url, era, of("admin")) as ada,
        speaking(url, era, of("bob")) as bob,
    ):
        for _ in range(2):  # the second time with everything warm
            assert "Presents" not in await notes(ada)
            assert "Presents" in await notes(bob)
            assert "admin" in text_of(await ada.call_tool("nc_get_context", {}))
            assert "admin" not in text_of(await bob.call_tool("nc_get_context", {}))


async def test_who_says_not_who_they_are_is_told_which_headers_to_send(sandbox: Sandbox) -> None:
    async with team(sandbox) as url, plain() as http:
        answer = await http.post(f"{url}/mcp", json={})
    assert answer.status_code == 401
    assert "X-Nextcloud-Username and X-Nextcloud-Password" in answer.json()["message"]


async def test_a_bearer_token_is_no_way_in(sandbox: Sandbox) -> None:
    async with team(sandbox) as url, plain({"Authorization": f"Bearer {Sandbox.users['admin']}"}) as http:
        assert (await http.post(f"{url}/mcp", json={})).status_code == 401


async def test_a_wrong_password_is_sent_once_however_often_it_comes(sandbox: Sandbox) -> None:
    watched = Watched(httpx2.ASGITransport(sandbox.app))
    async with team(sandbox, watched) as url, plain(of("bob", "wrong")) as http:
        for _ in range(5):
            answer = await http.post(f"{url}/mcp", json={})
            assert answer.status_code == 401
            assert "does not accept" in answer.json()["message"]
            assert "wrong" not in answer.text
    assert len(watched.lines) == 1


async def test_who_guesses_passwords_is_stopped_before_the_service_counts_them_as_ours(sandbox: Sandbox) -> None:
    watched = Watched(httpx2.ASGITransport(sandbox.app))
    async with team(sandbox, watched) as url:
        statuses: list[int] = []
        for number in range(9):
            async with plain(of("bob", f"guess-{number}")) as http:
                statuses.append((await http.post(f"{url}/mcp", json={})).status_code)
    assert statuses == [401] * 5 + [429] * 4
    assert len(watched.lines) == 5


@pytest.mark.parametrize(("guesses", "statuses"), [(5, [401] * 10), (10, [401] * 5 + [429] * 5)])
async def test_guesses_that_come_all_at_once_count_like_those_that_come_in_turn(
    sandbox: Sandbox, guesses: int, statuses: list[int]
) -> None:
    watched, told = Watched(Slow(httpx2.ASGITransport(sandbox.app))), list[int]()
    async with team(sandbox, watched) as url, plain() as http, anyio.create_task_group() as tasks:

        async def guess(password: str) -> None:
            told.append((await http.post(f"{url}/mcp", json={}, headers=of("bob", password))).status_code)

        for number in range(10):
            tasks.start_soon(guess, f"guess-{number % guesses}")
    assert sorted(told) == statuses
    assert len(watched.lines) == 5


async def test_who_sends_the_same_letters_parted_otherwise_is_somebody_else(sandbox: Sandbox) -> None:
    """What is remembered of a credential must tell its parts apart, or a login could borrow from a password."""
    password = Sandbox.users["bob"]
    async with team(sandbox) as url, plain() as http:
        for given, status in (
            (of("bob"), 200),
            (of(f"bob{password[0]}", password[1:]), 401),
            (of("bo", f"b{password}"), 401),
            (of(password, "bob"), 401),
            (of("bob"), 200),
        ):
            answer = await http.post(f"{url}/mcp", json=INITIALIZE, headers={**ACCEPT, **given})
            assert answer.status_code == status, given


async def test_a_password_that_died_is_asked_about_anew_once_it_may_be_sent_again(sandbox: Sandbox) -> None:
    clock = Clock()
    async with team(sandbox, clock=clock) as url, plain(of("bob")) as http:

        async def come(body: object) -> httpx2.Response:
            return await http.post(f"{url}/mcp", json=body, headers=ACCEPT)

        assert (await come(INITIALIZE)).status_code == 200
        sandbox._state.run("DELETE FROM tokens WHERE uid = 'bob'")  # pyright: ignore[reportPrivateUsage]
        async with speaking(url, headers=of("bob")) as bob:
            assert (await bob.session.send_request(_call("nc_notes_list_notes"), _result())).is_error
        assert (await come(INITIALIZE)).status_code == 401
        clock.now += TURNED_DOWN_FOR
        assert (await come(INITIALIZE)).status_code == 401


@both_eras
async def test_a_password_that_dies_is_never_sent_again(sandbox: Sandbox, era: Era) -> None:
    watched = Watched(httpx2.ASGITransport(sandbox.app))
    async with team(sandbox, watched) as url, speaking(url, era, of("bob")) as bob:
        assert "Presents" in await notes(bob)
        sandbox._state.run("DELETE FROM tokens WHERE uid = 'bob'")  # pyright: ignore[reportPrivateUsage]
        watched.arrived.clear()
        result = await bob.session.send_request(_call("nc_notes_list_notes"), _result())
        assert result.is_error
        assert "Send your own credential" in text_of(result)
        assert len(watched.lines) == 1
        async with plain(of("bob")) as http:
            assert (await http.post(f"{url}/mcp", json={})).status_code == 401
    assert len(watched.lines) == 1


def _call(tool: str) -> Any:
    import mcp_types as mcp

    return mcp.CallToolRequest(params=mcp.CallToolRequestParams(name=tool, arguments={}))


def _result() -> Any:
    import mcp_types as mcp

    return mcp.CallToolResult


async def test_another_persons_session_is_not_there_for_me(sandbox: Sandbox) -> None:
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    async with team(sandbox) as url, plain(of("admin")) as ada, plain(of("bob")) as bob:
        opened = await ada.post(f"{url}/mcp", json=INITIALIZE, headers=ACCEPT)
        session = opened.headers["mcp-session-id"]
        assert (await ada.post(f"{url}/mcp", json=listing, headers=in_session(session))).status_code == 200
        assert (await bob.post(f"{url}/mcp", json=listing, headers=in_session(session))).status_code == 404


async def test_an_open_stream_is_closed_when_its_credential_is_turned_down(sandbox: Sandbox) -> None:
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "nc_notes_list_notes"}}
    async with team(sandbox, check_streams_every=0.02) as url, plain(of("bob")) as bob:
        opened = await bob.post(f"{url}/mcp", json=INITIALIZE, headers=ACCEPT)
        session = in_session(opened.headers["mcp-session-id"])
        async with bob.stream("GET", f"{url}/mcp", headers=session) as stream:
            assert stream.status_code == 200
            sandbox._state.run("DELETE FROM tokens WHERE uid = 'bob'")  # pyright: ignore[reportPrivateUsage]
            assert "Send your own credential" in (await bob.post(f"{url}/mcp", json=call, headers=session)).text
            with anyio.fail_after(deadline()):
                async for _ in stream.aiter_bytes():
                    pass


async def test_a_person_who_asks_too_much_is_told_how_long_to_wait_and_others_are_not(sandbox: Sandbox) -> None:
    async with (
        team(sandbox, calls_a_minute=3) as url,
        speaking(url, headers=of("admin")) as ada,
        speaking(url, headers=of("bob")) as bob,
    ):
        said = [text_of(await ada.session.send_request(_call("nc_get_context"), _result())) for _ in range(4)]
        assert "3 calls a minute are as many as this server takes. Try again in" in said[-1]
        assert "a minute" not in said[0]
        assert "Presents" in await notes(bob)


@both_eras
async def test_a_client_is_known_by_the_name_that_it_gives_itself(sandbox: Sandbox, tmp_path: Path, era: Era) -> None:
    log, itself = tmp_path / "audit", Implementation(name="Visual Studio Code", version="1")
    async with team(sandbox, observers=[AuditLog(str(log))]) as url, plain(of("bob")) as http:
        way = streamable_http_client(f"{url}/mcp", http_client=http)
        async with Client(way, mode=era, client_info=itself) as client:
            shown = len((await client.list_tools()).tools)
            await notes(client)
    assert shown == room_of(itself.name)
    assert json.loads(log.read_text())["client"] == itself.name


async def test_the_audit_log_names_the_person_and_never_the_password(sandbox: Sandbox, tmp_path: Path) -> None:
    log = tmp_path / "audit"
    async with (
        team(sandbox, observers=[AuditLog(str(log))]) as url,
        speaking(url, headers=of("admin")) as ada,
        speaking(url, headers=of("bob")) as bob,
    ):
        await notes(ada)
        await notes(bob)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["subject"] for line in lines] == ["admin", "bob"]
    assert not any(password in log.read_text() for password in Sandbox.users.values())
