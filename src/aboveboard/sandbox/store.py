"""Where a sandbox keeps its state: one SQLite database, in memory or in a file.

Time and ids are part of the state. A clock that only moves when something is written and counters that start anew make
equal calls after a reset give equal states, which is what a comparison of two dumps needs.
"""

import json
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, count
from operator import itemgetter
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

from aboveboard.sandbox.data_file import Mark, form_of
from aboveboard.sandbox.parts import collect
from aboveboard.sandbox.reach import Reach
from aboveboard.sandbox.table import Listing, Table, Told, join_facts
from aboveboard.sandbox.wire import as_bytes

Kind = TypeVar("Kind", bound="Store")

META = "meta"
META_COLUMNS = "key TEXT PRIMARY KEY, value INTEGER"
KEYS_HOLD = "PRAGMA foreign_keys = ON"
STATEMENTS = 1024
"""How many statements stay compiled: more than a sandbox has, so that none is compiled again for every request."""


_VERSIONS = count(1)


class Schema:
    """The tables of a sandbox and the counters that it begins with, among them its clock.

    Four letters tell its files from those of others.
    """

    def __init__(self, letters: str, tables: Iterable[Table], counters: Mapping[str, int]) -> None:
        self.counters = counters
        tables = list(tables)
        names = [table.name for table in tables]
        if len(set(names)) < len(names):
            raise ValueError(f"Two tables have the same name: {sorted(names)}. Give one of them another.")
        self._statements = [statement for table in tables for statement in table.statements()]
        self.mark = Mark(letters, form_of(sorted(self._statements)))
        db = sqlite3.connect(":memory:", check_same_thread=False)
        db.execute(KEYS_HOLD)
        self.make(db)
        self._listings = {table.name: Listing(table, db) for table in tables}
        self.reach = Reach(db)

    def make(self, db: sqlite3.Connection) -> None:
        """Make the tables that are not there yet."""
        for statement in self._statements:
            db.execute(statement)
        self.mark.put(db)

    def told(self, store: "Store", versions: Mapping[str, int]) -> Iterator[Told]:
        """What each table holds."""
        return (listing.told(store, self.reach, versions) for listing in self._listings.values())

    @property
    def names(self) -> list[str]:
        """The names of the tables."""
        return list(self._listings)

    def keys_of(self, table: str) -> list[str]:
        """The columns that name a row of a table."""
        return self._listings[table].key


@dataclass(frozen=True)
class Seed(Generic[Kind]):
    """A part of the first state; parts of a lower rank come first, and equal ones in the order of their modules."""

    fill: Callable[[Kind], None]
    rank: int = 1


def seed_store(store: Kind, modules: Iterable[ModuleType]) -> Kind:
    """An empty store with the first state in it, as the modules of its sandbox declare it."""
    seeds: list[Seed[Any]] = collect(modules, Seed)
    with store.change():
        for seed in sorted(seeds, key=lambda seed: seed.rank):
            seed.fill(store)
    return store


