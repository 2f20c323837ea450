"""What a server over HTTP tells strangers: asked for without credentials, within bounds, and shown in every report."""

import json
from collections.abc import Callable
from typing import Any

import anyio
import httpx2
import pytest
from tests.audit.corpus import TOKEN
from tests.audit.liars.gate import HOME, RESOURCE, SIGN_IN, Gate, gate
from tests.audit.web_stage import Request, Site, serving
from tests.cli.command import in_process

from aboveboard.audit.evidence import AuthorizationServer, Challenge, ProtectedResource
from aboveboard.audit.judge import judge
from aboveboard.audit.probe.sign_in import as_a_stranger, bearer_challenge
from aboveboard.audit.probe.wire import LARGEST
from aboveboard.audit.rule import Profile

pytestmark = pytest.mark.anyio
BEARER = {"Authorization": f"Bearer {TOKEN}"}
ANYTHING: tuple[Any, ...] = (5, [], {}, "\x1b[31m")
Audit = Callable[..., tuple[int, str]]


@pytest.fixture
def audit(capsys: pytest.CaptureFixture[str]) -> Audit:
    """Audit as one types it, and return the exit code and what was printed."""

    def go(*arguments: str) -> tuple[int, str]:
        ran = in_process("audit", *arguments, capsys=capsys)
        return ran.returncode, ran.stdout

    return go


@pytest.mark.parametrize("form", ["terminal", "json", "sarif", "junit", "markdown", "html"])
def test_a_server_that_nobody_gets_into_is_judged_by_what_it_tells_strangers(form: str, audit: Audit) -> None:
    with serving(Site(token=TOKEN, gate=gate(sign_in={"code_challenge_methods_supported": None}))) as site:
        code, text = audit(site.url, "--format", form)
    assert code == 2, "the tools could not be read"
    assert "AUT08" in text
    assert "wants credentials" in text


def test_junit_has_a_case_for_each_rule_about_a_server_that_could_not_be_read(audit: Audit) -> None:
    with serving(Site(token=TOKEN, gate=gate(without="/.well-known/oauth-authorization-server"))) as site:
        _, text = audit(site.url, "--format", "junit")
    applied = [number for number in range(1, 13) if f'name="AUT{number:02} ' in text]
    assert applied == [1, 2, 3, 4, 5, 6], "of a document that is not there, nothing is said"
    assert 'name="ANN01' not in text
    assert 'tests="7" failures="1" skipped="0" errors="1"' in text


def test_a_token_opens_the_server_and_is_sent_to_no_public_document(audit: Audit) -> None:
    with serving(Site(token=TOKEN, gate=gate(challenge={"scope": None}))) as site:
        code, text = audit(site.url, "--token", TOKEN, "--header", "X-Tenant: 7", "-v")
    assert code == 0
    assert "answers 401 without a `scope`, and has the scopes read, write" in text
    assert "2 tools" in text
    public = [headers for verb, _, headers in site.asked if verb == "GET"]
    assert len(public) == 2
    assert not [one for one in public if "authorization" in one or "x-tenant" in one]
    assert len([one for verb, _, one in site.asked if verb == "POST" and "authorization" not in one]) == 1


def test_a_server_that_lets_everyone_in_is_asked_nothing_more(audit: Audit) -> None:
    with serving(Site()) as site:
        audit(site.url)
    assert {verb for verb, _, _ in site.asked} == {"POST"}


def test_a_refusal_in_the_words_of_the_protocol_is_a_refusal(audit: Audit) -> None:
    def refuse(request: Request) -> bool:
        refused = request.command == "POST"
        if refused:
            body = b'{"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "Unauthorized"}}'
            request.reply(401, body, "application/json")
        return refused

    with serving(Site(handle=refuse, gate=gate())) as site:
        _, text = audit(site.url)
    assert "HTTP status 401. It wants credentials" in text
    assert "AUT02  its 401 has no Bearer challenge; the document is at" in text


