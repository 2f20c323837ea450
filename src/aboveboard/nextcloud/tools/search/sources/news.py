"""What feeds brought, as documents to search."""

from collections.abc import Collection, Sequence
from typing import Final

from aboveboard.nextcloud.client.news.items import Choice, Item
from aboveboard.nextcloud.tools.news.html import markdown
from aboveboard.nextcloud.tools.search.sources.gathered import Gathered, GatheredSource
from aboveboard.search.entries import Entry

MOST: Final = 2000
"""Items that are indexed: feeds bring more than anyone looks for again."""
AT_ONCE: Final = 200


class NewsSource(GatheredSource):
    """The items of one person's feeds."""

    name = "news"

    async def gather(self, keys: Collection[str] | None = None) -> Sequence[Gathered]:
        """List the newest items, down to the oldest that is asked for."""
        feeds = {one.id: one.title for one in await self._nextcloud.feeds.list()}
        last = 0 if keys is None else min(int(key) for key in keys)
        found, offset = list[Item](), 0
        while len(found) < MOST:
            page = await self._nextcloud.news.list(Choice(), limit=AT_ONCE, offset=offset)
            found += page.items
            if page.next_offset is None or page.next_offset <= last:
                break
            offset = page.next_offset
        return [_gathered(one, feeds.get(one.feed_id, "")) for one in found[:MOST]]

    def link(self, entry: Entry) -> str:
        """Return where people read their feeds."""
        return f"{self._nextcloud.url}/index.php/apps/news/"


def _gathered(item: Item, feed: str) -> Gathered:
    parts = [markdown(item.body), item.author, item.url]
    return Gathered.of(str(item.id), item.title, parts, place=feed, modified=item.published)
