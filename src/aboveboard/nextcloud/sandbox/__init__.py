"""An embedded backend that answers like a real Nextcloud 34, with two people's data: no account, no Docker.

It is held to recorded exchanges with the real product, quirks included, and shares no code with our client.

An app is a folder here, and adding one is adding a folder: every module below this package is found by walking it, with
all that it declares at its top level under a name.

    Table         what it keeps, with what a dump of the state shows of it (aboveboard/sandbox/table.py)
    Routes        its OCS routes and pages (calls.py); the order in which they are declared does not matter
    Branch        its tree below /remote.php/dav/: how to find a resource, what it takes (dav/dialect.py)
    Provider      what it finds in the unified search (server/unified_search.py)
    Capabilities  what it says of itself to the person who asks; the rest is in server/server.json
    Seed          its part of the first state, written after the people and their files are there

An app that people may do without (server/server.py) is claimed as soon as it has a folder of its name. No other file is
touched, save for what the app really shares with others.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

from aboveboard.nextcloud.sandbox import web
from aboveboard.nextcloud.sandbox.app import Server, parts
from aboveboard.nextcloud.sandbox.seed.seed import APP_PASSWORDS, PASSWORDS
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.sandbox.backend import Backend

__all__ = ["Sandbox"]


class Sandbox(Backend):
    """Two people's Nextcloud, embedded."""

    username: ClassVar[str] = "admin"
    token: ClassVar[str] = APP_PASSWORDS["admin"]
    users: ClassVar[Mapping[str, str]] = MappingProxyType(APP_PASSWORDS)
    settings: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "NEXTCLOUD_HOST": "http://sandbox",
            "NEXTCLOUD_USERNAME": "admin",
            "NEXTCLOUD_PASSWORD": APP_PASSWORDS["admin"],
        }
    )
    # What people type at the login page; user management takes nothing else.
    passwords: ClassVar[Mapping[str, str]] = MappingProxyType(PASSWORDS)
    logins: ClassVar[Mapping[str, str]] = passwords

    def __init__(self, data: str | Path | None = None, *, control: str | None = None) -> None:
        """Keep the state in memory, or in an SQLite file, which is created and seeded when empty and kept otherwise.

        `control` is the token that the routes below /_sandbox/ want; without it, one is made.
        """
        self._state = Store(parts().schema, data, parts().first)
        server = Server(self._state)
        super().__init__(self._state, server, control, controls=server.controls(), charset="utf-8")

    def publish(self, url: str, content: str | bytes) -> None:
        """Put a page on the web that the apps of this sandbox reach: it never reaches out."""
        web.publish(self._state, url, content)

    def hold_clock(self) -> None:
        """Let all that is written from now on fall into one second, until `pass_time`; answers then tell the date."""
        self._state.set_meta("held", 1)

    def pass_time(self, seconds: int) -> None:
        """Let time go by, as it does by a second with every writing request while the clock is not held."""
        self._state.pass_time(seconds)
