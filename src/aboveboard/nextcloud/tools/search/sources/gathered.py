"""Documents whose list tells their texts too: what changed is seen by the texts themselves."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from aboveboard.errors import NotFound
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.missing import AppMissing
from aboveboard.search.entries import Entry, Known
from aboveboard.search.source import Listing


@dataclass(frozen=True)
class Gathered:
    """A document with its text."""

    entry: Entry
    text: str

    @classmethod
    def of(
        cls, key: str, title: str, parts: Sequence[str], *, place: str = "", modified: int | None = None
    ) -> "Gathered":
        """Put a document together from what is said in it."""
        text = "\n\n".join(part.strip() for part in parts if part.strip())
        etag = sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
        return cls(Entry(key=key, etag=etag, title=title, place=place.replace("/", " "), modified=modified), text)


class GatheredSource(ABC):
    """Documents of an app that are listed whole; without the app there are none."""

    name: str

    def __init__(self, nextcloud: NextcloudClient) -> None:
        self._nextcloud = nextcloud
        self._texts: dict[str, str] = {}

    @abstractmethod
    async def gather(self, keys: Collection[str] | None = None) -> Sequence[Gathered]:
        """List all documents; given some keys, at least those of them that there are."""

    @abstractmethod
    async def link(self, entry: Entry) -> str:
        """Return where people open a document."""

    async def listing(self, mark: str | None, known: Mapping[str, Known]) -> Listing:
        """List all documents; their texts are kept until they are asked for."""
        found = await self._gathered(None)
        self.remember(found)
        return Listing(entries=[one.entry for one in found], present=set(self._texts))

    def remember(self, found: Sequence[Gathered]) -> None:
        """Keep the texts of a listing until they are asked for."""
        self._texts = {one.entry.key: one.text for one in found}

    async def text(self, entry: Entry) -> str:
        """Return the text that the list told."""
        if entry.key not in self._texts:
            raise NotFound(f"There is no {self.name} {entry.key!r}.", status=404)
        return self._texts[entry.key]

    async def visible(self, keys: Collection[str]) -> Collection[str]:
        """Tell which documents there are, by listing them again."""
        return {one.entry.key for one in await self._gathered(keys)} & set(keys)

    async def rest(self) -> None:
        """Forget the texts."""
        self._texts = {}

    async def _gathered(self, keys: Collection[str] | None) -> Sequence[Gathered]:
        try:
            return await self.gather(keys)
        except AppMissing:
            return ()
