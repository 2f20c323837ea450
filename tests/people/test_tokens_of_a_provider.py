"""Tokens of an identity provider: which let somebody in, which do not, and how a provider changes its keys."""

import base64
import hmac
import json
import time
from collections.abc import Callable

import anyio
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from tests.kit.serving.processes import deadline
from tests.people.raw import Raw, challenge_of
from tests.people.scripted import Scripted, private_key, public_key, resource

from aboveboard.kit.people.identity.issuer import KEPT, PAUSE

pytestmark = pytest.mark.anyio


def by_hand(script: Scripted, at: str, alg: object) -> str:
    """Make all of a token but its signature."""
    claims = jwt.decode(script.token(at), options={"verify_signature": False})
    return ".".join(_encoded(json.dumps(one).encode()) for one in ({"alg": alg, "kid": "first"}, claims))


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def signed_with_the_public_key(script: Scripted, at: str) -> str:
    """Make a token whose shared secret is what everybody can read."""
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    secret = private_key("first").public_key().public_bytes(serialization.Encoding.PEM, form)
    unsigned = by_hand(script, at, "HS256")
    return f"{unsigned}.{_encoded(hmac.digest(secret, unsigned.encode(), 'sha256'))}"


Make = Callable[[Scripted, str], str]
GOOD: dict[str, Make] = {
    "as the standard has it": lambda script, at: script.token(at),
    "of no kind": lambda script, at: script.token(at, typ=None),
    "of the usual kind": lambda script, at: script.token(at, typ="JWT"),
    "of the long kind": lambda script, at: script.token(at, typ="application/at+jwt"),
    "with scopes that are none": lambda script, at: script.token(at, scope=False, scp=7),
    "for several audiences": lambda script, at: script.token(at, aud=["https://elsewhere", at]),
    "that names no key where there is but one": lambda script, at: script.token(at, kid=None),
    "with another good algorithm": lambda script, at: script.token(at, alg="PS256"),
    "that says the client as Keycloak does": lambda script, at: script.token(at, client_id=None, azp="claude"),
    "that ended a moment ago by our clock": lambda script, at: script.token(at, exp=int(time.time()) - 5),
}
BAD: dict[str, tuple[Make, str]] = {
    "of ours": (lambda _, __: "ab_at_nonsense", "it is not a signed token"),
    "with no signature": (lambda script, at: f"{by_hand(script, at, 'none')}.", "no key of the provider fits"),
    "with its signature cut off": (lambda script, at: script.token(at).rpartition(".")[0] + ".", "signature is wrong"),
    "whose algorithm is in other letters": (
        lambda script, at: f"{by_hand(script, at, 'None')}.",
        "no key of the provider fits",
    ),
    "signed with the public key": (signed_with_the_public_key, "no key of the provider fits"),
    "of another key": (lambda script, at: script.token(at, key="second", kid="first"), "signature is wrong"),
    "of an unknown key": (lambda script, at: script.token(at, key="second"), "no key of the provider fits"),
    "of an unknown key of another kind": (
        lambda script, at: script.token(at, key="ec", kid="first", alg="ES256"),
        "no key",
    ),
    "of another provider": (
        lambda script, at: script.token(at, iss="https://evil.example"),
        "another provider issued it",
    ),
    "of no provider": (lambda script, at: script.token(at, iss=None), "it lacks iss"),
    "for another audience": (lambda script, at: script.token("https://elsewhere/mcp"), "issued for another audience"),
    "for this origin": (lambda script, at: script.token(at.removesuffix("/mcp")), "issued for another audience"),
    "for no audience": (lambda script, at: script.token(at, aud=None), "it lacks aud"),
    "of nobody": (lambda script, at: script.token(at, sub=None), "it lacks sub"),
    "of an empty name": (lambda script, at: script.token(at, sub=""), "it lacks sub"),
    "to no client": (lambda script, at: script.token(at, client_id=None), "to which client"),
    "without an end": (lambda script, at: script.token(at, exp=None), "it lacks exp"),
    "that ended": (lambda script, at: script.token(at, exp=int(time.time()) - 3600), "it has expired"),
    "that begins later": (lambda script, at: script.token(at, nbf=int(time.time()) + 3600), "it does not hold yet"),
    "whose end is no time": (lambda script, at: script.token(at, exp="never"), "does not say when it ends"),
    "for logging out": (lambda script, at: script.token(at, typ="logout+jwt"), "it is not an access token"),
    "that asserts an identity": (
        lambda script, at: script.token(at, typ="oauth-id-jag+jwt"),
        "it is not an access token",
    ),
    "whose algorithm is no word": (
        lambda script, at: f"{by_hand(script, at, ['RS256'])}.",
        "no key of the provider fits",
    ),
    "with an extension that must be understood": (lambda script, at: _critical(script, at), "it is not a signed token"),
}


