"""One person's index in a PostgreSQL: the same words, weights and order as in SQLite."""

import struct
import zlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from aboveboard.errors import Failure
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
from aboveboard.search.postgres.halves import MINE, WITH_DOCUMENT, PostgresHalves, own_word, write_vector

if TYPE_CHECKING:
    from psycopg import Connection

    from aboveboard.search.postgres.store import PostgresStore

_ENTRY: Final = "document.key, document.etag, document.title, document.place, document.modified"
_MOST: Final = 32_767
"""How often a word may be in a passage, as it is kept."""
_ADD: Final = (
    "INSERT INTO search_passage (person, identity, document, start, stop, headings, page, words, counts,"
    " length, vector) VALUES (%s, %s, %s, %s, %s, %s, %s, %s::int8[], %s::int2[], %s, %s::halfvec)"
)


class PostgresIndex:
    """The index of one person under one identity."""

    def __init__(self, store: "PostgresStore", person: str, identity: str) -> None:
        self.identity = identity
        self._store = store
        self._of = (person, identity)

    def write(
        self, source: str, entry: Entry, text: str, passages: Sequence[Passage], problem: str | None = None
    ) -> None:
        """Put a document in the place of what was known of it, whole or not at all."""
        packed = zlib.compress(text.encode("utf-8", "surrogatepass"))
        texts = [_storable(one) for one in (source, entry.key, entry.etag, entry.title, entry.place)]
        with self._store.connection() as db:
            self._alone(db)
            self._drop(db, source, [entry.key])
            made = db.execute(
                "INSERT INTO search_document"
                " (person, identity, source, key, etag, title, place, modified, problem, text)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING id",
                (*self._of, *texts, entry.modified, problem and _storable(problem), packed),
            ).fetchone()
            with db.cursor() as cursor:
                cursor.executemany(_ADD, [self._row(made[0] if made else 0, one) for one in passages])

    def hide(self, source: str, keys: Collection[str]) -> None:
        """Show these no longer."""
        self._set_missing(source, keys, missing=True)

    def show(self, source: str, keys: Collection[str]) -> None:
        """Show again what was hidden."""
        self._set_missing(source, keys, missing=False)

    def forget(self, source: str, keys: Collection[str]) -> None:
        """Delete documents."""
        with self._store.connection() as db:
            self._drop(db, source, keys)

    def known(self, source: str) -> Mapping[str, Known]:
        """Return what is known of every document of a source, by its key."""
        rows = self._rows(
            f"SELECT {_ENTRY}, problem, missing FROM search_document AS document"  # noqa: S608
            " WHERE person = %s AND identity = %s AND source = %s",
            source,
        )
        return {row[0]: Known(entry=_entry(row), problem=row[5], missing=row[6]) for row in rows}

    def stored(self, source: str, key: str) -> Stored | None:
        """Return a document with its text, unless it is hidden or could not be read."""
        rows = self._rows(
            f"SELECT {_ENTRY}, text FROM search_document AS document WHERE person = %s AND identity = %s"  # noqa: S608
            " AND source = %s AND key = %s AND problem IS NULL AND NOT missing",
            source,
            key,
        )
        for row in rows:
            text = zlib.decompress(row[5]).decode("utf-8", "surrogatepass")
            return Stored(source=source, entry=_entry(row), text=text)
        return None

    def mark(self, source: str) -> str | None:
        """Return what the source wants to be told at its next listing."""
        rows = self._rows("SELECT mark FROM search_source WHERE person = %s AND identity = %s AND name = %s", source)
        return rows[0][0] if rows else None

    def progress(self, source: str, waiting: int) -> None:
        """Note how many documents of a listing are not indexed yet."""
        with self._store.connection() as db:
            db.execute(
                "INSERT INTO search_source (person, identity, name, waiting) VALUES (%s, %s, %s, %s)"
                " ON CONFLICT (person, identity, name) DO UPDATE SET waiting = excluded.waiting",
                (*self._of, source, waiting),
            )

    def finish(self, source: str, mark: str | None, when: float) -> None:
        """Note that all of a complete listing is indexed."""
        with self._store.connection() as db:
            db.execute(
                "INSERT INTO search_source VALUES (%s, %s, %s, %s, %s, 0) ON CONFLICT (person, identity, name)"
                " DO UPDATE SET mark = excluded.mark, completed = excluded.completed, waiting = 0",
                (*self._of, source, mark, when),
            )

    def claim(self, now: float, until: float) -> bool:
        """Take on to bring it up to date, unless another has."""
        with self._store.connection() as db:
            taken = db.execute(
                "UPDATE search_edition SET claimed = %s WHERE person = %s AND identity = %s AND claimed <= %s",
                (until, *self._of, now),
            )
            return taken.rowcount == 1

    def find(self, words: Sequence[str], vector: Vector | None, where: Where, depth: int) -> Candidates:
        """Return the passages that are best by words, and those that are best by meaning."""
        with self._store.connection() as db:
            return both(PostgresHalves(db, self._of), words, vector, where, depth)

    def located(self, passages: Collection[int]) -> Mapping[int, Located]:
        """Return where passages are."""
        rows = self._rows(
            f"SELECT {_ENTRY}, search_passage.id, source, start, stop, headings, page FROM {WITH_DOCUMENT}"  # noqa: S608
            f" WHERE {MINE} AND search_passage.id = ANY(%s)",
            [*passages],
        )
        return {
            row[5]: Located(row[5], row[6], _entry(row), Chunk(row[7], row[8], tuple(row[9]), row[10])) for row in rows
        }

    def vectors(self, source: str, key: str) -> Sequence[Vector]:
        """Return the directions of a document's passages."""
        rows = self._rows(
            f"SELECT vector::text FROM {WITH_DOCUMENT} WHERE {MINE} AND source = %s AND key = %s"  # noqa: S608
            " AND vector IS NOT NULL ORDER BY search_passage.id",
            source,
            key,
        )
        return [_vector(row[0]) for row in rows]

    def states(self) -> Sequence[SourceState]:
        """Tell how far each source is."""
        mine = "WHERE person = %s AND identity = %s"
        sources = {row[0]: row for row in self._rows(f"SELECT name, waiting, completed FROM search_source {mine}")}  # noqa: S608
        documents = dict(
            self._rows(f"SELECT source, count(*) FROM search_document {mine} AND problem IS NULL GROUP BY 1")  # noqa: S608
        )
        passages = dict(self._rows(f"SELECT source, count(*) FROM {WITH_DOCUMENT} WHERE {MINE} GROUP BY 1"))  # noqa: S608
        failed = self._rows(
            f"SELECT source, key, title, problem FROM search_document {mine} AND problem IS NOT NULL ORDER BY id"  # noqa: S608
        )
        return states_of(sources, documents, passages, failed)

    @property
    def is_complete(self) -> bool:
        """Tell whether it once held everything."""
        return bool(self._rows("SELECT 1 FROM search_edition WHERE person = %s AND identity = %s AND complete"))

    def complete(self) -> None:
        """Note that it holds everything."""
        with self._store.connection() as db:
            db.execute("UPDATE search_edition SET complete = true WHERE person = %s AND identity = %s", self._of)

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._store.connection() as db:
            return db.execute(query.encode(), (*self._of, *values)).fetchall()

    def _set_missing(self, source: str, keys: Collection[str], *, missing: bool) -> None:
        with self._store.connection() as db:
            db.execute(
                "UPDATE search_document SET missing = %s"
                " WHERE person = %s AND identity = %s AND source = %s AND key = ANY(%s)",
                (missing, *self._of, source, [*keys]),
            )

    def _alone(self, db: "Connection[Any]") -> None:
        """Let one at a time write into an index: two could put the same document there."""
        mine = "SELECT 1 FROM search_edition WHERE person = %s AND identity = %s FOR UPDATE"
        if db.execute(mine, self._of).fetchone() is None:
            raise Failure("The index was deleted while it was being made.", next_step="Begin again.")

    def _row(self, document: int, one: Passage) -> Sequence[object]:
        chunk, counts = one.chunk, Counter(own_word(self._of, word) for word in one.words)
        return (
            *self._of,
            *(document, chunk.start, chunk.end, [_storable(one) for one in chunk.headings], chunk.page),
            *([*counts], [min(count, _MOST) for count in counts.values()], len(one.words)),
            None if one.vector is None else write_vector(one.vector),
        )

    def _drop(self, db: "Connection[Any]", source: str, keys: Collection[str]) -> None:
        db.execute(
            "DELETE FROM search_document WHERE person = %s AND identity = %s AND source = %s AND key = ANY(%s)",
            (*self._of, source, [*keys]),
        )


def _entry(row: Sequence[Any]) -> Entry:
    return Entry(key=row[0], etag=row[1], title=row[2], place=row[3], modified=row[4])


def _storable(text: str) -> str:
    """Return a text as PostgreSQL takes it."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def _vector(text: str) -> Vector:
    numbers = [float(one) for one in text.strip("[]").split(",")]
    return struct.pack(f"<{len(numbers)}e", *numbers)
