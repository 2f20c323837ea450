"""An identity provider of the operator's says who people are: a certified one, with real pages and tokens."""

import json
import os
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from mcp import Client
from tests.people import lightdash
from tests.people.provider import Employee, company, connect, finished, missing, prove, provider
from tests.people.raw import challenge_of
from tests.people.stores import every_row
from tests.people.team import approve_at_lightdash, log_in_at_nextcloud, submit
from tests.people.web import plain
from tests.sessions import ERAS, Era, text_of

from aboveboard.kit.people.store import Store
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio
FULL = (("mode", "full"),)
both_eras = pytest.mark.parametrize("era", ERAS)


@pytest.fixture(scope="module")
def installed() -> None:
    if why := missing():
        # On a developer's machine it may be absent; where the result counts it may not.
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(why)


@pytest.fixture(scope="module")
def issuer(installed: None) -> Generator[str]:
    with provider() as address:
        yield address


async def notes(client: Client) -> str:
    return text_of(await client.call_tool("nc_notes_list_notes", {}))


def page_in(told: str) -> str:
    """Find the page that somebody is told to open."""
    found = re.search(r"http\S+/connect\?client=\S+", told)
    assert found is not None, told
    return found[0]


async def connected(person: Employee, client: Client, *choice: tuple[str, str]) -> None:
    """Do as the client is told, and connect it."""
    async with person.team.browser() as browser:
        done = await finished(person.team, browser, page_in(await notes(client)), person.user, *choice)
    assert "is connected" in done.text, done.text


@both_eras
async def test_two_people_of_the_provider_connect_and_each_acts_as_themselves(
    sandbox: Sandbox, issuer: str, tmp_path: Path, era: Era
) -> None:
    async with company(sandbox, issuer, tmp_path) as team:
        ada, bob = Employee(team, "admin"), Employee(team, "bob")
        async with ada.connected(era) as hers, bob.connected(era) as his:
            assert "may not act for you at Nextcloud yet" in await notes(hers)
            await connected(ada, hers)
            await connected(bob, his)
            for _ in range(2):
                assert "Presents" not in await notes(hers)
                assert "Presents" in await notes(his)
        assert (ada.sign_ins, bob.sign_ins) == (1, 1)


async def test_a_credential_of_somebody_else_is_refused_deleted_and_leaves_nothing(
    sandbox: Sandbox, issuer: str, tmp_path: Path
) -> None:
    before, store = sandbox.dump(), str(tmp_path / "db")
    async with company(sandbox, issuer, tmp_path, store=store) as team, team.browser() as browser:
        page = f"{team.url}/connect?client=claude"
        refused = await finished(team, browser, page, "admin", at_service="bob")
        again = await browser.get(str(refused.url))
        account = await browser.get(f"{team.url}/account")
    assert refused.status_code == 403
    assert "default-src 'none'" in refused.headers["content-security-policy"]
    assert refused.headers["cache-control"] == "no-store"
    words = re.sub(r"<[^>]+>|\s+", " ", refused.text)
    assert "not the same person" in words
    assert re.search(rf"At {re.escape(issuer.removeprefix('http://'))} you are +admin", words)
    assert re.search("At Nextcloud you logged in as +bob", words)
    assert again.status_code == 404, "it is over"
    assert "Log in to see" in account.text, "nobody is let in to a page"
    assert passwords(sandbox.dump()) == passwords(before)
    opened = Store(store)
    kept = every_row(opened)
    opened.close()
    assert {name: rows for name, rows in kept.items() if rows} == {}


def passwords(state: dict[str, object]) -> set[str]:
    return {key for key in state if "/app_passwords/" in key}


