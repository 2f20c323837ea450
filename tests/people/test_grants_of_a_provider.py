"""What the people of an identity provider granted: found by person and client, narrowed by tokens, ended at once."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, cast

import anyio
import pytest
from tests.kit.serving.exchange import ACCEPT, INITIALIZE, answer_in, in_session
from tests.kit.serving.processes import deadline
from tests.people.raw import Raw, challenge_of
from tests.people.scripted import Scripted, company, resource
from tests.people.team import BACKEND

from aboveboard.kit.mode import Mode
from aboveboard.kit.people import pending
from aboveboard.kit.people.adapter import Identity
from aboveboard.kit.people.identity.proof import identity
from aboveboard.kit.people.people import People
from aboveboard.kit.people.rights import Scopes
from aboveboard.kit.people.serving import open_people
from aboveboard.kit.people.settings import PeopleSettings
from aboveboard.kit.people.sign_in_mode import SignInMode
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.server import SERVICE
from aboveboard.nextcloud.settings import Place
from aboveboard.nextcloud.sign_in import NextcloudSignIn

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def opened(raw: Raw, folder: Path) -> AsyncGenerator[People]:
    """Open the store of a deployment, as its operator does."""
    settings = PeopleSettings(
        mode=SignInMode.OIDC, public_url=raw.team.url, store=str(folder / "db"), store_keys=str(folder / "keys")
    )
    scopes = Scopes.of(Catalogue(SERVICE, Policy()))
    people = open_people(SERVICE, NextcloudSignIn(Place(BACKEND, BACKEND)), settings, scopes)
    yield people
    people.store.close()


async def grant(raw: Raw, script: Scripted, folder: Path, mode: Mode, *areas: str) -> None:
    """Keep what somebody would have granted on our pages."""
    async with opened(raw, folder) as people:
        credential = {"login": "bob", "password": Sandbox.users["bob"]}
        rights = people.scopes.preset(mode, areas or people.scopes.areas)
        made = await people.add(Identity("bob", "Bob"), credential, rights, ("claude", "Claude"), keep=1)
        await people.introduce(made, identity(script.url, "bob", "claude"))


NOTES: Final[dict[str, Any]] = {"name": "nc_notes_list_notes", "arguments": {}}
WRITE: Final[dict[str, Any]] = {
    "name": "nc_notes_create_note",
    "arguments": {"title": "T", "content": "c", "category": ""},
}


async def test_a_grant_is_for_one_person_and_one_client(staff: Raw, script: Scripted, tmp_path: Path) -> None:
    await grant(staff, script, tmp_path, Mode.FULL)
    told = [
        await staff.call(script.token(resource(staff), **who), "tools/call", **NOTES)
        for who in ({}, {"client_id": "other"}, {"sub": "Bob"}, {"sub": "bob\nclaude", "client_id": "x"})
    ]
    assert "Presents" in told[0].text
    assert ["may not act for you" in answer.text for answer in told] == [False, True, True, True]


async def test_a_person_can_be_known_by_another_claim(sandbox: Sandbox, script: Scripted, tmp_path: Path) -> None:
    async with company(sandbox, tmp_path, script, subject="oid") as raw:
        await grant(raw, script, tmp_path, Mode.FULL)
        hers = await raw.call(script.token(resource(raw), sub="pairwise", oid="bob"), "tools/call", **NOTES)
        assert "Presents" in hers.text
        nobody = await raw.call(script.token(resource(raw)), "tools/call", **NOTES)
        assert nobody.json()["error_description"].endswith("it lacks oid.")


async def test_where_the_provider_issues_our_scopes_a_token_allows_no_more_than_it_names(
    sandbox: Sandbox, script: Scripted, tmp_path: Path
) -> None:
    async with company(sandbox, tmp_path, script, scopes=("openid", "read", "write")) as raw:
        await grant(raw, script, tmp_path, Mode.FULL)
        statuses = {
            scope: [
                (await raw.call(script.token(resource(raw), scope=scope), "tools/call", **call)).status_code
                for call in (NOTES, WRITE)
            ]
            for scope in ("openid read write", "openid read", "notes:read", "openid")
        }
        own = await raw.call(
            script.token(resource(raw), scope="openid"), "tools/call", name="provision_nextcloud_access", arguments={}
        )
        lacking = await raw.call(script.token(resource(raw), scope="openid read"), "tools/call", **WRITE)
        listed = await raw.call(script.token(resource(raw), scope="openid read"))
        listed_of_a_list = await raw.call(script.token(resource(raw), scp=["read"]))
    assert statuses == {
        "openid read write": [200, 200],
        "openid read": [200, 403],
        "notes:read": [200, 403],
        "openid": [403, 403],
    }
    assert own.status_code == 200, "who may do nothing may still change that"
    told = challenge_of(lacking)
    assert (told["error"], told["scope"]) == ("insufficient_scope", "notes.write read")
    for answer in (listed, listed_of_a_list):
        names = {tool["name"] for tool in answer_in(answer)["result"]["tools"]}
        assert "nc_notes_get_note" in names
        assert "nc_notes_create_note" not in names


async def test_where_it_does_not_the_grant_alone_decides(staff: Raw, script: Scripted, tmp_path: Path) -> None:
    await grant(staff, script, tmp_path, Mode.READ_ONLY, "notes")
    token = script.token(resource(staff), scope="openid")
    assert "Presents" in (await staff.call(token, "tools/call", **NOTES)).text
    for call in (WRITE, {"name": "nc_webdav_read_file", "arguments": {"path": "x"}}):
        refused = await staff.call(token, "tools/call", **call)
        assert refused.status_code == 200, "to ask the provider again would not help"
        assert f"{staff.team.url}/account" in answer_in(refused)["result"]["content"][0]["text"]


async def test_a_credential_that_died_at_the_service_sends_its_person_to_connect_again(
    staff: Raw, script: Scripted, tmp_path: Path
) -> None:
    await grant(staff, script, tmp_path, Mode.FULL)
    token = script.token(resource(staff))
    cast("Any", staff.team.sandbox)._state.run("DELETE FROM tokens WHERE uid = 'bob'")
    told = [(await staff.call(token, "tools/call", **NOTES)).text for _ in range(3)]
    assert "no longer accepts the access" in told[0]
    assert all(f"{staff.team.url}/connect?client=claude" in one for one in told[1:])
    assert len(staff.team.arrived) == 1, "it was sent once"


@pytest.mark.parametrize("ends", ["the grant", "the token"])
async def test_an_open_stream_is_closed_when_it_ends(staff: Raw, script: Scripted, tmp_path: Path, ends: str) -> None:
    await grant(staff, script, tmp_path, Mode.FULL)
    bearer = {"authorization": f"Bearer {script.token(resource(staff))}"}
    opened = await staff.http.post(resource(staff), json=INITIALIZE, headers={**ACCEPT, **bearer})
    session = in_session(opened.headers["mcp-session-id"]) | bearer
    async with staff.http.stream("GET", resource(staff), headers=session) as stream:
        assert stream.status_code == 200
        if ends == "the token":
            staff.team.clock.now += 3600
        else:
            await staff.call(
                bearer["authorization"].split()[1], "tools/call", name="revoke_nextcloud_access", arguments={}
            )
        with anyio.fail_after(deadline()):
            async for _ in stream.aiter_bytes():
                pass


async def test_a_sign_in_that_was_begun_without_the_provider_is_over(
    staff: Raw, script: Scripted, tmp_path: Path
) -> None:
    """As when the operator changes from connect to oidc while somebody is signing in."""
    kept = {
        "scopes": ["read"],
        "mode": "read-only",
        "login": {"token": "t"},
        "url": "http://nextcloud/",
        "proving": False,
    }
    shown = {"place": "Nextcloud", "label": "", "comes_back": False}
    async with staff.team.browser() as browser, opened(staff, tmp_path) as people:
        page = await browser.get(f"{staff.team.url}/connect?client=claude", follow_redirects=True)
        ident = str(page.url).rpartition("/")[2]
        state = {**kept, "shown": shown}
        await people.store.write(lambda db: pending.keep(db, people.keys, ident, state, staff.team.clock.now))
        assert (await browser.get(f"{page.url}/wait")).status_code == 404
    assert staff.team.arrived == [], "Nextcloud was not asked for the credential"
