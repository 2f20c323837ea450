"""What feeds brought, as documents to search."""

import json
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from aboveboard.nextcloud.client.missing import AppMissing
from aboveboard.nextcloud.client.news.items import Choice, Item
from aboveboard.nextcloud.tools.news.html import markdown
from aboveboard.nextcloud.tools.search.sources.gathered import Gathered, GatheredSource
from aboveboard.search.entries import Entry, Known
from aboveboard.search.source import Listing

MOST: Final = 2000
"""Items that are indexed: feeds bring more than anyone looks for again."""
AT_ONCE: Final = 200
WHOLE_EVERY: Final = 24 * 3600
"""Seconds. News deletes old items by itself, which it tells nobody: now and then all are listed."""


@dataclass(frozen=True)
class _Mark:
    feeds: dict[str, str]
    since: int
    """When the item was changed that was changed last."""
    oldest: int
    """Items up to this id are too old to be indexed."""
    count: int
    listed: float
    """When all were listed."""


class NewsSource(GatheredSource):
    """The items of one person's feeds."""

    name = "news"

    async def listing(self, mark: str | None, known: Mapping[str, Known]) -> Listing:
        """List what changed, or all where feeds came or went, and once a day."""
        try:
            feeds = await self._feeds()
        except AppMissing:
            return Listing(entries=(), present=())
        mine = {key for key, one in known.items() if not one.missing}
        before = _Mark(**json.loads(mark)) if mark else None
        if before is None or (before.feeds, before.count) != (feeds, len(mine)) or _is_old(before):
            items = await self._newest(0)
            oldest = items[-1].id - 1 if len(items) == MOST else 0
            before, mine = _Mark(feeds, 0, oldest, 0, time.time()), set[str]()
        else:
            items = [one for one in await self._nextcloud.news.changed(before.since) if one.id > before.oldest]
        found = [_gathered(one, feeds) for one in items]
        self.remember(found)
        present = mine | {one.entry.key for one in found}
        since = max([before.since, *(one.last_modified for one in items)])
        made = _Mark(feeds, since, before.oldest, len(present), before.listed)
        return Listing(entries=[one.entry for one in found], present=present, mark=json.dumps(asdict(made)))

    async def gather(self, keys: Collection[str] | None = None) -> Sequence[Gathered]:
        """List the newest items, down to the oldest that is asked for."""
        feeds = await self._feeds()
        last = 0 if keys is None else min(int(key) for key in keys)
        return [_gathered(one, feeds) for one in await self._newest(last)]

    async def link(self, entry: Entry) -> str:
        """Return where people read their feeds."""
        return self._nextcloud.app_url("news")

    async def _feeds(self) -> dict[str, str]:
        return {str(one.id): one.title for one in await self._nextcloud.feeds.list()}

    async def _newest(self, last: int) -> list[Item]:
        found, offset = list[Item](), 0
        while len(found) < MOST:
            page = await self._nextcloud.news.list(Choice(), limit=AT_ONCE, offset=offset)
            found += page.items
            if page.next_offset is None or page.next_offset <= last:
                break
            offset = page.next_offset
        return found[:MOST]


def _is_old(mark: _Mark) -> bool:
    return not 0 <= time.time() - mark.listed < WHOLE_EVERY


def _gathered(item: Item, feeds: Mapping[str, str]) -> Gathered:
    parts, feed = [markdown(item.body), item.author, item.url], feeds.get(str(item.feed_id), "")
    return Gathered.of(str(item.id), item.title, parts, place=feed, modified=item.published)