async def test_clients_are_sent_to_the_provider_and_told_what_to_ask_it_for(
    sandbox: Sandbox, issuer: str, tmp_path: Path
) -> None:
    asked = {"scopes": ("openid", "read", "write")}
    async with company(sandbox, issuer, tmp_path, oidc=asked) as team, plain() as http:
        challenge = challenge_of(await http.post(f"{team.url}/mcp", json={}))
        resource = (await http.get(challenge["resource_metadata"])).json()
        ours = [
            await http.get(f"{team.url}{path}") for path in ("/.well-known/oauth-authorization-server", "/authorize")
        ]
        tokens = [await http.post(f"{team.url}{path}") for path in ("/token", "/register", "/revoke")]
    assert challenge["scope"] == "openid read write"
    assert resource["authorization_servers"] == [issuer]
    assert resource["resource"] == f"{team.url}/mcp"
    assert resource["scopes_supported"] == ["openid", "read", "write"]
    assert {answer.status_code for answer in (*ours, *tokens)} == {404}, "this server issues no tokens itself"


@both_eras
async def test_the_tools_about_signing_in_say_where_to_connect_and_end_it_again(
    sandbox: Sandbox, issuer: str, tmp_path: Path, era: Era
) -> None:
    before = passwords(sandbox.dump())
    async with company(sandbox, issuer, tmp_path) as team:
        bob = Employee(team, "bob")
        async with bob.connected(era) as client:
            status = await call(client, "check_provisioning_status")
            assert status["status"] == "not_connected"
            assert page_in(status["account_url"]) == (await call(client, "provision_nextcloud_access"))["url"]
            assert (await call(client, "check_logged_in"))["person"] == "bob"
            await connected(bob, client, *FULL)
            assert passwords(sandbox.dump()) != before
            status = await call(client, "check_provisioning_status")
            assert status == {"status": "connected", "account_url": f"{team.url}/account"}
            assert (await call(client, "check_logged_in"))["mode"] == "full"
            assert await call(client, "revoke_nextcloud_access") == {"revoked": True}
            assert passwords(sandbox.dump()) == before
            assert page_in(await notes(client))
            await connected(bob, client)
            assert "Presents" in await notes(client)


async def call(client: Client, tool: str) -> Any:
    return (await client.call_tool(tool, {})).structured_content


async def test_on_their_page_a_person_changes_what_a_client_may_which_acts_on_the_next_request(
    sandbox: Sandbox, issuer: str, tmp_path: Path
) -> None:
    writing = {"title": "T", "content": "c", "category": ""}
    async with company(sandbox, issuer, tmp_path) as team:
        bob = Employee(team, "bob")
        async with bob.connected() as client, team.browser() as browser:
            await connected(bob, client)
            refused = await client.call_tool("nc_notes_create_note", writing)
            assert refused.is_error
            assert f"The person can change that at {team.url}/account." in text_of(refused)
            begun = await submit(browser, await browser.get(f"{team.url}/account"))
            waiting = await browser.get(await prove(team, browser, urljoin(team.url, begun.headers["location"]), "bob"))
            await log_in_at_nextcloud(browser, waiting, "bob")
            team.clock.now += 2
            assert (await browser.get(str(waiting.url))).headers["location"] == "/account"
            page = await browser.get(f"{team.url}/account")
            assert "only look" in page.text
            await submit(browser, page, ("mode", "full"), ("decision", "change"))
            assert not (await client.call_tool("nc_notes_create_note", writing)).is_error


async def test_a_person_logs_in_to_their_page_as_themselves_alone(
    sandbox: Sandbox, issuer: str, tmp_path: Path
) -> None:
    async with company(sandbox, issuer, tmp_path) as team, team.browser() as browser:
        begun = await submit(browser, await browser.get(f"{team.url}/account"))
        waiting = await browser.get(await prove(team, browser, urljoin(team.url, begun.headers["location"]), "admin"))
        await log_in_at_nextcloud(browser, waiting, "bob")
        team.clock.now += 2
        assert (await browser.get(str(waiting.url))).status_code == 403
        assert "Log in to see" in (await browser.get(f"{team.url}/account")).text


