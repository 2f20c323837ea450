"""Brings an index up to date: a transaction a document, so that a stop at any moment loses one document's work."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import anyio
import anyio.to_thread

from aboveboard.errors import ApiError, Failure, NotFound, RateLimited, Refused, Unauthorised
from aboveboard.search.chunks import chunks
from aboveboard.search.entries import Entry, Known, Passage, Vector
from aboveboard.search.models import Embedder
from aboveboard.search.source import Listing, Source, Unreadable
from aboveboard.search.store import Index
from aboveboard.search.words import words

IN_A_ROW: Final = 3
"""Documents that a service may fail at before it is taken to be out of order."""
_TOO_MUCH: Final = (400, 413, 422)
"""What a model answers to a text that is longer, or other, than it can take."""


@dataclass
class Report:
    """What was done for one source."""

    source: str
    indexed: int = 0
    failed: int = 0
    removed: int = 0
    waiting: int = 0
    problem: str | None = None
    """Why it could not be brought up to date."""

    @property
    def is_done(self) -> bool:
        """Tell whether nothing is left to do."""
        return self.problem is None and not self.waiting


Progress = Callable[[Report], Awaitable[None]]
"""Told when it is known how much there is to do, and after each document."""


async def silent(_: Report) -> None:
    """Tell nobody."""


class Sync:
    """Brings the index of one person up to date, source by source."""

    def __init__(self, index: Index, model: Embedder | None, *, previous: Index | None = None) -> None:
        """Take the index, the model that fills it, and an older index, whose texts need not be fetched again."""
        self._index, self._model, self._previous = index, model, previous

    async def run(
        self, sources: Sequence[Source], *, until: float | None = None, full: bool = False, progress: Progress = silent
    ) -> list[Report]:
        """Go through the sources until a moment of the monotonic clock; what is left is taken up by the next run.

        A source that fails does not keep the others from being indexed. `full` lists everything again, and tries again
        what could not be read.
        """
        reports: list[Report] = []
        for source in sources:
            report = Report(source.name)
            reports.append(report)
            try:
                await self._source(source, report, until, progress, full=full)
            except Failure as failure:
                report.problem = str(failure)
            finally:
                with anyio.CancelScope(shield=True):  # one who is called off leaves no process behind
                    await source.rest()
        return reports

    async def _source(
        self, source: Source, report: Report, until: float | None, progress: Progress, *, full: bool
    ) -> None:
        index, name = self._index, source.name
        known = await anyio.to_thread.run_sync(index.known, name)
        mark = None if full else await anyio.to_thread.run_sync(index.mark, name)
        listing = await source.listing(mark, known)
        changed = [entry for entry in listing.entries if _differs(entry, known.get(entry.key), again=full)]
        report.waiting = len(changed)
        await anyio.to_thread.run_sync(self._removed, report, listing, known)
        await anyio.to_thread.run_sync(index.progress, name, report.waiting)
        await progress(report)
        await self._documents(source, [(entry, known.get(entry.key)) for entry in changed], report, until, progress)
        if report.is_done:
            await anyio.to_thread.run_sync(index.finish, name, listing.mark, time.time())
        else:
            await anyio.to_thread.run_sync(index.progress, name, report.waiting)

    async def _documents(
        self,
        source: Source,
        changed: Sequence[tuple[Entry, Known | None]],
        report: Report,
        until: float | None,
        progress: Progress,
    ) -> None:
        """Index what changed; one that the service fails at waits for the next run, and does not keep back others."""
        failures = 0
        for entry, known in changed:
            if until is not None and time.monotonic() >= until:
                return
            try:
                await self._document(source, entry, known, report)
            except (Unauthorised, RateLimited):
                raise
            except ApiError as failure:
                failures, report.problem = failures + 1, str(failure)
                if failures == IN_A_ROW:
                    return
                continue
            failures = 0
            report.waiting -= 1
            await progress(report)

    def _removed(self, report: Report, listing: Listing, known: Mapping[str, Known]) -> None:
        """Hide what a complete listing lacks, and delete what was hidden before."""
        gone = {key for key in listing.gone if key in known}
        if listing.present is not None:
            lacking = known.keys() - set(listing.present)
            gone |= {key for key in lacking if known[key].missing}
            self._index.hide(report.source, lacking - gone)
            report.removed += len(lacking - gone)
        self._index.forget(report.source, gone)
        report.removed += sum(not known[key].missing for key in gone)
        there = {entry.key for entry in listing.entries} | set(listing.present or ())
        self._index.show(report.source, [key for key in there if key in known and known[key].missing])

    async def _document(self, source: Source, entry: Entry, known: Known | None, report: Report) -> None:
        try:
            text = await self._text(source, entry, known)
            passages = await self._passages(entry, text)
        except NotFound:
            return  # it went while this was on its way; the next listing tells
        except (Unreadable, Refused) as failure:
            nothing = list[Passage]()
            await anyio.to_thread.run_sync(self._index.write, source.name, entry, "", nothing, str(failure))
            report.failed += 1
            return
        await anyio.to_thread.run_sync(self._index.write, source.name, entry, text, passages)
        report.indexed += 1

    async def _text(self, source: Source, entry: Entry, known: Known | None) -> str:
        """Return the text of a document, from an index where it has this very version."""
        indexes = [self._index] if known is not None and known.entry.etag == entry.etag else []
        for index in [*indexes, *([self._previous] if self._previous else [])]:
            stored = await anyio.to_thread.run_sync(index.stored, source.name, entry.key)
            if stored is not None and stored.entry.etag == entry.etag:
                return stored.text
        return await source.text(entry)

    async def _passages(self, entry: Entry, text: str) -> list[Passage]:
        cut = chunks(text)
        # Title and headings help to find a passage, and are no part of it.
        parts = [(entry.title, " › ".join(one.headings), text[one.start : one.end]) for one in cut]
        whole = ["\n".join(filter(None, one)) for one in parts]
        vectors = await self._vectors(whole)
        return [Passage(chunk, words(said), vector) for chunk, said, vector in zip(cut, whole, vectors, strict=True)]

    async def _vectors(self, texts: Sequence[str]) -> Sequence[Vector | None]:
        if self._model is None:
            return [None] * len(texts)
        try:
            return await self._model.passages(texts)
        except ApiError as failure:
            if failure.status in _TOO_MUCH:
                raise Unreadable(f"The model does not take it: {failure}") from failure
            raise Failure(str(failure)) from failure  # it says nothing of the document, nor of its service


def _differs(entry: Entry, known: Known | None, *, again: bool) -> bool:
    if known is None or known.entry != entry:
        return True
    return again and known.problem is not None
