"""How people sign in with their Lightdash: its own OAuth, whose tokens act as them and are renewed every hour.

Such a token has all rights of its person and names no audience: it is kept here, and never accepted as a key to us.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import httpx2
from pydantic import SecretStr

from aboveboard import effects
from aboveboard.effects import ADD, DELETE
from aboveboard.errors import Unauthorised
from aboveboard.http import Session
from aboveboard.http.link import Link, shared_transport
from aboveboard.kit.people.adapter import Credential, Identity, Opened, SignInFailed, Started
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.oauth import OAuth, OAuthClient, Tokens, authorize_url, new_verifier
from aboveboard.lightdash.settings import Place

EARLY: Final = 120
"""Seconds before its end at which a token is renewed, so that none ends in the middle of a call."""


class LightdashSignIn:
    """One Lightdash, and everyone who signs in with it."""

    comes_back = True
    match = "email=email"
    headers: Mapping[str, str] = {"X-Lightdash-Api-Key": "token"}

    def __init__(
        self,
        place: Place,
        shared: httpx2.AsyncBaseTransport | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._clock = clock
        self._place, self._shared = place, shared or shared_transport(place.url)
        nobody = Session("Lightdash", place.url, headers={}, transport=Link(self._shared, once=False))
        self._oauth = OAuth(nobody)
        self._registered: OAuthClient | None = None

    @property
    def instance(self) -> str:
        """The configured address."""
        return self._place.url

    async def start(self, label: str, callback: str, state: str) -> Started:
        """Begin a login; Lightdash shows the name of the client that this server is to it."""
        del label
        client, verifier = await self._client(callback), new_verifier()
        kept = {"verifier": verifier, "callback": callback, **client.model_dump(exclude_none=True)}
        return Started(authorize_url(self._place.public, client, callback, state, verifier), kept)

    async def finish(self, state: Mapping[str, Any], answer: Mapping[str, str]) -> Credential | None:
        """Exchange what the browser brought back."""
        if "error" in answer:
            raise SignInFailed("You did not approve this at Lightdash.")
        if "code" not in answer:
            return None
        client = OAuthClient.model_validate(state)
        with effects.under(ADD):
            tokens = await self._oauth.exchange(client, answer["code"], state["callback"], state["verifier"])
        return self._credential(client, tokens)

    async def identify(self, credential: Credential) -> Identity:
        """Ask whose token this is; a service account is nobody."""
        if credential["token"].startswith("ldsvc_"):
            raise Unauthorised("A service account is not a person.", status=401)
        me = await self.open(credential).client.instance.me()
        return Identity(me.user_uuid, f"{me.first_name} {me.last_name}".strip(), me.email)

    def is_stale(self, credential: Credential, now: float) -> bool:
        """Tell whether the token is about to end; a personal access token has no end that it tells."""
        return "expires" in credential and credential["expires"] - EARLY <= now

    async def renew(self, credential: Credential) -> Credential:
        """Exchange the refresh token, which can be used once."""
        client = OAuthClient.model_validate(credential)
        with effects.under(ADD):
            return self._credential(client, await self._oauth.refresh(client, credential["refresh"]))

    async def is_dead(self, credential: Credential) -> bool:
        """Ask once more: routes for browsers answer 401 to every token."""
        try:
            await self.identify(credential)
        except Unauthorised:
            return True
        return False

    async def end(self, credential: Credential) -> None:
        """Revoke what renews the token; the token itself ends within the hour, which Lightdash has no way to hasten."""
        if "refresh" in credential:
            with effects.under(DELETE):
                await self._oauth.revoke(credential["refresh"])

    def open(self, credential: Credential) -> Opened[LightdashClient]:
        """Make the client of a token."""
        link = Link(self._shared, once=False)
        client = LightdashClient(
            self._place.url,
            SecretStr(credential["token"]),
            allowed_projects=self._place.allowed_projects,
            default_project=self._place.default_project,
            transport=link,
        )
        return Opened(client, link)

    async def aclose(self) -> None:
        """Close the connections that all clients share."""
        await self._shared.aclose()

    async def _client(self, callback: str) -> OAuthClient:
        """Return what this server is to Lightdash: what the operator made, or else what it registers itself."""
        if self._place.oauth_client is not None:
            given, secret = self._place.oauth_client
            return OAuthClient(client_id=given, client_secret=secret.get_secret_value() or None)
        if self._registered is None:
            with effects.under(ADD):
                self._registered = await self._oauth.register("aboveboard", callback)
        return self._registered

    def _credential(self, client: OAuthClient, tokens: Tokens) -> Credential:
        return {
            **client.model_dump(exclude_none=True),
            "token": tokens.access_token,
            "refresh": tokens.refresh_token,
            "expires": self._clock() + tokens.expires_in,
        }
