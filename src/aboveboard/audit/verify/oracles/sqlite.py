"""A SQLite database: rows by primary key. SQLite itself copies it and puts it back, also while others have it open."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import anyio
from anyio import to_thread

from aboveboard.audit.probe import Unreadable
from aboveboard.audit.verify.oracles.store import readable

PATIENCE: Final = 10.0
"""Seconds to wait for a lock that somebody else holds."""
_TABLES: Final = (
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    # The rows of a virtual table stand in tables of its own, which can be read without its module.
    " AND sql NOT LIKE 'CREATE VIRTUAL TABLE%' ORDER BY name"
)


class Sqlite:
    """One database file."""

    def __init__(self, file: Path, scratch: Path) -> None:
        self._file, self._copy = file, scratch / f"snapshot-of-{file.name}"
        self.name = file.name

    async def dump(self) -> Any:
        """Return the definitions, and every table's rows by primary key."""
        return await self._done("read", self._dump)

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
            return {"schema": dict(base.execute(master)), **{table: _rows(base, table) for table in tables}}


def _rows(base: sqlite3.Connection, table: str) -> dict[str, Any]:
    quoted = '"' + table.replace('"', '""') + '"'
    columns = base.execute(f"PRAGMA table_info({quoted})").fetchall()
    keys = [one[1] for one in sorted(columns, key=lambda one: one[5]) if one[5]]
    # The name is quoted, and no statement can take a table as a parameter.
    rows = base.execute(f"SELECT {'*' if keys else 'rowid, *'} FROM {quoted}")  # noqa: S608
    names = [one[0] for one in rows.description]
    found: dict[str, Any] = {}
    for row in rows:
        record = {name: _plain(value) for name, value in zip(names, row, strict=True)}
        key = ",".join(str(record[name]) for name in keys) if keys else str(row[0])
        found[key] = record if keys else dict(list(record.items())[1:])
    return found


def _plain(value: Any) -> Any:
    return readable(value) if isinstance(value, bytes) else value


def _copied(source: Path, target: Path) -> None:
    with (
        closing(sqlite3.connect(source, timeout=PATIENCE)) as one,
        closing(sqlite3.connect(target, timeout=PATIENCE)) as other,
    ):
        one.backup(other)
