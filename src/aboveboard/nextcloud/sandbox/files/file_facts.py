"""Everyone's files as facts.

"files/admin/Documents/plan.md/content" says where a thing stands. "nodes/12" says no more than that this file or folder
is kept, at its place under "files/" or, without one, in the bin. Ids, ETags and times are derived.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from aboveboard.sandbox.table import Fact, Rows, hash_content, told_content


def tell_files(rows: Rows) -> Iterator[Fact]:
    """All homes and bins, with versions, favourites and the properties that clients made up."""
    files = _Files(rows)
    yield from files.kept()
    for row in rows.all("SELECT uid FROM users"):
        yield from files.home(row["uid"])
    for row in rows.all("SELECT * FROM trash"):
        yield from files.trashed(row)


class _Files:
    """Everyone's files, read at once: a query for each of them is what would take the time."""

    def __init__(self, rows: Rows) -> None:
        self._nodes = {row["id"]: row for row in rows.all("SELECT * FROM nodes ORDER BY id")}
        self._inside = _by("parent", self._nodes.values())
        self._homes = {row["owner"]: row for row in self._inside[None] if not row["name"]}
        self._versions, self._stars, self._properties = (
            _by("node", rows.all(f"SELECT * FROM {table}"))  # noqa: S608 - a name from here
            for table in ("versions", "favorites", "properties")
        )

    def kept(self) -> Iterator[Fact]:
        """That a file or folder is there at all."""
        yield from ((f"nodes/{node}", True) for node in self._nodes)

    def home(self, uid: str) -> Iterator[Fact]:
        """Someone's files."""
        if uid in self._homes:
            yield from self._node(self._homes[uid], f"files/{uid}")

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
            yield f"{path}/content", told_content(node["content"] or b"")
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
                yield f"{path}/versions/{row['time']}/content", hash_content(row["content"])
                yield f"{path}/versions/{row['time']}/label", row["label"]


def _by(column: str, rows: Iterable[sqlite3.Row]) -> dict[Any, list[sqlite3.Row]]:
    """Rows by the value of a column."""
    found = defaultdict[Any, list[sqlite3.Row]](list)
    for row in rows:
        found[row[column]].append(row)
    return found
