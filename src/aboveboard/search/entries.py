"""What an index keeps and gives back: documents, their passages, and what a search found."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from aboveboard.search.chunks import Chunk

SHOWN_FAILURES: Final = 20
Vector = bytes
"""A direction of length one as float16, little-endian: what models give and engines keep, with or without numpy."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A document as its source lists it; another etag means another text."""

    key: str
    etag: str
    title: str
    place: str = ""
    """Where it is: a folder, a category, a calendar, parted by slashes."""
    modified: int | None = None
    """Seconds since 1970."""
    size: int | None = field(default=None, compare=False)
    """Bytes, where the source tells them: so that nothing too large is fetched."""


@dataclass(frozen=True, kw_only=True)
class Known:
    """What an index knows of a document."""

    entry: Entry
    problem: str | None = None
    """Why it could not be read; it is not tried again before its etag changes."""
    missing: bool = False
    """Whether a complete listing lacked it: it is hidden, and deleted when the next one lacks it too."""


@dataclass(frozen=True)
class Passage:
    """A part of a document, ready to be found."""

    chunk: Chunk
    words: Sequence[str]
    vector: Vector | None = None


@dataclass(frozen=True, kw_only=True)
class Stored:
    """A document as the index has it."""

    source: str
    entry: Entry
    text: str


@dataclass(frozen=True)
class Located:
    """A passage that was found, and the document it is in."""

    id: int
    source: str
    entry: Entry
    chunk: Chunk


@dataclass(frozen=True, kw_only=True)
class Where:
    """Which documents are searched; what is left out does not narrow."""

    sources: Collection[str] | None = None
    """Of no source is nothing: whoever may read none must not search all."""
    folder: str = ""
    after: int | None = None
    before: int | None = None


@dataclass(frozen=True)
class Candidate:
    """A passage that may be what is looked for, with what each half says of it."""

    passage: int
    document: int
    bm25: float = 0.0
    cosine: float | None = None


@dataclass(frozen=True)
class Candidates:
    """The best of both halves."""

    items: Sequence[Candidate]
    ideal: float
    """The weight of all words of the query, those that occur nowhere included."""


@dataclass(frozen=True)
class Unread:
    """A document that could not be read, and why."""

    key: str
    title: str
    problem: str


@dataclass(frozen=True, kw_only=True)
class SourceState:
    """How far a source is."""

    name: str
    documents: int
    passages: int
    waiting: int = 0
    failed: Sequence[Unread] = ()
    """Some of the documents that could not be read."""
    failures: int = 0
    completed: float | None = None
    """When everything was last up to date, in seconds since 1970."""


def states_of(
    sources: Mapping[str, Sequence[Any]],
    documents: Mapping[str, int],
    passages: Mapping[str, int],
    failed: Sequence[Sequence[str]],
) -> list[SourceState]:
    """Put together what an engine counted: of each source its name, how many wait and when it was up to date."""
    states: list[SourceState] = []
    for name in sorted({*sources, *documents, *(row[0] for row in failed)}):
        own = [Unread(*row[1:]) for row in failed if row[0] == name]
        _, waiting, completed = sources.get(name, (name, 0, None))
        states.append(
            SourceState(
                name=name,
                documents=documents.get(name, 0),
                passages=passages.get(name, 0),
                waiting=waiting,
                failed=own[:SHOWN_FAILURES],
                failures=len(own),
                completed=completed,
            )
        )
    return states
