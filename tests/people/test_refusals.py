"""What is refused: a table of ways to get what was not granted, and pages that give nothing away."""

import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from tests.kit.serving.exchange import ACCEPT, answer_in  # pyright: ignore[reportPrivateImportUsage]
from tests.people import lightdash
from tests.people.raw import Raw, challenge_of, landed_on
from tests.people.team import CALLBACK, Team, deployed, passwords_of
from tests.people.web import plain

from aboveboard.kit.people.tokens import GRACE
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


@pytest.fixture
async def team(sandbox: Sandbox, tmp_path: Path) -> AsyncGenerator[Team]:
    async with deployed(sandbox, str(tmp_path / "people.db"), tmp_path) as deployment:
        yield deployment


@pytest.fixture
async def raw(team: Team) -> AsyncGenerator[Raw]:
    async with plain() as http:
        client = Raw(team, http)
        await client.register()
        yield client


REDIRECTED = {
    "no PKCE": ({"code_challenge": None}, "invalid_request"),
    "a challenge that is none": ({"code_challenge": "short"}, "invalid_request"),
    "plain PKCE": ({"code_challenge_method": "plain"}, "invalid_request"),
    "another resource": ({"resource": "https://elsewhere.example/mcp"}, "invalid_target"),
    "a token at once": ({"response_type": "token"}, "unsupported_response_type"),
}


@pytest.mark.parametrize("case", REDIRECTED)
async def test_a_wrong_request_is_told_to_the_client_with_our_issuer(raw: Raw, case: str) -> None:
    values, error = REDIRECTED[case]
    answer = await raw.authorize(**values)
    told = landed_on(answer.headers["location"])
    assert answer.headers["location"].startswith(CALLBACK)
    assert (told["error"], told["iss"], told["state"]) == (error, raw.team.url, "s-1")


@pytest.mark.parametrize(
    "values",
    [
        {"client_id": "nobody"},
        {"client_id": "https://127.0.0.1/client.json"},
        {"client_id": "https://not-there.example/client.json"},
        {"redirect_uri": "https://evil.example/callback"},
        {"redirect_uri": "http://127.0.0.1:9/other"},
        {"redirect_uri": "http://localhost:9/callback"},
    ],
)
async def test_nobody_is_sent_to_an_address_that_the_client_did_not_give(raw: Raw, values: dict[str, str]) -> None:
    answer = await raw.authorize(**values)
    assert answer.status_code == 400
    assert "location" not in answer.headers
    assert "This did not work" in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "uri",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "http://evil.example/cb",
        "https://good.example/cb#frag",
        "ftp://good.example/cb",
        "file:///etc/passwd",
        "intent://x",
    ],
)
async def test_a_client_cannot_register_an_address_that_is_no_place_for_a_code(team: Team, uri: str) -> None:
    async with plain() as http:
        answer = await Raw(team, http).register(redirect_uris=["https://good.example/cb", uri])
    assert answer.status_code == 400
    assert answer.json()["error"] == "invalid_redirect_uri"


async def test_a_native_client_may_listen_on_any_port_of_its_machine(raw: Raw) -> None:
    answer = await raw.authorize(redirect_uri="http://127.0.0.1:54321/callback")
    assert "/connect/" in answer.headers["location"]


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("https://good.example/cb", "https://good.example:8443/cb"),
        ("https://127.0.0.1/cb", "https://127.0.0.1:8443/cb"),
        ("http://127.0.0.1:9/cb", "http://127.0.0.2:9/cb"),
        ("http://127.0.0.1:9/cb", "http://127.0.0.1:9/cb?more"),
    ],
)
async def test_elsewhere_another_port_is_another_address(team: Team, given: str, asked: str) -> None:
    async with plain() as http:
        client = Raw(team, http, redirect=given)
        await client.register()
        assert (await client.authorize()).status_code == 302
        assert (await client.authorize(redirect_uri=asked)).status_code == 400


Bad = Callable[[Raw, str], Awaitable[httpx2.Response]]


async def _other_clients_code(raw: Raw, code: str) -> httpx2.Response:
    other = Raw(raw.team, raw.http)
    await other.register()
    return await other.exchange(code)


EXCHANGES: dict[str, Bad] = {
    "a wrong verifier": lambda raw, code: raw.exchange(code, code_verifier="w" * 64),
    "no verifier": lambda raw, code: raw.exchange(code, code_verifier=None),
    "another redirect": lambda raw, code: raw.exchange(code, redirect_uri="http://127.0.0.1:10/callback"),
    "no redirect": lambda raw, code: raw.exchange(code, redirect_uri=None),
    "another client": _other_clients_code,
    "a code that never was": lambda raw, _: raw.exchange("ab_co_nonsense"),
    "a password grant": lambda raw, code: raw.exchange(code, grant_type="password"),
}


