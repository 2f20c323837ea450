"""The life of a grant: its page, its end, its credential, and what is left when it is over."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, cast

import anyio
import httpx2
import mcp_types as mcp
import pytest
from tests.kit.serving.exchange import ACCEPT, INITIALIZE, answer_in, in_session  # pyright: ignore[reportPrivateImportUsage]
from tests.kit.serving.processes import deadline
from tests.people.raw import Raw, landed_on
from tests.people.stores import legacy_on_sqlite
from tests.people.team import Assistant, Team, agree, deployed, finish, log_in_at_nextcloud, submit
from tests.people.web import plain
from tests.sessions import Era, text_of

from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.settings import Place
from aboveboard.nextcloud.sign_in import NextcloudSignIn

pytestmark = pytest.mark.anyio
FULL = (("mode", "full"),)


@pytest.fixture
async def team(sandbox: Sandbox, address: str, tmp_path: Path) -> AsyncGenerator[Team]:
    async with deployed(sandbox, address, tmp_path) as deployment:
        yield deployment


@pytest.fixture
async def raw(team: Team) -> AsyncGenerator[Raw]:
    async with plain() as http:
        yield Raw(team, http)


def state_of(team: Team) -> Any:
    """Return what the sandbox keeps, for what no request can bring about."""
    return cast("Any", team.sandbox)._state


def passwords(team: Team, user: str) -> int:
    """Count the app passwords beyond the one that was there."""
    return len([key for key in team.sandbox.dump() if key.startswith(f"users/{user}/app_passwords/")]) - 1


async def enter(team: Team, browser: httpx2.AsyncClient, user: str) -> httpx2.Response:
    """Log in to one's own page."""
    answer = await submit(browser, await browser.get(f"{team.url}/account"))
    waiting = await browser.get(f"{team.url}{answer.headers['location']}")
    await log_in_at_nextcloud(browser, waiting, user)
    assert await finish(team, browser, str(waiting.url)) == "/account"
    return await browser.get(f"{team.url}/account")


async def change(team: Team, browser: httpx2.AsyncClient, grant: str, **values: str) -> httpx2.Response:
    return await browser.post(f"{team.url}/account/grants/{grant}", data=values, headers={"Origin": team.url})


async def grant_of(raw: Raw, token: str) -> dict[str, Any]:
    answer = await raw.call(token, "tools/call", name="check_logged_in", arguments={})
    assert answer.status_code == 200, answer.text
    return answer_in(answer)["result"]["structuredContent"]


async def test_a_person_sees_their_clients_and_ends_one_which_acts_at_once(raw: Raw) -> None:
    tokens = await raw.signed_in("bob")
    assert passwords(raw.team, "bob") == 1
    async with raw.team.browser() as browser:
        page = await enter(raw.team, browser, "bob")
        assert "Bob" in page.text
        assert "End access of Raw" in page.text
        assert passwords(raw.team, "bob") == 1, "the password of the page itself is gone again"
        grant = page.text.split("/account/grants/")[1].split('"')[0]
        assert (await raw.call(tokens["access_token"])).status_code == 200
        await change(raw.team, browser, grant, decision="end")
        assert (await raw.call(tokens["access_token"])).status_code == 401
        assert (await raw.refresh(tokens["refresh_token"])).status_code == 400
        assert passwords(raw.team, "bob") == 0
        assert "you have connected no AI client" in (await browser.get(f"{raw.team.url}/account")).text


async def test_rights_that_a_person_changes_act_on_the_next_request(raw: Raw) -> None:
    tokens = await raw.signed_in("bob", ("mode", "read-only"))
    writing = {"name": "nc_notes_create_note", "arguments": {"title": "T", "content": "c", "category": ""}}
    assert (await raw.call(tokens["access_token"], "tools/call", **writing)).status_code == 403
    async with raw.team.browser() as browser:
        page = await enter(raw.team, browser, "bob")
        grant = page.text.split("/account/grants/")[1].split('"')[0]
        await browser.post(
            f"{raw.team.url}/account/grants/{grant}",
            content=b"decision=change&mode=additive&area=notes",
            headers={"Origin": raw.team.url, "Content-Type": "application/x-www-form-urlencoded"},
        )
    assert (await raw.call(tokens["access_token"], "tools/call", **writing)).status_code == 200
    told = await grant_of(raw, tokens["access_token"])
    assert (told["mode"], told["scopes"]) == ("additive", ["notes.write"])
    assert (
        await raw.call(tokens["access_token"], "tools/call", name="nc_webdav_read_file", arguments={})
    ).status_code == 403


