"""Asks a server over HTTP as a stranger would: what it answers without credentials, and the public documents behind it.

Nothing that was given for the audit goes along. Only the audited origin is asked; from a server on this machine, also
others on this machine. So no server can make the auditor ask for an address of its choice.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast
from urllib.parse import urljoin, urlsplit, urlunsplit

import anyio
import httpx2

from aboveboard import __version__
from aboveboard.audit import raw
from aboveboard.audit.authorization import (
    NOT_ASKED,
    AuthorizationServer,
    Challenge,
    Document,
    Metadata,
    ProtectedResource,
    SignIn,
    is_here,
    origin_of,
    texts,
)
from aboveboard.audit.probe.web import UNAUTHORIZED, bounded_body
from aboveboard.audit.probe.wire import Unreadable

OK: Final = 200
MOST_MOVES: Final = 3
MOST_ISSUERS: Final = 5
LONGEST_WAIT: Final = 10.0
"""Seconds for one document."""
_QUESTION: Final = {"jsonrpc": "2.0", "id": 1, "method": "server/discover"}
_WELL_KNOWN: Final = "/.well-known/"
_HEADERS: Final = {"User-Agent": f"aboveboard/{__version__}"}
# Scopes of OpenID Connect, which say who someone is and give no right to a server's tools.
_ABOUT_PEOPLE: Final = frozenset({"openid", "profile", "email", "address", "phone", "offline_access"})
_WORD: Final = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_PART: Final = re.compile(rf'({_WORD})\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s,"]+))|({_WORD})')


async def as_a_stranger(
    url: str,
    timeout: float = 30,  # noqa: ASYNC109 (also bounds single reads)
    transport: httpx2.AsyncBaseTransport | None = None,
) -> Sequence[SignIn]:
    """Return what a server tells those who bring no credentials; nothing where it does not turn them away."""
    parts = urlsplit(url)
    bare = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    patience = min(timeout, LONGEST_WAIT)
    async with httpx2.AsyncClient(timeout=patience, headers=_HEADERS, transport=transport) as http:
        try:
            with anyio.move_on_after(timeout):
                return await _Stranger(http, bare).tour()
        except (httpx2.HTTPError, httpx2.InvalidURL, Unreadable):
            pass
    return ()


@dataclass(frozen=True)
class _Stranger:
    http: httpx2.AsyncClient
    url: str

    async def tour(self) -> list[SignIn]:
        """Knock, and read on from document to document."""
        turned_away = await self._knock()
        if turned_away is None:
            return []
        parameters = bearer_challenge(turned_away)
        named, usual = await self._about_the_resource(parameters or {})
        metadata = next((one.content for one in (named, usual) if one and one.content is not None), None)
        sign_ins = {issuer: await self._about_the_issuer(issuer) for issuer in _issuers(metadata)}
        servers = [
            AuthorizationServer(issuer, one.content) for issuer, one in sign_ins.items() if one.content is not None
        ]
        challenge = Challenge(self.url, parameters, named, usual, scopes=_scopes(metadata, servers))
        if metadata is None:
            return await self._before_there_were_resources(challenge)
        return [challenge, ProtectedResource(self.url, metadata, sign_ins), *servers]

    async def _before_there_were_resources(self, challenge: Challenge) -> list[SignIn]:
        """Look where MCP 2025-03-26 had the authorization server: at the origin, under any name."""
        older = await self._document(_joined(self.url, f"{_WELL_KNOWN}oauth-authorization-server"))
        if older.content is None:
            return [challenge]
        issuer = older.content.get("issuer")
        server = AuthorizationServer(issuer if isinstance(issuer, str) else _joined(self.url, "/"), older.content)
        return [replace(challenge, older=older), server]

    async def _knock(self) -> list[str] | None:
        """Return how a request without credentials is challenged; None where it is not turned away."""
        at, accept = self.url, {"Accept": "application/json, text/event-stream"}
        for _ in range(MOST_MOVES):
            async with self.http.stream("POST", at, json=_QUESTION, headers=accept) as answer:
                if answer.status_code == UNAUTHORIZED:
                    return answer.headers.get_list("www-authenticate")
                at = _joined(at, answer.headers.get("location", at))
            if not answer.has_redirect_location or not self._may_ask(at):
                return None
        return None

    async def _about_the_resource(self, parameters: Mapping[str, str]) -> tuple[Document | None, Document | None]:
        named = parameters.get("resource_metadata")
        found = await self._document(_joined(self.url, named)) if named else None
        if found is not None and found.content is not None:
            return found, None
        return found, await self._first(_places(self.url, "oauth-protected-resource"))

    async def _about_the_issuer(self, issuer: str) -> Document:
        appended = issuer.rstrip("/") + f"{_WELL_KNOWN}openid-configuration"
        names = ("oauth-authorization-server", "openid-configuration")
        own = [next(_places(issuer, name)) for name in names] if _is_address(issuer) else []
        return await self._first(iter(dict.fromkeys([*own, appended])))

    async def _first(self, places: Iterator[str]) -> Document:
        """Return the first that is there; of those that are not, the first, where it should have been."""
        tried: list[Document] = []
        for place in places:
            tried.append(await self._document(place))
            if tried[-1].content is not None:
                return tried[-1]
        return tried[0]

    async def _document(self, url: str) -> Document:
        at = url
        for _ in range(MOST_MOVES):
            if not self._may_ask(at):
                return Document(url, problem=NOT_ASKED if _is_address(at) else "is not a web address")
            try:
                async with self.http.stream("GET", at, headers={"Accept": "application/json"}) as answer:
                    if not answer.has_redirect_location:
                        return await _read(url, answer)
                    at = _joined(at, answer.headers["location"])
            except (httpx2.HTTPError, httpx2.InvalidURL):
                return Document(url, problem="cannot be reached")
        return Document(url, problem="is redirected without end")

    def _may_ask(self, url: str) -> bool:
        if not _is_address(url):
            return False
        return origin_of(url) == origin_of(self.url) or (is_here(self.url) and is_here(url))


async def _read(url: str, answer: httpx2.Response) -> Document:
    if answer.status_code != OK:
        return Document(url, problem=f"answers with HTTP status {answer.status_code}")
    try:
        found = raw.parse(b"".join([chunk async for chunk in bounded_body(answer)]))
    except Unreadable:
        return Document(url, problem="is larger than any such document")
    except ValueError:
        return Document(url, problem="is not JSON")
    if not isinstance(found, raw.Object):
        return Document(url, problem="is not a JSON object")
    return Document(url, cast("Metadata", found))


def bearer_challenge(headers: Sequence[str]) -> dict[str, str] | None:
    """Take the parameters of the Bearer challenge out of WWW-Authenticate, which may hold several challenges."""
    found: dict[str, str] | None = None
    for header in headers:
        bearer = False
        for name, quoted, plain, scheme in _PART.findall(header):
            if scheme:
                bearer = scheme.lower() == "bearer"
                found = found if found is not None or not bearer else {}
            elif bearer and found is not None:
                found.setdefault(name.lower(), re.sub(r"\\(.)", r"\1", quoted) or plain)
    return found


def _is_address(url: str) -> bool:
    try:
        url.encode()  # half a character, as JSON can name one, cannot be sent
        parts = urlsplit(url)
        return (
            parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc and parts.port != 0
        )
    except ValueError:
        return False


def _joined(base: str, url: str) -> str:
    try:
        return urljoin(base, url)
    except ValueError:
        return url


def _places(url: str, name: str) -> Iterator[str]:
    """Go through the well-known places of a document: before the path of what it is about, and at the root."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    for end in dict.fromkeys([path, ""]):
        yield urlunsplit((parts.scheme, parts.netloc, f"{_WELL_KNOWN}{name}{end}", "", ""))


def _issuers(metadata: Metadata | None) -> list[str]:
    return texts((metadata or {}).get("authorization_servers"))[:MOST_ISSUERS]


def _scopes(metadata: Metadata | None, servers: Sequence[AuthorizationServer]) -> list[str]:
    """Return what a client may ask for: the scopes of the resource, or else those of where people sign in."""
    own = texts((metadata or {}).get("scopes_supported"))
    known = own or [one for server in servers for one in texts(server.metadata.get("scopes_supported"))]
    return [one for one in dict.fromkeys(known) if one not in _ABOUT_PEOPLE]
