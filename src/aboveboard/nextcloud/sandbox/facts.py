"""The state as flat facts, which is what a comparison of before and after looks at.

Keys say where a thing stands: "files/admin/Documents/plan.md/content", "notes/12/title", "shares/3/permissions".
What follows from other facts or only counts time is under "derived/": ETags, times, sizes, ids of files, read marks.
"""

import hashlib
import sqlite3
from collections.abc import Iterator

from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.nextcloud.sandbox.tree import Node, Tree

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
    tree = Tree(store)
    for row in store.all("SELECT uid FROM users"):
        home = tree.root(row["uid"])
        yield from _folder(tree, home, f"files/{row['uid']}")
        yield from _notes(tree, row["uid"])
    for row in store.all("SELECT * FROM trash"):
        yield from _trashed(tree, row)
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


def _folder(tree: Tree, folder: Node, path: str) -> Iterator[Fact]:
    yield from _node(tree, folder, path)
    for child in tree.children(folder):
        yield from (_folder if child.folder else _node)(tree, child, f"{path}/{child.name}")


def _node(tree: Tree, node: Node, path: str) -> Iterator[Fact]:
    if node.folder:
        yield f"{path}/kind", "folder"
    else:
        yield f"{path}/content", _content(tree.content(node))
        yield from _versions(tree, node, path)
    if node.checksum:
        yield f"{path}/checksum", node.checksum
    yield f"derived/{path}/id", node.id
    yield f"derived/{path}/etag", node.etag
    yield f"derived/{path}/mtime", node.mtime
    for row in tree.store.all("SELECT uid FROM favorites WHERE node = ?", node.id):
        yield f"{path}/favorite/{row['uid']}", True
    for row in tree.store.all("SELECT * FROM properties WHERE node = ?", node.id):
        yield f"{path}/properties/{row['uid']}/{row['name']}", row["value"]


def _versions(tree: Tree, node: Node, path: str) -> Iterator[Fact]:
    """The contents that a file had before. One that it has again is not told twice, and when it was is derived."""
    current = _hash(tree.content(node))
    for row in tree.store.all("SELECT * FROM versions WHERE node = ?", node.id):
        if row["content"] is not None and (old := _hash(bytes(row["content"]))) != current:
            yield f"{path}/versions/{old}", row["label"] or True
            yield f"derived/{path}/versions/{row['time']}", old


def _trashed(tree: Tree, row: sqlite3.Row) -> Iterator[Fact]:
    node = tree.get(row["node"])
    path = f"trash/{row['uid']}/{row['location']}.d{row['deleted']}"
    yield f"derived/{path}/deleted_by", row["deleted_by"]
    if node:
        yield from _folder(tree, node, path) if node.folder else _node(tree, node, path)


def _notes(tree: Tree, uid: str) -> Iterator[Fact]:
    row = tree.store.one("SELECT value FROM note_settings WHERE uid = ? AND key = 'notesPath'", uid)
    folder: Node | None = tree.root(uid)
    for name in filter(None, str(row["value"] if row else "Notes").split("/")):
        folder = tree.child(folder, name) if folder else None
    yield from _notes_below(tree, folder, "") if folder else ()


def _notes_below(tree: Tree, folder: Node, category: str) -> Iterator[Fact]:
    for child in tree.children(folder):
        if child.folder and not child.name.startswith(".attachments."):
            yield from _notes_below(tree, child, f"{category}/{child.name}".strip("/"))
        elif child.name.endswith((".md", ".txt")):
            yield f"notes/{child.id}/title", child.name.rpartition(".")[0]
            yield f"notes/{child.id}/category", category
            yield f"notes/{child.id}/owner", child.owner
            yield f"notes/{child.id}/content", _content(tree.content(child))


def _content(content: bytes) -> str:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return _hash(content)
    return text if len(text) <= LONGEST_TEXT else _hash(content)


def _hash(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
