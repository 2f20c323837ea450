"""A table of a sandbox's database, declared in the module that uses it, with what a dump of the state shows of it.

    COMMENTS = Table("comments", "id INTEGER PRIMARY KEY, message TEXT, created INTEGER", derived={"created"})

becomes "comments/3/message": "Who measures?" and "derived/comments/3/created": 1767600000. A table that says nothing
is shown whole, so that no comparison of two states can miss what it holds.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any, Protocol

from aboveboard.sandbox.reach import Reach
from aboveboard.sandbox.wire import to_text

Fact = tuple[str, object]

DERIVED = "derived/"
"""How the keys of facts begin that follow from others or only count time, and so are no state of their own."""

LONGEST_TEXT = 4096
"""More than this, or what is no text at all, is shown by its hash."""

KEPT = 4
"""How many tellings of a table are kept: states come back, the first one with every reset."""


class Rows(Protocol):
    """Where the rows come from."""

    def all(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """Every row of a query."""
        ...


@dataclass(frozen=True, eq=False)
class Table:
    """A table, its columns in SQL, and how its rows are told.

    A row is told under its primary key, or under `at`, a path with columns in it; with `value`, it is one fact there
    and not one for each column. Columns may be `derived`, hold `json`, `flags` (0 and 1) or a `secret`, of which the
    hash is shown, or stay `unseen`. Rows that do not fit `where` are not told. A `fleeting` table is derived as a
    whole, `hidden` says why a table is never shown, and `tell` tells the rows in its own words.
    """

    name: str
    columns: str
    at: str = ""
    value: str = ""
    where: str = ""
    derived: AbstractSet[str] = frozenset()
    json: AbstractSet[str] = frozenset()
    flags: AbstractSet[str] = frozenset()
    secret: AbstractSet[str] = frozenset()
    unseen: AbstractSet[str] = frozenset()
    fleeting: bool = False
    hidden: str = ""
    tell: Callable[[Rows], Iterable[Fact]] | None = None
    indexes: tuple[str, ...] = ()
    views: Mapping[str, str] = field(default_factory=dict[str, str])

    def statements(self) -> Iterator[str]:
        """The SQL that makes the table, where it is not there yet."""
        yield f"CREATE TABLE IF NOT EXISTS {self.name} ({self.columns})"
        for columns in self.indexes:
            index = "_by_".join((self.name, *columns.split(", ")))
            yield f"CREATE INDEX IF NOT EXISTS {index} ON {self.name} ({columns})"
        for name, select in self.views.items():
            yield f"CREATE VIEW IF NOT EXISTS {name} AS {select}"


class Listing:
    """How the rows of one table become facts."""

    def __init__(self, table: Table, db: sqlite3.Connection) -> None:
        """Learn from the database, which has the table, what its columns and its primary key are."""
        self._table = table
        columns = db.execute(f"PRAGMA table_info({table.name})").fetchall()
        ranked = sorted((rank, name) for _, name, _, _, _, rank in columns if rank)
        key = [name for _, name in ranked] or ["rowid"]
        self.key = key
        self._at = table.at or "/".join((table.name, *(f"{{{name}}}" for name in key)))
        named = {name for name in key if not table.at} | {name for _, name, *_ in columns if f"{{{name}}}" in self._at}
        self._columns = [
            (name, self._prefix(name), self._reader(name))
            for _, name, *_ in columns
            if name not in named and name not in table.unseen and table.value in {"", name}
        ]
        chosen = "rowid, *" if key == ["rowid"] else "*"
        where = f" WHERE {table.where}" if table.where else ""
        self._sql = f"SELECT {chosen} FROM {table.name}{where}"  # noqa: S608 - declared names
        self._told: list[Told] = []

    def told(self, rows: Rows, reach: Reach, versions: Mapping[str, int]) -> "Told":
        """What the table holds: told anew only where one of the tables that were read for it is of another version."""
        if self._told and self._told[0].holds(versions):
            return self._told[0]
        known = next((one for one in self._told if one.holds(versions)), None) or self._tell_anew(rows, reach, versions)
        self._told = [known, *(one for one in self._told if one is not known)][:KEPT]
        return known

    def _tell_anew(self, rows: Rows, reach: Reach, versions: Mapping[str, int]) -> "Told":
        reading = _Reading(rows, reach)
        facts = sorted(self._tell(reading), key=itemgetter(0))
        return Told(facts, {name: versions[name] for name in reading.tables})

    def _tell(self, rows: Rows) -> Iterator[Fact]:
        if self._table.hidden:
            return
        if self._table.tell:
            yield from self._table.tell(rows)
            return
        single = bool(self._table.value)
        for row in rows.all(self._sql):
            at = self._at.format_map(row)
            if not self._columns:
                yield f"{DERIVED}{at}" if self._table.fleeting else at, True
            for name, prefix, read in self._columns:
                value = row[name]
                yield prefix + (at if single else f"{at}/{name}"), read(value) if read else show_fact(value)

    def _prefix(self, column: str) -> str:
        return DERIVED if self._table.fleeting or column in self._table.derived else ""

    def _reader(self, column: str) -> Callable[[Any], object] | None:
        if column in self._table.json:
            return _read_json
        if column in self._table.flags:
            return bool
        return _hide if column in self._table.secret else None


@dataclass(frozen=True, eq=False)
class Told:
    """The facts of a table, in the order of their keys, and of which versions the tables were that they come from."""

    facts: Sequence[Fact]
    _versions: Mapping[str, int]

    def holds(self, versions: Mapping[str, int]) -> bool:
        """Whether nothing was written since to what the facts come from."""
        return self._versions.items() <= versions.items()

    @cached_property
    def written(self) -> Mapping[str, Mapping[str, str]]:
        """Each fact as a part of a JSON object, by its key, below the heads of the keys."""
        found: dict[str, dict[str, str]] = {}
        for key, value in self.facts:
            found.setdefault(_head(key), {})[key] = f"{to_text(key)}:{to_text(value)}"
        return found


def _head(key: str) -> str:
    """The first name of a key, and the second of a derived one: between keys of different heads, these decide."""
    end = key.find("/", len(DERIVED) if key.startswith(DERIVED) else 0)
    return key[: end + 1] if end >= 0 else key


def join_facts(tellings: Iterable[Told]) -> str:
    """The facts of all tables as one JSON object, in the order of their keys; what is known in one piece stays so."""
    heads: dict[str, list[Told]] = {}
    for told in tellings:
        for head in told.written:
            heads.setdefault(head, []).append(told)
    return f"{{{','.join(_block(head, *heads[head]) for head in sorted(heads))}}}"


@lru_cache(maxsize=512)  # by which tellings they are, and those do not change
def _block(head: str, *tellings: Told) -> str:
    parts = {key: part for told in tellings for key, part in told.written[head].items()}
    return ",".join(parts[key] for key in sorted(parts))


class _Reading:
    """Rows, with a note of the tables that were read: all that the facts of a table depend on."""

    def __init__(self, rows: Rows, reach: Reach) -> None:
        self._rows, self._reach = rows, reach
        self.tables: set[str] = set()

    def all(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """Every row of a query."""
        self.tables |= self._reach.of(sql, values).read
        return self._rows.all(sql, *values)


def show_fact(value: object) -> object:
    """A value as a fact: bytes are the text that they are, or else their hash."""
    return told_content(value) if isinstance(value, bytes) else value


def told_content(content: bytes) -> str:
    """The content of a file as a fact."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return hash_content(content)
    return text if len(text) <= LONGEST_TEXT else hash_content(content)


def hash_content(content: bytes) -> str:
    """What stands for a content that is not shown."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _read_json(text: str | None) -> object:
    return None if text is None else json.loads(text)


def _hide(value: object) -> object:
    return hash_content(str(value).encode()) if value else value
