"""The search in one person's part of a PostgreSQL: BM25 from words kept beside each passage, cosines by pgvector."""

import struct
from collections.abc import Collection, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from aboveboard.search.entries import Vector, Where
from aboveboard.search.halves import K1, B, Found, conditions

if TYPE_CHECKING:
    from psycopg import Connection

MINE: Final = "search_passage.person = %s AND search_passage.identity = %s"
WITH_DOCUMENT: Final = (
    "search_passage JOIN search_document AS document"
    " ON document.person = search_passage.person AND document.id = search_passage.document"
)
_COUNTS: Final = f"""
SELECT asked.word, (SELECT count(*) FROM search_passage WHERE words @> ARRAY[asked.word] AND {MINE})
FROM unnest(%s::int8[]) AS asked (word)
"""  # noqa: S608
_HAS: Final = "person, id, document, length, weight, counts[array_position(words, asked.word)] AS count"
# Passages are looked up word by word: asked for any of them at once, the planner reads the words of all passages.
_ALL: Final = f"SELECT search_passage.{_HAS} FROM asked JOIN search_passage ON words @> ARRAY[asked.word] WHERE {MINE}"  # noqa: S608
# Of some passages their own words are read: looked up word by word, all others that have these would be read again.
_SOME: Final = f"""
SELECT chosen.{_HAS} FROM asked JOIN (SELECT * FROM search_passage WHERE {MINE} AND id = ANY(%s) OFFSET 0) AS chosen
ON array_position(words, asked.word) IS NOT NULL
"""  # noqa: S608
_MATCHING: Final = f"""
WITH asked AS (SELECT * FROM unnest(%s::int8[], %s::float8[]) AS asked (word, weight)),
     mean AS (SELECT avg(length)::float8 AS length FROM search_passage WHERE {MINE}),
     has AS MATERIALIZED (HAS)
SELECT has.id, document.id, sum(
  weight * count * {K1 + 1} / (count + {K1} * ({1 - B} + {B} * has.length::float8 / mean.length))
) AS bm25
FROM has JOIN search_document AS document ON document.person = has.person AND document.id = has.document, mean
WHERE CONDITION GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT %s
"""  # noqa: S608
_NEAR: Final = f"""
SELECT search_passage.id, document.id, -(vector <#> %s::halfvec) FROM {WITH_DOCUMENT}
WHERE {MINE} AND vector IS NOT NULL AND CONDITION ORDER BY 3 DESC, 1 LIMIT %s
"""  # noqa: S608


class PostgresHalves:
    """Searches the passages of one index."""

    def __init__(self, db: "Connection[Any]", of: tuple[str, str]) -> None:
        self._db, self._of = db, of

    def counts(self, words: Collection[str]) -> tuple[int, Mapping[str, int]]:
        """Tell how many passages there are, and how many have each of some words."""
        asked = {own_word(self._of, word): word for word in words}
        total = self._rows(f"SELECT count(*) FROM search_passage WHERE {MINE}", [*self._of])  # noqa: S608
        return total[0][0], {asked[own]: count for own, count in self._rows(_COUNTS, [*self._of, [*asked]])}

    def matching(
        self, weights: Mapping[str, float], where: Where, depth: int, among: Collection[int] | None = None
    ) -> Found:
        """Return the best passages by BM25."""
        asked = [own_word(self._of, word) for word in weights]
        condition, values = conditions(where, "%s") if among is None else ("TRUE", [])
        query = _MATCHING.replace("CONDITION", condition).replace("(HAS)", f"({_ALL if among is None else _SOME})")
        chosen = [] if among is None else [[*among]]
        rows = self._rows(query, [asked, [*weights.values()], *self._of, *self._of, *chosen, *values, depth])
        return {passage: (document, float(bm25)) for passage, document, bm25 in rows}

    def near(self, vector: Vector, where: Where, depth: int, also: Collection[int]) -> Found:
        """Return the passages of the largest cosines, and some others, with their cosines."""
        condition, values = conditions(where, "%s")
        direction = write_vector(vector)
        rows = self._rows(_NEAR.replace("CONDITION", condition), [direction, *self._of, *values, depth])
        if also:
            others = _NEAR.replace("CONDITION", "search_passage.id = ANY(%s)")
            rows += self._rows(others, [direction, *self._of, [*also], len(also)])
        return {passage: (document, float(cosine)) for passage, document, cosine in rows}

    def _rows(self, query: str, values: list[Any]) -> list[Any]:
        return self._db.execute(query.encode(), values).fetchall()


def own_word(of: tuple[str, str], word: str) -> int:
    """Return a word as one index has it: in what all indexes share, a look at one word then meets only one's own.

    It is a number: those are small and quick to compare, and two words of a person will not get the same one.
    """
    made = blake2b(word.encode("utf-8", "replace"), digest_size=8, key=_key(of))
    return int.from_bytes(made.digest(), signed=True)


@lru_cache(maxsize=1024)
def _key(of: tuple[str, str]) -> bytes:
    return blake2b("|".join(of).encode(), digest_size=16).digest()


def write_vector(vector: Vector) -> str:
    """Write a direction as pgvector reads it."""
    return "[" + ",".join(f"{number:.6g}" for number in struct.unpack(f"<{len(vector) // 2}e", vector)) + "]"
