"""The shop's warehouse: a small database that queries may only read, whatever their text says.

The engine itself refuses everything else: SQLite's authorizer lets nothing but SELECT through, the connection is in
query-only mode, and a statement that runs too long is stopped.
"""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from aboveboard.lightdash.sandbox.warehouse import data, functions
from aboveboard.lightdash.sandbox.warehouse.statements import WarehouseError, explain, prepare

__all__ = ["SCHEMA", "Result", "Warehouse", "WarehouseError"]

SCHEMA = "shop"
_STEPS = 10_000
_LONGEST_RUN = 1_000  # times _STEPS instructions of SQLite's machine: about half a second
_LARGEST_VALUE = 10_000_000
_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_FORBIDDEN_FUNCTIONS = {"load_extension", "fts3_tokenizer", "random", "randomblob"}


@dataclass(frozen=True)
class Result:
    """What a statement gave: the names of its columns as the statement has them, and its rows."""

    columns: list[str]
    rows: list[tuple[object, ...]]


class Warehouse:
    """The shop's data behind a connection that can only read."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._left = 0
        self._db = sqlite3.connect(
            ":memory:", check_same_thread=False, isolation_level=None, detect_types=sqlite3.PARSE_DECLTYPES
        )
        self._db.execute(f"ATTACH ':memory:' AS {SCHEMA}")
        self._db.deserialize(data.image(), name=SCHEMA)
        functions.register(self._db, clock)
        # Postgres tells capitals apart.
        self._db.executescript("PRAGMA case_sensitive_like = ON; PRAGMA query_only = ON;")
        self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST_VALUE)
        self._db.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 1)
        self._db.set_authorizer(_authorize)
        self._db.set_progress_handler(self._tick, _STEPS)

    def close(self) -> None:
        """Let go of the data."""
        self._db.close()

    def run(self, sql: str, values: Sequence[object] = (), limit: int | None = None) -> Result:
        """The rows of one SELECT, at most `limit` of them; anything else is a WarehouseError."""
        statement = prepare(sql)
        self._left = _LONGEST_RUN
        try:
            cursor = self._db.execute(statement, tuple(values))
            columns = [column[0] for column in cursor.description or ()]
            rows = cursor.fetchall() if limit is None else cursor.fetchmany(limit) if limit else []
            cursor.close()
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise explain(error, sql) from error
        except OverflowError as error:
            raise WarehouseError("bigint out of range") from error
        return Result(columns, rows)

    def columns(self, table: str) -> dict[str, str]:
        """The columns of a table and their types, in order; none for a table that is not there."""
        return data.COLUMNS.get(table, {})

    def tables(self) -> list[str]:
        """The tables, sorted by name."""
        return sorted(data.COLUMNS)

    def _tick(self) -> int:
        self._left -= 1
        return int(self._left < 0)


def _authorize(action: int, first: str | None, second: str | None, schema: str | None, _inner: str | None) -> int:
    if action not in _READING:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_READ and (first or "").lower().startswith(("sqlite_", "pragma_")):
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _FORBIDDEN_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK
