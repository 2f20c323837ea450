"""One index in one file: documents, passages, their words in FTS5, their directions as float16."""

import json
import os
import sqlite3
import zlib
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any, Final

from aboveboard.search.chunks import Chunk
from aboveboard.search.entries import (
    Candidates,
    Entry,
    Known,
    Located,
    Passage,
    SourceState,
    Stored,
    Vector,
    Where,
    states_of,
)
from aboveboard.search.halves import both
from aboveboard.search.sqlite.finder import Finder

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS source (name TEXT PRIMARY KEY, mark TEXT, completed REAL, waiting INTEGER DEFAULT 0);
CREATE TABLE IF NOT EXISTS document (
  id INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, key TEXT NOT NULL, etag TEXT NOT NULL,
  title TEXT NOT NULL, place TEXT NOT NULL, modified INTEGER, problem TEXT, missing INTEGER NOT NULL DEFAULT 0,
  text BLOB, UNIQUE (source, key)
);
CREATE TABLE IF NOT EXISTS passage (
  id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
  start INTEGER NOT NULL, stop INTEGER NOT NULL, headings TEXT NOT NULL, page INTEGER, vector BLOB
);
CREATE INDEX IF NOT EXISTS passage_document ON passage (document);
CREATE VIRTUAL TABLE IF NOT EXISTS word USING fts5(
  words, tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);
CREATE VIRTUAL TABLE IF NOT EXISTS vocabulary USING fts5vocab(word, row);
"""
_ENTRY: Final = "document.key, document.etag, document.title, document.place, document.modified"


class SqliteIndex:
    """The index of one person under one identity."""

    def __init__(self, file: Path | None, identity: str) -> None:
        self.identity = identity
        self._lock = RLock()
        if file is not None:
            # Nobody else may read what a person has.
            os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        self._db = sqlite3.connect(
            ":memory:" if file is None else file, isolation_level=None, check_same_thread=False, timeout=30
        )
        try:
            self._db.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;")
            if not self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'vocabulary'").fetchone():
                self._db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
            with self._writing() as db:
                db.execute("INSERT OR IGNORE INTO about VALUES ('identity', ?)", (identity,))
        except sqlite3.Error:
            self._db.close()
            raise
        self._finder = Finder(self._db)

    @staticmethod
    def identity_in(file: Path) -> str | None:
        """Return the identity of the index in a file, or None where it is none."""
        place = f"{file.absolute().as_uri()}?mode=rw"  # one that another process has just deleted is not made again
        with suppress(sqlite3.Error), closing(sqlite3.connect(place, timeout=30, uri=True)) as db:
            found = db.execute("SELECT value FROM about WHERE name = 'identity'").fetchone()
            return None if found is None else str(found[0])
        return None

    def write(
        self, source: str, entry: Entry, text: str, passages: Sequence[Passage], problem: str | None = None
    ) -> None:
        """Put a document in the place of what was known of it, whole or not at all."""
        packed = zlib.compress(text.encode("utf-8", "surrogatepass"))
        row = (source, entry.key, entry.etag, entry.title, entry.place, entry.modified, problem, packed)
        with self._writing() as db:
            self._drop(db, source, [entry.key])
            made = db.execute(
                "INSERT INTO document (source, key, etag, title, place, modified, problem, text)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            for one in passages:
                self._add(db, made.lastrowid, one)

    def hide(self, source: str, keys: Collection[str]) -> None:
        """Show these no longer."""
        self._set_missing(source, keys, missing=True)

    def show(self, source: str, keys: Collection[str]) -> None:
        """Show again what was hidden."""
        self._set_missing(source, keys, missing=False)

    def forget(self, source: str, keys: Collection[str]) -> None:
        """Delete documents."""
        if keys:
            with self._writing() as db:
                self._drop(db, source, keys)

    def known(self, source: str) -> Mapping[str, Known]:
        """Return what is known of every document of a source, by its key."""
        with self._lock:
            rows = self._db.execute(f"SELECT {_ENTRY}, problem, missing FROM document WHERE source = ?", (source,))  # noqa: S608
            return {row[0]: Known(entry=_entry(row), problem=row[5], missing=bool(row[6])) for row in rows}

    def stored(self, source: str, key: str) -> Stored | None:
        """Return a document with its text, unless it is hidden or could not be read."""
        with self._lock:
            row = self._db.execute(
                f"SELECT {_ENTRY}, text FROM document"  # noqa: S608
                " WHERE source = ? AND key = ? AND problem IS NULL AND missing = 0",
                (source, key),
            ).fetchone()
        if row is None:
            return None
        return Stored(source=source, entry=_entry(row), text=zlib.decompress(row[5]).decode("utf-8", "surrogatepass"))

    def mark(self, source: str) -> str | None:
        """Return what the source wants to be told at its next listing."""
        with self._lock:
            row = self._db.execute("SELECT mark FROM source WHERE name = ?", (source,)).fetchone()
        return None if row is None else row[0]

    def progress(self, source: str, waiting: int) -> None:
        """Note how many documents of a listing are not indexed yet."""
        with self._writing() as db:
            db.execute(
                "INSERT INTO source (name, waiting) VALUES (?, ?)"
                " ON CONFLICT (name) DO UPDATE SET waiting = excluded.waiting",
                (source, waiting),
            )

    def finish(self, source: str, mark: str | None, when: float) -> None:
        """Note that all of a complete listing is indexed."""
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO source VALUES (?, ?, ?, 0)", (source, mark, when))

    def claim(self, now: float, until: float) -> bool:
        """Take on to bring it up to date, unless another has."""
        with self._writing() as db:
            row = db.execute("SELECT value FROM about WHERE name = 'claimed'").fetchone()
            free = row is None or float(row[0]) <= now
            if free:
                db.execute("INSERT OR REPLACE INTO about VALUES ('claimed', ?)", (str(until),))
        return free

    def find(self, words: Sequence[str], vector: Vector | None, where: Where, depth: int) -> Candidates:
        """Return the passages that are best by words, and those that are best by meaning."""
        with self._lock:
            return both(self._finder, words, vector, where, depth)

    def located(self, passages: Collection[int]) -> Mapping[int, Located]:
        """Return where passages are."""
        with self._lock:
            rows = self._db.execute(
                f"SELECT {_ENTRY}, passage.id, source, start, stop, headings, page"  # noqa: S608
                f" FROM passage JOIN document ON document.id = document WHERE passage.id IN ({_marks(passages)})",
                [*passages],
            ).fetchall()
        return {
            row[5]: Located(row[5], row[6], _entry(row), Chunk(row[7], row[8], tuple(json.loads(row[9])), row[10]))
            for row in rows
        }

    def vectors(self, source: str, key: str) -> Sequence[Vector]:
        """Return the directions of a document's passages."""
        with self._lock:
            rows = self._db.execute(
                "SELECT vector FROM passage JOIN document ON document.id = document"
                " WHERE source = ? AND key = ? AND vector IS NOT NULL ORDER BY passage.id",
                (source, key),
            )
            return [row[0] for row in rows]

    def states(self) -> Sequence[SourceState]:
        """Tell how far each source is."""
        with self._lock:
            sources = {row[0]: row for row in self._db.execute("SELECT name, waiting, completed FROM source")}
            documents = dict(_pairs(self._db, "SELECT source, count(*) FROM document WHERE problem IS NULL GROUP BY 1"))
            passages = dict(
                _pairs(
                    self._db,
                    "SELECT source, count(*) FROM passage JOIN document ON document.id = document GROUP BY 1",
                )
            )
            failed = self._db.execute(
                "SELECT source, key, title, problem FROM document WHERE problem IS NOT NULL ORDER BY id"
            ).fetchall()
        return states_of(sources, documents, passages, failed)

    @property
    def held(self) -> int:
        """How many bytes of directions are in memory."""
        return self._finder.held

    @property
    def is_complete(self) -> bool:
        """Tell whether it once held everything."""
        with self._lock:
            return self._db.execute("SELECT 1 FROM about WHERE name = 'complete'").fetchone() is not None

    def complete(self) -> None:
        """Note that it holds everything."""
        with self._writing() as db:
            db.execute("INSERT OR IGNORE INTO about VALUES ('complete', 'yes')")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def __del__(self) -> None:
        """Close the file when the last one who uses it is done."""
        if hasattr(self, "_db"):
            self._db.close()

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def _set_missing(self, source: str, keys: Collection[str], *, missing: bool) -> None:
        if not keys:
            return
        with self._writing() as db:
            change = "UPDATE document SET missing = ? WHERE source = ? AND key = ?"
            db.executemany(change, ((missing, source, key) for key in keys))
            _touched(db)

    @staticmethod
    def _add(db: sqlite3.Connection, document: int | None, one: Passage) -> None:
        chunk = one.chunk
        made = db.execute(
            "INSERT INTO passage (document, start, stop, headings, page, vector) VALUES (?, ?, ?, ?, ?, ?)",
            (document, chunk.start, chunk.end, json.dumps(chunk.headings), chunk.page, one.vector),
        )
        db.execute("INSERT INTO word (rowid, words) VALUES (?, ?)", (made.lastrowid, " ".join(one.words)))

    @staticmethod
    def _drop(db: sqlite3.Connection, source: str, keys: Iterable[str]) -> None:
        of = "SELECT id FROM document WHERE source = ? AND key = ?"
        passages = f"SELECT id FROM passage WHERE document = ({of})"  # noqa: S608
        for key in keys:
            db.execute(f"DELETE FROM word WHERE rowid IN ({passages})", (source, key))  # noqa: S608
            db.execute("DELETE FROM document WHERE source = ? AND key = ?", (source, key))
        _touched(db)


def _touched(db: sqlite3.Connection) -> None:
    """Let every process know that what it holds in memory is out of date."""
    db.execute(
        "INSERT INTO about VALUES ('revision', '1') ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1"
    )


def _entry(row: Sequence[Any]) -> Entry:
    return Entry(key=row[0], etag=row[1], title=row[2], place=row[3], modified=row[4])


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))


def _pairs(db: sqlite3.Connection, query: str) -> Iterable[tuple[str, int]]:
    return db.execute(query).fetchall()
