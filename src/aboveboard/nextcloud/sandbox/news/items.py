"""The News API v1-3: items, read and unread, starred and not."""

from collections.abc import Sequence
from typing import Any, cast

from aboveboard.nextcloud.sandbox.calls import Call, Routes, to_int
from aboveboard.nextcloud.sandbox.news.feeds import own, shown_item
from aboveboard.nextcloud.sandbox.news.news import ALIVE, API, done, feed, stumble
from aboveboard.nextcloud.sandbox.wire import bad_argument
from aboveboard.sandbox.wire import Response

routes = Routes()

_OF = {
    0: "feed = :id",
    1: "feed IN (SELECT id FROM news_feeds WHERE folder = :id)",
    2: "starred",
    3: "1",
    6: "NOT read",
}
"""What is asked for by each type of a list: a feed, a folder, starred, all, unread."""
_MARKS = {"read": ("read", 1), "unread": ("read", 0), "star": ("starred", 1), "unstar": ("starred", 0)}


def _listed(call: Call, condition: str = "1", *values: object) -> Response:
    """Items of the asked type, the newest first unless said otherwise; offset is the id of the last one known."""
    kind = to_int(call.arguments.get("type", 3))
    if kind not in _OF:
        raise stumble()
    chosen = _OF[kind].replace(":id", str(call.number("id")))
    oldest, size = call.flag("oldestFirst"), call.number("batchSize", -1)
    if offset := call.number("offset"):
        condition = f"({condition}) AND id {'>' if oldest else '<'} {offset}"
    sql = f"SELECT * FROM news_items WHERE feed IN (SELECT id {ALIVE}) AND {chosen} AND {condition}"  # noqa: S608
    order = f" ORDER BY id {'ASC' if oldest else 'DESC'} LIMIT {size}"
    return done({"items": [shown_item(row) for row in call.store.all(sql + order, call.uid, *values)]})


@routes.page("GET", f"{API}/items")
def items(call: Call) -> Response:
    """Items, all or only the unread ones."""
    return _listed(call, "1" if call.flag("getRead") or "getRead" not in call.arguments else "NOT read")


@routes.page("GET", f"{API}/items/updated")
def updated(call: Call) -> Response:
    """Items that changed since a moment."""
    return _listed(call, "modified >= ?", call.number("lastModified"))


def _mark(call: Call, items: Sequence[int], how: str) -> None:
    column, value = _MARKS[how]
    for item in items:
        call.store.run(
            f"UPDATE news_items SET {column} = ?, modified = ? WHERE id = ? AND uid = ? AND {column} != ?",  # noqa: S608
            value,
            call.store.now(),
            item,
            call.uid,
            value,
        )


def _mark_one(how: str) -> None:
    """The routes that mark an item: one for it, and one for many, which passes over those that are not there."""

    def one(call: Call) -> Response:
        _mark(call, [own(call, "news_items", call.number("itemId"))["id"]], how)
        return done()

    def many(call: Call) -> Response:
        ids = call.arguments.get("itemIds")
        if not isinstance(ids, list):
            raise bad_argument()
        _mark(call, [to_int(item) for item in cast("list[Any]", ids)], how)
        return done(None)

    routes.page("POST", f"{API}/items/{{itemId}}/{how}")(one)
    routes.page("PUT", f"/apps/news/api/v1-2/items/{{itemId}}/{how}")(one)
    routes.page("POST", f"{API}/items/{how}/multiple")(many)


for _how in _MARKS:
    _mark_one(_how)


@routes.page("PUT", "/apps/news/api/v1-2/items/{feedId}/{guidHash}/star")
def star_by_guid(call: Call) -> Response:
    """Star an item that is named by its feed and the hash of its guid."""
    rows = call.store.all("SELECT * FROM news_items WHERE feed = ?", feed(call))
    _mark(call, [row["id"] for row in rows if shown_item(row)["guidHash"] == call.text("guidHash")], "star")
    return done()


def _read_until(call: Call, condition: str, *values: object) -> Response:
    """Mark items as read, as far as the client knows them."""
    if "newestItemId" not in call.arguments:
        raise bad_argument()
    sql = f"SELECT id FROM news_items WHERE uid = ? AND id <= ? AND {condition}"  # noqa: S608
    rows = call.store.all(sql, call.uid, call.number("newestItemId"), *values)
    _mark(call, [row["id"] for row in rows], "read")
    return done(None)


@routes.page("POST", f"{API}/items/read")
def read_all(call: Call) -> Response:
    """Mark everything as read."""
    return _read_until(call, "1")


@routes.page("POST", f"{API}/feeds/{{feedId}}/read")
def read_feed(call: Call) -> Response:
    """Mark a feed as read; one that is not there is not foreseen."""
    if call.store.one("SELECT 1 FROM news_feeds WHERE id = ? AND uid = ?", call.number("feedId"), call.uid) is None:
        raise stumble()
    return _read_until(call, "feed = ?", call.number("feedId"))


@routes.page("POST", f"{API}/folders/{{folderId}}/read")
def read_folder(call: Call) -> Response:
    """Mark a folder as read."""
    return _read_until(call, "feed IN (SELECT id FROM news_feeds WHERE folder = ?)", call.number("folderId"))