@pytest.mark.parametrize(
    "answer", [{"error": "access_denied"}, {"code": "made-up"}, {"code": "x", "iss": "http://evil"}]
)
async def test_what_is_not_the_providers_answer_leads_nowhere(
    sandbox: Sandbox, issuer: str, tmp_path: Path, answer: dict[str, str]
) -> None:
    async with company(sandbox, issuer, tmp_path) as team, team.browser() as browser, team.browser() as other:
        consent = await browser.get(f"{team.url}/connect?client=claude", follow_redirects=True)
        await submit(browser, consent, ("decision", "allow"))
        state = str(consent.url).rpartition("/")[2]
        given = {"state": state, "iss": issuer, **answer}
        stolen = await other.get(f"{team.url}/connect/identified", params=given)
        assert stolen.status_code == 403, "another browser began it"
        early = await browser.get(f"{team.url}/connect/callback", params=given)
        assert early.status_code == 404, "the service has not been asked yet"
        refused = await browser.get(f"{team.url}/connect/identified", params=given)
        assert refused.status_code == 502
        assert "This did not work" in refused.text
        assert (await browser.get(f"{team.url}/connect/identified", params=given)).status_code == 404
    assert team.arrived == [], "Nextcloud heard of none of this"


async def test_a_person_who_says_no_connects_nothing(sandbox: Sandbox, issuer: str, tmp_path: Path) -> None:
    async with company(sandbox, issuer, tmp_path) as team, team.browser() as browser:
        consent = await browser.get(f"{team.url}/connect?client=claude", follow_redirects=True)
        said_no = await submit(browser, consent, ("decision", "deny"))
    assert "claude is not connected" in said_no.text
    assert team.arrived == []


@pytest.mark.parametrize(
    ("client", "status"), [("", 400), (" \u202e", 400), ("x" * 600, 400), ("stranger", 403), ("claude", 200)]
)
async def test_a_client_is_named_and_one_that_the_operator_lets_in(
    sandbox: Sandbox, issuer: str, tmp_path: Path, client: str, status: int
) -> None:
    async with company(sandbox, issuer, tmp_path, allowed_clients=["claude"]) as team, team.browser() as browser:
        answer = await browser.get(f"{team.url}/connect", params={"client": client}, follow_redirects=True)
    assert answer.status_code == status


async def test_a_client_known_by_its_document_is_shown_by_its_name(
    sandbox: Sandbox, issuer: str, tmp_path: Path
) -> None:
    address = "https://claude.ai/client.json"
    about = {"client_id": address, "client_name": "Claude", "redirect_uris": ["https://claude.ai/cb"]}
    async with company(sandbox, issuer, tmp_path) as team, team.browser() as browser:
        team.documents[address] = json.dumps(about).encode()
        page = await browser.get(f"{team.url}/connect", params={"client": address}, follow_redirects=True)
    assert "Claude wants to use your Nextcloud" in page.text
    assert "claude.ai" in page.text
    assert "nobody has verified it" not in page.text


async def test_a_provider_that_knows_this_server_by_no_secret_will_do(
    sandbox: Sandbox, issuer: str, tmp_path: Path
) -> None:
    async with company(sandbox, issuer, tmp_path, public=True) as team, team.browser() as browser:
        done = await finished(team, browser, f"{team.url}/connect?client=claude", "bob")
    assert "claude is connected" in done.text


@pytest.mark.usefixtures("installed")
async def test_people_of_lightdash_are_known_by_their_e_mail_address(tmp_path: Path) -> None:
    shop, tool = lightdash.Sandbox(), "lightdash_tools__get_context"
    vera = "vera@corner-shop.example"
    with provider(vera=vera.title(), ada="ada@elsewhere.example", unverified=vera) as issuer:
        async with company(shop, issuer, tmp_path) as team:
            person = Employee(team, "vera")
            async with person.connected() as client, team.browser() as hers, team.browser() as others:
                page = page_in(text_of(await client.call_tool(tool, {})))
                waiting = await hers.get(await connect(team, hers, page, "vera"))
                done = await approve_at_lightdash(hers, waiting, vera)
                assert "is connected" in done.text
                assert "Vera" in text_of(await client.call_tool(tool, {}))

                waiting = await others.get(await connect(team, others, page, "ada"))
                refused = await approve_at_lightdash(others, waiting, vera)
                assert refused.status_code == 403
                assert "not the same person" in refused.text
            async with team.browser() as nobody:
                with pytest.raises(AssertionError, match="has not verified your e-mail address"):
                    await connect(team, nobody, page, "unverified")
    shop.close()
