"""Files and folders as they are stored: one tree per person, and every change in it.

A change gives the file and all folders above it new ETags, in the homes of those who got a share of them too.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aboveboard.nextcloud.sandbox.files.file_facts import tell_files
from aboveboard.nextcloud.sandbox.store import ID, NODE, PERSON, Store
from aboveboard.sandbox.table import Table

NODES = Table(
    "nodes",
    f"{ID}, owner TEXT REFERENCES users ON DELETE CASCADE, parent INTEGER REFERENCES nodes ON DELETE CASCADE,"
    " name TEXT, folder INTEGER, content BLOB, mtime INTEGER, etag TEXT, uploaded INTEGER, checksum TEXT",
    tell=tell_files,
    indexes=("parent, name",),
    views={
        "node_rows": "SELECT id, owner, parent, name, folder, mtime, etag, uploaded, checksum, length(content) AS size"
        " FROM nodes"
    },
)
TRASH = Table(
    "trash",
    f"node INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE, {PERSON}, name TEXT, location TEXT, deleted INTEGER,"
    " deleted_by TEXT",
    hidden="It is told with the files.",
)
VERSIONS = Table(
    "versions",
    f"{NODE}, time INTEGER, content BLOB, label TEXT, author TEXT, PRIMARY KEY (node, time)",
    hidden="They are told with the files.",
)

# The ids of a node and of all folders around it, or of all that is below, as a JSON list.
_ABOVE = (
    "WITH RECURSIVE above (id, parent) AS (SELECT id, parent FROM nodes WHERE id = ? UNION ALL"
    " SELECT nodes.id, nodes.parent FROM nodes JOIN above ON nodes.id = above.parent)"
    " SELECT json_group_array(id) AS ids FROM above"
)
_LARGEST = 2**63 - 1
_BELOW = (
    "WITH RECURSIVE below (id) AS (SELECT ? UNION ALL SELECT nodes.id FROM nodes JOIN below ON nodes.parent = below.id)"
    " SELECT json_group_array(id) AS ids FROM below"
)


@dataclass(frozen=True)
class Node:
    """A file or folder, without its content."""

    id: int
    owner: str
    parent: int | None
    name: str
    folder: bool
    mtime: int
    etag: str
    uploaded: int
    checksum: str
    size: int


def _node(row: sqlite3.Row) -> Node:
    values: dict[str, Any] = {name: row[name] for name in Node.__dataclass_fields__}
    values |= {"folder": bool(row["folder"]), "size": row["size"] or 0, "checksum": row["checksum"] or ""}
    return Node(**values)


class Tree:
    """All files of everyone, as the disk has them; who may see what is the business of a view."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def root(self, uid: str) -> Node:
        """Someone's home."""
        row = self.store.one("SELECT * FROM node_rows WHERE owner = ? AND parent IS NULL AND name = ''", uid)
        return _node(row) if row else self._insert(uid, None, "", folder=True, content=None, mtime=self.store.now())

    def get(self, node: int) -> Node | None:
        """The node of this id, wherever it is; no id is larger than the database can hold."""
        if node > _LARGEST:
            return None
        row = self.store.one("SELECT * FROM node_rows WHERE id = ?", node)
        return _node(row) if row else None

    def child(self, parent: Node, name: str) -> Node | None:
        """The node of this name in a folder."""
        row = self.store.one("SELECT * FROM node_rows WHERE parent = ? AND name = ?", parent.id, name)
        return _node(row) if row else None

    def children(self, parent: Node) -> list[Node]:
        """What is in a folder, in the order in which it came."""
        sql = "SELECT * FROM node_rows WHERE parent = ? ORDER BY id"
        return [_node(row) for row in self.store.all(sql, parent.id)]

    def above(self, node: Node) -> list[Node]:
        """The node and the folders around it, the outermost first."""
        chain = [node]
        while chain[0].parent is not None:
            outer = self.get(chain[0].parent)
            if outer is None:
                break
            chain.insert(0, outer)
        return chain

    def size(self, node: Node) -> int:
        """The bytes in a file or below a folder."""
        if not node.folder:
            return node.size
        sql = "SELECT sum(size) AS size FROM node_rows WHERE id IN (SELECT value FROM json_each(?))"
        row = self.store.one(sql, self._ids(_BELOW, node))
        return int(row["size"] or 0) if row else 0

    def content(self, node: Node) -> bytes:
        """The bytes of a file."""
        row = self.store.one("SELECT content FROM nodes WHERE id = ?", node.id)
        return bytes(row["content"] or b"") if row else b""

    def make_folder(self, parent: Node, name: str) -> Node:
        """A new, empty folder."""
        node = self._insert(parent.owner, parent, name, folder=True, content=None, mtime=self.store.now())
        self.touch(parent)
        return node

    def make_file(
        self, parent: Node, name: str, content: bytes, *, author: str = "", mtime: int | None = None, checksum: str = ""
    ) -> Node:
        """A new file; its first content is already a version."""
        when = self.store.now() if mtime is None else mtime
        node = self._insert(parent.owner, parent, name, folder=False, content=content, mtime=when, checksum=checksum)
        self._remember(node, author or parent.owner)
        self.touch(parent)
        return node

    def write(
        self, node: Node, content: bytes, *, author: str = "", mtime: int | None = None, checksum: str = ""
    ) -> Node:
        """New content for a file; the old one becomes a version."""
        when = self.store.now() if mtime is None else mtime
        # The ETag of a file is per second: what is written in the second that the file has as its time keeps it.
        # So do the same bytes with the same time, which a client can set.
        now = self.store.now()
        same = node.mtime == now or (node.mtime == when and content == self.content(node))
        if when != node.mtime and node.size:
            self.store.run(
                "UPDATE versions SET content = ? WHERE node = ? AND time = ?", self.content(node), node.id, node.mtime
            )
        else:
            self.store.run("DELETE FROM versions WHERE node = ? AND time = ?", node.id, node.mtime)
        self.store.update("nodes", node.id, content=content, mtime=when, checksum=checksum, uploaded=self.store.now())
        self._remember(self._fresh(node), author or node.owner)
        return self.renew(node, etag=node.etag if same else None)

    def set_mtime(self, node: Node, mtime: int) -> None:
        """Another time for a file as it is; the version that it is goes along."""
        self.store.run("DELETE FROM versions WHERE node = ? AND time = ? AND time != ?", node.id, mtime, node.mtime)
        self.store.run("UPDATE versions SET time = ? WHERE node = ? AND time = ?", mtime, node.id, node.mtime)
        self.store.update("nodes", node.id, mtime=mtime)

    def renew(self, node: Node, *, etag: str | None = None) -> Node:
        """Another ETag for a node, a new one unless it is given, and for all folders above."""
        self.store.update("nodes", node.id, etag=etag or self.store.secret())
        if node.parent is not None:
            parent = self.get(node.parent)
            if parent:
                self.touch(parent)
        return self._fresh(node)

    def touch(self, folder: Node) -> None:
        """Something changed in a folder: one new ETag for it and for all above."""
        etag, now, ids = self.store.uniqid(), self.store.now(), self._ids(_ABOVE, folder)
        self.store.run(
            "UPDATE nodes SET etag = ?, mtime = ? WHERE id IN (SELECT value FROM json_each(?))", etag, now, ids
        )

    def move(self, node: Node, parent: Node, name: str) -> Node:
        """Another place or name for a node; its id stays."""
        old = self.get(node.parent) if node.parent is not None else None
        self.store.update("nodes", node.id, parent=parent.id, name=name)
        if node.owner != parent.owner:
            sql = "UPDATE nodes SET owner = ? WHERE id IN (SELECT value FROM json_each(?))"
            self.store.run(sql, parent.owner, self._ids(_BELOW, node))
        if old:
            self.touch(old)
        self.touch(parent)
        return self._fresh(node)

    def move_past_dav(self, node: Node, parent: Node, name: str) -> Node:
        """As an app moves it: the properties that clients made up stay behind, which only DAV takes along."""
        self._forget_made_up(node)
        return self.move(node, parent, name)

    def copy(self, node: Node, parent: Node, name: str) -> Node:
        """The same again under another id, with all that is inside."""
        if not node.folder:
            copied = self.make_file(parent, name, self.content(node), mtime=node.mtime, checksum=node.checksum)
            self.store.update("nodes", copied.id, etag=node.etag)
            return self._fresh(copied)
        copied = self.make_folder(parent, name)
        for child in self.children(node):
            self.copy(child, copied, child.name)
        return self._fresh(copied)

    def remove(self, node: Node) -> None:
        """Gone for good, with everything below."""
        parent = self.get(node.parent) if node.parent is not None else None
        self.store.run("DELETE FROM nodes WHERE id IN (SELECT value FROM json_each(?))", self._ids(_BELOW, node))
        if parent:
            self.touch(parent)

    def discard(self, node: Node, location: str, by: str) -> None:
        """Into the bin of its owner, without the properties that clients made up: these belong to its path."""
        self._forget_made_up(node)
        parent = self.get(node.parent) if node.parent is not None else None
        self.store.insert(
            "trash",
            node=node.id,
            uid=node.owner,
            name=node.name,
            location=location.strip("/"),
            deleted=self.store.now(),
            deleted_by=by,
        )
        self.store.update("nodes", node.id, parent=None)
        if parent:
            self.touch(parent)

    def _forget_made_up(self, node: Node) -> None:
        self.store.run("DELETE FROM properties WHERE node IN (SELECT value FROM json_each(?))", self._ids(_BELOW, node))

    def walk(self, node: Node) -> Iterator[Node]:
        """Everything below a folder, itself not included, as a listing of each folder would show it."""
        for child in self.children(node):
            yield child
            if child.folder:
                yield from self.walk(child)

    def _ids(self, sql: str, node: Node) -> str:
        row = self.store.one(sql, node.id)
        return row["ids"] if row else "[]"

    def _fresh(self, node: Node) -> Node:
        return self.get(node.id) or node

    def _remember(self, node: Node, author: str) -> None:
        """Note the current content in the list of versions; its bytes are in the file."""
        self.store.run(
            "INSERT OR IGNORE INTO versions (node, time, label, author) VALUES (?, ?, '', ?)",
            node.id,
            node.mtime,
            author,
        )
        self.store.run("UPDATE versions SET content = NULL WHERE node = ? AND time = ?", node.id, node.mtime)

    def _insert(
        self,
        owner: str,
        parent: Node | None,
        name: str,
        *,
        folder: bool,
        content: bytes | None,
        mtime: int,
        checksum: str = "",
    ) -> Node:
        etag = self.store.uniqid() if folder else self.store.secret()
        node = self.store.insert(
            "nodes",
            owner=owner,
            parent=parent.id if parent else None,
            name=name,
            folder=int(folder),
            content=content,
            mtime=mtime,
            etag=etag,
            uploaded=self.store.now(),
            checksum=checksum,
        )
        return Node(
            node,
            owner,
            parent.id if parent else None,
            name,
            folder,
            mtime,
            etag,
            self.store.now(),
            checksum,
            len(content or b""),
        )