@pytest.mark.parametrize("case", EXCHANGES)
async def test_a_code_is_worth_nothing_with(raw: Raw, case: str) -> None:
    code = await raw.code()
    answer = await EXCHANGES[case](raw, code)
    assert answer.status_code in (400, 401)
    assert "access_token" not in answer.text


async def test_of_twenty_exchanges_of_one_code_one_succeeds(raw: Raw) -> None:
    code, answers = await raw.code(), list[httpx2.Response]()

    async def try_it() -> None:
        answers.append(await raw.exchange(code))

    async with anyio.create_task_group() as tasks:
        for _ in range(20):
            tasks.start_soon(try_it)
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 19


async def test_a_code_ends_after_a_minute(raw: Raw) -> None:
    code = await raw.code()
    raw.team.clock.now += 61
    assert (await raw.exchange(code)).status_code == 400


async def test_a_client_that_the_operator_did_not_name_is_told_so(sandbox: Sandbox, tmp_path: Path) -> None:
    async with (
        deployed(sandbox, str(tmp_path / "db"), tmp_path, allowed_clients=["claude.ai"]) as team,
        plain() as http,
    ):
        raw = Raw(team, http)
        await raw.register()
        told = landed_on((await raw.authorize()).headers["location"])
        assert told["error"] == "unauthorized_client"
        claude = Raw(team, http, redirect="https://claude.ai/api/mcp/auth_callback")
        await claude.register()
        assert "/connect/" in (await claude.authorize()).headers["location"]


async def test_without_a_token_one_is_told_where_to_get_it_and_for_what(raw: Raw) -> None:
    answer = await raw.http.post(f"{raw.team.url}/mcp", json={})
    assert answer.status_code == 401
    metadata = f"{raw.team.url}/.well-known/oauth-protected-resource/mcp"
    assert challenge_of(answer) == {"scope": "read", "resource_metadata": metadata}
    wrong = await raw.call("ab_at_nonsense")
    assert wrong.status_code == 401
    assert challenge_of(wrong)["error"] == "invalid_token"


@pytest.mark.parametrize("which", ["refresh_token", "password"])
async def test_what_is_no_access_token_of_ours_lets_nobody_in(raw: Raw, which: str) -> None:
    tokens = await raw.signed_in()
    token = tokens["refresh_token"] if which == "refresh_token" else Sandbox.users["bob"]
    assert (await raw.call(token)).status_code == 401


async def test_a_call_beyond_the_grant_is_told_all_that_it_needs(raw: Raw) -> None:
    tokens = await raw.signed_in("bob", ("mode", "read-only"))
    answer = await raw.call(tokens["access_token"], "tools/call", name="nc_notes_create_note", arguments={})
    assert answer.status_code == 403
    told = challenge_of(answer)
    assert (told["error"], told["scope"]) == ("insufficient_scope", "notes.write read")
    assert told["resource_metadata"].endswith("/.well-known/oauth-protected-resource/mcp")


async def test_resources_prompts_and_completions_beyond_the_grant_are_told_what_they_need(tmp_path: Path) -> None:
    shop = lightdash.Sandbox()
    async with deployed(shop, str(tmp_path / "db"), tmp_path) as team, plain() as http:
        raw = Raw(team, http)
        few = (("mode", "read-only"), ("area", "spaces"))
        token = (await raw.signed_in("ada@corner-shop.example", *few))["access_token"]
        catalogue = Catalogue(lightdash.SERVICE, Policy())
        template = next(one for one in catalogue.resources if one.is_template and one.scope != "spaces.read")
        prompt = next(one for one in catalogue.prompts.values() if one.scope != "spaces.read")
        uri = re.sub(r"\{[^}]*\}", "x", template.uri)
        argument = {"name": "x", "value": ""}
        of_template = {"ref": {"type": "ref/resource", "uri": template.uri}, "argument": argument}
        of_prompt = {"ref": {"type": "ref/prompt", "name": prompt.name}, "argument": argument}
        asked: list[tuple[str, str, dict[str, Any]]] = [
            ("resources/read", template.scope, {"uri": uri}),
            ("prompts/get", prompt.scope, {"name": prompt.name}),
            ("completion/complete", template.scope, of_template),
            ("completion/complete", prompt.scope, of_prompt),
        ]
        for method, scope, params in asked:
            old = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            headers = {**ACCEPT, "authorization": f"Bearer {token}"}
            legacy = await http.post(f"{team.url}/mcp", json=old, headers=headers)
            for answer in (legacy, await raw.call(token, method, **params)):
                assert answer.status_code == 403, (method, answer.text)
                told = challenge_of(answer)
                assert (told["error"], told["scope"]) == ("insufficient_scope", f"{scope} spaces.read")
    shop.close()


