"""The two halves of a search, which each engine answers in its own way, and the passages that are best by either."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final, Protocol

from aboveboard.search.entries import Candidate, Candidates, Vector, Where

K1: Final = 1.2
B: Final = 0.75
"""The constants of BM25, as FTS5 has them."""
TINY: Final = 1e-6
"""What FTS5 makes of the weight of a word that more than half of all passages have."""

Found = Mapping[int, tuple[int, float]]
"""Passages, with the document of each and what the half says of it."""


class Halves(Protocol):
    """What an engine answers."""

    def counts(self, words: Collection[str]) -> tuple[int, Mapping[str, int]]:
        """Tell how many passages there are, and how many have each of some words."""
        ...

    def matching(
        self, weights: Mapping[str, float], where: Where, depth: int, among: Collection[int] | None = None
    ) -> Found:
        """Return the best passages by BM25: of those in some places, or among some."""
        ...

    def near(self, vector: Vector, where: Where, depth: int, also: Collection[int]) -> Found:
        """Return the passages of the largest cosines, and some others, with their cosines."""
        ...


def both(engine: Halves, words: Sequence[str], vector: Vector | None, where: Where, depth: int) -> Candidates:
    """Return the best of both halves, each with what the other half says of it."""
    asked = dict.fromkeys(words)
    total, having = engine.counts(asked)
    weights = {word: weight(total, having.get(word, 0)) for word in asked}
    ideal = sum(weights.values())
    # Words that most passages have weigh nothing and cost most.
    telling = {word: value for word, value in weights.items() if value > TINY} or weights
    by_words: Found = engine.matching(telling, where, depth) if telling else {}
    if vector is None:
        return Candidates([Candidate(at, document, bm25) for at, (document, bm25) in by_words.items()], ideal)
    near = engine.near(vector, where, depth, by_words)
    others = [at for at in near if at not in by_words]
    heard: Found = {**by_words, **(engine.matching(telling, Where(), depth, others) if telling and others else {})}
    measured = [Candidate(at, of, heard.get(at, (0, 0.0))[1], cosine) for at, (of, cosine) in near.items()]
    unmeasured = [Candidate(at, of, bm25) for at, (of, bm25) in by_words.items() if at not in near]
    return Candidates(measured + unmeasured, ideal)


def weight(total: int, having: int) -> float:
    """Return how much a word tells that so many of all passages have; one that occurs nowhere tells most."""
    return max(math.log((total - having + 0.5) / (having + 0.5)), TINY)


def conditions(where: Where, mark: str) -> tuple[str, list[object]]:
    """Write which documents are searched as a condition in SQL, and its values."""
    parts, values = ["NOT document.missing"], list[object]()
    if where.sources is not None:
        parts.append(f"document.source IN ({', '.join(mark for _ in where.sources) or 'NULL'})")
        values += where.sources
    if folder := where.folder.strip("/"):
        parts.append(f"(document.place = {mark} OR substr(document.place, 1, {mark}) = {mark})")
        values += [folder, len(folder) + 1, f"{folder}/"]
    if where.after is not None:
        parts.append(f"document.modified >= {mark}")
        values.append(where.after)
    if where.before is not None:
        parts.append(f"document.modified < {mark}")
        values.append(where.before)
    return " AND ".join(parts), values
