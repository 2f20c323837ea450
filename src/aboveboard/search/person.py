"""Search over what one person has: the index is only for recall, and every hit is verified before a word is shown."""

import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

import anyio
import anyio.to_thread

from aboveboard.errors import BadInput, Failure, NotFound
from aboveboard.search import chunks
from aboveboard.search.entries import SourceState, Stored, Vector, Where
from aboveboard.search.models import Embedder
from aboveboard.search.ranking import Hit, SearchMode, find_related, search
from aboveboard.search.source import Source
from aboveboard.search.store import Index, Store
from aboveboard.search.syncing import Progress, Report, Sync, silent

WORDS_ALONE: Final = "words"
"""What the identity of an index says that has no directions."""
COMPARED: Final = 8
"""Passages of a document that others are compared with."""
COMPARED_TEXT: Final = 2000
"""Characters of a document whose words are looked for, where its passages have no directions."""
OLD: Final = 24 * 3600
"""Seconds after which an index that was not brought up to date is called old."""


@dataclass(frozen=True, kw_only=True)
class Advice:
    """What a reader can do, in the words of the service."""

    service: str
    update: str
    """How the index is brought up to date."""
    set_up: str
    """How search by meaning is set up."""


@dataclass(frozen=True, kw_only=True)
class SearchAnswer:
    """What was found, and what a reader has to know of it."""

    hits: Sequence[Hit]
    texts: Sequence[str]
    """The whole text of each, as it was indexed."""
    withheld: int = 0
    """Hits that could not be verified, and of which nothing is shown."""
    notes: Sequence[str] = field(default_factory=list[str])


@dataclass(frozen=True, kw_only=True)
class Status:
    """How far a person's index is."""

    states: Sequence[SourceState]
    model: str | None
    is_complete: bool
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class _Reading:
    index: Index
    model: Embedder | None
    """None where the index cannot be searched by meaning."""
    notes: list[str]


