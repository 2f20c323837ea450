"""What feeds brought: items, newest first, read and unread, starred and not.

A list goes on below the id of the last item known, which is what Nextcloud calls an offset. By that, one item is read
without all others, for which News has no way of its own.
"""

import builtins
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from types import NoneType
from typing import Final

from pydantic import Field

from aboveboard.errors import BadInput, NotFound
from aboveboard.http import Nature, Session, path
from aboveboard.nextcloud.client.apps import App
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.client.news.feeds import API, Feeds, Text, done

FEED, FOLDER, STARRED, ALL = 0, 1, 2, 3
"""What a list is of, in the numbers of the API."""
_BATCH: Final = 200
_BATCHES: Final = 20
"""How many batches of starred items are looked through at most for those of one feed or folder."""


class Item(Model):
    """An item; its body is HTML that someone on the web wrote."""

    id: int
    feed_id: int
    title: Text = ""
    url: Text = ""
    author: Text = ""
    published: int | None = Field(default=None, alias="pubDate")
    body: Text = ""
    unread: bool
    starred: bool
    enclosure_link: Text = ""
    last_modified: int = 0
    """Seconds since 1970; marking it read counts too."""


@dataclass(frozen=True)
class Choice:
    """Which items: of a feed, of a folder, or of all; only starred, only unread."""

    feed: int | None = None
    folder: int | None = None
    starred: bool = False
    unread: bool = False

    @property
    def kind(self) -> tuple[int, int]:
        """What Nextcloud is asked for: starred ones of a feed or folder are chosen among all starred ones."""
        if self.starred:
            return STARRED, 0
        if self.feed is not None:
            return FEED, self.feed
        return (ALL, 0) if self.folder is None else (FOLDER, self.folder)


class ItemPage(Model):
    """Some items, and where the next ones begin, if there are any."""

    items: list[Item]
    next_offset: int | None = None


class Mark(Enum):
    """What can be done to an item, by the word of the API."""

    READ = "read"
    UNREAD = "unread"
    STAR = "star"
    UNSTAR = "unstar"

    @property
    def nature(self) -> Nature:
        """What it does: a mark that is taken away is lost."""
        return Nature.ADDS if self in (Mark.READ, Mark.STAR) else Nature.REPLACES


class _Items(Model):
    items: list[Item]


class Items:
    """The items of one user."""

    def __init__(self, session: Session, feeds: Feeds) -> None:
        self._app = App(session, "news")
        self._feeds = feeds

    async def list(self, choice: Choice, *, limit: int = 50, offset: int = 0) -> ItemPage:
        """List items, the newest first, those below `offset` only if it is given."""
        if choice.feed is not None and choice.folder is not None:
            raise BadInput("An item is of a feed or of a folder.", next_step="Give feed_id or folder_id, not both.")
        if choice.starred and (choice.feed is not None or choice.folder is not None):
            return await self._starred_of(choice, limit, offset)
        # One more than wanted tells whether there are more.
        found = await self._batch(choice, limit + 1, offset)
        if not found and not offset:
            await self._check_place(choice)
        return _page(found, limit)

    async def changed(self, since: int) -> builtins.list[Item]:
        """List the items that are new or were changed or marked since a time, that second included."""
        query = {"lastModified": since, "type": ALL, "id": 0}
        return (await self._app.get(path(f"{API}/items/updated"), _Items, query)).items

    async def get(self, item: int) -> Item:
        """Get one item: the newest that is not newer than it, which it is."""
        found = await self._batch(Choice(), 1, item + 1)
        if not found or found[0].id != item:
            raise NotFound(f"There is no item {item}.", status=404)
        return found[0]

    async def mark(self, items: Sequence[int], mark: Mark) -> None:
        """Mark items; of several, those that are not there are passed over without a word."""
        if len(items) == 1:
            at = path(f"{API}/items/{{item}}/{{mark}}", item=str(items[0]), mark=mark.value)
            done(self._app, await self._app.send("POST", at, nature=mark.nature), "item", items[0])
            return
        at = path(f"{API}/items/{{mark}}/multiple", mark=mark.value)
        answer = await self._app.send("POST", at, body={"itemIds": builtins.list(items)}, nature=mark.nature)
        self._app.read(answer, NoneType)

    async def _batch(self, choice: Choice, size: int, offset: int) -> builtins.list[Item]:
        kind, number = choice.kind
        query = {
            "type": kind,
            "id": number,
            "getRead": "false" if choice.unread else "true",
            "batchSize": size,
            "offset": offset,
        }
        return (await self._app.get(path(f"{API}/items"), _Items, query)).items

    async def _starred_of(self, choice: Choice, limit: int, offset: int) -> ItemPage:
        feeds = await self._feeds_of(choice)
        kept = builtins.list[Item]()
        for _ in range(_BATCHES):
            batch = await self._batch(choice, _BATCH, offset)
            kept += [item for item in batch if item.feed_id in feeds]
            if len(kept) > limit or len(batch) < _BATCH:
                return _page(kept, limit)
            offset = batch[-1].id
        return ItemPage(items=kept, next_offset=offset)

    async def _feeds_of(self, choice: Choice) -> set[int]:
        if choice.feed is not None:
            return {(await self._feeds.get(choice.feed)).id}
        await self._check_place(choice)
        return {feed.id for feed in await self._feeds.list() if feed.folder_id == choice.folder}

    async def _check_place(self, choice: Choice) -> None:
        """Tell a feed or folder without items from one that is not there, which Nextcloud does not."""
        if choice.feed is not None:
            await self._feeds.get(choice.feed)
        if choice.folder is not None:
            await self._feeds.folder(choice.folder)


def _page(found: list[Item], limit: int) -> ItemPage:
    shown = found[:limit]
    return ItemPage(items=shown, next_offset=shown[-1].id if len(found) > limit else None)