async def test_nobody_changes_or_ends_what_is_another_persons(raw: Raw) -> None:
    tokens = await raw.signed_in("admin")
    async with raw.team.browser() as hers, raw.team.browser() as his:
        page = await enter(raw.team, hers, "admin")
        grant = page.text.split("/account/grants/")[1].split('"')[0]
        assert grant not in (await enter(raw.team, his, "bob")).text
        await change(raw.team, his, grant, decision="end")
        foreign = {"Origin": "https://evil.example"}
        refused = await hers.post(f"{raw.team.url}/account/grants/{grant}", data={"decision": "end"}, headers=foreign)
        assert refused.status_code == 403
    assert (await raw.call(tokens["access_token"])).status_code == 200


@legacy_on_sqlite
async def test_revoking_by_tool_ends_this_client_alone(team: Team, era: Era) -> None:
    one, other = Assistant(team, "bob", FULL), Assistant(team, "bob", FULL, name="Other")
    async with other.connected(era) as stays:
        await stays.call_tool("nc_get_context", {})
        async with one.connected(era) as leaves:
            params = mcp.CallToolRequestParams(name="revoke_nextcloud_access", arguments={})
            told = await leaves.session.send_request(mcp.CallToolRequest(params=params), mcp.CallToolResult)
            assert told.structured_content == {"revoked": True}
            assert passwords(team, "bob") == 1
        assert "bob" in text_of(await stays.call_tool("nc_get_context", {}))
    assert other.sign_ins == 1


async def test_a_password_that_died_at_nextcloud_is_sent_once_and_its_tokens_end(raw: Raw) -> None:
    tokens = await raw.signed_in("bob")
    await grant_of(raw, tokens["access_token"])
    sql = "DELETE FROM tokens WHERE uid = 'bob' AND length(token) = 72"
    state_of(raw.team).run(sql)
    raw.team.arrived.clear()
    answers: list[httpx2.Response] = []

    async def call() -> None:
        answers.append(await raw.call(tokens["access_token"], "tools/call", name="nc_notes_list_notes", arguments={}))

    for _ in range(3):
        await call()
    assert [answer.status_code for answer in answers] == [200, 401, 401]
    assert "no longer accepts the access" in answers[0].text
    assert len(raw.team.arrived) == 1
    assert (await raw.refresh(tokens["refresh_token"])).status_code == 400
    again = await raw.exchange(await raw.code("bob"))
    assert (await raw.call(again.json()["access_token"])).status_code == 200


async def test_signing_in_again_takes_the_place_of_the_same_clients_older_grant(raw: Raw) -> None:
    first = await raw.signed_in("bob")
    second = (await raw.exchange(await raw.code("bob"))).json()
    assert (await raw.call(first["access_token"])).status_code == 401
    assert (await raw.call(second["access_token"])).status_code == 200
    assert passwords(raw.team, "bob") == 1


async def test_a_client_that_comes_back_after_four_weeks_is_still_signed_in(raw: Raw) -> None:
    tokens = await raw.signed_in("bob")
    raw.team.clock.now += 29 * 86400
    assert (await raw.refresh(tokens["refresh_token"])).status_code == 200
    assert passwords(raw.team, "bob") == 1


async def test_an_open_stream_is_closed_when_its_grant_ends(raw: Raw) -> None:
    tokens = await raw.signed_in("bob", ("mode", "full"))
    bearer = {"authorization": f"Bearer {tokens['access_token']}"}
    opened = await raw.http.post(f"{raw.team.url}/mcp", json=INITIALIZE, headers={**ACCEPT, **bearer})
    session = in_session(opened.headers["mcp-session-id"]) | bearer
    ended = anyio.Event()

    async def listen(*, task_status: anyio.abc.TaskStatus[None]) -> None:
        async with raw.http.stream("GET", f"{raw.team.url}/mcp", headers=session) as stream:
            assert stream.status_code == 200
            task_status.started()
            async for _ in stream.aiter_bytes():
                pass
        ended.set()

    async with anyio.create_task_group() as tasks:
        await tasks.start(listen)
        assert not ended.is_set()
        await raw.http.post(f"{raw.team.url}/revoke", data={"token": tokens["access_token"], "client_id": raw.id})
        with anyio.fail_after(deadline()):
            await ended.wait()


async def test_another_persons_token_on_my_session_finds_nothing(raw: Raw) -> None:
    hers = await raw.signed_in("admin")
    his = await Raw(raw.team, raw.http).signed_in("bob")
    bearer = {"authorization": f"Bearer {hers['access_token']}"}
    opened = await raw.http.post(f"{raw.team.url}/mcp", json=INITIALIZE, headers={**ACCEPT, **bearer})
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    for token, status in ((hers, 200), (his, 404)):
        headers = in_session(opened.headers["mcp-session-id"]) | {"authorization": f"Bearer {token['access_token']}"}
        assert (await raw.http.post(f"{raw.team.url}/mcp", json=listing, headers=headers)).status_code == status