class Person:
    """One person's documents: their index, and the sources that it is made from."""

    def __init__(
        self, name: str, store: Store, model: Embedder | None, sources: Sequence[Source], advice: Advice
    ) -> None:
        self._name, self._store, self._model, self._advice = name, store, model, advice
        self.sources: Mapping[str, Source] = {source.name: source for source in sources}
        self._updating = anyio.Lock()

    async def search(self, query: str, mode: SearchMode, where: Where, limit: int) -> SearchAnswer:
        """Find documents; what the person may no longer see is dropped, and forgotten."""
        reading = await self._reading()
        vector = await self._direction(reading, query, mode)
        words = "" if mode is SearchMode.MEANING and vector is not None else query

        def found(most: int) -> list[Hit]:
            return search(reading.index, words, vector, where, most)

        hits = await anyio.to_thread.run_sync(found, 2 * limit + 10)
        return await self._verified(reading, hits, limit)

    async def related(self, source: str, key: str, where: Where, limit: int) -> SearchAnswer:
        """Find documents that are near to one, which the person must be able to see: in meaning, or else in words."""
        reading = await self._reading()
        stored = await self._seen(reading, source, key)
        vectors = await anyio.to_thread.run_sync(reading.index.vectors, source, key)

        def found() -> list[Hit]:
            if vectors:
                return find_related(reading.index, vectors[:COMPARED], where, 2 * limit + 10)
            said = f"{stored.entry.title} {stored.text[:COMPARED_TEXT]}"
            return search(reading.index, said, None, where, 2 * limit + 10)

        hits = await anyio.to_thread.run_sync(found)
        others = [hit for hit in hits if (hit.at.source, hit.at.entry.key) != (source, key)]
        return await self._verified(reading, others, limit)

    async def document(self, source: str, key: str) -> Stored:
        """Return a document as it was indexed, once the person is known to be able to see it now."""
        return await self._seen(await self._reading(), source, key)

    async def update(
        self,
        names: Collection[str] | None = None,
        *,
        whole: bool = False,
        seconds: float | None = None,
        full: bool = False,
        progress: Progress = silent,
    ) -> list[Report]:
        """Bring the index up to date; with `seconds`, as far as it gets in that time. Who comes meanwhile waits.

        Without names, all sources are meant. `whole` says that the sources named are all that the index is to have.
        """
        until = None if seconds is None else time.monotonic() + seconds
        async with self._updating:
            identity = await self._identity()
            index = await anyio.to_thread.run_sync(self._store.open, self._name, identity)
            previous = await anyio.to_thread.run_sync(self._store.older, self._name, identity)
            chosen = [source for name, source in self.sources.items() if names is None or name in names]
            sync = Sync(index, self._model, previous=previous)
            reports = await sync.run(chosen, until=until, full=full, progress=progress)
            if all(report.is_done for report in reports) and (whole or len(chosen) == len(self.sources)):
                await anyio.to_thread.run_sync(index.complete)
                await anyio.to_thread.run_sync(self._store.retire, self._name, identity)
            return reports

    async def refresh(self, names: Collection[str], *, seconds: float, quiet: float) -> list[Report]:
        """Bring an index that is there up to date, unless another process does so, or did in the last quiet seconds."""
        if not names or not await self.has_index():
            return []
        identity, now = await self._identity(), time.time()
        index = await anyio.to_thread.run_sync(self._store.open, self._name, identity)
        if not await anyio.to_thread.run_sync(index.claim, now, now + quiet):
            return []
        return await self.update(names, whole=True, seconds=seconds)

    async def status(self, names: Collection[str] | None = None) -> Status:
        """Tell how far the index is, of some sources or all."""
        reading = await self._reading()
        states = await anyio.to_thread.run_sync(reading.index.states)
        shown = [await self._told(state) for state in states if names is None or state.name in names]
        complete = await _is_complete(reading.index)
        name = None if self._model is None else self._model.name
        return Status(states=shown, model=name, is_complete=complete, notes=reading.notes)

    async def _told(self, state: SourceState) -> SourceState:
        """Leave out the names of documents that failed and that the person may not see now."""
        if not state.failed:
            return state
        try:
            visible = await self.sources[state.name].visible([one.key for one in state.failed])
        except (Failure, KeyError):
            visible = ()
        return replace(state, failed=[one for one in state.failed if one.key in visible])

    async def has_index(self) -> bool:
        """Tell whether there is anything to search."""
        return await anyio.to_thread.run_sync(self._store.has, self._name)

    async def _identity(self) -> str:
        made_by = WORDS_ALONE if self._model is None else await self._model.identity()
        return sha256(f"{made_by}|{chunks.VERSION}".encode()).hexdigest()[:16]

    async def _reading(self) -> _Reading:
        """Return the index to search: the one that is complete, and whether its directions are those of the model."""
        notes: list[str] = []
        try:
            identity = await self._identity()
        except Failure as failure:
            notes.append(_words_alone(failure))
            identity = ""
        index = await anyio.to_thread.run_sync(self._store.open, self._name, identity) if identity else None
        if index is not None and await _is_complete(index):
            return _Reading(index, self._model, notes + self._missing_model())
        older = await anyio.to_thread.run_sync(self._store.older, self._name, identity)
        if older is not None:
            if index is not None:
                notes.append("A new index is being made; until it is complete, the old one is searched by words.")
            return _Reading(older, None, notes)
        if index is None:
            raise Failure("There is no index to search.", next_step=self._advice.update)
        return _Reading(index, self._model, notes + self._missing_model() + [await self._beginning(index)])

    async def _beginning(self, index: Index) -> str:
        states = await anyio.to_thread.run_sync(index.states)
        if not any(state.documents for state in states):
            return f"Nothing is indexed yet. {self._advice.update}"
        return f"The index is not complete yet, so something may be missing. {self._advice.update}"

    def _missing_model(self) -> list[str]:
        return (
            [] if self._model is not None else [f"Only words were searched: there is no model. {self._advice.set_up}"]
        )

    async def _direction(self, reading: _Reading, query: str, mode: SearchMode) -> Vector | None:
        if not query.strip():
            raise BadInput("There is nothing to search for.", next_step="Say what it is about.")
        if mode is SearchMode.KEYWORD or reading.model is None:
            return None
        try:
            return await reading.model.query(query)
        except Failure as failure:
            reading.notes.append(_words_alone(failure))
            return None

    async def _seen(self, reading: _Reading, source: str, key: str) -> Stored:
        if source not in self.sources:
            raise BadInput(f"There is no source {source!r}.", next_step=f"There are {', '.join(self.sources)}.")
        stored = await anyio.to_thread.run_sync(reading.index.stored, source, key)
        if stored is None or key not in await self.sources[source].visible([key]):
            raise NotFound(
                f"There is no {source} {key!r} in the index.", next_step="Search for it, or update the index."
            )
        return stored

    async def _verified(self, reading: _Reading, hits: Sequence[Hit], limit: int) -> SearchAnswer:
        """Keep what the person may see now, as the service says; what it does not answer about is withheld."""
        keys: dict[str, list[str]] = defaultdict(list)
        for hit in hits:
            keys[hit.at.source].append(hit.at.entry.key)
        visible: dict[str, Collection[str]] = {}
        for source, asked in keys.items():
            try:
                visible[source] = await self.sources[source].visible(asked) if source in self.sources else ()
            except Failure:
                continue
            gone = set(asked) - set(visible[source])
            await anyio.to_thread.run_sync(reading.index.forget, source, gone)
        shown = [hit for hit in hits if hit.at.entry.key in visible.get(hit.at.source, ())][:limit]
        among = hits[: hits.index(shown[-1])] if len(shown) == limit else hits
        withheld = sum(hit.at.source not in visible for hit in among)
        notes = [*reading.notes, *await self._age(reading)]
        if withheld:
            asked = f"{self._advice.service} did not tell whether you may see them"
            notes.append(f"{withheld} more may fit, and are withheld: {asked}.")
        return SearchAnswer(hits=shown, texts=await self._texts(reading, shown), withheld=withheld, notes=notes)

    async def _texts(self, reading: _Reading, hits: Sequence[Hit]) -> list[str]:
        def read() -> list[str]:
            stored = [reading.index.stored(hit.at.source, hit.at.entry.key) for hit in hits]
            return ["" if one is None else one.text for one in stored]

        return await anyio.to_thread.run_sync(read)

    async def _age(self, reading: _Reading) -> list[str]:
        states = await anyio.to_thread.run_sync(reading.index.states)
        times = [state.completed for state in states if state.completed]
        if times and time.time() - min(times) > OLD and await _is_complete(reading.index):
            hours = int((time.time() - min(times)) / 3600)
            return [f"The index was last brought up to date {hours} hours ago. {self._advice.update}"]
        return []


async def _is_complete(index: Index) -> bool:
    return await anyio.to_thread.run_sync(lambda: index.is_complete)


def _words_alone(failure: Failure) -> str:
    return f"Only words were searched, as the model cannot be asked: {failure}"
