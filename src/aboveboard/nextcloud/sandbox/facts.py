"""The state as flat facts, which is what a comparison of before and after looks at.

Keys say where a thing stands: "files/admin/Documents/plan.md/content", "notes/12/title", "shares/3/permissions".
"nodes/12" says no more than that this file or folder is kept, at its place under "files/" or, without one, in the bin.
What follows from other facts or only counts time is under "derived/": ETags, times, sizes, ids of files, read marks.
"""

import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from aboveboard.nextcloud.sandbox.store import Store

# A longer text, or no text at all, is shown by its hash.
LONGEST_TEXT = 4096
Fact = tuple[str, object]

_PLAIN = {
    "users": ("uid", "displayname email quota enabled password"),
    "comments": ("id", "node uid message"),
    "tags": ("id", "name visible assignable color"),
    "shares": (
        "id",
        "type owner initiator node share_with permissions expiration token password note label hide_download",
    ),
    "locks": ("node", "uid kind token"),
    "statuses": ("uid", "status icon message clear_at"),
}
_DERIVED = {
    "users": ("uid", "first_login last_login"),
    "comments": ("id", "created"),
    "shares": ("id", "created"),
    "locks": ("node", "time timeout"),
}
_FLAGS = frozenset({"enabled", "visible", "assignable", "hide_download", "declined"})
_SECRET = frozenset({"password"})
_MARKS = (
    "SELECT 'nodes/' || id AS key FROM nodes",
    "SELECT 'groups/' || gid AS key FROM groups",
    "SELECT 'groups/' || gid || '/members/' || uid AS key FROM members",
    "SELECT 'users/' || uid || '/app_passwords/' || token AS key FROM tokens",
    "SELECT 'tags/' || tag || '/files/' || node AS key FROM tagged",
    "SELECT 'uploads/' || uid || '/' || name AS key FROM uploads",
)
_VALUES = (
    "SELECT 'shares/' || share || '/targets/' || uid AS key, target AS value FROM share_targets WHERE declined = 0",
    "SELECT 'settings/' || uid || '/' || key AS key, value FROM note_settings",
    "SELECT 'direct_links/' || token AS key, node AS value FROM direct_links",
    "SELECT 'derived/comments/read/' || node || '/' || uid AS key, time AS value FROM comment_reads",
    "SELECT iif(key = 'maintenance', 'server/', 'derived/') || key AS key, value FROM meta",
)


def dump(store: Store) -> dict[str, object]:
    """All facts, in the order of their keys."""
    return dict(sorted(_facts(store)))


def _facts(store: Store) -> Iterator[Fact]:
    files = _Files(store)
    for row in store.all("SELECT uid FROM users"):
        yield from files.home(row["uid"])
    for row in store.all("SELECT * FROM trash"):
        yield from files.trashed(row)
    for table, (key, columns) in _PLAIN.items():
        yield from _rows(store, table, key, columns.split(), "")
    for table, (key, columns) in _DERIVED.items():
        yield from _rows(store, table, key, columns.split(), "derived/")
    yield from ((row["key"], True) for sql in _MARKS for row in store.all(sql))
    yield from ((row["key"], row["value"]) for sql in _VALUES for row in store.all(sql))
    for row in store.all("SELECT * FROM chunks"):
        yield f"uploads/{row['uid']}/{row['upload']}/{row['name']}", _content(bytes(row["content"] or b""))


def _rows(store: Store, table: str, key: str, columns: list[str], prefix: str) -> Iterator[Fact]:
    for row in store.all(f"SELECT * FROM {table}"):  # noqa: S608 - a name from above
        for column in columns:
            value = bool(row[column]) if column in _FLAGS else row[column]
            if column in _SECRET and value:
                value = _hash(str(value).encode())
            yield f"{prefix}{table}/{row[key]}/{column}", value


class _Files:
    """Everyone's files, read at once: a query for each of them is what would take the time."""

    def __init__(self, store: Store) -> None:
        self._nodes = {row["id"]: row for row in store.all("SELECT * FROM nodes ORDER BY id")}
        self._inside = _by("parent", self._nodes.values())
        self._homes = {row["owner"]: row for row in self._inside[None] if not row["name"]}
        self._versions, self._stars, self._properties = (
            _by("node", store.all(f"SELECT * FROM {table}"))  # noqa: S608 - a name from here
            for table in ("versions", "favorites", "properties")
        )
        settings = store.all("SELECT * FROM note_settings WHERE key = 'notesPath'")
        self._notes_at = {row["uid"]: str(row["value"]) for row in settings}

    def home(self, uid: str) -> Iterator[Fact]:
        """Someone's files, and those of them that are notes."""
        home = self._homes.get(uid)
        if home:
            yield from self._node(home, f"files/{uid}")
        folder = home
        for name in filter(None, self._notes_at.get(uid, "Notes").split("/")):
            folder = next((row for row in self._inside[folder["id"]] if row["name"] == name), None) if folder else None
        if folder:
            yield from self._notes(folder, "")

    def trashed(self, row: sqlite3.Row) -> Iterator[Fact]:
        """Something in the bin, with all that is in it."""
        path = f"trash/{row['uid']}/{row['location']}.d{row['deleted']}"
        yield f"derived/{path}/deleted_by", row["deleted_by"]
        if row["node"] in self._nodes:
            yield from self._node(self._nodes[row["node"]], path)

    def _node(self, node: sqlite3.Row, path: str) -> Iterator[Fact]:
        if node["folder"]:
            yield f"{path}/kind", "folder"
        else:
            yield f"{path}/content", _content(node["content"] or b"")
            yield from self._former(node, path)
        if node["checksum"]:
            yield f"{path}/checksum", node["checksum"]
        yield from ((f"derived/{path}/{name}", node[name]) for name in ("id", "etag", "mtime"))
        for row in self._stars[node["id"]]:
            yield f"{path}/favorite/{row['uid']}", True
        for row in self._properties[node["id"]]:
            yield f"{path}/properties/{row['uid']}/{row['name']}", row["value"]
        for child in self._inside[node["id"]]:
            yield from self._node(child, f"{path}/{child['name']}")

    def _former(self, node: sqlite3.Row, path: str) -> Iterator[Fact]:
        """The contents that a file had before, equal ones too: each is kept, and pushes out an older one some day."""
        for row in self._versions[node["id"]]:
            if row["content"] is not None:
                yield f"{path}/versions/{row['time']}/content", _hash(row["content"])
                yield f"{path}/versions/{row['time']}/label", row["label"]

    def _notes(self, folder: sqlite3.Row, category: str) -> Iterator[Fact]:
        for child in self._inside[folder["id"]]:
            name = child["name"]
            if child["folder"] and not name.startswith(".attachments."):
                yield from self._notes(child, f"{category}/{name}".strip("/"))
            elif name.endswith((".md", ".txt")):
                yield f"notes/{child['id']}/title", name.rpartition(".")[0]
                yield f"notes/{child['id']}/category", category
                yield f"notes/{child['id']}/owner", child["owner"]
                yield f"notes/{child['id']}/content", _content(child["content"] or b"")


def _by(column: str, rows: Iterable[sqlite3.Row]) -> dict[Any, list[sqlite3.Row]]:
    """Rows by the value of a column."""
    found = defaultdict[Any, list[sqlite3.Row]](list)
    for row in rows:
        found[row[column]].append(row)
    return found


def _content(content: bytes) -> str:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return _hash(content)
    return text if len(text) <= LONGEST_TEXT else _hash(content)


def _hash(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
