"""The search in one SQLite index: words by FTS5, meaning by an exact comparison with every passage."""

import sqlite3
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from aboveboard.search.entries import Vector, Where
from aboveboard.search.halves import Found, conditions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Ids = NDArray[np.int64]


class Finder:
    """Searches; it keeps the directions of all passages in memory until something is written."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._held: tuple[str | None, tuple[Ids, Ids, Floats]] | None = None

    @property
    def held(self) -> int:
        """How many bytes of directions are in memory."""
        return 0 if self._held is None else self._held[1][2].nbytes

    def counts(self, words: Collection[str]) -> tuple[int, Mapping[str, int]]:
        """Tell how many passages there are, and how many have each of some words."""
        total = self._db.execute("SELECT count(*) FROM passage").fetchone()[0]
        query = f"SELECT term, doc FROM vocabulary WHERE term IN ({_marks(words)})"  # noqa: S608
        return total, dict(self._db.execute(query, [*words]).fetchall())

    def matching(
        self, weights: Mapping[str, float], where: Where, depth: int, among: Collection[int] | None = None
    ) -> Found:
        """Return the best passages by BM25, whose weights FTS5 knows itself."""
        condition, values = conditions(where, "?")
        if among is not None:
            condition, values = f"passage.id IN ({_marks(among)})", [*among]
        rows = self._db.execute(
            "SELECT word.rowid, passage.document, -bm25(word) FROM word JOIN passage ON passage.id = word.rowid"  # noqa: S608
            f" JOIN document ON document.id = passage.document WHERE word MATCH ? AND {condition}"
            " ORDER BY 3 DESC, 1 LIMIT ?",
            [" OR ".join(f'"{word}"' for word in weights), *values, depth],
        )
        return {passage: (document, bm25) for passage, document, bm25 in rows}

    def near(self, vector: Vector, where: Where, depth: int, also: Collection[int]) -> Found:
        """Return the passages of the largest cosines, and some others, with their cosines."""
        import numpy as np

        passages, documents, directions = self._directions()
        if not len(passages):
            return {}
        condition, values = conditions(where, "?")
        cosines = directions @ np.frombuffer(vector, dtype="<f2").astype(np.float32)
        rows = self._db.execute(f"SELECT id FROM document WHERE {condition}", values)  # noqa: S608
        allowed = np.isin(documents, np.fromiter((row[0] for row in rows), dtype=np.int64))
        best = np.argsort(-np.where(allowed, cosines, -2.0), kind="stable")[:depth]
        chosen = {int(at) for at in best if allowed[at]}
        chosen |= {int(at) for at in np.flatnonzero(np.isin(passages, list(also)))}
        return {int(passages[at]): (int(documents[at]), float(cosines[at])) for at in sorted(chosen)}

    def _directions(self) -> "tuple[Ids, Ids, Floats]":
        """Return passages, their documents and their directions, read again where something was written."""
        import numpy as np

        row = self._db.execute("SELECT value FROM about WHERE name = 'revision'").fetchone()
        revision = None if row is None else str(row[0])
        if self._held is None or self._held[0] != revision:
            rows = self._db.execute(
                "SELECT id, document, vector FROM passage WHERE vector IS NOT NULL ORDER BY id"
            ).fetchall()
            directions = np.frombuffer(b"".join(row[2] for row in rows), dtype="<f2").astype(np.float32)
            self._held = (
                revision,
                (
                    np.array([row[0] for row in rows], dtype=np.int64),
                    np.array([row[1] for row in rows], dtype=np.int64),
                    directions.reshape(len(rows), -1) if rows else directions.reshape(0, 1),
                ),
            )
        return self._held[1]


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))
