"""An embedded backend that answers like a real Lightdash 1.237, with a small shop's data: no account, no Docker.

It is held to recorded exchanges with the real product, quirks included, and shares no code with our client.

There is a folder per area. Every module below this package is found by walking it, with all that it declares at its top
level under a name: its Routes (routes.py), the Tables that it keeps (aboveboard/sandbox/table.py), a Seed for the first
state. To add an endpoint is to add a function; to add an area is to add a folder; nothing is listed by hand.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

from aboveboard.lightdash.sandbox.app import Server, parts
from aboveboard.lightdash.sandbox.oauth.sessions import PASSWORD
from aboveboard.lightdash.sandbox.seed.seed import EMAILS, TOKENS
from aboveboard.lightdash.sandbox.store import Options, Store
from aboveboard.sandbox.backend import Backend

__all__ = ["Sandbox"]


class Sandbox(Backend):
    """A small shop's Lightdash, embedded."""

    token: ClassVar[str] = TOKENS["admin"]
    tokens: ClassVar[Mapping[str, str]] = MappingProxyType(TOKENS)
    password: ClassVar[str] = PASSWORD
    """What everyone types at the login page, with their e-mail address."""
    logins: ClassVar[Mapping[str, str]] = MappingProxyType(dict.fromkeys(EMAILS, PASSWORD))
    settings: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"LIGHTDASH_URL": "http://sandbox", "LIGHTDASH_API_KEY": TOKENS["admin"]}
    )

    def __init__(
        self,
        data: str | Path | None = None,
        *,
        control: str | None = None,
        soft_delete: bool = False,
        enterprise: bool = False,
    ) -> None:
        """Keep the state in memory, or in an SQLite file, which is created and seeded when empty and kept otherwise.

        With `soft_delete`, what is deleted waits in a bin and can be restored; with `enterprise`, there are AI agents.
        Both are what the operator of a real instance chooses, and neither is part of the state. `control` is the token
        that the routes below /_sandbox/ want; without it, one is made.
        """
        options = Options(soft_delete=soft_delete, enterprise=enterprise)
        store = Store(parts().schema, data, parts().first, options)
        super().__init__(store, Server(store), control)
