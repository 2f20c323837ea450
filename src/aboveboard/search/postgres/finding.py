"""The search in one person's part of a PostgreSQL: BM25 from words kept beside each passage, cosines by pgvector."""

import struct
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Final

from aboveboard.search.entries import Vector, Where
from aboveboard.search.halves import K1, B, Found, conditions

if TYPE_CHECKING:
    from aboveboard.search.postgres.store import PostgresStore

MINE: Final = "search_passage.person = %s AND search_passage.identity = %s"
WITH_DOCUMENT: Final = (
    "search_passage JOIN search_document AS document"
    " ON document.person = search_passage.person AND document.id = search_passage.document"
)
_COUNTS: Final = f"""
SELECT one.word, count(*) FROM search_passage, unnest(words) AS one (word)
WHERE {MINE} AND words && %s::text[] AND one.word = ANY(%s::text[]) GROUP BY 1
"""  # noqa: S608
_MATCHING: Final = f"""
WITH asked AS (SELECT * FROM unnest(%s::text[], %s::float8[]) AS asked (word, weight)),
     mean AS (SELECT avg(length)::float8 AS length FROM search_passage WHERE {MINE})
SELECT search_passage.id, document.id, sum(
  asked.weight * has.count * {K1 + 1} / (has.count + {K1} * ({1 - B} + {B} * search_passage.length / mean.length))
) AS bm25
FROM {WITH_DOCUMENT}, mean, unnest(words, counts) AS has (word, count) JOIN asked ON asked.word = has.word
WHERE {MINE} AND words && %s::text[] AND CONDITION
GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT %s
"""  # noqa: S608
_NEAR: Final = f"""
SELECT search_passage.id, document.id, -(vector <#> %s::halfvec) FROM {WITH_DOCUMENT}
WHERE {MINE} AND vector IS NOT NULL AND CONDITION ORDER BY 3 DESC, 1 LIMIT %s
"""  # noqa: S608


class PostgresHalves:
    """Searches the passages of one index."""

    def __init__(self, store: "PostgresStore", of: tuple[str, str]) -> None:
        self._store, self._of = store, of

    def counts(self, words: Collection[str]) -> tuple[int, Mapping[str, int]]:
        """Tell how many passages there are, and how many have each of some words."""
        asked = [*words]
        total = self._rows(f"SELECT count(*) FROM search_passage WHERE {MINE}", [*self._of])  # noqa: S608
        return total[0][0], dict(self._rows(_COUNTS, [*self._of, asked, asked]))

    def matching(
        self, weights: Mapping[str, float], where: Where, depth: int, among: Collection[int] | None = None
    ) -> Found:
        """Return the best passages by BM25."""
        condition, values = conditions(where, "%s")
        if among is not None:
            condition, values = "search_passage.id = ANY(%s)", [[*among]]
        asked = [*weights]
        given = [asked, [*weights.values()], *self._of, *self._of, asked, *values, depth]
        rows = self._rows(_MATCHING.replace("CONDITION", condition), given)
        return {passage: (document, float(bm25)) for passage, document, bm25 in rows}

    def near(self, vector: Vector, where: Where, depth: int, also: Collection[int]) -> Found:
        """Return the passages of the largest cosines, and some others, with their cosines."""
        condition, values = conditions(where, "%s")
        direction = written(vector)
        rows = self._rows(_NEAR.replace("CONDITION", condition), [direction, *self._of, *values, depth])
        if also:
            others = _NEAR.replace("CONDITION", "search_passage.id = ANY(%s)")
            rows += self._rows(others, [direction, *self._of, [*also], len(also)])
        return {passage: (document, float(cosine)) for passage, document, cosine in rows}

    def _rows(self, query: str, values: list[Any]) -> list[Any]:
        with self._store.connection() as db:
            return db.execute(query.encode(), values).fetchall()


def written(vector: Vector) -> str:
    """Write a direction as pgvector reads it."""
    return "[" + ",".join(f"{number:.6g}" for number in struct.unpack(f"<{len(vector) // 2}e", vector)) + "]"
