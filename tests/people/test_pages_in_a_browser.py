"""The pages of a sign-in as a person sees them: a real browser of a phone's width, without JavaScript."""

import os
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from tests.browser import needs_chromium, started
from tests.people.processes import Deployment, alone, deployed_as_processes, free_port
from tests.people.provider import missing, provider, registered
from tests.people.raw import CHALLENGE
from tests.people.web import UNENCRYPTED

from aboveboard.nextcloud.sandbox import Sandbox

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = needs_chromium
PHONE = {"width": 360, "height": 740}
EVIL = "<img src=x onerror=alert(1)>Claude"


@pytest.fixture(scope="module")
def browser() -> "Generator[Browser]":
    """Start the browser, once."""
    with started() as chromium:
        yield chromium


@pytest.fixture
def phone(browser: "Browser") -> "Generator[BrowserContext]":
    """Open a phone's window without scripts, which notes what it asks for and what it complains of."""
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)  # pyright: ignore[reportArgumentType]
    context.set_default_timeout(60_000)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    yield context
    context.close()
    assert {urlsplit(url).hostname for url in asked} <= {"127.0.0.1"}


class _Client(BaseHTTPRequestHandler):
    """What a client on one's own machine shows in the end."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"Connected")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
        del format, args


@pytest.fixture
def callback() -> Generator[str]:
    """Listen as a client on one's own machine does."""
    server = HTTPServer(("127.0.0.1", 0), _Client)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/callback"
    server.shutdown()
    server.server_close()
    thread.join()


def authorize_url(deployment: Deployment, name: str, callback: str) -> str:
    body = {"redirect_uris": [callback], "client_name": name, "token_endpoint_auth_method": "none"}
    client = httpx2.post(f"{deployment.url}/register", json=body, trust_env=False, verify=UNENCRYPTED).json()[
        "client_id"
    ]
    asked = {"response_type": "code", "client_id": client, "redirect_uri": callback, "state": "s"}
    asked |= {"code_challenge": CHALLENGE, "code_challenge_method": "S256", "resource": f"{deployment.url}/mcp"}
    return f"{deployment.url}/authorize?{urlencode(asked)}"


def fits(page: "Page", folder: Path, name: str) -> None:
    """Look at a page: nothing is cut off at a phone's width."""
    page.screenshot(path=folder / f"{name}.png", full_page=True)
    width = page.locator("main").bounding_box()
    assert width is not None
    assert width["x"] + width["width"] <= PHONE["width"]
    for box in page.locator("button, a.button").all():
        size = box.bounding_box()
        if size is None or not box.is_visible():
            continue  # within what is folded
        assert size["height"] >= 40, "big enough for a finger"
        assert size["x"] + size["width"] <= PHONE["width"]


def log_in(page: "Page") -> None:
    """Go through Nextcloud's pages, in the tab that our link opened."""
    page.locator("#login-button").click()
    page.locator("input[name=user]").fill("bob")
    page.locator("input[name=password]").fill(Sandbox.passwords["bob"])
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("button", name="Grant access").click()
    page.get_by_text("You can close this window").wait_for()
    page.close()


def test_a_person_connects_changes_and_ends_a_client_on_a_phone(
    phone: "BrowserContext", callback: str, tmp_path: Path
) -> None:
    with alone(tmp_path) as deployment:
        page = phone.new_page()
        page.goto(authorize_url(deployment, EVIL, callback))
        assert page.locator("h1").inner_text() == f"{EVIL} wants to use your Nextcloud"
        assert "127.0.0.1" in page.locator("section").inner_text()
        assert "nobody has verified it" in page.locator("section").inner_text()
        assert page.locator("img").count() == 0
        fits(page, tmp_path, "consent")
        page.get_by_label("Look and add").check()
        page.locator("summary").click()
        assert page.get_by_label("Files", exact=True).is_checked()
        page.get_by_label("Sharing").uncheck()
        fits(page, tmp_path, "consent-open")
        page.get_by_role("button", name="Allow, and log in at Nextcloud").click()
        fits(page, tmp_path, "wait")
        with phone.expect_page() as opened:
            page.get_by_role("link", name="Log in at Nextcloud").click()
        log_in(opened.value)
        page.wait_for_url(f"{callback}**")
        landed = parse_qs(urlsplit(page.url).query)
        assert set(landed) == {"code", "state", "iss"}

        page.goto(f"{deployment.url}/account")
        assert "look and add, in" in page.locator("section").inner_text()
        fits(page, tmp_path, "account")
        page.get_by_text("Change what it may do").click()
        page.get_by_label("Only look").check()
        page.get_by_role("button", name="Save").click()
        assert "only look" in page.locator("section").inner_text()
        page.get_by_role("button", name="End access").click()
        assert "you have connected no AI client" in page.locator("main").inner_text()
        page.get_by_role("button", name="Log out of this page").click()
        fits(page, tmp_path, "enter")
        page.goto(f"{deployment.url}/connect/nonsense")
        fits(page, tmp_path, "error")


def test_a_person_who_says_no_is_sent_back_by_the_form(phone: "BrowserContext", callback: str, tmp_path: Path) -> None:
    with alone(tmp_path) as deployment:
        page = phone.new_page()
        page.goto(authorize_url(deployment, "Claude", callback))
        page.get_by_role("button", name="No", exact=True).click()
        page.wait_for_url(f"{callback}**")
        assert parse_qs(urlsplit(page.url).query)["error"] == ["access_denied"]


def test_a_person_who_logs_in_as_somebody_else_is_told_so_and_as_themselves_is_connected(
    phone: "BrowserContext", tmp_path: Path
) -> None:
    if why := missing():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(why)
    port = free_port()
    public = f"http://127.0.0.1:{port}"
    with provider() as issuer:
        ours = registered(issuer, public)
        settings = {
            "ABOVEBOARD_SIGN_IN": "oidc",
            "ABOVEBOARD_OIDC_ISSUER": issuer,
            "ABOVEBOARD_OIDC_CLIENT_ID": ours["client_id"],
            "ABOVEBOARD_OIDC_CLIENT_SECRET": ours["client_secret"].get_secret_value(),
        }
        with deployed_as_processes(tmp_path, [port], public, **settings):
            page = phone.new_page()
            for person, told in (("ada", "These are not the same person"), ("bob", f"{EVIL} is connected")):
                page.goto(f"{public}/connect?{urlencode({'client': EVIL})}")
                assert page.locator("h1").inner_text() == "An AI client wants to use your Nextcloud"
                assert EVIL in page.locator("section").inner_text()
                fits(page, tmp_path, "consent-for-a-provider")
                page.get_by_role("button", name="Allow, and log in").click()
                log_in_at_provider(page, person)
                page.get_by_role("heading", name="Log in at Nextcloud").wait_for()
                with phone.expect_page() as opened:
                    page.get_by_role("link", name="Log in at Nextcloud").click()
                log_in(opened.value)
                page.get_by_role("heading", name=told).wait_for()
                fits(page, tmp_path, told.split()[-1])
                phone.clear_cookies()


def log_in_at_provider(page: "Page", person: str) -> None:
    """Go through the provider's pages, to which ours led by itself."""
    page.locator("input[name=login]").fill(person)
    page.locator("input[name=password]").fill("any")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()