def _critical(script: Scripted, at: str) -> str:
    claims = jwt.decode(script.token(at), options={"verify_signature": False})
    header = {"kid": "first", "typ": "at+jwt", "crit": ["https://evil.example/x"], "https://evil.example/x": True}
    return jwt.encode(claims, private_key("first"), "RS256", header)


async def test_a_token_lets_somebody_in_who_is_told_to_connect(staff: Raw, script: Scripted) -> None:
    for case, make in GOOD.items():
        answer = await staff.call(make(script, resource(staff)), "tools/call", name="nc_notes_list_notes", arguments={})
        assert answer.status_code == 200, (case, answer.text)
        assert f"{staff.team.url}/connect?client=claude" in answer.text, case
    assert staff.team.arrived == []


async def test_a_token_lets_nobody_in_and_says_why(staff: Raw, script: Scripted) -> None:
    for case, (make, why) in BAD.items():
        answer = await staff.call(make(script, resource(staff)))
        assert answer.status_code == 401, (case, answer.text)
        assert why in answer.json()["error_description"], case
        assert challenge_of(answer)["error"] == "invalid_token", case
    nothing = await staff.http.post(resource(staff), json={})
    assert challenge_of(nothing) == {"resource_metadata": f"{staff.team.url}/.well-known/oauth-protected-resource/mcp"}


async def test_a_provider_changes_its_keys_and_what_it_took_back_ends(staff: Raw, script: Scripted) -> None:
    old, new = (
        script.token(resource(staff), exp=int(time.time()) + 90_000),
        script.token(resource(staff), key="second"),
    )
    assert (await staff.call(old)).status_code == 200
    script.keys = [public_key("first"), public_key("second")]
    staff.team.clock.now += PAUSE
    assert [(await staff.call(token)).status_code for token in (old, new)] == [200, 200]
    assert script.asked == 2
    script.keys = [public_key("second")]
    staff.team.clock.now += KEPT
    assert [(await staff.call(token)).status_code for token in (old, new)] == [401, 200]


async def test_made_up_names_of_keys_do_not_make_this_server_ask_without_end(staff: Raw, script: Scripted) -> None:
    for number in range(20):
        assert (await staff.call(script.token(resource(staff), kid=f"made-up-{number}"))).status_code == 401
    assert script.asked == 1
    staff.team.clock.now += PAUSE
    for number in range(20):
        assert (await staff.call(script.token(resource(staff), kid=f"made-up-{number}"))).status_code == 401
    assert script.asked == 2


async def test_keys_that_are_known_stay_good_while_the_provider_is_down(staff: Raw, script: Scripted) -> None:
    token = script.token(resource(staff), exp=int(time.time()) + 90_000)
    script.down = True
    for _ in range(3):
        answer = await staff.call(token)
        assert answer.status_code == 503
        assert "cannot be reached" in answer.json()["error_description"]
    assert script.looked_up == 1, "it is left alone for a while"
    script.down = False
    staff.team.clock.now += PAUSE
    assert (await staff.call(token)).status_code == 200
    script.down = True
    staff.team.clock.now += KEPT
    assert (await staff.call(token)).status_code == 200


async def test_a_provider_that_is_slow_holds_up_one_request_and_not_all(staff: Raw, script: Scripted) -> None:
    token, answered = script.token(resource(staff), exp=int(time.time()) + 90_000), list[int]()

    async def ask() -> None:
        answered.append((await staff.call(token)).status_code)

    await ask()
    script.answers = anyio.Event()
    staff.team.clock.now += KEPT
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask)
        with anyio.fail_after(deadline()):
            while script.looked_up < 2:  # noqa: ASYNC110 (a request that arrives sets no event)
                await anyio.sleep(0.005)
            await ask()
        assert answered == [200, 200], "the one that waits is still waiting"
        script.answers.set()
    assert answered == [200] * 3


async def test_a_provider_that_calls_itself_something_else_is_not_the_one(
    staff: Raw, script: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    script.calls_itself = "https://evil.example"
    assert (await staff.call(script.token(resource(staff)))).status_code == 503
    assert "set ABOVEBOARD_OIDC_ISSUER to just that" in caplog.text


async def test_a_provider_that_would_have_secrets_sent_in_the_open_is_not_asked(
    staff: Raw, script: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    for place in ("token_endpoint", "jwks_uri", "authorization_endpoint", "userinfo_endpoint"):
        script.more = {place: "http://login.example.org/here"}
        staff.team.clock.now += PAUSE
        caplog.clear()
        assert (await staff.call(script.token(resource(staff)))).status_code == 503, place
        assert "names an address that is not https" in caplog.text
    assert script.asked == 0


@pytest.mark.parametrize("more", [{"use": "enc"}, {"alg": "PS256"}])
async def test_a_key_that_is_for_something_else_signs_no_token(
    staff: Raw, script: Scripted, more: dict[str, str]
) -> None:
    script.keys = [{**public_key("first"), **more}]
    assert (await staff.call(script.token(resource(staff)))).status_code == 401
