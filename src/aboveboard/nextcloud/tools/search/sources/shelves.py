"""Documents on shelves (calendars, address books, boards), each of which tells whether anything on it changed."""

import json
from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from aboveboard.nextcloud.client.missing import AppMissing
from aboveboard.nextcloud.tools.search.sources.gathered import Gathered, GatheredSource
from aboveboard.search.entries import Known
from aboveboard.search.source import Listing


@dataclass(frozen=True)
class Shelf:
    """A calendar, an address book or a board."""

    name: str
    """What the keys of its documents begin with, before a slash."""
    title: str
    tag: str | None
    """Another one where anything on it changed; None where it does not tell, or not reliably."""


@dataclass(frozen=True)
class Changes:
    """What is new or changed on a shelf, and the keys of what is gone from it."""

    found: Sequence[Gathered]
    gone: Collection[str] = ()


class ShelfSource(GatheredSource):
    """Documents of an app that are read shelf by shelf, and only where something changed."""

    @abstractmethod
    async def shelves(self) -> Sequence[Shelf]:
        """List the shelves."""

    @abstractmethod
    async def whole(self, shelf: Shelf, *, brief: bool) -> Sequence[Gathered]:
        """List all documents on a shelf; where it is `brief`, texts are not needed, and a shelf may have gone."""

    async def since(self, shelf: Shelf, tag: str) -> Changes | None:
        """Tell what changed since a shelf had another tag; None where that cannot be told."""
        del shelf, tag

    async def gather(self, keys: Collection[str] | None = None) -> Sequence[Gathered]:
        """List the documents of all shelves, or of those that some keys are of."""
        wanted = None if keys is None else {_shelf_of(key) for key in keys}
        shelves = [one for one in await self.shelves() if wanted is None or one.name in wanted]
        return [document for shelf in shelves for document in await self.whole(shelf, brief=wanted is not None)]

    async def listing(self, mark: str | None, known: Mapping[str, Known]) -> Listing:
        """Read what changed; a shelf is read whole that is new, renamed, or has not as many documents as it should."""
        before: dict[str, list[object]] = json.loads(mark) if mark else {}
        made, present, found = dict[str, list[object]](), set[str](), list[Gathered]()
        for shelf in await self._shelves():
            mine = {key for key, one in known.items() if not one.missing and _shelf_of(key) == shelf.name}
            tag, *rest = before.get(shelf.name, [None])
            trusted = isinstance(tag, str) and shelf.tag is not None and rest == [shelf.title, len(mine)]
            changes = await self._changes(shelf, str(tag)) if trusted else None
            if changes is None:
                changes, mine = Changes(await self.whole(shelf, brief=False)), set[str]()
            found += changes.found
            now = (mine - set(changes.gone)) | {one.entry.key for one in changes.found}
            present |= now
            made[shelf.name] = [shelf.tag, shelf.title, len(now)]
        self.remember(found)
        return Listing(entries=[one.entry for one in found], present=present, mark=json.dumps(made))

    async def _changes(self, shelf: Shelf, tag: str) -> Changes | None:
        return Changes(()) if tag == shelf.tag else await self.since(shelf, tag)

    async def _shelves(self) -> Sequence[Shelf]:
        try:
            return await self.shelves()
        except AppMissing:
            return ()


def _shelf_of(key: str) -> str:
    return key.partition("/")[0]
