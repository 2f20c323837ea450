"""A browser proves who is in front of it, at the operator's identity provider, before it goes on to the service."""

import base64
import hashlib
import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlencode

import httpx2
from pydantic import SecretStr

from aboveboard.kit.people.adapter import Identity, SignInFailed, Started
from aboveboard.kit.people.identity.issuer import Document, Issuer, http
from aboveboard.kit.people.identity.jwts import NotValid, subject_in, verify_token
from aboveboard.kit.people.identity.matching import Match
from aboveboard.kit.people.secrets import new_secret

logger = logging.getLogger("aboveboard")

SCOPE: Final = "openid profile email"
NOT_CLEAR: Final = "The identity provider did not say clearly who you are."


def identity(issuer: str, subject: str, client: str) -> str:
    """Return what a grant is found by: one person, by the provider's word, and one client of theirs."""
    return "\n".join((issuer, subject, client))


@dataclass(frozen=True)
class Proven:
    """Who is in front of a browser."""

    issuer: str
    subject: str
    told: str
    """What the account at the service must be known by."""

    def identity(self, client: str) -> str:
        """Return what a grant to a client is found by."""
        return identity(self.issuer, self.subject, client)


class Proof:
    """Asks the provider, as one of its clients."""

    def __init__(self, issuer: Issuer, client_id: str, secret: SecretStr | None, match: Match) -> None:
        self._issuer, self._client, self._secret, self._match = issuer, client_id, secret, match

    @property
    def place(self) -> str:
        """Where people are sent to."""
        return self._issuer.host

    async def start(self, callback: str, state: str) -> Started:
        """Begin a login at the provider."""
        document = await self._issuer.document()
        verifier, nonce = secrets.token_urlsafe(48), new_secret()
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        asked = {
            "response_type": "code",
            "client_id": self._client,
            "redirect_uri": callback,
            "scope": SCOPE,
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        joined = "&" if "?" in document.authorization_endpoint else "?"
        kept = {"verifier": verifier, "nonce": nonce, "callback": callback}
        return Started(f"{document.authorization_endpoint}{joined}{urlencode(asked)}", kept)

    async def finish(self, kept: Mapping[str, Any], answer: Mapping[str, str], now: float) -> Proven:
        """Take what the browser brought back, and return who is in front of it."""
        document = await self._issuer.document()
        said = answer.get("iss", document.issuer if not document.authorization_response_iss_parameter_supported else "")
        if said != document.issuer:
            raise SignInFailed("The answer is not the identity provider's.")
        if "code" not in answer:
            raise SignInFailed("You did not log in at the identity provider.")
        try:
            async with http(self._issuer.address) as client:
                tokens = await self._exchanged(client, document, answer["code"], kept)
                claims = await self._claims(client, document, tokens, kept["nonce"], now)
                subject = subject_in(claims, self._issuer.subject)
        except (httpx2.HTTPError, NotValid, ValueError, KeyError) as error:
            logger.warning("The identity provider %s did not say who someone is: %s", self.place, error)
            raise SignInFailed(NOT_CLEAR) from None
        return Proven(document.issuer, subject, self._match.told(claims))

    def is_same(self, proven: Proven, who: Identity) -> bool:
        """Tell whether the service knows the same person by a credential."""
        return self._match.is_same(proven.told, who)

    def named(self, who: Identity) -> str:
        """Return what the service says of a person, to be shown beside what the provider says."""
        return self._match.of(who)

    async def _exchanged(
        self, client: httpx2.AsyncClient, document: Document, code: str, kept: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": kept["callback"],
            "code_verifier": kept["verifier"],
        }
        secret = None if self._secret is None else self._secret.get_secret_value()
        headers = {"Accept": "application/json"}
        if secret and "client_secret_basic" in document.token_endpoint_auth_methods_supported:
            pair = f"{quote(self._client, safe='')}:{quote(secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form |= {"client_id": self._client} | ({"client_secret": secret} if secret else {})
        return _answered(await client.post(document.token_endpoint, data=form, headers=headers), "the code")

    async def _claims(
        self,
        client: httpx2.AsyncClient,
        document: Document,
        tokens: Mapping[str, Any],
        nonce: str,
        now: float,
    ) -> Mapping[str, Any]:
        """Read the identity token; what it leaves out, the provider tells who asks with the token beside it."""
        _, claims = await verify_token(self._issuer, tokens["id_token"], self._client, now)
        if not secrets.compare_digest(str(claims.get("nonce", "")), nonce):
            raise NotValid("the identity token was made for another login")
        if claims.get("azp", self._client) != self._client:
            raise NotValid("the identity token was issued to another client")
        if (claims.get(self._match.claim) and claims.get(self._issuer.subject)) or not document.userinfo_endpoint:
            return claims
        headers = {"Authorization": f"Bearer {tokens['access_token']}", "Accept": "application/json"}
        more = _answered(await client.get(document.userinfo_endpoint, headers=headers), "who this is")
        if more.get("sub") != claims["sub"]:
            raise NotValid("it told of another person than it was asked for")
        return {**more, **claims}


def _answered(answer: httpx2.Response, asked: str) -> Mapping[str, Any]:
    if not answer.is_success:
        raise ValueError(f"it answered {answer.status_code}, asked for {asked}")
    return answer.json()
