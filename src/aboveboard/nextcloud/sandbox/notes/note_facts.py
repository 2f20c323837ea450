"""Everyone's notes as facts, by the id of the note, and the settings of the app."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator

from aboveboard.sandbox.table import Fact, Rows, told_content

_NODES = "SELECT id, owner, parent, name, folder FROM nodes ORDER BY id"


def tell_notes(rows: Rows) -> Iterator[Fact]:
    """The files in everyone's notes folder that are notes."""
    settings = rows.all("SELECT * FROM note_settings")
    yield from ((f"settings/{row['uid']}/{row['key']}", row["value"]) for row in settings)
    chosen = {row["uid"]: str(row["value"]) for row in settings if row["key"] == "notesPath"}
    notes = _Notes(rows)
    for row in rows.all("SELECT uid FROM users"):
        yield from notes.of(row["uid"], chosen.get(row["uid"], "Notes"))


class _Notes:
    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._inside = defaultdict[int | None, list[sqlite3.Row]](list)
        for row in rows.all(_NODES):
            self._inside[row["parent"]].append(row)

    def of(self, uid: str, path: str) -> Iterator[Fact]:
        """Someone's notes."""
        homes = (row for row in self._inside[None] if row["owner"] == uid and not row["name"])
        folder = next(homes, None)
        for name in filter(None, path.split("/")):
            folder = next((row for row in self._inside[folder["id"]] if row["name"] == name), None) if folder else None
        if folder:
            yield from self._below(folder, "")

    def _below(self, folder: sqlite3.Row, category: str) -> Iterator[Fact]:
        for child in self._inside[folder["id"]]:
            name = child["name"]
            if child["folder"] and not name.startswith(".attachments."):
                yield from self._below(child, f"{category}/{name}".strip("/"))
            elif name.endswith((".md", ".txt")):
                content = self._rows.all("SELECT content FROM nodes WHERE id = ?", child["id"])[0]["content"]
                yield f"notes/{child['id']}/title", name.rpartition(".")[0]
                yield f"notes/{child['id']}/category", category
                yield f"notes/{child['id']}/owner", child["owner"]
                yield f"notes/{child['id']}/content", told_content(content or b"")
