"""The News API v1-3: folders and feeds."""

from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes, to_int
from aboveboard.nextcloud.sandbox.news.feeds import add_feed, news_refusal, own, shown_feed, shown_folder
from aboveboard.nextcloud.sandbox.wire import Halt, bad_argument, json_response, page
from aboveboard.sandbox.wire import Response

API = "/apps/news/api/v1-3"
VERSION = "28.7.0"
ALIVE = "FROM news_feeds WHERE uid = ? AND deleted = 0"

routes = Routes()


def done(value: object = ()) -> Response:
    """An answer; most of what is done well is answered with an empty list."""
    return json_response(value)


def stumble() -> Halt:
    """What the app did not foresee."""
    return Halt(page("Internal Server Error", 500))


def need(call: Call, name: str) -> str:
    """A text that must be given, and may be empty."""
    if not isinstance(call.arguments.get(name), str):
        raise bad_argument()
    return call.text(name)


@routes.page("OPTIONS", "/apps/news/api/{rest...}", public=True)
def preflight(_: Call) -> Response:
    """What a browser asks first, of any path: so any other method of an unknown path is not allowed, not unknown."""
    return Response(200)


@routes.page("GET", "/apps/news/api")
def levels(_: Call) -> Response:
    """The versions of the API."""
    return done({"apiLevels": ["v1-2", "v1-3", "v2"]})


@routes.page("GET", f"{API}/version")
def version(_: Call) -> Response:
    """The version of the app."""
    return done({"version": VERSION})


@routes.page("GET", f"{API}/status")
def status(_: Call) -> Response:
    """Whether anything is set up badly."""
    warnings = {"improperlyConfiguredCron": False, "incorrectDbCharset": False}
    return done({"version": VERSION, "warnings": warnings})


@routes.page("GET", f"{API}/folders")
def folders(call: Call) -> Response:
    """All folders by name."""
    rows = call.store.all("SELECT * FROM news_folders WHERE uid = ? ORDER BY name, id", call.uid)
    return done({"folders": [shown_folder(row) for row in rows]})


def _new_folder(call: Call) -> dict[str, Any]:
    made = call.store.insert("news_folders", uid=call.uid, name=need(call, "name"))
    return shown_folder(own(call, "news_folders", made))


@routes.page("POST", f"{API}/folders")
def create_folder(call: Call) -> Response:
    """A new folder, whatever others are called."""
    return done({"folders": [_new_folder(call)]})


@routes.page("POST", "/apps/news/api/v2/folders")
def create_folder_v2(call: Call) -> Response:
    """The same in the next version."""
    return done({"folder": _new_folder(call)})


@routes.page("PUT", f"{API}/folders/{{folderId}}")
def rename_folder(call: Call) -> Response:
    """Another name for a folder."""
    folder = own(call, "news_folders", call.number("folderId"))
    call.store.update("news_folders", folder["id"], name=need(call, "name"))
    return done()


@routes.page("DELETE", f"{API}/folders/{{folderId}}")
def delete_folder(call: Call) -> Response:
    """Gone, with its feeds and all of their items."""
    folder = own(call, "news_folders", call.number("folderId"))
    call.store.run("DELETE FROM news_folders WHERE id = ?", folder["id"])
    return done()


@routes.page("POST", "/apps/news/folders/{folderId}/open")
def open_folder(call: Call) -> Response:
    """Show what is in a folder, or not; only the web client does."""
    folder = own(call, "news_folders", call.number("folderId"))
    call.store.update("news_folders", folder["id"], opened=int(call.flag("open")))
    return done()


@routes.page("POST", "/apps/news/folders/{folderId}/restore")
def restore_folder(call: Call) -> Response:
    """Bring a folder back, which finds none that is gone."""
    own(call, "news_folders", call.number("folderId"))
    return done()


@routes.page("GET", f"{API}/feeds")
def feeds(call: Call) -> Response:
    """All feeds, and the newest item that there ever was of them."""
    rows = call.store.all(f"SELECT * {ALIVE} ORDER BY id", call.uid)
    starred = call.store.all(
        f"SELECT 1 FROM news_items WHERE starred AND feed IN (SELECT id {ALIVE})",  # noqa: S608
        call.uid,
    )
    listed = [shown_feed(row, _unread(call, row["id"])) for row in rows]
    return done({"starredCount": len(starred), "feeds": listed, **newest(call)})


def _unread(call: Call, feed: int) -> int:
    return len(call.store.all("SELECT 1 FROM news_items WHERE feed = ? AND NOT read", feed))


def newest(call: Call) -> dict[str, int]:
    """The id of the newest item; nothing where there is none."""
    row = call.store.one("SELECT max(id) AS id FROM news_items WHERE uid = ?", call.uid)
    return {"newestItemId": row["id"]} if row and row["id"] else {}


def _folder(call: Call) -> int | None:
    """The folder that is asked for, none for 0 and null; one that is not there is not foreseen."""
    folder = to_int(call.arguments.get("folderId"))
    if not folder:
        return None
    if call.store.one("SELECT 1 FROM news_folders WHERE id = ? AND uid = ?", folder, call.uid) is None:
        raise stumble()
    return folder


@routes.page("POST", f"{API}/feeds")
def create_feed(call: Call) -> Response:
    """Subscribe to a feed of the web."""
    url = need(call, "url")
    made = add_feed(call.store, call.uid, url, _folder(call))
    return done({"feeds": [shown_feed(own(call, "news_feeds", made), None)], **newest(call)})


def feed(call: Call) -> int:
    """The feed that a path names."""
    row = own(call, "news_feeds", call.number("feedId"))
    return int(row["id"])


@routes.page("DELETE", f"{API}/feeds/{{feedId}}")
def delete_feed(call: Call) -> Response:
    """Gone, with all of its items."""
    call.store.run("DELETE FROM news_feeds WHERE id = ?", feed(call))
    return done()


@routes.page("POST", f"{API}/feeds/{{feedId}}/rename")
def rename_feed(call: Call) -> Response:
    """Another title for a feed."""
    call.store.update("news_feeds", feed(call), title=need(call, "feedTitle"))
    return done()


@routes.page("POST", f"{API}/feeds/{{feedId}}/move")
def move_feed(call: Call) -> Response:
    """Another folder for a feed."""
    call.store.update("news_feeds", feed(call), folder=_folder(call))
    return done()


def _only_admin(call: Call) -> None:
    if not call.me.admin:
        raise news_refusal("Logged in account must be an admin", 403)


@routes.page("GET", f"{API}/feeds/all")
def everyones_feeds(call: Call) -> Response:
    """Whose feeds there are, for whoever fetches them."""
    _only_admin(call)
    rows = call.store.all("SELECT id, uid FROM news_feeds WHERE deleted = 0 ORDER BY id")
    return done({"feeds": [{"id": row["id"], "userId": row["uid"]} for row in rows]})


@routes.page("GET", f"{API}/feeds/update")
def update_feed(call: Call) -> Response:
    """Fetch a feed; here none ever has anything new."""
    _only_admin(call)
    return done(None)
