"""The operator's identity provider: what it says of itself, and the keys that it signs with.

Its address is the operator's word alone. Keys are fetched again when they are old, and when a token names one that is
not known, which is how a provider changes them; but not without end, since anybody can make up names of keys.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import anyio
import httpx2
from jwt import PyJWK, PyJWTError
from pydantic import BaseModel, TypeAdapter, ValidationError

from aboveboard.addresses import keeps_secrets
from aboveboard.errors import Failure

logger = logging.getLogger("aboveboard")

ALGORITHMS: Final = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
)
"""Signatures that need a private key; with a shared secret, whoever can check a token could make one."""
KEPT: Final = 600.0
"""Seconds after which keys and addresses are fetched again: a key that the provider took back ends then."""
PAUSE: Final = 10.0
"""Seconds between two fetches, whatever keys tokens name."""
WITHIN: Final = 5.0
LONGEST: Final = 512 * 1024
_OBJECT: Final = TypeAdapter(dict[str, Any])
_KEYS: Final = TypeAdapter(list[Mapping[str, Any]])


class ProviderDown(Failure):
    """The identity provider does not answer, or not as one does."""

    advice = "Try again in a while; the operator's log has the details."


class Document(BaseModel):
    """What a provider says of itself at its well-known place."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str = ""
    token_endpoint_auth_methods_supported: list[str] = ["client_secret_basic"]
    authorization_response_iss_parameter_supported: bool = False


class Issuer:
    """One identity provider."""

    def __init__(self, address: str, clock: Callable[[], float], *, subject: str = "sub") -> None:
        """Take its address, and the claim by which it tells one person from another."""
        self.address, self.subject, self._clock = address, subject, clock
        self._document: Document | None = None
        self._keys: list[Mapping[str, Any]] = []
        self._fetched = self._tried = float("-inf")
        self._fetching = anyio.Lock()

    @property
    def host(self) -> str:
        """What people know it by."""
        return urlsplit(self.address).netloc

    async def document(self) -> Document:
        """Return what the provider says of itself."""
        await self._look(KEPT)
        if self._document is None:
            raise ProviderDown(f"The identity provider {self.host} cannot be reached.")
        return self._document

    async def key(self, header: Mapping[str, Any]) -> PyJWK | None:
        """Return the key that a token says it was signed with, where the provider has such a one."""
        await self.document()
        found = _chosen(self._keys, header)
        if found is None:
            await self._look(PAUSE)
            found = _chosen(self._keys, header)
        return found

    async def _look(self, seconds: float) -> None:
        """Fetch what is older than this; where that fails, what was known stays good."""
        if self._document is not None and seconds == KEPT and self._fetching.locked():
            return  # another request sees to it, and a provider that is slow holds up that one alone
        async with self._fetching:
            now = self._clock()
            if now < self._fetched + seconds or now < self._tried + PAUSE:
                return
            self._tried = now
            try:
                self._document, self._keys = await _fetched(self.address)
            except (httpx2.HTTPError, ValueError, OSError) as error:
                logger.warning("The identity provider %s cannot be asked for its keys: %s", self.host, error)
            else:
                self._fetched = now


def _chosen(keys: list[Mapping[str, Any]], header: Mapping[str, Any]) -> PyJWK | None:
    """Return the key of that name, or the only one that fits where a token names none."""
    algorithm, name = header.get("alg"), header.get("kid")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        return None
    fitting = [made for one in keys if name in (None, one.get("kid")) and (made := _made(one, algorithm))]
    return fitting[0] if len(fitting) == 1 else None


def _made(key: Mapping[str, Any], algorithm: str) -> PyJWK | None:
    if key.get("use", "sig") != "sig" or key.get("alg", algorithm) != algorithm:
        return None
    try:
        return PyJWK(dict(key), algorithm)
    except PyJWTError:
        return None


async def _fetched(address: str) -> tuple[Document, list[Mapping[str, Any]]]:
    async with http(address) as client:
        told = await _json(client, f"{address.rstrip('/')}/.well-known/openid-configuration")
        try:
            document = Document.model_validate(told)
        except ValidationError as error:
            raise ValueError(f"its document lacks {', '.join(str(one['loc'][0]) for one in error.errors())}") from None
        if document.issuer != address:
            raise ValueError(f"it calls itself {document.issuer!r}: set ABOVEBOARD_OIDC_ISSUER to just that")
        places = (document.jwks_uri, document.token_endpoint, document.authorization_endpoint)
        for place in (*places, document.userinfo_endpoint or address):
            if not keeps_secrets(place):
                raise ValueError("its document names an address that is not https")
        return document, _KEYS.validate_python((await _json(client, document.jwks_uri)).get("keys"))


def http(address: str) -> httpx2.AsyncClient:
    """Make a client for a few requests: no redirects, and not for long."""
    # Without https, certificates, which take long to load, are left alone.
    return httpx2.AsyncClient(
        timeout=WITHIN, follow_redirects=False, trust_env=False, verify=address.startswith("https:")
    )


async def _json(client: httpx2.AsyncClient, url: str) -> Mapping[str, Any]:
    answer = await client.get(url, headers={"Accept": "application/json"})
    if not answer.is_success or len(answer.content) > LONGEST:
        raise ValueError(f"{urlsplit(url).path} answered {answer.status_code} with {len(answer.content)} bytes")
    return _OBJECT.validate_json(answer.content)