def test_another_host_is_named_and_not_asked(audit: Audit) -> None:
    elsewhere = gate(resource={"authorization_servers": ["https://accounts.example.com"]})
    with serving(Site(token=TOKEN, gate=elsewhere)) as site:
        for form in ("terminal", "markdown", "json", "html"):
            _, text = audit(site.url, "--token", TOKEN, "--format", form)
            assert "which is on another host and was not asked" in " ".join(text.split())
            assert "AUT" not in text


def _site(gate: Gate, home: str, asked: list[str]) -> httpx2.MockTransport:
    opened = gate.at(home)

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(str(request.url))
        if request.method == "POST":
            return httpx2.Response(401, headers={"WWW-Authenticate": opened.challenge})
        text = opened.documents.get(request.url.path)
        return httpx2.Response(404) if text is None else httpx2.Response(200, text=text)

    return httpx2.MockTransport(answer)


@pytest.mark.parametrize("inside", ["http://127.0.0.1:9/admin", "http://localhost/x", "https://[::1]"])
async def test_a_server_elsewhere_cannot_send_the_auditor_to_this_machine(inside: str) -> None:
    asked: list[str] = []
    bait = gate(challenge={"resource_metadata": inside}, resource={"authorization_servers": [inside]})
    told = await as_a_stranger("https://notes.example/mcp", transport=_site(bait, "https://notes.example", asked))
    assert {httpx2.URL(one).host for one in asked} == {"notes.example"}
    assert [type(one) for one in told] == [Challenge, ProtectedResource]
    assert judge(told, list(Profile)) == []


async def test_what_an_address_holds_of_secrets_is_not_sent() -> None:
    asked: list[str] = []
    at = "https://me:word@notes.example/mcp?key=abc"
    await as_a_stranger(at, transport=_site(gate(), "https://notes.example", asked))
    assert asked[0] == "https://notes.example/mcp"
    assert not [one for one in asked if "word" in one or "abc" in one]


async def test_a_document_is_followed_within_its_origin_only() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        path = request.url.path
        if request.method == "POST":
            return httpx2.Response(401, headers={"WWW-Authenticate": 'Bearer resource_metadata="/moved"'})
        if path == "/moved":
            return httpx2.Response(307, headers={"Location": "/there"})
        if path == "/there":
            return httpx2.Response(200, json={"resource": "https://notes.example", "authorization_servers": []})
        return httpx2.Response(307, headers={"Location": "https://mail.example/x"})

    challenge, resource = await as_a_stranger("https://notes.example/mcp", transport=httpx2.MockTransport(answer))
    assert isinstance(challenge, Challenge)
    assert challenge.named is not None
    assert challenge.named.url == "https://notes.example/moved"
    assert isinstance(resource, ProtectedResource)


@pytest.mark.parametrize(
    "wrong",
    [
        {"authorization_servers": "https://notes.example", "scopes_supported": 5, "resource": ["x"]},
        {"authorization_servers": ["", "no address", "ftp://x", "http://[::1", 5, None, "https://:0"]},
        {"authorization_servers": ["https://notes.example/\ud800", "https://notes.example/\x00"]},
        {"scopes_supported": [{"a": 1}], "resource": "http://[broken", "authorization_servers": {}},
    ],
)
async def test_documents_that_hold_anything_at_all_are_judged(wrong: dict[str, Any]) -> None:
    transport = _site(gate(resource=wrong), "https://notes.example", [])
    told = await as_a_stranger("https://notes.example/mcp", transport=transport)
    assert judge(told, list(Profile))


@pytest.mark.parametrize(
    "wrong",
    [dict.fromkeys(SIGN_IN, one) for one in ANYTHING],
)
async def test_the_document_of_an_issuer_may_hold_anything_at_all(wrong: dict[str, Any]) -> None:
    told = await as_a_stranger(
        "https://notes.example/mcp", transport=_site(gate(sign_in=wrong), "https://notes.example", [])
    )
    assert isinstance(told[-1], AuthorizationServer)
    found = judge(told)
    assert {"AUT07", "AUT08", "AUT10", "AUT11", "AUT12"} <= {one.rule for one in found}
    assert not [one for one in found if "\x1b" in one.message]


