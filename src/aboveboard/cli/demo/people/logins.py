"""What a person does in their browser to sign in: our page first, then the login page of their own service."""

from dataclasses import dataclass
from typing import Final

from aboveboard.cli.demo.people.browser import Browser
from aboveboard.cli.demo.people.hosting import Team
from aboveboard.cli.demo.stage import tell

BUTTON: Final = "//a[@class='button']"


@dataclass(frozen=True)
class Visitor:
    """A person of a sandbox, and what they grant to an AI client."""

    name: str
    login: str
    password: str
    grants: str
    """A safety mode."""


async def complete_sign_in(team: Team, service: str, who: Visitor, url: str) -> str:
    """Go through a whole sign-in from the address that a client opened; tell where the browser is sent in the end."""
    async with team.browser() as http:
        browser = Browser(http)
        await browser.open(url)
        tell(f"our page says {browser.text('//h1')!r}; {who.name} grants {who.grants}")
        waiting = await browser.send({"mode": who.grants, "decision": "allow"})
        await browser.open(waiting)
        return await LOGINS[service](browser, waiting, who)


async def _at_nextcloud(browser: Browser, waiting: str, who: Visitor) -> str:
    label = browser.text("//strong")
    await browser.follow(BUTTON)
    await browser.follow("//*[@id='login-button']")
    await browser.open(await browser.send({"user": who.login, "password": who.password}))
    await browser.send({})
    tell(f"{who.name} logs in at Nextcloud, which lists a new app password {label!r}")
    return await browser.wait(waiting)


async def _at_lightdash(browser: Browser, waiting: str, who: Visitor) -> str:
    del waiting
    await browser.follow(BUTTON)
    await browser.open(await browser.send({"email": who.login, "password": who.password}))
    await browser.send({"approve": "true"})
    tell(f"{who.name} logs in at Lightdash and approves, which sends the browser back")
    return await browser.wait(browser.leads_to())


LOGINS: Final = {"nextcloud": _at_nextcloud, "lightdash": _at_lightdash}