async def test_lists_that_hang_on_what_was_granted_are_kept_for_a_short_while_and_by_nobody_else(raw: Raw) -> None:
    tokens = await raw.signed_in("bob", ("mode", "full"))
    for method in ("tools/list", "resources/list", "resources/templates/list"):
        told = answer_in(await raw.call(tokens["access_token"], method))["result"]
        assert (told["cacheScope"], told["ttlMs"]) == ("private", 30_000), method


async def test_a_refresh_token_that_comes_back_too_late_ends_everything(raw: Raw) -> None:
    first = await raw.signed_in()
    second = (await raw.refresh(first["refresh_token"])).json()
    assert (await raw.call(second["access_token"])).status_code == 200
    raw.team.clock.now += GRACE + 1
    assert (await raw.refresh(first["refresh_token"])).status_code == 400
    assert (await raw.call(second["access_token"])).status_code == 401
    assert (await raw.refresh(second["refresh_token"])).status_code == 400
    assert passwords_of(raw.team.sandbox.dump(), "bob") == {f"users/bob/app_passwords/{Sandbox.users['bob']}"}


async def test_another_clients_refresh_token_is_unknown(raw: Raw) -> None:
    tokens = await raw.signed_in()
    other = Raw(raw.team, raw.http)
    await other.register()
    assert (await other.refresh(tokens["refresh_token"])).status_code == 400
    assert (await raw.refresh(tokens["refresh_token"])).status_code == 200


async def test_a_public_client_can_give_its_access_back(raw: Raw) -> None:
    tokens = await raw.signed_in()
    other = Raw(raw.team, raw.http)
    await other.register()
    revoke = f"{raw.team.url}/revoke"
    foreign = await raw.http.post(revoke, data={"token": tokens["access_token"], "client_id": other.id})
    assert foreign.status_code == 200
    assert (await raw.call(tokens["access_token"])).status_code == 200
    await raw.http.post(revoke, data={"token": tokens["refresh_token"], "client_id": raw.id})
    assert (await raw.call(tokens["access_token"])).status_code == 401
    assert passwords_of(raw.team.sandbox.dump(), "bob") == {f"users/bob/app_passwords/{Sandbox.users['bob']}"}


async def test_the_metadata_says_what_clients_need_to_hear(raw: Raw) -> None:
    server = (await raw.http.get(f"{raw.team.url}/.well-known/oauth-authorization-server")).json()
    assert server["issuer"] == raw.team.url
    assert server["client_id_metadata_document_supported"] is True
    assert "none" in server["token_endpoint_auth_methods_supported"]
    assert server["code_challenge_methods_supported"] == ["S256"]
    assert server["authorization_response_iss_parameter_supported"] is True
    resource = (await raw.http.get(f"{raw.team.url}/.well-known/oauth-protected-resource/mcp")).json()
    assert resource["resource"] == f"{raw.team.url}/mcp"
    assert resource["authorization_servers"] == [raw.team.url]
    assert "offline_access" not in resource["scopes_supported"]


async def test_a_token_of_another_server_over_the_same_database_lets_nobody_in(
    raw: Raw, sandbox: Sandbox, tmp_path: Path
) -> None:
    token = (await raw.signed_in())["access_token"]
    async with deployed(sandbox, str(tmp_path / "people.db"), tmp_path) as other:
        assert (await Raw(other, raw.http).call(token)).status_code == 401
    assert (await raw.call(token)).status_code == 200


@pytest.mark.parametrize("client", ["https://[", "https://münchen.example/c", "https://a.example/\0", "\0"])
async def test_an_id_that_no_client_has_is_unknown_and_no_defect(
    sandbox: Sandbox, address: str, tmp_path: Path, client: str
) -> None:
    async with deployed(sandbox, address, tmp_path) as team, plain() as http:
        raw = Raw(team, http, id=client)
        assert (await raw.authorize()).status_code == 400
        assert (await raw.refresh("ab_rt_x")).status_code == 401
        assert (await http.post(f"{team.url}/revoke", data={"token": "x", "client_id": client})).status_code == 401
