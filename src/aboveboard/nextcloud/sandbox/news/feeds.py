"""What the News app keeps: folders, feeds, items; and how a feed of the web becomes one."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from lxml import etree

from aboveboard.nextcloud.sandbox import web
from aboveboard.nextcloud.sandbox.calls import Call
from aboveboard.nextcloud.sandbox.store import ID, PERSON, Store
from aboveboard.nextcloud.sandbox.wire import Halt, digest, json_response
from aboveboard.sandbox.table import Table

FOLDERS = Table(
    "news_folders",
    f"{ID}, {PERSON}, name TEXT, opened INTEGER DEFAULT 1",
    at="news/{uid}/folders/{id}",
    flags={"opened"},
    unseen={"uid"},
)
FEEDS = Table(
    "news_feeds",
    f"{ID}, {PERSON}, folder INTEGER REFERENCES news_folders ON DELETE CASCADE, url TEXT, title TEXT, link TEXT,"
    " added INTEGER, ordering INTEGER DEFAULT 0, pinned INTEGER DEFAULT 0, full_text INTEGER DEFAULT 0,"
    " update_mode INTEGER DEFAULT 0, articles INTEGER DEFAULT 0, errors INTEGER DEFAULT 0, last_error TEXT,"
    " deleted INTEGER DEFAULT 0, modified INTEGER",
    at="news/{uid}/feeds/{id}",
    flags={"pinned", "full_text"},
    derived={"added", "modified"},
    unseen={"uid"},
)
ITEMS = Table(
    "news_items",
    f"{ID}, {PERSON}, feed INTEGER REFERENCES news_feeds ON DELETE CASCADE, guid TEXT, url TEXT, title TEXT,"
    " author TEXT, published INTEGER, body TEXT, read INTEGER DEFAULT 0, starred INTEGER DEFAULT 0, modified INTEGER",
    at="news/{uid}/items/{id}",
    flags={"read", "starred"},
    derived={"modified"},
    unseen={"uid"},
)
FILTERS = Table(
    "news_filters",
    f"{ID}, feed INTEGER UNIQUE REFERENCES news_feeds ON DELETE CASCADE, title TEXT, body TEXT, url TEXT",
)

_NONE = 'Did expect one result but found none when executing: query "SELECT {}"; '
NO_FOLDER = _NONE.format("* FROM `*PREFIX*news_folders` WHERE (user_id = :user_id) AND (id = :id) AND (deleted_at = 0)")
NO_FEED = _NONE.format("* FROM `*PREFIX*news_feeds` WHERE (user_id = :user_id) AND (id = :id) ORDER BY `title` ASC")
NO_ITEM = _NONE.format(
    "`items`.* FROM `*PREFIX*news_items` `items` INNER JOIN `*PREFIX*news_feeds` `feeds` ON items.feed_id = feeds.id"
    " WHERE (feeds.user_id = :user_id) AND (items.id = :item_id) AND (feeds.deleted_at = 0)"
)


@dataclass(frozen=True)
class Entry:
    """An item as a feed has it."""

    guid: str
    url: str
    title: str
    author: str | None
    published: int
    body: str


def news_refusal(message: str, status: int = 404) -> Halt:
    """What News says when something is not as it should be."""
    return Halt(json_response({"message": message}, status))


def own(call: Call, table: str, number: int) -> sqlite3.Row:
    """A folder, feed or item of the person who calls."""
    row = call.store.one(f"SELECT * FROM {table} WHERE id = ? AND uid = ?", number, call.uid)  # noqa: S608
    if row is None:
        raise news_refusal({"news_folders": NO_FOLDER, "news_feeds": NO_FEED, "news_items": NO_ITEM}[table])
    return row


def add_feed(store: Store, uid: str, url: str, folder: int | None) -> int:
    """Subscribe to a feed of the web, with all that it has now."""
    if store.one("SELECT 1 FROM news_feeds WHERE uid = ? AND url = ?", uid, url):
        raise news_refusal("Feed with this URL exists", 409)
    title, link, entries = read_feed(_fetched(store, url))
    now = store.now()
    feed = store.insert(
        "news_feeds",
        uid=uid,
        folder=folder,
        url=url,
        title=title,
        link=link,
        added=now,
        articles=len(entries),
        modified=now,
    )
    for entry in reversed(entries):
        store.insert("news_items", uid=uid, feed=feed, **vars(entry), modified=now)
    return feed


def _fetched(store: Store, url: str) -> bytes:
    found = web.fetch(store, url)
    if found is not None:
        return found
    if not web.host_of(url):
        raise news_refusal("Local server access is not allowed: Could not detect any host")
    if web.has_host(store, url):
        raise news_refusal(f"HTTP 404 Not Found: {url}")
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    raise news_refusal(
        f"Transport error for {url}: cURL error 7: Failed to connect to {parts.hostname} port {port} after 0 ms:"
        f" Couldn't connect to server (see https://curl.haxx.se/libcurl/c/libcurl-errors.html) for {url}"
    )


def read_feed(content: bytes) -> tuple[str, str, list[Entry]]:
    """Title, link and items of an RSS feed."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=False)
    try:
        channel = etree.fromstring(content, parser).find("channel")
    except etree.XMLSyntaxError:
        channel = None
    if channel is None:
        raise news_refusal("No parser can handle this stream")
    return channel.findtext("title", ""), channel.findtext("link", ""), list(_entries(channel))


def _entries(channel: Any) -> Iterator[Entry]:
    for item in channel.iterfind("item"):
        link = item.findtext("link", "")
        yield Entry(
            guid=item.findtext("guid") or link,
            url=link,
            title=item.findtext("title", ""),
            author=item.findtext("author"),
            published=int(parsedate_to_datetime(item.findtext("pubDate")).timestamp()),
            body=item.findtext("description", ""),
        )


def shown_folder(row: sqlite3.Row) -> dict[str, Any]:
    """A folder as the API shows it; its feeds are never named."""
    return {"id": row["id"], "name": row["name"], "opened": bool(row["opened"]), "feeds": []}


def shown_feed(row: sqlite3.Row, unread: int | None) -> dict[str, Any]:
    """A feed as the API shows it; how much is unread is not known of one that was just added."""
    return {
        "id": row["id"],
        "url": row["url"],
        "title": row["title"],
        "faviconLink": None,
        "added": row["added"],
        "folderId": row["folder"],
        "unreadCount": unread,
        "ordering": row["ordering"],
        "link": row["link"],
        "pinned": bool(row["pinned"]),
        "updateErrorCount": row["errors"],
        "lastUpdateError": "" if unread is None else row["last_error"],
        "items": [],
        "nextUpdateTime": None,
    }


def shown_item(row: sqlite3.Row) -> dict[str, Any]:
    """An item as the API shows it."""
    fingerprint = digest(f"{row['title']}{row['url']}{row['body']}")
    return {
        "id": row["id"],
        "guid": row["guid"],
        "guidHash": digest(row["guid"]),
        "url": row["url"],
        "title": row["title"],
        "author": row["author"],
        "pubDate": row["published"],
        "updatedDate": None,
        "body": row["body"],
        "enclosureMime": None,
        "enclosureLink": None,
        "mediaThumbnail": None,
        "mediaDescription": None,
        "feedId": row["feed"],
        "unread": not row["read"],
        "starred": bool(row["starred"]),
        "filtered": False,
        "lastModified": row["modified"],
        "rtl": False,
        "fingerprint": fingerprint,
        "contentHash": fingerprint,
    }
