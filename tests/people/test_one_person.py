"""Who is in front of a browser by the word of an identity provider, and when the service knows the same person."""

from typing import Any, Final

import httpx2
import pytest
from tests.people.raw import Raw, landed_on
from tests.people.scripted import Scripted
from tests.people.team import submit

from aboveboard.errors import BadInput
from aboveboard.kit.people.adapter import Identity, SignInFailed
from aboveboard.kit.people.identity.matching import Match
from aboveboard.kit.people.settings import OidcSettings, PeopleSettings
from aboveboard.kit.people.sign_in_mode import SignInMode

pytestmark = pytest.mark.anyio
BOB: Final = {"preferred_username": "bob"}
LOGINS: dict[str, tuple[dict[str, Any], dict[str, Any], int]] = {
    "as it should be": (BOB, {}, 303),
    "with the rest told on request": ({}, {"sub": "bob", **BOB}, 303),
    "of another login": ({**BOB, "nonce": "another"}, {}, 502),
    "of no login": ({**BOB, "nonce": None}, {}, 502),
    "for another client": ({**BOB, "aud": "other"}, {}, 502),
    "issued to another client": ({**BOB, "azp": "other"}, {}, 502),
    "of another provider": ({**BOB, "iss": "https://evil.example"}, {}, 502),
    "that ended": ({**BOB, "exp": 1_700_000_000}, {}, 502),
    "of another key": ({**BOB, "key": "second", "kid": "first"}, {}, 502),
    "of nobody": ({**BOB, "sub": None}, {}, 502),
    "with the rest told of another person": ({}, {"sub": "ada", **BOB}, 502),
    "with no name that could be compared": ({}, {"sub": "bob"}, 502),
}


async def back_from(script: Scripted, staff: Raw, claims: dict[str, Any], **more: str) -> httpx2.Response:
    """Let a browser come back from the provider, which says these claims of who is in front of it."""
    async with staff.team.browser() as browser:
        consent = await browser.get(f"{staff.team.url}/connect?client=claude", follow_redirects=True)
        await submit(browser, consent, ("decision", "allow"))
        sent = landed_on((await browser.get(f"{consent.url}/wait")).headers["refresh"].partition("url=")[2])
        script.identity = {"nonce": sent["nonce"], "client_id": None, **claims}
        back = {"code": "c", "state": sent["state"], **more}
        return await browser.get(f"{staff.team.url}/connect/identified", params=back)


async def test_an_identity_token_is_taken_where_it_is_of_this_login_and_for_us(staff: Raw, script: Scripted) -> None:
    for case, (claims, userinfo, status) in LOGINS.items():
        script.userinfo = userinfo
        answer = await back_from(script, staff, claims)
        assert answer.status_code == status, (case, answer.text)
        started = [request for request in staff.team.arrived if request.url.path.endswith("/login/v2")]
        assert len(started) == (status == 303), case
        staff.team.arrived.clear()


async def test_a_provider_that_says_that_it_names_itself_in_answers_is_held_to_it(staff: Raw, script: Scripted) -> None:
    script.more = {"authorization_response_iss_parameter_supported": True}
    assert (await back_from(script, staff, BOB)).status_code == 502
    assert (await back_from(script, staff, BOB, iss="https://evil.example")).status_code == 502
    assert (await back_from(script, staff, BOB, iss=script.url)).status_code == 303


@pytest.mark.parametrize(
    ("text", "claims", "who", "same"),
    [
        ("preferred_username=id", {"preferred_username": "bob"}, Identity("bob", "Bob"), True),
        ("preferred_username=id", {"preferred_username": "Bob"}, Identity("bob", "Bob"), False),
        ("preferred_username=id", {"preferred_username": "bob "}, Identity("bob", "Bob"), False),
        ("sub = id", {"sub": "bob"}, Identity("bob", "Bob"), True),
        ("email=email", {"email": "B@x.org", "email_verified": True}, Identity("1", "Bob", "b@X.org"), True),
        ("email=email", {"email": "b@x.org", "email_verified": True}, Identity("1", "Bob", None), False),
        ("email=email", {"email": "b@x.org", "email_verified": True}, Identity("b@x.org", "Bob", "c@x.org"), False),
        ("email=email", {"email": "b@x.org", "email_verified": "true"}, Identity("1", "Bob", "b@x.org"), None),
        ("email=email", {"email": "b@x.org"}, Identity("1", "Bob", "b@x.org"), None),
        ("email=id", {"email": "b@x.org"}, Identity("b@x.org", "Bob"), None),
        ("upn=email", {"upn": "b@x.org"}, Identity("1", "Bob", "b@x.org"), True),
        ("preferred_username=id", {}, Identity("None", "Bob"), None),
        ("preferred_username=id", {"preferred_username": ""}, Identity("", "Bob"), None),
        ("preferred_username=id", {"preferred_username": ["bob"]}, Identity("bob", "Bob"), None),
    ],
)
async def test_two_identities_are_one_person_only_where_both_sides_say_so(
    text: str, claims: dict[str, Any], who: Identity, same: object
) -> None:
    match = Match.parse(text)
    if same is None:
        with pytest.raises(SignInFailed):
            match.told(claims)
    else:
        assert match.is_same(match.told(claims), who) is same


@pytest.mark.parametrize("text", ["", "email", "=id", "email=name", "email=id=x"])
async def test_a_match_that_says_nothing_is_refused_at_the_start(text: str) -> None:
    with pytest.raises(BadInput, match="preferred_username=id"):
        Match.parse(text)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, "needs ABOVEBOARD_OIDC_ISSUER"),
        ({"issuer": "http://login.example.org"}, "needs ABOVEBOARD_OIDC_ISSUER"),
        ({"issuer": "https://login.example.org"}, "needs ABOVEBOARD_OIDC_CLIENT_ID"),
    ],
)
async def test_what_cannot_work_is_said_at_the_start(settings: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        PeopleSettings(
            mode=SignInMode.OIDC, public_url="https://mcp.example.org", oidc=OidcSettings(**settings)
        ).check()


@pytest.mark.parametrize("audience", ["", "x", "https://mcp.example.org/mcp"])
async def test_what_identity_tokens_are_issued_for_lets_nobody_in(audience: str) -> None:
    resource = "https://mcp.example.org/mcp"
    known_by = OidcSettings(client_id=audience or resource, audience=audience)
    with pytest.raises(BadInput, match="must not be ABOVEBOARD_OIDC_CLIENT_ID"):
        known_by.audience_for(resource)
    assert OidcSettings(client_id="aboveboard", audience=audience).audience_for(resource) == (audience or resource)