@pytest.mark.parametrize("named", ["http://[::1", "https://me:word@notes.example/x", "ftp://notes.example/x"])
async def test_an_address_that_is_none_leads_nowhere(named: str) -> None:
    transport = _site(gate(challenge={"resource_metadata": named}), "https://notes.example", [])
    (found,) = judge(await as_a_stranger("https://notes.example/mcp", transport=transport))
    assert (found.rule, found.message.endswith("which is not a web address")) == ("AUT02", True)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<html>", "is not JSON"),
        ("[]", "is not a JSON object"),
        ("NaN", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        (f'{{"a": "{"x" * LARGEST}"}}', "is larger than any such document"),
    ],
)
async def test_a_document_that_is_none_is_missing(text: str, why: str) -> None:
    broken = Gate(gate().challenge, {"/.well-known/oauth-protected-resource/mcp": text})
    told = await as_a_stranger("https://notes.example/mcp", transport=_site(broken, "https://notes.example", []))
    (found,) = judge(told)
    assert (found.rule, found.message.endswith(why)) == ("AUT02", True)


async def test_a_server_on_this_machine_that_names_its_public_address_gets_a_note() -> None:
    public = gate(
        challenge={"resource_metadata": "https://notes.example/.well-known/oauth-protected-resource/mcp"},
        resource={"resource": "https://notes.example/mcp", "authorization_servers": ["https://notes.example"]},
    )
    told = await as_a_stranger("http://127.0.0.1:3100/mcp", transport=_site(public, "http://127.0.0.1:3100", []))
    found = judge(told, list(Profile))
    assert {(one.rule, one.severity.value) for one in found} == {("AUT04", "info")}


async def test_a_document_that_is_redirected_in_a_circle_is_given_up() -> None:
    def turn(request: httpx2.Request) -> httpx2.Response:
        asked.append(str(request.url))
        if request.method == "POST":
            return httpx2.Response(401, headers={"WWW-Authenticate": 'Bearer resource_metadata="/a"'})
        return httpx2.Response(302, headers={"Location": str(request.url)})

    asked: list[str] = []
    (found,) = judge(await as_a_stranger("https://notes.example/mcp", transport=httpx2.MockTransport(turn)))
    assert (found.rule, found.message.endswith("which is redirected without end")) == ("AUT02", True)
    assert len(asked) < 20


@pytest.mark.parametrize("scheme", ["https", "HTTPS"])
async def test_an_endpoint_is_safe_however_its_scheme_is_spelt(scheme: str) -> None:
    spelt = gate(sign_in={"token_endpoint": f"{scheme}://notes.example/token"})
    told = await as_a_stranger("https://notes.example/mcp", transport=_site(spelt, "https://notes.example", []))
    assert judge(told, list(Profile)) == []


async def test_a_document_that_never_ends_is_not_waited_for() -> None:
    async def drip(request: httpx2.Request) -> httpx2.Response:
        if request.method == "GET":
            await anyio.sleep_forever()
        return httpx2.Response(401)

    assert await as_a_stranger("https://notes.example/mcp", 0.01, httpx2.MockTransport(drip)) == ()


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        ([], None),
        (['Basic realm="Bearer scope=x"'], None),
        (["Bearer"], {}),
        (['bearer Scope="a b", error=invalid_token'], {"scope": "a b", "error": "invalid_token"}),
        (['Basic realm="x, y", Bearer scope="read"'], {"scope": "read"}),
        (['Bearer scope="read", Basic realm="x", scope="no"'], {"scope": "read"}),
        (["Basic realm=x", 'Bearer realm="a \\"quoted\\" word"'], {"realm": 'a "quoted" word'}),
        (["Bearer resource_metadata=https://notes.example/x"], {"resource_metadata": "https://notes.example/x"}),
    ],
)
def test_the_challenge_is_read_as_clients_read_it(headers: list[str], found: dict[str, str] | None) -> None:
    assert bearer_challenge(headers) == found


