"""Which tables a statement reads and which it writes, as SQLite itself plans it: cascades and views are in its plan."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_READS: Final = frozenset({"OpenRead", "ReopenIdx"})


@dataclass(frozen=True)
class Touched:
    """The names of the tables that one statement reads, and of those that it may write."""

    read: frozenset[str]
    written: frozenset[str]


class Reach:
    """What statements touch; each is looked at once."""

    def __init__(self, db: sqlite3.Connection) -> None:
        """Take a database that has the tables; what is in them does not matter."""
        self._db = db
        tables = db.execute("SELECT rootpage, tbl_name FROM sqlite_master WHERE rootpage > 0").fetchall()
        self._at: dict[int, str] = {1: "sqlite_master", **dict(tables)}
        self._known: dict[str, Touched] = {}

    @property
    def tables(self) -> set[str]:
        """The names of all tables, those of SQLite's own among them."""
        return set(self._at.values())

    def of(self, sql: str, values: Sequence[object]) -> Touched:
        """What a statement touches."""
        if sql not in self._known:
            self._known[sql] = self._planned(sql, values)
        return self._known[sql]

    def _planned(self, sql: str, values: Sequence[object]) -> Touched:
        read: set[str] = set()
        written: set[str] = set()
        for _, step, first, second, *_ in self._db.execute(f"EXPLAIN {sql}", values):
            if step in _READS:
                read.add(self._at[second])
            elif step == "OpenWrite":
                written.add(self._at[second])
            elif step == "Clear":  # all rows at once
                written.add(self._at[first])
        return Touched(frozenset(read), frozenset(written))
