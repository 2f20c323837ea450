"""Where the sandbox keeps its state: one SQLite database, in memory or in a file.

Time and ids are part of the state. A clock that only moves when something is written and ids drawn from a counted
seed make equal calls after a reset give equal states, which is what a comparison of two dumps needs.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from aboveboard.lightdash.sandbox import content_tables, query_tables
from aboveboard.lightdash.sandbox.table import TIMES, Table
from aboveboard.lightdash.sandbox.warehouse import Warehouse

EPOCH = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)


_VIEWED = TIMES | {"views", "first_viewed_at"}
_CASCADE = "ON DELETE CASCADE"

TABLES = (
    Table("meta", "key TEXT PRIMARY KEY, value TEXT", key=("key",), hidden=True),
    Table("organizations", "uuid TEXT PRIMARY KEY, name TEXT, created_at TEXT", derived=TIMES),
    Table(
        "users",
        "uuid TEXT PRIMARY KEY, id INTEGER, organization TEXT, email TEXT, first_name TEXT, last_name TEXT, role TEXT,"
        " is_pending INTEGER, created_at TEXT, updated_at TEXT",
        derived=TIMES,
        flags=frozenset({"is_pending"}),
    ),
    Table("tokens", "token TEXT PRIMARY KEY, user TEXT", key=("token",), hidden=True),
    Table(
        "groups",
        "uuid TEXT PRIMARY KEY, organization TEXT, name TEXT, created_by TEXT, updated_by TEXT, created_at TEXT,"
        " updated_at TEXT",
        derived=TIMES,
    ),
    Table(
        "group_members",
        f"group_uuid TEXT REFERENCES groups {_CASCADE}, user_uuid TEXT REFERENCES users {_CASCADE}",
        key=("group_uuid", "user_uuid"),
        extra="PRIMARY KEY (group_uuid, user_uuid)",
    ),
    Table(
        "projects",
        "uuid TEXT PRIMARY KEY, organization TEXT, slug TEXT, name TEXT, type TEXT, created_by TEXT, upstream TEXT,"
        " settings TEXT, created_at TEXT",
        derived=TIMES,
        json=frozenset({"settings"}),
    ),
    Table(
        "spaces",
        f"uuid TEXT PRIMARY KEY, project TEXT REFERENCES projects {_CASCADE}, parent TEXT REFERENCES spaces {_CASCADE},"
        " name TEXT, slug TEXT, path TEXT, inherits INTEGER, created_by TEXT, created_at TEXT",
        derived=TIMES,
        flags=frozenset({"inherits"}),
    ),
    Table(
        "space_access",
        f"space TEXT REFERENCES spaces {_CASCADE}, user TEXT REFERENCES users {_CASCADE}, role TEXT",
        key=("space", "user"),
        extra="PRIMARY KEY (space, user)",
    ),
    Table(
        "dashboards",
        f"uuid TEXT PRIMARY KEY, project TEXT, space TEXT REFERENCES spaces {_CASCADE}, slug TEXT, name TEXT,"
        " description TEXT, tabs TEXT, filters TEXT, config TEXT, parameters TEXT, version_uuid TEXT,"
        " version_id INTEGER, created_by TEXT, updated_by TEXT, created_at TEXT, updated_at TEXT, views INTEGER,"
        " first_viewed_at TEXT",
        derived=_VIEWED | {"version_uuid", "version_id"},
        json=frozenset({"tabs", "filters", "config", "parameters"}),
    ),
    Table(
        "charts",
        f"uuid TEXT PRIMARY KEY, project TEXT, space TEXT REFERENCES spaces {_CASCADE},"
        f" dashboard TEXT REFERENCES dashboards {_CASCADE}, slug TEXT, name TEXT, description TEXT, explore TEXT,"
        " kind TEXT, query TEXT, chart_config TEXT, table_config TEXT, pivot_config TEXT, parameters TEXT,"
        " updated_by TEXT, created_at TEXT, updated_at TEXT, views INTEGER, first_viewed_at TEXT",
        derived=_VIEWED,
        json=frozenset({"query", "chart_config", "table_config", "pivot_config", "parameters"}),
    ),
    Table(
        "tiles",
        f"dashboard TEXT REFERENCES dashboards {_CASCADE}, uuid TEXT, position INTEGER, tab TEXT,"
        " type TEXT, x INTEGER, y INTEGER, w INTEGER, h INTEGER,"
        " chart TEXT REFERENCES charts ON DELETE SET NULL, properties TEXT",
        key=("dashboard", "uuid"),
        json=frozenset({"properties"}),
        # A copy of a dashboard keeps the ids of its tiles.
        extra="PRIMARY KEY (dashboard, uuid)",
    ),
    *query_tables.TABLES,
    *content_tables.TABLES,
)

_INDEXES = (
    "CREATE INDEX IF NOT EXISTS chart_slugs ON charts (slug)",
    "CREATE INDEX IF NOT EXISTS chart_spaces ON charts (space)",
    "CREATE INDEX IF NOT EXISTS dashboard_slugs ON dashboards (slug)",
    "CREATE INDEX IF NOT EXISTS dashboard_spaces ON dashboards (space)",
    "CREATE INDEX IF NOT EXISTS space_projects ON spaces (project)",
    "CREATE INDEX IF NOT EXISTS tile_dashboards ON tiles (dashboard)",
    "CREATE INDEX IF NOT EXISTS tile_charts ON tiles (chart)",
    *content_tables.INDEXES,
)


@dataclass(frozen=True)
class Options:
    """What an operator of a real instance may choose: a bin for what is deleted, a licence."""

    soft_delete: bool = False
    enterprise: bool = False


Fill = Callable[["Store"], None]


class Store:
    """The database and what every URL family asks of it."""

    def __init__(
        self, data: str | Path | None = None, fill: Fill | None = None, options: Options | None = None
    ) -> None:
        """Open a database in memory or in a file; an empty one gets its first state, if there is any."""
        self.options = options or Options()
        self._fill = fill
        self._resets = 0
        self.warehouse = Warehouse(self.clock)
        self._db = sqlite3.connect(data or ":memory:", check_same_thread=False, isolation_level=None)
        self._db.row_factory = sqlite3.Row
        # The data is disposable: speed and a small file count for more than surviving a power cut.
        self._db.executescript("PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON;")
        if data or not fill:
            self._make_tables()
        if not data or self.one("SELECT 1 FROM meta") is None:
            self.reset()

    def close(self) -> None:
        """Let go of the database."""
        self.warehouse.close()
        self._db.close()

    def reset(self) -> None:
        """Throw everything away and bring back the first state."""
        if self._fill:
            _first(self._fill).copy_to(self._db)
            self._resets += 1

    def copy_to(self, db: sqlite3.Connection) -> None:
        """Make another database the same as this one."""
        self._db.backup(db)

    def _make_tables(self) -> None:
        for table in TABLES:
            extra = f", {table.extra}" if table.extra else ""
            self._db.execute(f"CREATE TABLE IF NOT EXISTS {table.name} ({table.columns}{extra})")
        for index in _INDEXES:
            self._db.execute(index)

    def all(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """Every row of a query."""
        return self._db.execute(sql, values).fetchall()

    def one(self, sql: str, *values: object) -> sqlite3.Row | None:
        """The first row of a query, if any."""
        return self._db.execute(sql, values).fetchone()

    def run(self, sql: str, *values: object) -> None:
        """A statement without an answer."""
        self._db.execute(sql, values)

    def change(self) -> sqlite3.Connection:
        """A context in which several statements become one change, or none."""
        self._db.execute("BEGIN")
        return self._db

    def insert(self, table: str, **values: object) -> None:
        """Add a row; lists and maps are stored as JSON."""
        cells = [_cell(value) for value in values.values()]
        marks = ", ".join("?" * len(cells))
        self._db.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", cells)  # noqa: S608

    def update(self, table: str, uuid: str, **values: object) -> None:
        """Change a row; lists and maps are stored as JSON."""
        if values:
            places = ", ".join(f"{column} = ?" for column in values)
            cells = [_cell(value) for value in values.values()]
            self._db.execute(f"UPDATE {table} SET {places} WHERE uuid = ?", [*cells, uuid])  # noqa: S608

    def new_uuid(self) -> str:
        """The next version 4 UUID of a series that starts anew at each reset."""
        digest = hashlib.sha256(f"aboveboard {self._next('ids')}".encode()).hexdigest()
        variant = "89ab"[int(digest[16], 16) % 4]
        return f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"

    def now(self) -> str:
        """The time of a write: one second after the write before it."""
        moment = EPOCH + timedelta(seconds=self._next("ticks"))
        return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")

    def clock(self) -> datetime:
        """What time it is, without the clock moving."""
        row = self.one("SELECT value FROM meta WHERE key = 'ticks'")
        return EPOCH + timedelta(seconds=int(row["value"]) if row else 0)

    def event(self, *, new: bool) -> str | None:
        """The id under which a crash is reported: a new one, or the last, if there was any."""
        row = self.one("SELECT value FROM meta WHERE key = 'events'")
        number = self._next("events") if new else int(row["value"]) if row else 0
        return hashlib.sha256(f"event {number}".encode()).hexdigest()[:32] if number else None

    def unique_slug(self, table: str, project: str, wanted: str) -> str:
        """The slug, with -1, -2 ... behind it where the project already has it."""
        taken = {row["slug"] for row in self.all(f"SELECT slug FROM {table} WHERE project = ?", project)}  # noqa: S608
        slug, number = wanted, 0
        while slug in taken:
            number += 1
            slug = f"{wanted}-{number}"
        return slug

    @property
    def mark(self) -> tuple[int, int, int]:
        """Another one after every write: SQLite counts the rows this connection changes, and what others commit."""
        return self._resets, self._db.total_changes, self.all("PRAGMA data_version")[0][0]

    def dump(self) -> dict[str, object]:
        """The state as flat facts, such as "spaces/<uuid>/name": "Finance", in the order of their keys."""
        return dict(sorted(self._facts()))

    def _facts(self) -> Iterator[tuple[str, object]]:
        for table in TABLES:
            if table.hidden:
                continue
            for row in self.all(f"SELECT * FROM {table.name}"):  # noqa: S608 - a name from TABLES
                yield from _row_facts(table, row)

    def _next(self, counter: str) -> int:
        row = self.one("UPDATE meta SET value = value + 1 WHERE key = ? RETURNING value", counter)
        return int(row["value"]) if row else 0


@cache
def _first(fill: Fill) -> Store:
    """A store just seeded, which others are copied from: that takes a fraction of the time."""
    store = Store()
    with store.change() as db:
        db.executemany("INSERT INTO meta VALUES (?, ?)", [("ids", "0"), ("ticks", "0"), ("events", "0")])
        fill(store)
    return store


def _cell(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def _row_facts(table: Table, row: sqlite3.Row) -> Iterable[tuple[str, object]]:
    name = "/".join((table.name, *(str(row[column]) for column in table.key)))
    if not table.facts:
        yield name, True
    for column in table.facts:
        value: Any = row[column]
        if column in table.json:
            value = None if value is None else json.loads(value)
        elif column in table.flags:
            value = bool(value)
        yield f"derived/{name}/{column}" if column in table.derived else f"{name}/{column}", value
