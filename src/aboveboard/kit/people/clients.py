"""AI clients: those that register, and those whose id is the address of a document about them."""

import base64
import json
import logging
import unicodedata
from collections.abc import Sequence, Set
from typing import Any, Final
from urllib.parse import urlsplit

from limits import RateLimitItemPerMinute
from mcp.server.auth.provider import RegistrationError
from mcp.shared.auth import InvalidRedirectUriError, OAuthClientInformationFull
from pydantic import AnyUrl, ValidationError
from sqlalchemy import Connection, select

from aboveboard.addresses import is_loopback
from aboveboard.kit.people.documents import Fetch, NoDocument, is_document_address
from aboveboard.kit.people.grants import REGISTERED
from aboveboard.kit.people.housekeeping import UNUSED
from aboveboard.kit.people.limits import Limits, TooMuch
from aboveboard.kit.people.people import People
from aboveboard.kit.people.sealing import Unreadable
from aboveboard.kit.people.store import put_row
from aboveboard.kit.people.tables import clients

logger = logging.getLogger("aboveboard")

DOCUMENT: Final = "document"
APP_SCHEMES: Final = frozenset({"cursor", "vscode", "vscode-insiders", "windsurf", "zed", "jetbrains", "com.raycast"})
"""Schemes of apps that open their own links; any other could be a way to run something in a browser."""
FETCHES: Final = RateLimitItemPerMinute(10)
LONGEST_NAME: Final = 60


class Client(OAuthClientInformationFull):
    """One AI client, as the SDK wants it."""

    kind: str = REGISTERED

    def validate_scope(self, requested_scope: str | None) -> list[str] | None:
        """Take whatever is asked for: what is known of it is sorted out later, and the rest is no reason to refuse."""
        return None if requested_scope is None else requested_scope.split()

    def validate_redirect_uri(self, redirect_uri: AnyUrl | None) -> AnyUrl:
        """Compare exactly, but for the port on this machine, which a client cannot know beforehand (RFC 8252)."""
        if redirect_uri is not None and any(_same(redirect_uri, known) for known in self.redirect_uris or ()):
            return redirect_uri
        if redirect_uri is None and self.redirect_uris and len(self.redirect_uris) == 1:
            return self.redirect_uris[0]
        raise InvalidRedirectUriError("This redirect address is not one that the client gave for itself.")

    @property
    def shown_name(self) -> str:
        """The name that it gives itself, fit to be shown; nothing is decided by it."""
        return clean_name(self.client_name) or urlsplit(self.client_id).hostname or "An AI client without a name"

    @property
    def home(self) -> str | None:
        """The host whose word there is for it; None for one that merely registered."""
        return urlsplit(self.client_id).hostname if self.kind == DOCUMENT else None


def clean_name(name: str | None) -> str:
    """Return a name without what is not seen, or makes other words look different."""
    seen = "".join(sign if sign.isprintable() and unicodedata.category(sign)[0] != "C" else " " for sign in name or "")
    return " ".join(seen.split())[:LONGEST_NAME]


def _same(given: AnyUrl, known: AnyUrl) -> bool:
    if given == known:
        return True
    if given.scheme != "http" or not is_loopback(given.host or "") or given.host != known.host:
        return False
    return (given.scheme, given.path, given.query, given.fragment) == (
        known.scheme,
        known.path,
        known.query,
        known.fragment,
    )


def redirect_problem(uri: AnyUrl) -> str | None:
    """Say why nobody may be sent to an address with a code in hand, or None."""
    if uri.fragment is not None:
        return "A redirect address has no fragment."
    if uri.scheme == "https" or uri.scheme in APP_SCHEMES:
        return None
    if uri.scheme == "http" and is_loopback(uri.host or ""):
        return None
    return "A redirect address is https, or http on this machine."


