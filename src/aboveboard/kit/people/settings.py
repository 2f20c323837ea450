"""How people sign in, from the environment; what is wrong with it is said at the start."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from aboveboard.addresses import is_loopback
from aboveboard.errors import BadInput

if TYPE_CHECKING:  # settings are read where the extra may be missing
    from aboveboard.kit.people.documents import Fetch

EXTRA: Final = "Signing in needs packages that are not installed: pip install 'aboveboard[team]'."


class Mode(StrEnum):
    """Who may use a server over HTTP."""

    NONE = "none"
    KEY = "key"
    CONNECT = "connect"
    HEADERS = "headers"

    @property
    def has_people(self) -> bool:
        """Tell whether everyone acts as themselves."""
        return self not in (Mode.NONE, Mode.KEY)


@dataclass(frozen=True, kw_only=True)
class PeopleSettings:
    """One deployment for many people."""

    mode: Mode
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
    fetch: "Fetch | None" = None
    """How documents about clients are fetched; unsaid, from public addresses alone."""

    def check(self) -> None:
        """Refuse what cannot work, or would let strangers in."""
        if self.mode is Mode.HEADERS and not self.public_url:
            return
        url = urlsplit(self.public_url)
        if not url.hostname or url.path.strip("/") or url.query or url.fragment:
            raise BadInput(
                f"ABOVEBOARD_SIGN_IN={self.mode} needs ABOVEBOARD_PUBLIC_URL: the address at which clients and browsers"
                " reach this server, without a path, such as https://mcp.example.org."
            )
        if url.scheme != "https" and not (url.scheme == "http" and is_loopback(url.hostname)):
            raise BadInput("ABOVEBOARD_PUBLIC_URL must begin with https://, since tokens travel there.")

    @property
    def origin(self) -> str:
        """The public address as browsers name it."""
        return self.public_url.rstrip("/")

    @property
    def host(self) -> str:
        """The public host, with its port, as it stands in a request."""
        return urlsplit(self.public_url).netloc

    def store_address(self, service: str) -> str:
        """Return where people are kept: as set, or in a file of the user who runs this."""
        return self.store or str(_home() / f"{service}-people.db")

    def key_file(self, service: str) -> Path:
        """Return where the keys are."""
        return Path(self.store_keys) if self.store_keys else _home() / f"{service}-people.keys"


def _home() -> Path:
    given = os.environ.get("XDG_STATE_HOME", "")
    return (Path(given) if given else Path.home() / ".local" / "state") / "aboveboard"
