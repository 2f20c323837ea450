"""A team's server over a sandbox, the people who sign in to it, and the AI clients that they use."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urljoin, urlsplit

import anyio
import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
from pydantic import AnyUrl
from starlette.types import ASGIApp
from tests.patience import patience
from tests.people import lightdash
from tests.people.stores import with_tables
from tests.people.web import UNENCRYPTED, served
from tests.sessions import Era

from aboveboard.cli.demo.people.assistant import Kept
from aboveboard.kit.people.documents import Fetched, NoDocument
from aboveboard.kit.people.serving import people_app
from aboveboard.kit.people.settings import PeopleSettings
from aboveboard.kit.people.sign_in_mode import SignInMode
from aboveboard.kit.policy import Policy
from aboveboard.kit.serving.web import WebSettings
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.server import SERVICE
from aboveboard.nextcloud.settings import Place
from aboveboard.nextcloud.sign_in import NextcloudSignIn

BACKEND: Final = "http://nextcloud"
CALLBACK: Final = "http://127.0.0.1:9/callback"
"""Where no one listens: the test itself is the client that would."""


@dataclass
class Clock:
    """Time that passes when a test says so."""

    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Team:
    """One deployment."""

    url: str
    sandbox: Sandbox | lightdash.Sandbox
    clock: Clock
    arrived: list[httpx2.Request]
    """What was sent to Nextcloud."""
    documents: dict[str, bytes] = field(default_factory=dict[str, bytes])
    pause: float = 0.0
    """Between two looks at a waiting page, where the server is another process with a clock of its own."""

    def browser(self) -> httpx2.AsyncClient:
        """Open a browser that reaches the team's server and Nextcloud, and keeps its cookies."""
        backend = {"http://nextcloud": httpx2.ASGITransport(self.sandbox.app)}
        return httpx2.AsyncClient(mounts=backend, timeout=patience(60), trust_env=False, verify=UNENCRYPTED)


class Recorded(httpx2.AsyncBaseTransport):
    """The way to an application, and what passes it."""

    def __init__(self, app: ASGIApp, arrived: list[httpx2.Request]) -> None:
        self._inner, self._arrived = httpx2.ASGITransport(app), arrived

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self._arrived.append(request)
        return await self._inner.handle_async_request(request)


@asynccontextmanager
async def deployed(
    sandbox: Sandbox | lightdash.Sandbox, store: str, folder: Path, **options: Any
) -> AsyncGenerator[Team]:
    """Serve a team."""
    team = Team("", sandbox, options.pop("clock", Clock()), [])
    if "://" not in store:
        with_tables(Path(store))
    async with served(lambda url: deployment(team, url, store, folder, **options)) as url:
        team.url = url
        yield team


def deployment(team: Team, url: str, store: str, folder: Path, **options: Any) -> ASGIApp:
    """Make the application of a team's server at an address."""

    async def fetch(url: str) -> Fetched:
        if url not in team.documents:
            raise NoDocument("there is none")
        return Fetched(team.documents[url], 3600)

    async def ready() -> None: ...

    policy, observers = options.pop("policy", Policy()), options.pop("observers", ())
    place: lightdash.Place | None = options.pop("place", None)
    service: Any = options.pop("service", SERVICE)
    public = options.pop("public_url", url)
    defaults: dict[str, Any] = {"mode": SignInMode.CONNECT, "check_streams_every": 0.2, "calls_a_minute": 100_000}
    settings = PeopleSettings(
        **(defaults | options),
        public_url=public,
        store=store,
        store_keys=str(folder / "keys"),
        clock=team.clock,
        fetch=fetch,
    )
    recorded = Recorded(team.sandbox.app, team.arrived)
    sign_in: Any = NextcloudSignIn(Place(BACKEND, BACKEND), recorded)
    if isinstance(team.sandbox, lightdash.Sandbox):
        place = place or lightdash.Place(BACKEND, BACKEND)
        service, sign_in = lightdash.SERVICE, lightdash.LightdashSignIn(place, recorded, clock=team.clock)
    return people_app(service, sign_in, settings, WebSettings(), ready=ready, policy=policy, observers=observers)


@dataclass
class Form:
    """A form on a page: where it goes, and what it holds."""

    action: str
    fields: list[tuple[str, str]]


def form_in(page: httpx2.Response) -> Form:
    """Read the first form of a page as a browser does."""
    text = page.text
    tag = re.search(r"<form[^>]*>", text)
    assert tag is not None, text
    action = re.search(r'action="([^"]*)"', tag[0])
    fields: list[tuple[str, str]] = []
    for found in re.findall(r"<input[^>]*>", text[tag.start() :]):
        values = {name: unescape(value) for name, value in re.findall(r'(\w+)="([^"]*)"', found)}
        if values.get("type") in ("radio", "checkbox") and " checked" not in found:
            continue
        if "name" in values:
            fields.append((values["name"], values.get("value", "")))
    return Form(urljoin(str(page.url), unescape(action[1]) if action else ""), fields)


async def submit(browser: httpx2.AsyncClient, page: httpx2.Response, *more: tuple[str, str]) -> httpx2.Response:
    """Send the form of a page, as it stands but for what is given."""
    form, given = form_in(page), {name for name, _ in more}
    content = str(httpx2.QueryParams([*((n, v) for n, v in form.fields if n not in given), *more]))
    origin = f"{urlsplit(form.action).scheme}://{urlsplit(form.action).netloc}"
    headers = {"Origin": origin, "Content-Type": "application/x-www-form-urlencoded"}
    return await browser.post(form.action, content=content.encode(), headers=headers)


