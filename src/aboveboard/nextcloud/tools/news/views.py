"""News as tools show it: when in plain time, texts as Markdown and in parts."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final, Self

from pydantic import BaseModel

from aboveboard.nextcloud.client.model import unix_date
from aboveboard.nextcloud.client.news import feeds as client
from aboveboard.nextcloud.client.news.items import Item, ItemPage
from aboveboard.nextcloud.tools.news.html import markdown

EXCERPT: Final = 200
"""Characters of a text that lists show."""
_FOR_EXCERPT: Final = 4_000
"""Characters of HTML that are read for it."""


class NewsFolder(BaseModel):
    """A folder of feeds."""

    id: int
    name: str


class MadeFolder(NewsFolder):
    """A folder that was made; News shows it at `url`."""

    url: str


class NewsFolders(BaseModel):
    """The folders of a user."""

    items: list[NewsFolder]


class NewsFeed(BaseModel):
    """A feed; without a folder it is in none."""

    id: int
    title: str
    url: str
    link: str | None = None
    folder_id: int | None = None
    unread: int | None = None
    pinned: bool | None = None
    failing: bool | None = None

    @classmethod
    def of(cls, feed: client.Feed) -> Self:
        """Show a feed."""
        return cls(
            id=feed.id,
            title=feed.title,
            url=feed.url,
            link=feed.link or None,
            folder_id=feed.folder_id or None,
            unread=feed.unread,
            pinned=feed.pinned or None,
            failing=True if feed.error_count else None,
        )


class NewsFeeds(BaseModel):
    """The feeds of a user."""

    items: list[NewsFeed]


class FeedHealth(BaseModel):
    """Whether a feed can be fetched, and if not, why."""

    id: int
    title: str
    url: str
    healthy: bool
    error_count: int
    last_error: str | None = None
    next_update: datetime | None = None

    @classmethod
    def of(cls, feed: client.Feed) -> Self:
        """Tell how a feed is."""
        return cls(
            id=feed.id,
            title=feed.title,
            url=feed.url,
            healthy=not feed.error_count,
            error_count=feed.error_count,
            last_error=" ".join(feed.last_error.split())[:300] or None,
            next_update=unix_date(feed.next_update),
        )


class NewsStatus(BaseModel):
    """The version of News, and what is set up badly."""

    version: str
    warnings: list[str] | None = None

    @classmethod
    def of(cls, status: client.Status) -> Self:
        """Tell what is wrong in words, as far as they are known."""
        return cls(version=status.version, warnings=list(_warnings(status)) or None)


_WARNINGS: Final = {
    "improperlyConfiguredCron": "Feeds are not fetched regularly: Nextcloud's cron job is not set up.",
    "incorrectDbCharset": "The database cannot keep all characters: its character set is not utf8mb4.",
}


def _warnings(status: client.Status) -> Iterator[str]:
    yield from (_WARNINGS.get(name, name) for name, is_so in status.warnings.items() if is_so)


class NewsItem(BaseModel):
    """An item in a list, with the start of its text."""

    id: int
    title: str
    feed_id: int
    url: str | None = None
    author: str | None = None
    published: datetime | None = None
    unread: bool
    starred: bool
    excerpt: str | None = None

    @classmethod
    def of(cls, item: Item) -> Self:
        """Show an item of a list."""
        text = " ".join(markdown(item.body[:_FOR_EXCERPT]).split())
        start = text if len(text) <= EXCERPT else f"{text[:EXCERPT].rstrip()}…"
        return cls.model_validate({**_shown(item), "excerpt": start or None})


class NewsItems(BaseModel):
    """Some items, and where the next ones begin, if there are any."""

    items: list[NewsItem]
    next_offset: int | None = None

    @classmethod
    def of(cls, page: ItemPage) -> Self:
        """Show a page."""
        return cls(items=[NewsItem.of(one) for one in page.items], next_offset=page.next_offset)


class NewsText(BaseModel):
    """An item with its text, or a part of it, as Markdown."""

    id: int
    title: str
    feed_id: int
    url: str | None = None
    author: str | None = None
    published: datetime | None = None
    unread: bool
    starred: bool
    enclosure: str | None = None
    content: str
    length: int
    next_offset: int | None = None

    @classmethod
    def part(cls, item: Item, offset: int, limit: int) -> Self:
        """Show an item with a part of its text."""
        text = markdown(item.body)
        end = min(len(text), offset + limit)
        return cls.model_validate(
            {
                **_shown(item),
                "enclosure": item.enclosure_link or None,
                "content": text[offset:end],
                "length": len(text),
                "next_offset": end if end < len(text) else None,
            }
        )


class Marked(BaseModel):
    """Items that have the mark now, or have it no longer."""

    item_ids: list[int]
    note: str | None = None
    url: str | None = None
    """Where people open News."""


def _shown(item: Item) -> dict[str, object]:
    return {
        "id": item.id,
        "title": item.title,
        "feed_id": item.feed_id,
        "url": item.url or None,
        "author": item.author or None,
        "published": unix_date(item.published),
        "unread": item.unread,
        "starred": item.starred,
    }