class Store:
    """The database and what every part of a sandbox asks of it."""

    def __init__(self, schema: Schema, data: str | Path | None = None, first: "Store | None" = None) -> None:
        """Open a database in memory or in a file; an empty one becomes as the first state is, if there is any."""
        self.schema, self._origin, self._first = schema, first, first
        self._returns = 0
        """How often the state went back to what it had been."""
        self._untouched: object = None
        """What the last reset brought back, and the mark of that."""
        self._in_memory = not data
        self._undoable: tuple[Store, dict[str, int]] | None = None
        """The first state that the open transaction began with, and the versions of its tables."""
        self._dumped: tuple[object, dict[str, object]] = (None, {})
        self._written: tuple[object, bytes] = (None, b"")
        if data:
            schema.mark.check(data)
        self._db = sqlite3.connect(
            data or ":memory:", check_same_thread=False, isolation_level=None, cached_statements=STATEMENTS
        )
        self._db.row_factory = sqlite3.Row
        # The data is disposable: speed and a small file count for more than surviving a power cut.
        self._db.executescript(f"PRAGMA synchronous = OFF; {KEYS_HOLD};")
        self._others = 0
        self._versions: dict[str, int] = {}
        self._renew(schema.reach.tables)
        if data or not first:
            schema.make(self._db)
        if first is None:
            self._db.executemany("INSERT INTO meta VALUES (?, ?)", schema.counters.items())
        elif not data or self.one("SELECT 1 FROM meta") is None:
            self.reset()

    def close(self) -> None:
        """Let go of the database."""
        self._db.close()

    def copy(self) -> "Store":
        """A copy of the state as it is now, to which `reset` brings this store or another of its kind."""
        made = Store(self.schema)
        self._keep()
        self._db.backup(made._db)
        made._others, made._versions = made._foreign_writes(), dict(self._current_versions())
        return made

    def reset(self, to: "Store | None" = None) -> None:
        """Throw everything away and bring back the first state, or a copy, where anything was written since."""
        self._first = to or self._origin
        if self._first is None or (self._first, self.mark) == self._untouched:
            return
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        if not self._can_undo():
            # To copy a store just seeded takes a fraction of the time that seeding takes.
            self._first._keep()
            self._first._db.backup(self._db)
        self._returns += 1
        self._untouched = (self._first, self.mark)
        self._others, self._versions = self._foreign_writes(), dict(self._first._versions)
        self._undoable = (self._first, dict(self._versions))
        if self._in_memory:
            # All that is written now is one transaction, which the next reset takes back: after a copy, SQLite would
            # read its schema and compile every statement anew.
            self._db.execute("BEGIN")

    def _keep(self) -> None:
        """Let what was written so far stay: only then can it be copied."""
        if self._db.in_transaction:
            self._db.execute("COMMIT")
            self._undoable = None

    def _can_undo(self) -> bool:
        """Whether to take back what was written since the last reset leads to the first state."""
        return self._in_memory and self._first is not None and self._undoable == (self._first, self._first._versions)

    @property
    def mark(self) -> tuple[int, int, int]:
        """Another one after every write: SQLite counts the rows this connection changes, and what others commit."""
        return self._returns, self._db.total_changes, self._foreign_writes()

    def _foreign_writes(self) -> int:
        """Another number after every write of another connection."""
        return self._db.execute("PRAGMA data_version").fetchone()[0]

    def dump(self) -> dict[str, object]:
        """The state as flat facts, such as "spaces/<uuid>/name": "Finance", in the order of their keys."""
        mark = self.mark
        if self._dumped[0] != mark:
            first = self._unchanged_first()
            self._dumped = (mark, first.dump() if first else self._in_order())
        return dict(self._dumped[1])

    def written_dump(self) -> bytes:
        """The same as JSON: only what is told anew is written anew, as who compares states asks for it often."""
        mark = self.mark
        if self._written[0] != mark:
            first = self._unchanged_first()
            self._written = (mark, first.written_dump() if first else as_bytes(join_facts(self._told())))
        return self._written[1]

    def _in_order(self) -> dict[str, object]:
        return dict(sorted(chain.from_iterable(told.facts for told in self._told()), key=itemgetter(0)))

    def _told(self) -> Iterator[Told]:
        return self.schema.told(self, self._current_versions())

    def _unchanged_first(self) -> "Store | None":
        """The store of the first state, where this one holds the same: it has been told once for all."""
        return self._first if self._first and self._first._versions == self._current_versions() else None

    def _current_versions(self) -> Mapping[str, int]:
        others = self._foreign_writes()
        if others != self._others:
            self._others = others
            self._renew(self._versions)
        return self._versions

    def _renew(self, tables: Iterable[str]) -> None:
        """Give tables a version that none ever had in this process: what was told of them need not hold any more."""
        self._versions |= dict.fromkeys(tables, next(_VERSIONS))

    @contextmanager
    def change(self) -> Generator[None, None, None]:
        """A context in which several statements become one change, or none."""
        before = dict(self._versions)
        self._db.execute("SAVEPOINT change")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK TO change")
            self._db.execute("RELEASE change")
            self._returns += 1
            self._renew([table for table, version in self._versions.items() if version != before[table]])
            raise
        self._db.execute("RELEASE change")

    def all(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """Every row of a query."""
        return self._execute(sql, values).fetchall()

    def one(self, sql: str, *values: object) -> sqlite3.Row | None:
        """The first row of a query, if any."""
        return self._execute(sql, values).fetchone()

    def run(self, sql: str, *values: object) -> int:
        """A statement without an answer; how many rows it touched."""
        return self._execute(sql, values).rowcount

    def _execute(self, sql: str, values: Sequence[object]) -> sqlite3.Cursor:
        if not sql.startswith("SELECT"):
            self._renew(self.schema.reach.of(sql, values).written)
        return self._db.execute(sql, values)

    def insert(self, table: str, **values: object) -> int:
        """Add a row, lists and maps as JSON; its number."""
        cells = [_cell(value) for value in values.values()]
        marks = ", ".join("?" * len(cells))
        sql = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"  # noqa: S608 - names are ours
        return self._execute(sql, cells).lastrowid or 0

    def update(self, table: str, key: str | int, **values: object) -> None:
        """Change columns of the row with this key, lists and maps as JSON."""
        if values:
            places = ", ".join(f"{column} = ?" for column in values)
            cells = [_cell(value) for value in values.values()]
            where = self.schema.keys_of(table)[0]
            self._execute(f"UPDATE {table} SET {places} WHERE {where} = ?", [*cells, key])  # noqa: S608

    def read_meta(self, key: str) -> int:
        """A counter, the clock or a switch."""
        row = self.one("SELECT value FROM meta WHERE key = ?", key)
        return int(row["value"]) if row else 0

    def set_meta(self, key: str, value: int) -> None:
        """Set a switch."""
        self.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value)

    def count(self, counter: str) -> int:
        """The next number of a series that starts anew at each reset."""
        row = self.one("UPDATE meta SET value = value + 1 WHERE key = ? RETURNING value", counter)
        return int(row["value"]) if row else 0


def _cell(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
