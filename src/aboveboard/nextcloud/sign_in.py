"""How people sign in with their Nextcloud: Login Flow v2, which ends in an app password for each of their AI clients.

Nextcloud's answers name whatever host it believes in: requests go to the configured address alone, and the browser to
the configured public one.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx2
from pydantic import SecretStr

from aboveboard import effects
from aboveboard.effects import ADD, DELETE
from aboveboard.errors import Unauthorised
from aboveboard.http import Session
from aboveboard.http.link import Link, shared_transport
from aboveboard.kit.people.adapter import Credential, Identity, Opened, Started
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.login_flow import LoginFlow
from aboveboard.nextcloud.settings import Place


class NextcloudSignIn:
    """One Nextcloud, and everyone who signs in with it."""

    comes_back = False
    match = "preferred_username=id"
    headers: Mapping[str, str] = {"X-Nextcloud-Username": "login", "X-Nextcloud-Password": "password"}

    def __init__(self, place: Place, shared: httpx2.AsyncBaseTransport | None = None) -> None:
        self._place, self._shared = place, shared or shared_transport(place.host)
        nobody = Session("Nextcloud", place.host, headers={}, transport=Link(self._shared, once=False))
        self._flow = LoginFlow(nobody)

    @property
    def instance(self) -> str:
        """The configured address."""
        return self._place.host

    async def start(self, label: str, callback: str, state: str) -> Started:
        """Begin a login; Nextcloud will list the app password under the label, and not send the browser back."""
        del callback, state
        with effects.under(ADD):
            flow = await self._flow.start(label)
        token = flow.login.rstrip("/").rpartition("/")[2]
        return Started(f"{self._place.public}/index.php/login/v2/flow/{quote(token)}", {"token": flow.poll.token})

    async def finish(self, state: Mapping[str, Any], answer: Mapping[str, str]) -> Credential | None:
        """Ask whether the person is done; Nextcloud hands out the app password once."""
        del answer
        with effects.under(ADD):
            made = await self._flow.poll(state["token"])
        return None if made is None else {"login": made.loginName, "password": made.appPassword}

    async def identify(self, credential: Credential) -> Identity:
        """Ask whose app password this is: the login name may be an e-mail address, or in other letters."""
        user = await self.open(credential).client.account.user()
        return Identity(user.id, user.name, user.email)

    def is_stale(self, credential: Credential, now: float) -> bool:
        """Never: an app password has no end of its own."""
        del credential, now
        return False

    async def renew(self, credential: Credential) -> Credential:
        """Return it as it is, since it never gets stale."""
        return credential

    async def is_dead(self, credential: Credential) -> bool:
        """Take Nextcloud's first word for it: to ask again would count as guessing a password."""
        del credential
        return True

    async def end(self, credential: Credential) -> None:
        """Delete the app password, with itself."""
        with effects.under(DELETE):
            try:
                await self.open(credential).client.account.drop_app_password()
            except Unauthorised:
                return  # it is gone already

    def open(self, credential: Credential) -> Opened[NextcloudClient]:
        """Make the client of a login name and an app password."""
        link = Link(self._shared, once=True)
        password = SecretStr(credential["password"])
        return Opened(NextcloudClient(self._place.host, credential["login"], password, transport=link), link)

    async def aclose(self) -> None:
        """Close the connections that all clients share."""
        await self._shared.aclose()
