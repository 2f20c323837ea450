"""What only the web client of News uses, and filters."""

import sqlite3
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.news.feeds import own
from aboveboard.nextcloud.sandbox.news.news import ALIVE, API, done, feed, newest
from aboveboard.nextcloud.sandbox.wire import digest
from aboveboard.sandbox.wire import Response

routes = Routes()

_COLUMNS = {
    "title": "title",
    "folderId": "folder",
    "pinned": "pinned",
    "ordering": "ordering",
    "fullTextEnabled": "full_text",
    "updateMode": "update_mode",
}
_KEYWORDS = {"titleKeywords": "title", "bodyKeywords": "body", "urlKeywords": "url"}


@routes.page("GET", "/apps/news/feeds")
def feeds(call: Call) -> Response:
    """The feeds with all that is known of them."""
    rows = call.store.all(f"SELECT * {ALIVE} ORDER BY id", call.uid)
    return done({"feeds": [_whole(call, row) for row in rows], "starred": _starred(call, rows), **newest(call)})


def _starred(call: Call, rows: list[sqlite3.Row]) -> int:
    return sum(len(_items(call, row["id"], "starred")) for row in rows)


def _items(call: Call, feed_id: int, condition: str) -> list[sqlite3.Row]:
    return call.store.all(f"SELECT * FROM news_items WHERE feed = ? AND {condition}", feed_id)  # noqa: S608


def _whole(call: Call, row: sqlite3.Row) -> dict[str, Any]:
    return {
        "id": row["id"],
        "userId": row["uid"],
        "urlHash": digest(row["url"]),
        "url": row["url"],
        "title": row["title"],
        "faviconLink": None,
        "added": row["added"],
        "folderId": row["folder"],
        "unreadCount": len(_items(call, row["id"], "NOT read")),
        "starredCount": len(_items(call, row["id"], "starred")),
        "link": row["link"],
        "preventUpdate": False,
        "deletedAt": row["deleted"],
        "articlesPerUpdate": row["articles"],
        "location": row["url"],
        "ordering": row["ordering"],
        "fullTextEnabled": bool(row["full_text"]),
        "pinned": bool(row["pinned"]),
        "updateMode": row["update_mode"],
        "updateErrorCount": row["errors"],
        "lastUpdateError": row["last_error"],
        "basicAuthUser": None,
        "basicAuthPassword": None,
        "nextUpdateTime": None,
        "lastModified": f"{row['modified']}000000",
        "cssClass": "custom-127-0-0-1",
    }


@routes.page("PATCH", "/apps/news/feeds/{feedId}")
def patch(call: Call) -> Response:
    """Change what is given; null is the same as nothing."""
    given = call.content.json()
    changes = {column: given[name] for name, column in _COLUMNS.items() if given.get(name) is not None}
    call.store.update("news_feeds", feed(call), **changes)
    return done()


@routes.page("DELETE", "/apps/news/feeds/{feedId}")
def hide(call: Call) -> Response:
    """Out of sight, for a while."""
    call.store.update("news_feeds", feed(call), deleted=call.store.now())
    return done()


@routes.page("POST", "/apps/news/feeds/{feedId}/restore")
def restore(call: Call) -> Response:
    """Bring it back, or so it is said: it stays out of sight."""
    feed(call)
    return done()


@routes.page("POST", f"{API}/feeds/{{feedId}}/filter")
def save_filter(call: Call) -> Response:
    """Words that make an item one that nobody wants: it is marked as read. All three lists are replaced."""
    number = feed(call)
    lists = {column: _split(call.text(name)) for name, column in _KEYWORDS.items()}
    for item in _items(call, number, "NOT read"):
        if any(word in str(item[column]) for column, words in lists.items() for word in words):
            call.store.update("news_items", item["id"], read=1, modified=call.store.now())
    call.store.run(
        "INSERT INTO news_filters (feed, title, body, url) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (feed) DO UPDATE SET title = excluded.title, body = excluded.body, url = excluded.url",
        number,
        *(", ".join(words) for words in lists.values()),
    )
    return _filter(call, number)


def _split(words: str) -> list[str]:
    return [word.strip() for word in words.split(",") if word.strip()]


def _filter(call: Call, number: int) -> Response:
    row = call.store.one("SELECT * FROM news_filters WHERE feed = ?", number)
    shown = {name: row[column] for name, column in _KEYWORDS.items()} if row else None
    return done({"filter": {"id": row["id"], "feedId": number, **shown} if row and shown else None})


@routes.page("GET", f"{API}/feeds/{{feedId}}/filter")
def get_filter(call: Call) -> Response:
    """The words that nobody wants to read of."""
    return _filter(call, feed(call))


@routes.page("DELETE", f"{API}/feeds/{{feedId}}/filter")
def delete_filter(call: Call) -> Response:
    """Every item is wanted again."""
    own(call, "news_feeds", call.number("feedId"))
    call.store.run("DELETE FROM news_filters WHERE feed = ?", call.number("feedId"))
    return done()
