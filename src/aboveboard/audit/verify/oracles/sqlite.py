"""A SQLite database: rows by primary key. SQLite itself copies it and puts it back, also while others have it open."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import anyio
from anyio import to_thread

from aboveboard.audit.probe import Unreadable
from aboveboard.audit.verify.oracles.store import readable
from aboveboard.audit.verify.state import INDEX

PATIENCE: Final = 10.0
"""Seconds to wait for a lock that somebody else holds."""
_TABLES: Final = (
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    # The rows of a virtual table stand in tables of its own, which can be read without its module.
    " AND sql NOT LIKE 'CREATE VIRTUAL TABLE%' ORDER BY name"
)
_VIRTUAL: Final = "SELECT name, sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'"
_FULL_TEXT: Final = re.compile(r"\busing\s+fts[345]\b", re.IGNORECASE)
_NO_OTHER_PLACE: Final = re.compile(r"""\bcontent\s*=\s*(''|"")""", re.IGNORECASE)
"""The words are kept in the index alone."""
_FORMAT: Final = 18
"""Where the header says how the file is written: 1 with a journal, 2 with a write-ahead log."""
_ROLLBACK: Final = b"\x01"
_COUNTER: Final = slice(24, 28)
_OF_AN_INDEX: Final = ("data", "idx", "docsize", "config", "segments", "segdir", "stat")
"""The tables of a full-text index that follow from the texts."""


class Sqlite:
    """One database file."""

    def __init__(self, file: Path, scratch: Path) -> None:
        self._file, self._copy = file, scratch / f"snapshot-of-{file.name}"
        self.name = file.name

    async def dump(self) -> Any:
        """Return the definitions, and every table's rows by primary key."""
        return await self._done("read", self._dump)

    async def marks(self) -> dict[str, str]:
        """Return how often the file was written: an equal value is not, and in WAL mode nobody counts."""
        return {self.name: await to_thread.run_sync(_writes, self._file)}

    async def take(self) -> None:
        """Copy the database."""
        await self._done("copied", lambda: _copied(self._file, self._copy))

    async def restore(self) -> None:
        """Copy it back."""
        await self._done("put back", lambda: _copied(self._copy, self._file))

    async def _done(self, what: str, how: Any) -> Any:
        if not self._file.is_file():
            raise Unreadable(f"There is no database at {self._file}. Start the server once, so that it makes one.")
        try:
            with anyio.fail_after(2 * PATIENCE):
                return await to_thread.run_sync(how, abandon_on_cancel=True)
        except TimeoutError:
            raise Unreadable(f"The database {self.name} stays locked, and cannot be {what}.") from None
        except sqlite3.Error as error:
            raise Unreadable(f"The database {self.name} cannot be {what}: {error}.") from None

    def _dump(self) -> Any:
        with closing(sqlite3.connect(f"{self._file.resolve().as_uri()}?mode=ro", uri=True, timeout=PATIENCE)) as base:
            base.text_factory = readable
            tables = [str(name) for (name,) in base.execute(_TABLES)]
            master = "SELECT type || ' ' || name, sql FROM sqlite_master WHERE sql IS NOT NULL"
            told = {table: _rows(base, table) for table in tables}
            index = {table: told.pop(table) for table in _indexes(base) if table in told}
            return {"schema": dict(base.execute(master)), **told, **({INDEX: index} if index else {})}


def _indexes(base: sqlite3.Connection) -> list[str]:
    """Return the tables that SQLite writes anew for a full-text search whenever a text changes."""
    kinds = [(str(name), str(sql)) for name, sql in base.execute(_VIRTUAL)]
    indexes = [name for name, sql in kinds if _FULL_TEXT.search(sql) and not _NO_OTHER_PLACE.search(sql)]
    return [f"{name}_{end}" for name in indexes for end in _OF_AN_INDEX]


def _rows(base: sqlite3.Connection, table: str) -> dict[str, Any]:
    quoted = '"' + table.replace('"', '""') + '"'
    columns = base.execute(f"PRAGMA table_info({quoted})").fetchall()
    keys = [one[1] for one in sorted(columns, key=lambda one: one[5]) if one[5]]
    # The name is quoted, and no statement can take a table as a parameter.
    rows = base.execute(f"SELECT {'*' if keys else 'rowid, *'} FROM {quoted}")  # noqa: S608
    names = [one[0] for one in rows.description]
    flags = {one[1] for one in columns if str(one[2]).upper().startswith("BOOL")}
    found: dict[str, Any] = {}
    for row in rows:
        record = {name: _plain(value, flag=name in flags) for name, value in zip(names, row, strict=True)}
        key = ",".join(str(record[name]) for name in keys) if keys else str(row[0])
        found[key] = record if keys else dict(list(record.items())[1:])
    return found


def _plain(value: Any, *, flag: bool) -> Any:
    """Return a value as JSON has it; SQLite keeps what is declared BOOLEAN as a number."""
    if flag and value in (0, 1):
        return bool(value)
    return readable(value) if isinstance(value, bytes) else value


def _writes(file: Path) -> str:
    """Read the file change counter from the header, where the database is not in WAL mode."""
    with file.open("rb") as opened:
        header = opened.read(_COUNTER.stop)
    return header[_COUNTER].hex() if header[_FORMAT:][:1] == _ROLLBACK else ""


def _copied(source: Path, target: Path) -> None:
    with (
        closing(sqlite3.connect(source, timeout=PATIENCE)) as one,
        closing(sqlite3.connect(target, timeout=PATIENCE)) as other,
    ):
        one.backup(other)
