"""Where the sandbox keeps its state: one SQLite database, in memory or in a file.

Time, ids and ETags are part of the state. A clock that only moves when something is written and counters that start
anew make equal calls after a reset give equal states, which is what a comparison of two dumps needs.
"""

import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from aboveboard.nextcloud.sandbox.wire import digest

# Before any day on which this runs, so that "tomorrow" is never in the past here.
EPOCH = int(datetime(2026, 1, 5, 8, 0, tzinfo=UTC).timestamp())

_CASCADE = "ON DELETE CASCADE"
_NODE = f"node INTEGER REFERENCES nodes {_CASCADE}"
_USER = f"uid TEXT REFERENCES users {_CASCADE}"
_ID = "id INTEGER PRIMARY KEY AUTOINCREMENT"

TABLES: dict[str, str] = {
    "meta": "key TEXT PRIMARY KEY, value INTEGER",
    "users": "uid TEXT PRIMARY KEY, displayname TEXT, email TEXT, password TEXT, quota INTEGER, enabled INTEGER,"
    " first_login INTEGER, last_login INTEGER",
    "tokens": f"token TEXT PRIMARY KEY, {_USER}",
    "groups": "gid TEXT PRIMARY KEY",
    "members": f"gid TEXT REFERENCES groups {_CASCADE}, {_USER}, PRIMARY KEY (gid, uid)",
    "nodes": f"{_ID}, owner TEXT REFERENCES users {_CASCADE}, parent INTEGER REFERENCES nodes {_CASCADE}, name TEXT,"
    " folder INTEGER, content BLOB, mtime INTEGER, etag TEXT, uploaded INTEGER, checksum TEXT",
    "trash": f"node INTEGER PRIMARY KEY REFERENCES nodes {_CASCADE}, {_USER}, name TEXT, location TEXT,"
    " deleted INTEGER, deleted_by TEXT",
    "versions": f"{_NODE}, time INTEGER, content BLOB, label TEXT, author TEXT, PRIMARY KEY (node, time)",
    "favorites": f"{_NODE}, {_USER}, PRIMARY KEY (node, uid)",
    "properties": f"{_NODE}, {_USER}, name TEXT, value TEXT, PRIMARY KEY (node, uid, name)",
    "locks": f"node INTEGER PRIMARY KEY REFERENCES nodes {_CASCADE}, uid TEXT, kind TEXT, token TEXT, time INTEGER,"
    " timeout INTEGER",
    "comments": f"{_ID}, {_NODE}, uid TEXT, message TEXT, created INTEGER",
    "comment_reads": f"{_NODE}, {_USER}, time INTEGER, PRIMARY KEY (node, uid)",
    "tags": f"{_ID}, name TEXT, visible INTEGER, assignable INTEGER, color TEXT",
    "tagged": f"tag INTEGER REFERENCES tags {_CASCADE}, {_NODE}, PRIMARY KEY (tag, node)",
    "shares": f"{_ID}, type INTEGER, owner TEXT REFERENCES users {_CASCADE}, initiator TEXT, {_NODE}, share_with TEXT,"
    " permissions INTEGER, created INTEGER, expiration TEXT, token TEXT, password TEXT, note TEXT, label TEXT,"
    " hide_download INTEGER",
    "share_targets": f"share INTEGER REFERENCES shares {_CASCADE}, {_USER}, target TEXT, declined INTEGER,"
    " PRIMARY KEY (share, uid)",
    "uploads": f"{_USER}, name TEXT, etag TEXT, time INTEGER, PRIMARY KEY (uid, name)",
    "chunks": "uid TEXT, upload TEXT, name TEXT, content BLOB, etag TEXT, time INTEGER,"
    f" PRIMARY KEY (uid, upload, name), FOREIGN KEY (uid, upload) REFERENCES uploads {_CASCADE}",
    "direct_links": f"token TEXT PRIMARY KEY, {_NODE}, {_USER}",
    "note_settings": f"{_USER}, key TEXT, value TEXT, PRIMARY KEY (uid, key)",
    "statuses": f"uid TEXT PRIMARY KEY REFERENCES users {_CASCADE}, status TEXT, icon TEXT, message TEXT,"
    " clear_at INTEGER",
}