async def log_in_at_nextcloud(browser: httpx2.AsyncClient, page: httpx2.Response, user: str) -> None:
    """Click through Nextcloud's own pages, from the link on ours."""
    link = re.search(r'<a class="button" href="([^"]+)"', page.text)
    assert link is not None, page.text
    picker = await browser.get(unescape(link[1]), follow_redirects=True)
    onward = re.search(r'id="login-button" href="([^"]+)"', picker.text)
    assert onward is not None, picker.text
    form = await browser.get(urljoin(str(picker.url), unescape(onward[1])), follow_redirects=True)
    if "Log in to Nextcloud" in form.text:
        answered = await submit(browser, form, ("user", user), ("password", f"sandbox-{user}-login"))
        form = await browser.get(answered.headers["location"])
    granted = await submit(browser, form)
    assert "Account connected" in granted.text, granted.text


async def log_in_at_lightdash(browser: httpx2.AsyncClient, page: httpx2.Response, user: str) -> str:
    """Click through Lightdash's own pages, which lead back to ours, and return where that sends the browser."""
    return (await approve_at_lightdash(browser, page, user)).headers["location"]


async def approve_at_lightdash(browser: httpx2.AsyncClient, page: httpx2.Response, user: str) -> httpx2.Response:
    """Click through Lightdash's own pages, and return ours to which they lead back."""
    link = re.search(r'<a class="button" href="([^"]+)"', page.text)
    assert link is not None, page.text
    form = await browser.get(unescape(link[1]), follow_redirects=True)
    answered = await submit(browser, form, ("email", user), ("password", lightdash.Sandbox.password))
    consent = await browser.get(urljoin(str(answered.url), answered.headers["location"]))
    approved = await submit(browser, consent, ("approve", "true"))
    back = re.search(r'content="0;url=([^"]+)"', approved.text)
    assert back is not None, approved.text
    return await browser.get(unescape(back[1]))


def passwords_of(state: dict[str, object], user: str) -> set[str]:
    """Return the app passwords of somebody in a sandbox's state."""
    return {key for key in state if key.startswith(f"users/{user}/app_passwords/")}


async def agree(
    team: Team, browser: httpx2.AsyncClient, url: str, user: str, *choice: tuple[str, str], decision: str = "allow"
) -> str:
    """Go through a whole sign-in, and return where the browser is sent in the end."""
    page = await browser.get(url, follow_redirects=True)
    assert page.status_code == 200, page.text
    decided = await submit(browser, page, *choice, ("decision", decision))
    if decision == "deny":
        return decided.headers["location"]
    waiting = await browser.get(urljoin(str(decided.url), decided.headers["location"]))
    if isinstance(team.sandbox, lightdash.Sandbox):
        return await log_in_at_lightdash(browser, waiting, user)
    await log_in_at_nextcloud(browser, waiting, user)
    return await finish(team, browser, str(waiting.url))


async def finish(team: Team, browser: httpx2.AsyncClient, waiting: str) -> str:
    """Look at the waiting page until it goes on."""
    for _ in range(200):
        team.clock.now += 2
        await anyio.sleep(team.pause)
        done = await browser.get(waiting)
        if "location" in done.headers:
            return done.headers["location"]
        assert done.status_code == 200, done.text
    raise AssertionError("the page waits for ever")


@dataclass
class Assistant:
    """An AI client of one person: the SDK's own OAuth client, and the person's browser."""

    team: Team
    user: str
    choice: tuple[tuple[str, str], ...] = ()
    name: str = "Test client"
    document: str | None = None
    kept: Kept = field(default_factory=Kept)
    sign_ins: int = 0
    opened: list[str] = field(default_factory=list[str])

    @asynccontextmanager
    async def connected(self, era: Era = "auto", at: str = "") -> AsyncGenerator[Client]:
        """Open an MCP session; the sign-in happens by itself where it is needed."""
        async with self.http(at) as http:
            url = f"{at or self.team.url}/mcp"
            async with Client(streamable_http_client(url, http_client=http), mode=era) as client:
                yield client

    async def approve(self, browser: httpx2.AsyncClient, url: str) -> str:
        """Let the person agree in their browser, and return where that is sent."""
        return await agree(self.team, browser, url, self.user, *self.choice)

    def http(self, at: str = "") -> httpx2.AsyncClient:
        """Make the HTTP client that signs in when it is asked to."""
        landed: list[str] = []

        async def open_browser(url: str) -> None:
            self.sign_ins += 1
            self.opened.append(url)
            async with self.team.browser() as browser:
                landed.append(await self.approve(browser, url))

        async def take_answer() -> AuthorizationCodeResult:
            values = dict(parse_qsl(urlsplit(landed.pop()).query))
            return AuthorizationCodeResult(code=values["code"], state=values.get("state"), iss=values.get("iss"))

        metadata = OAuthClientMetadata(redirect_uris=[AnyUrl(CALLBACK)], client_name=self.name)
        auth = OAuthClientProvider(
            f"{at or self.team.url}/mcp",
            metadata,
            self.kept,
            open_browser,
            take_answer,
            client_metadata_url=self.document,
        )
        return httpx2.AsyncClient(auth=auth, timeout=patience(60), trust_env=False, verify=UNENCRYPTED)