async def test_a_login_name_that_is_an_e_mail_address_is_sent_as_it_came_and_the_person_is_their_id(raw: Raw) -> None:
    await raw.register()
    async with raw.team.browser() as browser:
        page = await browser.get(raw.authorize_url(), follow_redirects=True)
        await submit(browser, page, ("decision", "allow"))
        waiting = await browser.get(f"{page.url}/wait")
        await log_in_at_nextcloud(browser, waiting, "bob")
        state_of(raw.team).run("UPDATE login_flows SET uid = 'bob@example.org'")
        landed = await finish(raw.team, browser, str(waiting.url))
    tokens = (await raw.exchange(landed_on(landed)["code"])).json()
    assert (await grant_of(raw, tokens["access_token"]))["person"] == "bob"
    assert (
        await raw.call(tokens["access_token"], "tools/call", name="nc_get_context", arguments={})
    ).status_code == 200


async def test_nextcloud_is_told_which_client_the_app_password_is_for(raw: Raw) -> None:
    await raw.register()
    async with raw.team.browser() as browser:
        assert (await agree(raw.team, browser, raw.authorize_url(), "bob")).startswith(raw.redirect)
    starts = [request for request in raw.team.arrived if request.url.path.endswith("/login/v2")]
    assert starts[0].headers["user-agent"].startswith("aboveboard for Raw, ")


@pytest.mark.parametrize(
    ("client", "named"),
    [("Mein Client ü", " for Mein Client u"), ("Клиент", ""), ("Groß", ""), ("n" * 300, f" for {'n' * 60}")],
)
async def test_our_page_names_the_login_exactly_as_nextcloud_does(raw: Raw, client: str, named: str) -> None:
    await raw.register(client_name=client)
    async with raw.team.browser() as browser:
        page = await browser.get(raw.authorize_url(), follow_redirects=True)
        await submit(browser, page, ("decision", "allow"))
        ours = (await browser.get(f"{page.url}/wait")).text
    (start,) = [request for request in raw.team.arrived if request.url.path.endswith("/login/v2")]
    sent = start.headers["user-agent"]
    assert f"<strong>{sent}</strong>" in ours
    assert re.fullmatch(rf"aboveboard{named}, \d\d:\d\d UTC", sent)


async def test_whatever_nextcloud_calls_itself_people_go_to_its_public_address_and_requests_to_the_configured_one() -> (
    None
):
    elsewhere, asked = "https://evil.example", list[str]()

    def nextcloud(request: httpx2.Request) -> httpx2.Response:
        asked.append(str(request.url))
        if request.url.path.endswith("/poll"):
            return httpx2.Response(200, json={"server": elsewhere, "loginName": "bob", "appPassword": "secret"})
        if request.url.path.endswith("/user"):
            return httpx2.Response(
                200,
                json={
                    "ocs": {
                        "meta": {"statuscode": 200},
                        "data": {"id": "bob", "displayname": "Bob"},
                    }
                },
            )
        poll = {"token": "to-poll", "endpoint": f"{elsewhere}/poll"}
        return httpx2.Response(200, json={"poll": poll, "login": f"{elsewhere}/index.php/login/v2/flow/to-log-in"})

    sign_in = NextcloudSignIn(Place("http://inside", "https://cloud.example.org"), httpx2.MockTransport(nextcloud))
    started = await sign_in.start("aboveboard for Raw", "", "")
    assert started.url == "https://cloud.example.org/index.php/login/v2/flow/to-log-in"
    credential = await sign_in.finish(started.state, {})
    assert credential is not None
    assert (await sign_in.identify(credential)).principal == "bob"
    assert len(asked) == 3
    assert [url for url in asked if not url.startswith("http://inside/")] == []


async def test_a_cookie_is_worth_nothing_after_its_person_logged_out(raw: Raw) -> None:
    async with raw.team.browser() as browser:
        assert "You are Bob" in (await enter(raw.team, browser, "bob")).text
        kept = {cookie.name: cookie.value or "" for cookie in browser.cookies.jar}
        await browser.post(f"{raw.team.url}/account/leave", headers={"Origin": raw.team.url})
        assert "aboveboard-account" not in {cookie.name for cookie in browser.cookies.jar}
    async with plain() as thief:
        thief.headers["cookie"] = "; ".join(f"{name}={value}" for name, value in kept.items())
        assert "Log in to see" in (await thief.get(f"{raw.team.url}/account")).text


async def test_a_page_that_was_left_open_for_an_hour_asks_who_one_is(raw: Raw) -> None:
    await raw.signed_in("bob")
    async with raw.team.browser() as browser:
        page = await enter(raw.team, browser, "bob")
        grant = page.text.split("/account/grants/")[1].split('"')[0]
        raw.team.clock.now += 3601
        await change(raw.team, browser, grant, decision="end")
        assert "Log in to see" in (await browser.get(f"{raw.team.url}/account")).text
    assert passwords(raw.team, "bob") == 1, "nothing was ended"
