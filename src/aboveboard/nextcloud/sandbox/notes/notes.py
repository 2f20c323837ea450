"""The Notes API v1. A note is a file in the notes folder: its id is the file's, its category the folder's path."""

import re
from collections.abc import Iterator
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes, to_int
from aboveboard.nextcloud.sandbox.files.files import take_away
from aboveboard.nextcloud.sandbox.files.tree import Node
from aboveboard.nextcloud.sandbox.files.views import Place, View
from aboveboard.nextcloud.sandbox.notes.note_facts import tell_notes
from aboveboard.nextcloud.sandbox.server.server import Capabilities
from aboveboard.nextcloud.sandbox.store import NODE, PERSON
from aboveboard.nextcloud.sandbox.wire import Halt, compose_text, digest, http_date, json_response
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response, to_json

SETTINGS = Table("note_settings", f"{PERSON}, key TEXT, value TEXT, PRIMARY KEY (uid, key)", tell=tell_notes)
META = Table(
    "note_meta",
    f"{PERSON}, {NODE}, etag TEXT, noticed INTEGER, PRIMARY KEY (uid, node)",
    hidden="It follows from the notes, and from when they were looked at.",
)

VERSIONS = {"x-notes-api-versions": "0.2, 1.3, 1.4"}
LONGEST_TITLE = 100
_ENDINGS = (".txt", ".md", ".org", ".markdown", ".note")
_UNSAFE = re.compile(r'[*|/\\:"<>?\x00-\x1f]')

routes = Routes()


def _capabilities(call: Call) -> dict[str, object]:
    return {"notes_path": Notes(call).settings["notesPath"]}


capabilities = Capabilities("notes", _capabilities)


