"""What a source of documents offers: what changed, a text, and what the person may see right now."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from aboveboard.errors import Failure
from aboveboard.search.entries import Entry, Known


class Unreadable(Failure):
    """A document that cannot be read, whoever tries: it is remembered with the reason until its etag changes."""


@dataclass(frozen=True, kw_only=True)
class Listing:
    """What a source has; of what is in neither `entries` nor `present`, it says that it is gone."""

    entries: Sequence[Entry]
    """What may be new or changed."""
    present: Collection[str] | None = None
    """The keys of all that is there, `entries` included; None where the listing tells only of changes."""
    gone: Collection[str] = ()
    """Keys of what was deleted, where a listing of changes tells that."""
    mark: str | None = None
    """What makes the next listing short; it is kept when everything in this one is indexed."""


class Source(Protocol):
    """Documents of one kind that one person has in a service; every request is sent with the person's credentials."""

    name: str

    async def listing(self, mark: str | None, known: Mapping[str, Known]) -> Listing:
        """List what there is, given the mark of the last listing that was indexed; a part of it is never returned."""
        ...

    async def text(self, entry: Entry) -> str:
        """Fetch the text of a document."""
        ...

    async def visible(self, keys: Collection[str]) -> Collection[str]:
        """Tell which of these documents the person may see now; a failure where that cannot be told."""
        ...

    async def rest(self) -> None:
        """Let go of what only fetching texts needs, until the next time."""
        ...

    async def link(self, entry: Entry) -> str:
        """Return where people open a document."""
        ...