class Clients:
    """All clients that are known, or can be."""

    def __init__(self, people: People, limits: Limits, fetch: Fetch, *, allowed: Sequence[str] = ()) -> None:
        self._people, self._limits, self._fetch, self._allowed = people, limits, fetch, frozenset(allowed)

    async def find(self, client_id: str) -> Client | None:
        """Return a client by its id, which is of visible ASCII (RFC 6749): not every database can look for others."""
        if not (client_id.isascii() and client_id.isprintable()):
            return None
        kept = await self._people.store.read(lambda db: _load(db, client_id))
        now = self._people.clock()
        known = None if kept is None else self._client(client_id, *kept)
        if kept is not None and (kept[0] == REGISTERED or kept[2] > now):
            return known
        if not is_document_address(client_id):
            return None
        try:
            return await self._fetched(client_id)
        except (NoDocument, TooMuch) as problem:
            logger.warning("No document about the client at %s: %s", urlsplit(client_id).hostname, problem)
            return known  # what was known of it is better than to sign everybody out

    async def register(self, client: OAuthClientInformationFull) -> None:
        """Keep a client that registered itself."""
        for uri in client.redirect_uris or ():
            if problem := redirect_problem(uri):
                raise RegistrationError("invalid_redirect_uri", problem)
        values = client.model_dump(mode="json", exclude_none=True)
        secret = values.pop("client_secret", None)
        if secret is not None:
            values["sealed"] = base64.b64encode(self._people.keys.seal({"secret": secret}, client.client_id)).decode()
        await self._keep(client.client_id, REGISTERED, values, self._people.clock() + UNUSED)

    def may_come(self, client: Client, redirect: str) -> bool:
        """Tell whether the operator lets a client in: by the host of its document, or where its codes go."""
        return self.is_let_in({client.home, urlsplit(redirect).hostname})

    def is_let_in(self, known_by: Set[str | None]) -> bool:
        """Tell whether the operator lets in what is known by one of these names."""
        return not self._allowed or bool(known_by & self._allowed)

    async def _fetched(self, client_id: str) -> Client:
        await self._limits.count("all", FETCHES, "client documents")
        fetched = await self._fetch(client_id)
        try:
            values: Any = json.loads(fetched.body)
            client = Client.model_validate({**values, "kind": DOCUMENT})
        except (ValueError, TypeError, ValidationError):
            raise NoDocument("it is not about a client") from None
        if client.client_id != client_id:
            raise NoDocument("it is about another client")
        if not client.redirect_uris or any(map(redirect_problem, client.redirect_uris)):
            raise NoDocument("it names no redirect address that will do")
        if client.client_secret or client.token_endpoint_auth_method not in (None, "none"):
            raise NoDocument("it wants to authenticate in a way that is not offered")
        kept = client.model_copy(update={"token_endpoint_auth_method": "none"}).model_dump(
            mode="json", exclude_none=True
        )
        await self._keep(client_id, DOCUMENT, kept, self._people.clock() + fetched.seconds)
        return self._client(client_id, DOCUMENT, kept, 0.0)

    async def _keep(self, client_id: str, kind: str, values: dict[str, Any], fresh_until: float) -> None:
        now = self._people.clock()
        row = {
            "id": client_id,
            "kind": kind,
            "document": json.dumps(values),
            "created": now,
            "fresh_until": fresh_until,
        }
        await self._people.store.write(lambda db: put_row(db, clients, row))

    def _client(self, client_id: str, kind: str, values: dict[str, Any], _: float) -> Client:
        secret = None
        if sealed := values.get("sealed"):
            try:
                secret = self._people.keys.open(base64.b64decode(sealed), client_id)["secret"]
            except Unreadable:
                secret = None
        return Client.model_validate({**values, "kind": kind, "client_secret": secret})


def _load(db: Connection, client_id: str) -> tuple[str, dict[str, Any], float] | None:
    row = db.execute(select(clients).where(clients.c.id == client_id)).one_or_none()
    return None if row is None else (row.kind, json.loads(row.document), row.fresh_until)