def notes_response(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """JSON, with the header that names the versions."""
    return json_response(value, status, {**VERSIONS, **(headers or {})})


def missing() -> Halt:
    """No such note, for this person."""
    return Halt(notes_response({"errorType": "Exception"}, 404))


def wrong_version() -> Halt:
    """A version or path that the API does not have."""
    return Halt(notes_response([], 400))


class Notes:
    """One person's notes."""

    def __init__(self, call: Call) -> None:
        self.call, self.view = call, View(call.store, call.uid)
        rows = call.store.all("SELECT key, value FROM note_settings WHERE uid = ?", call.uid)
        self.settings = {"notesPath": "Notes", "fileSuffix": ".md", "noteMode": "rich"}
        self.settings |= {row["key"]: row["value"] for row in rows}
        parts = self.settings["notesPath"].split("/")
        self.base = "".join(f"/{part}" for part in parts if part not in {"", ".", ".."}) or "/Notes"

    def folder(self) -> Place:
        """The notes folder, made where there is none."""
        return self.view.make_folders(self.base)

    def all(self) -> Iterator[Place]:
        """Every note, folders first."""
        folder = self.view.find(self.base)
        for place in self.view.walk(folder) if folder else ():
            if self._is_note(place):
                yield place

    def find(self, note: int) -> Place:
        """The note of this id."""
        place = self.view.by_id(note)
        if place is None or not f"{place.path}/".startswith(f"{self.base}/") or not self._is_note(place):
            raise missing()
        return place

    def _is_note(self, place: Place) -> bool:
        hidden = any(part.startswith(".attachments.") for part in place.path.split("/"))
        ending = (*_ENDINGS, self.settings["fileSuffix"])
        return not place.node.folder and not hidden and place.name.lower().endswith(ending)

    def category(self, place: Place) -> str:
        """The folder of a note, seen from the notes folder."""
        return place.parent_path.removeprefix(self.base).strip("/")

    def describe(self, place: Place) -> dict[str, Any]:
        """A note as the API shows it."""
        node, store = place.node, self.call.store
        favorite = store.one("SELECT 1 FROM favorites WHERE node = ? AND uid = ?", node.id, self.view.uid)
        types = store.all("SELECT DISTINCT type FROM shares WHERE node = ? ORDER BY type", node.id)
        value: dict[str, Any] = {
            "id": node.id,
            "title": place.name.rpartition(".")[0],
            "modified": node.mtime,
            "category": self.category(place),
            "favorite": favorite is not None,
            "readonly": not place.rights & 2,
            "internalPath": place.path,
            "shareTypes": [row["type"] for row in types],
            "isShared": place.share is not None,
            "error": False,
            "errorType": "",
            "content": shown_text(self.view.tree.content(node)),
        }
        return {**value, "etag": digest(to_json(value).decode())}

    def noticed(self, place: Place) -> int:
        """When the app saw that anything of a note was another: it looks whenever notes are listed."""
        store, mine = self.call.store, (self.view.uid, place.node.id)
        etag = self.describe(place)["etag"]
        row = store.one("SELECT etag, noticed FROM note_meta WHERE uid = ? AND node = ?", *mine)
        if row is not None and row["etag"] == etag:
            return row["noticed"]
        when = place.node.uploaded if row is None else store.now()
        store.run("INSERT OR REPLACE INTO note_meta VALUES (?, ?, ?, ?)", *mine, etag, when)
        return when

    def free_name(self, folder: Node, title: str, ending: str, *, besides: int | None = None) -> str:
        """A file name for a title, with a number where the name is taken."""
        number = 1
        while True:
            name = f"{title}{f' ({number})' if number > 1 else ''}{ending}"
            there = self.view.tree.child(folder, name)
            if there is None or there.id == besides:
                return name
            number += 1

    def set_favorite(self, node: int, *, favorite: bool) -> None:
        """Star a note, or not."""
        if favorite:
            self.call.store.run("INSERT OR IGNORE INTO favorites VALUES (?, ?)", node, self.view.uid)
        else:
            self.call.store.run("DELETE FROM favorites WHERE node = ? AND uid = ?", node, self.view.uid)

    def remove_empty(self, folder: Place | None) -> None:
        """A category without notes is no category."""
        while folder and folder.path.startswith(f"{self.base}/") and not self.view.children(folder):
            outer = self.view.find(folder.parent_path)
            take_away(self.view, folder)
            folder = outer


def shown_text(content: bytes) -> str:
    """The text of a note: without a byte order mark, and with ? for what is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("utf-8", "replace").replace("\ufffd", "?")


def safe_title(title: str) -> str:
    """A title that can be a file name."""
    cleaned = _UNSAFE.sub("", compose_text(title)).strip().lstrip(".").strip()
    return cleaned[:LONGEST_TITLE].strip() or "New note"


def safe_category(category: str) -> str:
    """A category that can be a path below the notes folder."""
    parts = (_UNSAFE.sub("", part).strip().lstrip(".").strip() for part in compose_text(category).split("/"))
    return "/".join(part for part in parts if part)


def _check_version(call: Call) -> None:
    if call.text("version") not in {"v1", "v0.2"}:
        raise wrong_version()


@routes.page("GET", "/apps/notes/api/{version}/notes")
def list_notes(call: Call) -> Response:
    """All notes, or a chunk of them; notes that did not change, or came before, are only named."""
    _check_version(call)
    notes = Notes(call)
    places = list(notes.all())
    if "category" in call.arguments:
        places = [place for place in places if notes.category(place) == call.text("category")]
    ordered = sorted(places, key=_moment)
    headers: dict[str, str] = {"last-modified": http_date(call.store.now())}
    size, prune = call.number("chunkSize"), call.number("pruneBefore")
    fresh = [place for place in ordered if notes.noticed(place) >= prune and _moment(place) > _cursor(call)]
    shown = fresh[:size] if size else fresh
    excluded = set(call.text("exclude").split(",")) - {"etag"}
    value: list[dict[str, Any]] = [_without(notes.describe(place), excluded) for place in shown]
    if len(shown) < len(fresh):
        last = shown[-1].node
        headers["x-notes-chunk-cursor"] = f"{call.store.now()}-{last.uploaded}-{last.id}"
        headers["x-notes-chunk-pending"] = str(len(fresh) - len(shown))
    else:
        ids = {place.node.id for place in shown}
        value += [{"id": place.node.id} for place in places if place.node.id not in ids]
    headers["etag"] = f'"{digest(to_json(value).decode())}"'
    return notes_response(value, headers=headers)


def _moment(place: Place) -> tuple[int, int]:
    """When the app noticed the last change, which a time that a client sets does not move."""
    return place.node.uploaded, place.node.id


def _cursor(call: Call) -> tuple[int, int]:
    """The last note of the chunk before; a cursor that nobody gave out means the beginning."""
    given = re.fullmatch(r"\d+-(-?\d+)-(\d+)", call.text("chunkCursor"))
    return (int(given.group(1)), int(given.group(2))) if given else (-(2**62), 0)


def _without(note: dict[str, Any], excluded: set[str]) -> dict[str, Any]:
    return {name: value for name, value in note.items() if name not in excluded}


@routes.page("GET", "/apps/notes/api/{version}/notes/{id}")
def get_note(call: Call) -> Response:
    notes, place = _note(call)
    note = notes.describe(place)
    excluded = set(call.text("exclude").split(",")) - {"etag"}
    return notes_response(_without(note, excluded), headers={"etag": f'"{note["etag"]}"'})


def _note(call: Call) -> tuple[Notes, Place]:
    _check_version(call)
    given = str(call.arguments["id"])
    if not given.isdecimal():
        raise wrong_version()
    notes = Notes(call)
    return notes, notes.find(int(given))


@routes.page("POST", "/apps/notes/api/{version}/notes")
def create_note(call: Call) -> Response:
    """A new note; everything that is left out has a default."""
    _check_version(call)
    notes = Notes(call)
    title, content, category = call.text("title"), call.text("content"), call.text("category")
    notes.folder()
    folder = notes.view.make_folders(f"{notes.base}/{safe_category(category)}")
    name = notes.free_name(folder.node, safe_title(title), notes.settings["fileSuffix"])
    mtime = to_int(call.arguments.get("modified")) or None
    node = notes.view.tree.make_file(folder.node, name, content.encode(), author=call.uid, mtime=mtime)
    notes.set_favorite(node.id, favorite=call.flag("favorite"))
    return notes_response(notes.describe(notes.find(node.id)))


@routes.page("PUT", "/apps/notes/api/{version}/notes/{id}")
def update_note(call: Call) -> Response:
    """Change what is given; with If-Match only while the note is the one that the client knows."""
    notes, place = _note(call)
    if "if-match" in call.headers:
        current = notes.describe(place)
        if call.header("if-match") != f'"{current["etag"]}"':
            raise Halt(notes_response(current, 412))
    given = {name for name in ("title", "content", "category") if call.arguments.get(name) is not None}
    if "content" in given:
        _write(call, notes, place)
    if given & {"title", "category"}:
        _rename(call, notes, place)
    if call.arguments.get("favorite") is not None:
        notes.set_favorite(place.node.id, favorite=call.flag("favorite"))
    mtime = to_int(call.arguments.get("modified"))
    if mtime and "content" not in given:
        notes.view.tree.set_mtime(place.node, mtime)
    return notes_response(notes.describe(notes.find(place.node.id)))


def _write(call: Call, notes: Notes, place: Place) -> None:
    content, mtime = call.text("content").encode(), to_int(call.arguments.get("modified")) or None
    if content != notes.view.tree.content(place.node) or mtime:
        notes.view.tree.write(place.node, content, author=call.uid, mtime=mtime)


def _rename(call: Call, notes: Notes, place: Place) -> None:
    """Another title is another file name, another category another folder; attachments go along with Markdown."""
    tree, node = notes.view.tree, place.node
    stem, _, ending = place.name.rpartition(".")
    title = safe_title(call.text("title")) if call.arguments.get("title") else stem
    category = safe_category(call.text("category", notes.category(place)))
    folder = notes.view.make_folders(f"{notes.base}/{category}")
    name = notes.free_name(folder.node, title, f".{ending}", besides=node.id)
    old = notes.view.find(place.parent_path)
    if name == place.name and old and old.node.id == folder.node.id:
        return
    attachments = notes.view.find(f"{place.parent_path}/.attachments.{node.id}")
    tree.move_past_dav(node, folder.node, name)
    if attachments and _markdown(place) and old and old.node.id != folder.node.id:
        tree.move_past_dav(attachments.node, folder.node, attachments.name)
    notes.remove_empty(old)


def _markdown(place: Place) -> bool:
    return place.name.lower().endswith((".md", ".markdown"))


@routes.page("DELETE", "/apps/notes/api/{version}/notes/{id}")
def delete_note(call: Call) -> Response:
    """Into the bin, the attachments folder of a Markdown note too."""
    notes, place = _note(call)
    folder = notes.view.find(place.parent_path)
    attachments = notes.view.find(f"{place.parent_path}/.attachments.{place.node.id}")
    take_away(notes.view, place)
    if attachments and _markdown(place):
        take_away(notes.view, attachments)
    notes.remove_empty(folder)
    return notes_response([])
