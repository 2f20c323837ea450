"""What a server over HTTP tells those who bring no credentials: its challenge, and the public documents behind it.

    Challenge  ->  ProtectedResource  ->  AuthorizationServer
    status 401     RFC 9728               RFC 8414, or OpenID Connect Discovery

Data only, no I/O. A document that could not be read is no evidence for what it might have said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast
from urllib.parse import urlsplit

from aboveboard.addresses import is_loopback

Metadata = Mapping[str, Any]

NOT_ASKED: Final = "is on another host, which was not asked"


@dataclass(frozen=True)
class Document:
    """A public document: what it says, or why it could not be read."""

    url: str
    content: Metadata | None = None
    problem: str = ""

    @property
    def missing(self) -> bool:
        """Tell whether it was asked for and is not there; of what was not asked, nothing is known."""
        return self.content is None and self.problem != NOT_ASKED


@dataclass(frozen=True)
class Challenge:
    """The answer to a request without credentials, and the documents about the resource that it leads to."""

    url: str
    """The address that was asked."""
    parameters: Mapping[str, str] | None = None
    """What the Bearer challenge says; None where there is none."""
    named: Document | None = None
    """The document that the challenge names."""
    usual: Document | None = None
    """The one at the well-known place."""
    older: Document | None = None
    """Where there is neither: the document of an authorization server at the origin, as MCP 2025-03-26 had it."""
    scopes: Sequence[str] = ()
    """The scopes that exist, by these documents."""
    server: str = ""

    @property
    def own_scopes(self) -> list[str]:
        """The scopes that the document about the resource lists; clients ask for all of them if told nothing else."""
        found = [one.content for one in (self.named, self.usual) if one and one.content is not None]
        return texts(found[0].get("scopes_supported")) if found else []


@dataclass(frozen=True)
class ProtectedResource:
    """What a server says of itself as a resource (RFC 9728)."""

    url: str
    """The address that was asked."""
    metadata: Metadata = field(default_factory=dict[str, Any])
    sign_ins: Mapping[str, Document] = field(default_factory=dict[str, Document])
    """The documents of the authorization servers that it names, by issuer."""
    server: str = ""

    @property
    def elsewhere(self) -> list[str]:
        """The authorization servers that were not asked."""
        return [issuer for issuer, document in self.sign_ins.items() if document.problem == NOT_ASKED]


@dataclass(frozen=True)
class AuthorizationServer:
    """What the place says where people sign in (RFC 8414)."""

    issuer: str
    """Its name, in the words of the resource."""
    metadata: Metadata = field(default_factory=dict[str, Any])
    server: str = ""


SignIn = Challenge | ProtectedResource | AuthorizationServer


def texts(value: Any) -> list[str]:
    """Return the texts of a list; whatever else a document holds in its place counts as none."""
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [one for one in items if isinstance(one, str)]


def is_here(url: str) -> bool:
    """Tell whether an address is on this machine."""
    try:
        return is_loopback(urlsplit(url).hostname or "")
    except ValueError:
        return False


def in_the_clear(url: str) -> bool:
    """Tell whether what is sent to an address can be read on its way: neither https nor on this machine."""
    return not url.lower().startswith("https://") and not is_here(url)


def origin_of(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of an address; raise ValueError where it is none."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


def covers(resource: str, url: str) -> bool:
    """Tell whether a resource is the one at an address, or holds it: the same origin, and a path at or above it."""
    try:
        above, below = urlsplit(resource).path.rstrip("/"), urlsplit(url).path.rstrip("/")
        return origin_of(resource) == origin_of(url) and f"{below}/".startswith(f"{above}/")
    except ValueError:
        return False


_HOME: Final = "https://notes.example"
_RESOURCE: Final = Document(
    f"{_HOME}/.well-known/oauth-protected-resource/mcp",
    {"resource": f"{_HOME}/mcp", "authorization_servers": [_HOME], "scopes_supported": ["read", "write"]},
)
_ISSUER: Final = Document(
    f"{_HOME}/.well-known/oauth-authorization-server",
    {
        "issuer": _HOME,
        "authorization_endpoint": f"{_HOME}/authorize",
        "token_endpoint": f"{_HOME}/token",
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "client_id_metadata_document_supported": True,
        "authorization_response_iss_parameter_supported": True,
    },
)


def example_challenge(**parts: Any) -> Challenge:
    """Make a challenge that leads on, but for what is said otherwise."""
    usual = Challenge(
        f"{_HOME}/mcp", {"resource_metadata": _RESOURCE.url, "scope": "read"}, _RESOURCE, scopes=["read", "write"]
    )
    return replace(usual, **parts)


def example_resource(**fields: Any) -> ProtectedResource:
    """Make a resource that says all it should, but for what is said otherwise; None leaves a field out."""
    return ProtectedResource(f"{_HOME}/mcp", _with(_RESOURCE, fields), {_HOME: _ISSUER})


def example_sign_in(**fields: Any) -> AuthorizationServer:
    """Make an authorization server that says all it should, but for what is said otherwise."""
    return AuthorizationServer(_HOME, _with(_ISSUER, fields))


def _with(document: Document, fields: Mapping[str, Any]) -> Metadata:
    return {key: value for key, value in {**(document.content or {}), **fields}.items() if value is not None}
