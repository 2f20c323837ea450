"""The pages of a sign-in: each belongs to one browser, takes its own forms alone, and gives nothing away."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from tests.people.raw import VERIFIER, Raw, landed_on
from tests.people.team import agree, deployed, form_in, log_in_at_nextcloud, passwords_of, submit
from tests.people.web import plain

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


@pytest.fixture
async def raw(sandbox: Sandbox, tmp_path: Path) -> AsyncGenerator[Raw]:
    async with deployed(sandbox, str(tmp_path / "people.db"), tmp_path) as team, plain() as http:
        client = Raw(team, http)
        await client.register()
        yield client


async def test_a_second_browser_cannot_go_on_with_a_sign_in(raw: Raw) -> None:
    async with raw.team.browser() as first, raw.team.browser() as second:
        page = await first.get(raw.authorize_url(), follow_redirects=True)
        await second.get(raw.authorize_url(), follow_redirects=True)  # it has a sign-in, and so a cookie, of its own
        assert (await second.get(str(page.url))).status_code == 403
        assert (await submit(second, page, ("decision", "allow"))).status_code == 403
        assert (await submit(raw.http, page, ("decision", "allow"))).status_code == 403, "it has no cookie at all"
        decided = await submit(first, page, ("decision", "allow"))
        waiting = f"{page.url}/wait"
        assert decided.headers["location"].endswith("/wait")
        assert (await second.get(waiting)).status_code == 403
        assert (await first.get(waiting)).status_code == 200


@pytest.mark.parametrize("origin", [None, "null", "https://evil.example", "http://127.0.0.1"])
async def test_a_form_from_elsewhere_is_refused(raw: Raw, origin: str | None) -> None:
    async with raw.team.browser() as browser:
        page = await browser.get(raw.authorize_url(), follow_redirects=True)
        headers = {"content-type": "application/x-www-form-urlencoded"} | ({} if origin is None else {"origin": origin})
        answer = await browser.post(form_in(page).action, content=b"decision=allow&mode=full", headers=headers)
    assert answer.status_code == 403
    assert not [request for request in raw.team.arrived if "login/v2" in request.url.path]


async def test_a_sign_in_that_is_finished_or_too_old_is_over(raw: Raw) -> None:
    async with raw.team.browser() as browser:
        page = await browser.get(raw.authorize_url(), follow_redirects=True)
        raw.team.clock.now += 901
        assert (await browser.get(str(page.url))).status_code == 404
        assert (await submit(browser, page, ("decision", "allow"))).status_code == 404
        assert (await browser.get(f"{raw.team.url}/connect/nonsense")).status_code == 404
        await agree(raw.team, browser, raw.authorize_url(), "bob")
        done = (await browser.get(f"{page.url}/wait")).status_code
    assert done == 404


async def test_a_sign_in_goes_on_after_another_was_finished_in_the_same_browser(raw: Raw) -> None:
    async with raw.team.browser() as browser:
        page = await browser.get(raw.authorize_url(), follow_redirects=True)
        await agree(raw.team, browser, raw.authorize_url(), "bob")
        decided = await submit(browser, page, ("decision", "allow"))
    assert decided.headers.get("location", decided.text).endswith("/wait")


async def test_a_person_who_unticks_everything_is_told_that_nothing_is_left(raw: Raw) -> None:
    async with raw.team.browser() as browser:
        page = await browser.get(raw.authorize_url(), follow_redirects=True)
        decided = await submit(browser, page, ("decision", "allow"), ("area", ""))
    assert (decided.status_code, "No area was chosen" in decided.text) == (400, True)
    assert not [request for request in raw.team.arrived if "login/v2" in request.url.path]


async def test_a_person_who_says_no_grants_nothing(raw: Raw) -> None:
    async with raw.team.browser() as browser:
        landed = await agree(raw.team, browser, raw.authorize_url(), "bob", decision="deny")
    assert landed_on(landed) == {"error": "access_denied", "state": "s-1", "iss": raw.team.url}
    assert raw.team.arrived == []


async def test_a_person_whom_the_operator_does_not_let_in_leaves_no_password_behind(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    before = sandbox.dump()
    async with deployed(sandbox, str(tmp_path / "db"), tmp_path, allowed_people=["admin"]) as team, plain() as http:
        raw = Raw(team, http)
        await raw.register()
        async with team.browser() as browser:
            page = await browser.get(raw.authorize_url(), follow_redirects=True)
            await submit(browser, page, ("decision", "allow"))
            waiting = await browser.get(f"{page.url}/wait")
            await log_in_at_nextcloud(browser, waiting, "bob")
            team.clock.now += 2
            done = await browser.get(f"{page.url}/wait")
    assert done.status_code == 403
    assert "has not let you in" in done.text
    assert passwords_of(sandbox.dump(), "bob") == passwords_of(before, "bob")


async def test_every_page_is_closed_to_scripts_frames_and_caches_and_tells_no_secret(raw: Raw) -> None:
    evil = '<script>alert(1)</script>"onload="x\u202etxt'
    await raw.register(client_name=evil)
    async with raw.team.browser() as browser:
        consent = await browser.get(raw.authorize_url(), follow_redirects=True)
        decided = await submit(browser, consent, ("decision", "allow"))
        waiting = await browser.get(f"{consent.url}/wait")
        await log_in_at_nextcloud(browser, waiting, "bob")
        raw.team.clock.now += 2
        done = await browser.get(f"{consent.url}/wait")
        account = await browser.get(f"{raw.team.url}/account")
        error = await browser.get(f"{raw.team.url}/connect/nonsense")
    enter = await raw.http.get(f"{raw.team.url}/account")
    for page in (consent, waiting, account, error, enter):
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "script" not in policy
        assert page.headers["cache-control"] == "no-store"
        assert "<script" not in page.text
        assert "\u202e" not in page.text
        assert not re.search(r'(src|href)="(https?:)?//(?!nextcloud|127\.0\.0\.1)', page.text)
        assert "ab_" not in page.text
        assert VERIFIER not in page.text
    for answer in (decided, done):
        assert answer.headers["cache-control"] == "no-store"