_VIEWS_AND_INDEXES = (
    "CREATE VIEW IF NOT EXISTS node_rows AS SELECT id, owner, parent, name, folder, mtime, etag, uploaded, checksum,"
    " length(content) AS size FROM nodes",
    "CREATE INDEX IF NOT EXISTS node_parents ON nodes (parent, name)",
    "CREATE INDEX IF NOT EXISTS share_nodes ON shares (node)",
    "CREATE INDEX IF NOT EXISTS share_tokens ON shares (token)",
    "CREATE INDEX IF NOT EXISTS comment_nodes ON comments (node)",
)


Fill = Callable[["Store"], None]


class Store:
    """The database and what every URL family asks of it."""

    def __init__(self, data: str | Path | None = None, fill: Fill | None = None) -> None:
        """Open a database in memory or in a file; an empty one gets its first state, if there is any."""
        self._fill = fill
        self._db = sqlite3.connect(data or ":memory:", check_same_thread=False, isolation_level=None)
        self._db.row_factory = sqlite3.Row
        # The data is disposable: speed and a small file count for more than surviving a power cut.
        self._db.executescript("PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON;")
        for name, columns in TABLES.items():
            self._db.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")
        for statement in _VIEWS_AND_INDEXES:
            self._db.execute(statement)
        if self.one("SELECT 1 FROM meta") is None:
            self.reset()

    def close(self) -> None:
        """Let go of the database."""
        self._db.close()

    def reset(self) -> None:
        """Throw everything away and bring back the first state."""
        if self._fill:
            _first(self._fill).copy_to(self._db)

    def copy_to(self, db: sqlite3.Connection) -> None:
        """Make another database the same as this one."""
        self._db.backup(db)

    @contextmanager
    def change(self) -> Generator[None, None, None]:
        """A context in which several statements become one change, or none."""
        self._db.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def all(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """Every row of a query."""
        return self._db.execute(sql, values).fetchall()

    def one(self, sql: str, *values: object) -> sqlite3.Row | None:
        """The first row of a query, if any."""
        return self._db.execute(sql, values).fetchone()

    def run(self, sql: str, *values: object) -> int:
        """A statement without an answer; how many rows it touched."""
        return self._db.execute(sql, values).rowcount

    def insert(self, table: str, **values: object) -> int:
        """Add a row; its id."""
        marks = ", ".join("?" * len(values))
        sql = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"  # noqa: S608 - names are ours
        return self._db.execute(sql, tuple(values.values())).lastrowid or 0

    def update(self, table: str, key: int, **values: object) -> None:
        """Change columns of the row with this id."""
        names = ", ".join(f"{name} = ?" for name in values)
        self._db.execute(f"UPDATE {table} SET {names} WHERE id = ?", (*values.values(), key))  # noqa: S608

    def read_meta(self, key: str) -> int:
        """A counter, the clock or a switch."""
        row = self.one("SELECT value FROM meta WHERE key = ?", key)
        return int(row["value"]) if row else 0

    def set_meta(self, key: str, value: int) -> None:
        """Set a switch."""
        self.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value)

    def now(self) -> int:
        """What time it is, in seconds since 1970, without the clock moving."""
        return self.read_meta("clock")

    def tick(self) -> None:
        """A second goes by, unless the clock is held; this happens once before every request that may write."""
        if not self.held():
            self.pass_time(1)

    def held(self) -> bool:
        """Whether only `pass_time` moves the clock."""
        return self.read_meta("held") == 1

    def pass_time(self, seconds: int) -> None:
        """Let time go by."""
        self.run("UPDATE meta SET value = value + ? WHERE key = 'clock'", seconds)

    def serial(self) -> int:
        """The next number of a series that starts anew at each reset."""
        self.run("UPDATE meta SET value = value + 1 WHERE key = 'serial'")
        return self.read_meta("serial")

    def secret(self, length: int = 32) -> str:
        """Hex digits that were never given out since the last reset."""
        return (digest(f"aboveboard {self.serial()}") * 3)[:length]

    def uniqid(self) -> str:
        """13 hex digits out of time and serial, the ETag of a folder."""
        return f"{self.now():08x}{self.serial() % 0x100000:05x}"


@cache
def _first(fill: Fill) -> Store:
    """A store just seeded, which others are copied from: that takes a fraction of the time."""
    store = Store()
    with store.change():
        for key, value in (("clock", EPOCH), ("held", 0), ("serial", 0), ("maintenance", 0)):
            store.insert("meta", key=key, value=value)
        fill(store)
    return store
