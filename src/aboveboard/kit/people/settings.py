"""How people sign in, from the environment; what is wrong with it is said at the start."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pydantic import SecretStr

from aboveboard.addresses import keeps_secrets
from aboveboard.errors import BadInput
from aboveboard.kit.people.sign_in_mode import SignInMode

if TYPE_CHECKING:  # settings are read where the extra may be missing
    from aboveboard.kit.people.documents import Fetch

EXTRA: Final = "Signing in needs packages that are not installed: pip install 'aboveboard[team]'."


USUAL_PORTS: Final = {"https": ":443", "http": ":80"}


@dataclass(frozen=True, kw_only=True)
class OidcSettings:
    """The operator's identity provider, and what this server is to it."""

    issuer: str = ""
    client_id: str = ""
    client_secret: SecretStr | None = None
    audience: str = ""
    """What tokens for this server are issued for; unsaid, its public address with the path of MCP."""
    subject: str = "sub"
    """The claim that tells one person from another, to every client alike."""
    match: str = ""
    """Which claim is which part of an account; unsaid, as the service has it."""
    scopes: Sequence[str] = ()
    """What clients are told to ask the provider for; where ours are among them, tokens narrow grants."""

    def check(self) -> None:
        """Refuse what cannot work, or would take tokens that were not meant for us."""
        if not keeps_secrets(self.issuer):
            raise BadInput(
                "ABOVEBOARD_SIGN_IN=oidc needs ABOVEBOARD_OIDC_ISSUER: the identity provider's address, as it stands"
                " in its tokens, such as https://login.example.org."
            )
        if not self.client_id:
            raise BadInput(
                "ABOVEBOARD_SIGN_IN=oidc needs ABOVEBOARD_OIDC_CLIENT_ID: what this server is to the identity provider,"
                " with the redirect address /connect/identified below ABOVEBOARD_PUBLIC_URL."
            )

    def audience_for(self, resource: str) -> str:
        """Return what tokens for a server at this address are issued for."""
        audience = self.audience or resource
        if audience == self.client_id:
            raise BadInput(
                f"ABOVEBOARD_OIDC_AUDIENCE, which is {audience} here, must not be ABOVEBOARD_OIDC_CLIENT_ID: identity"
                " tokens, which let nobody in, are issued for that."
            )
        return audience


@dataclass(frozen=True, kw_only=True)
class PeopleSettings:
    """One deployment for many people."""

    mode: SignInMode
    public_url: str = ""
    store: str = ""
    store_keys: str = ""
    allowed_clients: Sequence[str] = ()
    allowed_people: Sequence[str] = ()
    calls_at_once: int = 4
    calls_a_minute: int = 120
    limits: str = "memory"
    stateless: bool = False
    check_streams_every: float = 5.0
    clock: Callable[[], float] = time.time
    oidc: OidcSettings = OidcSettings()
    fetch: "Fetch | None" = None
    """How documents about clients are fetched; unsaid, from public addresses alone."""

    def check(self) -> None:
        """Refuse what cannot work, or would let strangers in."""
        if self.mode is SignInMode.HEADERS and not self.public_url:
            return
        url = urlsplit(self.public_url)
        if not url.hostname or url.path.strip("/") or url.query or url.fragment:
            raise BadInput(
                f"ABOVEBOARD_SIGN_IN={self.mode} needs ABOVEBOARD_PUBLIC_URL: the address at which clients and browsers"
                " reach this server, without a path, such as https://mcp.example.org."
            )
        if not keeps_secrets(self.public_url):
            raise BadInput("ABOVEBOARD_PUBLIC_URL must begin with https://, since tokens travel there.")
        if self.mode is SignInMode.OIDC:
            self.oidc.check()

    @property
    def origin(self) -> str:
        """The public address as browsers name it: in small letters, and without the port that is the usual one."""
        url = urlsplit(self.public_url)
        host = url.netloc.lower().removesuffix(USUAL_PORTS.get(url.scheme, ""))
        return f"{url.scheme}://{host}" if host else ""

    @property
    def host(self) -> str:
        """The public host, with its port, as it stands in a request."""
        return urlsplit(self.origin).netloc

    def store_address(self, service: str) -> str:
        """Return where people are kept: as set, or in a file of the user who runs this."""
        return self.store or str(_home() / f"{service}-people.db")

    def key_file(self, service: str) -> Path:
        """Return where the keys are."""
        return Path(self.store_keys) if self.store_keys else _home() / f"{service}-people.keys"

    def kept_at(self, service: str) -> str:
        """Say where people and keys are, where that is kept; of a database not the address, which has its password."""
        if self.mode is SignInMode.HEADERS:
            return ""
        place = self.store_address(service)
        people = "the database" if "://" in place else place
        return f"People are kept in {people} (--store), and the keys in {self.key_file(service)} (--store-keys)."


def _home() -> Path:
    given = os.environ.get("XDG_STATE_HOME", "")
    return (Path(given) if given else Path.home() / ".local" / "state") / "aboveboard"
