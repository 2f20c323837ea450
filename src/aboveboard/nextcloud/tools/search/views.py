"""What search answers: documents with a snippet, a citation and a link, within a budget."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Self

from pydantic import BaseModel

from aboveboard.nextcloud.client.model import unix_date
from aboveboard.search.entries import SourceState, Stored
from aboveboard.search.person import Person, SearchAnswer
from aboveboard.search.ranking import Hit
from aboveboard.search.syncing import Report
from aboveboard.search.words import words

BUDGET: Final = 12_000
"""Characters of all snippets together: some three thousand tokens."""
LONGEST: Final = 800
SHORTEST: Final = 200


class FoundDocument(BaseModel):
    """A document, and the passage of it that fits best; start and end are where that is in the text."""

    source: str
    id: str
    title: str
    place: str | None = None
    snippet: str
    headings: str | None = None
    page: int | None = None
    start: int
    end: int
    modified: datetime | None = None
    url: str
    score: float
    found_by: str

    @classmethod
    async def of(cls, person: Person, hit: Hit, text: str, query: str, room: int) -> Self:
        """Show a hit."""
        entry, chunk = hit.at.entry, hit.at.chunk
        return cls(
            source=hit.at.source,
            id=entry.key,
            title=entry.title,
            place=entry.place or None,
            snippet=snippet(text[chunk.start : chunk.end], query, room),
            headings=" › ".join(chunk.headings) or None,
            page=chunk.page,
            start=chunk.start,
            end=chunk.end,
            modified=unix_date(entry.modified),
            url=await person.sources[hit.at.source].link(entry),
            score=round(hit.score, 3),
            found_by=hit.found_by,
        )


class FoundDocuments(BaseModel):
    """What was found, the best first; note says what is missing from it, and why."""

    items: list[FoundDocument]
    withheld: int | None = None
    note: str | None = None

    @classmethod
    async def of(cls, person: Person, answer: SearchAnswer, query: str) -> Self:
        """Show an answer; the more hits, the shorter each snippet."""
        room = max(SHORTEST, min(LONGEST, BUDGET // max(len(answer.hits), 1)))
        found = zip(answer.hits, answer.texts, strict=True)
        items = [await FoundDocument.of(person, hit, text, query, room) for hit, text in found]
        return cls(items=items, withheld=answer.withheld or None, note=join_notes(answer.notes))


class DocumentPart(BaseModel):
    """A part of a document's text, as it was indexed."""

    source: str
    id: str
    title: str
    place: str | None = None
    text: str
    start: int
    end: int
    length: int
    modified: datetime | None = None
    url: str

    @classmethod
    async def of(cls, person: Person, stored: Stored, start: int, end: int) -> Self:
        """Show a part."""
        entry = stored.entry
        return cls(
            source=stored.source,
            id=entry.key,
            title=entry.title,
            place=entry.place or None,
            text=stored.text[start:end],
            start=start,
            end=min(end, len(stored.text)),
            length=len(stored.text),
            modified=unix_date(entry.modified),
            url=await person.sources[stored.source].link(entry),
        )


class FailedDocument(BaseModel):
    """A document that could not be read."""

    title: str
    reason: str


class SourceStatus(BaseModel):
    """How far the index of one kind of documents is; completed is when it was last up to date."""

    source: str
    documents: int
    passages: int
    waiting: int
    failed: int
    failures: list[FailedDocument] | None = None
    completed: datetime | None = None

    @classmethod
    def of(cls, state: SourceState) -> Self:
        """Show a state."""
        return cls(
            source=state.name,
            documents=state.documents,
            passages=state.passages,
            waiting=state.waiting,
            failed=state.failures,
            failures=[FailedDocument(title=one.title, reason=one.problem) for one in state.failed] or None,
            completed=unix_date(None if state.completed is None else int(state.completed)),
        )


class IndexStatus(BaseModel):
    """How far the index is, and which model it is made with; without one, only words can be searched."""

    items: list[SourceStatus]
    complete: bool
    model: str | None = None
    note: str | None = None


class SourceUpdate(BaseModel):
    """What was done for one kind of documents."""

    source: str
    indexed: int
    removed: int
    failed: int
    waiting: int
    problem: str | None = None

    @classmethod
    def of(cls, report: Report) -> Self:
        """Show a report."""
        return cls.model_validate(report, from_attributes=True)


class IndexUpdate(BaseModel):
    """What was done; where it is not done, calling again goes on."""

    items: list[SourceUpdate]
    done: bool
    note: str | None = None


def snippet(text: str, query: str, room: int) -> str:
    """Cut the part out of a passage that has the most words of a query."""
    text = text.strip()
    if len(text) <= room:
        return text
    asked = set(words(query))
    step = max(room // 4, 1)
    starts = range(0, len(text) - room + step, step)
    best = max(starts, key=lambda at: (_hits(text[at : at + room], asked), -at))
    start = 0 if best == 0 else text.find(" ", best, best + step) + 1 or best
    return ("… " if start else "") + text[start : start + room].strip() + (" …" if start + room < len(text) else "")


def _hits(text: str, asked: set[str]) -> int:
    return len(asked & set(words(text)))


def join_notes(notes: Sequence[str]) -> str | None:
    """Put notes into one line, or None."""
    return " ".join(notes) or None
