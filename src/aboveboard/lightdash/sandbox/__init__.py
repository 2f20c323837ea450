"""An embedded backend that answers like a real Lightdash 1.237, with a small shop's data: no account, no Docker.

It is held to recorded exchanges with the real product, quirks included, and shares no code with our client.
"""

from collections.abc import Mapping
from pathlib import Path
from secrets import token_urlsafe
from types import MappingProxyType
from typing import ClassVar

from starlette.applications import Starlette

from aboveboard.lightdash.sandbox.app import build
from aboveboard.lightdash.sandbox.seed import TOKENS, fill
from aboveboard.lightdash.sandbox.store import Options, Store

__all__ = ["Sandbox"]


class Sandbox:
    """A small shop's Lightdash, embedded."""

    token: ClassVar[str] = TOKENS["admin"]
    tokens: ClassVar[Mapping[str, str]] = MappingProxyType(TOKENS)
    settings: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"LIGHTDASH_URL": "http://sandbox", "LIGHTDASH_API_KEY": TOKENS["admin"]}
    )
    app: Starlette

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
        self.control = control or token_urlsafe()
        self._store = Store(data, fill, Options(soft_delete=soft_delete, enterprise=enterprise))
        self.app = build(self._store, self.control)

    def reset(self) -> None:
        """Go back to the first state; what is created afterwards gets the same ids and times again."""
        self._store.reset()

    def dump(self) -> dict[str, object]:
        """The state as flat facts, sorted by key; keys that start with "derived/" are no state of their own."""
        return self._store.dump()

    def close(self) -> None:
        """Let go of the database; one in memory is gone then."""
        self._store.close()