def test_the_corpus_names_its_home_once_it_listens() -> None:
    assert HOME not in json.dumps(gate().at("http://127.0.0.1:1").documents)


async def _found(sign_in: dict[str, Any]) -> set[tuple[str, str]]:
    transport = _site(gate(sign_in=sign_in), "https://notes.example", [])
    return {
        (one.rule, one.severity.value)
        for one in judge(await as_a_stranger("https://notes.example/mcp", transport=transport))
    }


async def test_clients_that_must_be_entered_by_hand_are_a_warning_and_those_that_register_a_note() -> None:
    by_hand: dict[str, Any] = {"client_id_metadata_document_supported": None, "registration_endpoint": None}
    secret = {"token_endpoint_auth_methods_supported": ["client_secret_basic"]}
    assert await _found({**by_hand, **secret}) == {("AUT10", "warning")}, "no documents, so no `none`"
    registering = {**by_hand, "registration_endpoint": "https://notes.example/register"}
    assert await _found(registering) == {("AUT10", "info")}


@pytest.mark.parametrize("name", ["registration", "revocation", "introspection"])
async def test_every_endpoint_in_the_clear_is_named(name: str) -> None:
    assert await _found({f"{name}_endpoint": "http://notes.example/x"}) == {("AUT12", "error")}
    assert await _found({"jwks_uri": "http://notes.example/keys"}) == {("AUT12", "error")}


async def test_one_scope_of_the_resource_that_the_challenge_leaves_out_is_a_note() -> None:
    alone = gate(challenge={"scope": None}, resource={"scopes_supported": ["read"]})
    told = await as_a_stranger("https://notes.example/mcp", transport=_site(alone, "https://notes.example", []))
    (found,) = judge(told)
    assert (found.rule, found.severity.value) == ("AUT03", "info")
    assert found.message.endswith("its document lists read alone")


async def test_a_server_of_the_time_before_resources_is_judged_by_its_authorization_server() -> None:
    """MCP 2025-03-26 had that at the origin, for clients to find without being told; it may have another name."""
    older = gate(
        challenge={"resource_metadata": None, "scope": None},
        sign_in={"issuer": "https://accounts.example", "code_challenge_methods_supported": None},
        without=RESOURCE,
    )
    told = await as_a_stranger("https://notes.example/mcp", transport=_site(older, "https://notes.example", []))
    found = {one.rule: one.message for one in judge(told)}
    assert found.keys() == {"AUT01", "AUT08"}
    place = "https://notes.example/.well-known/oauth-authorization-server"
    assert found["AUT01"].endswith(f"; there is '{place}' alone, as MCP 2025-03-26 had it")


async def test_a_neighbour_whose_path_begins_alike_is_another_resource() -> None:
    transport = _site(gate(resource={"resource": "https://notes.example/mc"}), "https://notes.example", [])
    (found,) = judge(await as_a_stranger("https://notes.example/mcp", transport=transport))
    assert found.rule == "AUT04"


async def test_of_many_issuers_only_some_are_asked() -> None:
    asked: list[str] = []
    many = gate(resource={"authorization_servers": [f"https://notes.example/{one}" for one in range(500)]})
    await as_a_stranger("https://notes.example/mcp", transport=_site(many, "https://notes.example", asked))
    assert len(asked) < 30


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_no_redirect_leads_the_auditor_to_another_host(method: str) -> None:
    asked: list[str] = []

    def move(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.host)
        if request.method == method:
            return httpx2.Response(307, headers={"Location": "https://inside.example/x"})
        return httpx2.Response(401)

    await as_a_stranger("https://notes.example/mcp", transport=httpx2.MockTransport(move))
    assert set(asked) == {"notes.example"}
