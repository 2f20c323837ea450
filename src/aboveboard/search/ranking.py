"""One order from two halves: how much of the query's words a passage has, and how near it is in meaning.

The half of the words is absolute: 1 is a passage that has them all, and one that has only "the" gets next to nothing.
Ranks would give both the same credit (docs/decisions/0030).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from aboveboard.search.entries import Candidate, Candidates, Located, Vector, Where
from aboveboard.search.store import Index
from aboveboard.search.words import words

SHARE: Final = 1.5
"""What the words count for beside the meaning; tuned, with SATURATED, on one half of XQuAD: docs/search.md."""
SATURATED: Final = 1.6
"""Times the weight of all words, where a passage counts as having them all."""
DEPTH: Final = 200
"""Passages of each half that are looked at."""
FAR: Final = 0.15
"""A cosine below which a passage without a word of the query has nothing to do with it."""
HEARD: Final = 0.1
NEAR: Final = 0.35


class SearchMode(StrEnum):
    """Which halves count."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"
    MEANING = "meaning"


@dataclass(frozen=True)
class Hit:
    """A document that was found, by its best passage."""

    at: Located
    score: float
    share: float
    """How much of the words the passage has, from 0 to 1."""
    cosine: float | None = None

    @property
    def found_by(self) -> str:
        """Tell which half speaks for it."""
        near = self.cosine is not None and self.cosine >= NEAR
        if near and self.share >= HEARD:
            return "words and meaning"
        return "meaning" if near or not self.share else "words"


def search(index: Index, query: str, vector: Vector | None, where: Where, limit: int) -> list[Hit]:
    """Find the documents that are nearest to a query: by its words, by its direction where one is given, or both."""
    found = index.find(words(query), vector, where, DEPTH)
    best: dict[int, tuple[float, Candidate]] = {}
    for one in found.items:
        score = _score(one, found)
        if score > 0 and score > best.get(one.document, (0.0,))[0]:
            best[one.document] = score, one
    ranked = sorted(best.values(), key=lambda pair: (-pair[0], pair[1].passage))[:limit]
    located = index.located([one.passage for _, one in ranked])
    return [
        Hit(located[one.passage], score, _share(one, found), one.cosine)
        for score, one in ranked
        if one.passage in located
    ]


def find_related(index: Index, vectors: Sequence[Vector], where: Where, limit: int) -> list[Hit]:
    """Find the documents that are nearest in meaning to any of some directions."""
    best: dict[tuple[str, str], Hit] = {}
    for vector in vectors:
        for hit in search(index, "", vector, where, limit):
            key = hit.at.source, hit.at.entry.key
            if key not in best or hit.score > best[key].score:
                best[key] = hit
    return sorted(best.values(), key=lambda hit: -hit.score)[:limit]


def _score(one: Candidate, found: Candidates) -> float:
    share = _share(one, found)
    if one.cosine is None:
        return share
    return one.cosine + SHARE * share if share or one.cosine >= FAR else 0.0


def _share(one: Candidate, found: Candidates) -> float:
    return min(1.0, one.bm25 / (SATURATED * found.ideal)) if found.ideal else 0.0
