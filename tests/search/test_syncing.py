"""A sync that is killed, stopped or refused loses nothing, and documents are read where they can do no harm."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from tests.forked import PYTHON
from tests.search import killed
from tests.search.killed import PERSON, Numbers

from aboveboard.errors import NetworkError
from aboveboard.nextcloud.client.parallel import each
from aboveboard.search import chunks
from aboveboard.search.entries import Entry, Known, Where
from aboveboard.search.extraction import Extractor
from aboveboard.search.models import pack_vectors
from aboveboard.search.person import Advice, Person
from aboveboard.search.ranking import SearchMode, search
from aboveboard.search.settings import SearchSettings
from aboveboard.search.source import Listing, Unreadable
from aboveboard.search.store import Index, Store
from aboveboard.search.syncing import Sync

pytestmark = pytest.mark.anyio
ADVICE = Advice(service="The service", update="Update it.", set_up="Set it up.")


def contents(index: Index) -> dict[str, tuple[str, str | None]]:
    return {
        key: (one.entry.etag, None if (stored := index.stored("number", key)) is None else stored.text)
        for key, one in index.known("number").items()
    }


def kill(place: str, how: str) -> None:
    """Index in a process that is killed."""
    command = [sys.executable, killed.__file__, place, "12", how]
    ended = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(Path.cwd())}, check=False)
    assert ended.returncode == -signal.SIGKILL


@pytest.mark.parametrize("how", ["5", "within"])
async def test_a_run_that_is_killed_loses_at_most_one_document_and_the_next_goes_on(index_place: str, how: str) -> None:
    kill(index_place, how)
    store = SearchSettings(index=index_place).open_store()
    index = store.open(PERSON, "test")
    kept = {"5": 5, "within": 3}[how]
    assert len(contents(index)) == kept
    for key, (etag, text) in contents(index).items():
        assert (etag, text) == ("1", await Numbers(1).text(Entry(key=key, etag="1", title="")))
    assert index.mark("number") is None
    assert search(index, "half", None, Where(), 10) == []
    again = Numbers(12)
    (report,) = await Sync(index, None).run([again])
    assert (report.is_done, report.indexed, len(again.fetched)) == (True, 12 - kept, 12 - kept)
    assert len(contents(index)) == 12
    assert len(search(index, "number", None, Where(), 50)) == 12
    store.close()


async def test_one_that_is_killed_at_any_statement_leaves_whole_documents_that_are_all_found(tmp_path: Path) -> None:
    chance = random.Random(15)  # noqa: S311 (the same moments each time)
    for moment in sorted(chance.sample(range(8, 160), 4)):
        place = str(tmp_path / str(moment))
        kill(place, f"statement-{moment}")
        store = SearchSettings(index=place).open_store()
        index = store.open(PERSON, "test")
        there = contents(index)
        for key, (etag, text) in there.items():
            assert (etag, text) == ("1", await Numbers(1).text(Entry(key=key, etag="1", title="")))
        assert len(search(index, "number", None, Where(), 50)) == len(there), "what is known is found"
        assert sum(state.passages for state in index.states()) == 2 * len(there)
        again = Numbers(12)
        await Sync(index, None).run([again])
        assert {*again.fetched} == {str(at) for at in range(12)} - there.keys()
        assert len(contents(index)) == 12
        store.close()


async def test_a_run_stops_when_its_time_is_over_and_the_next_goes_on(store: Store) -> None:
    index = store.open(PERSON, "test")
    (report,) = await Sync(index, None).run([Numbers(5)], until=0.0)
    assert (report.indexed, report.waiting, report.is_done) == (0, 5, False)
    assert [one.waiting for one in index.states()] == [5]
    (report,) = await Sync(index, None).run([Numbers(5)])
    assert (report.indexed, report.is_done) == (5, True)
    assert [one.waiting for one in index.states()] == [0]


class Changing(Numbers):
    """Documents of which some go, come back, or cannot be fetched."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.gone: set[str] = set()
        self.fails: Exception | None = None

    async def listing(self, mark: str | None, known: Mapping[str, Known]) -> Listing:
        every = await super().listing(mark, known)
        there = [one for one in every.entries if one.key not in self.gone]
        return replace(every, entries=there, present={one.key for one in there})

    async def text(self, entry: Entry) -> str:
        if self.fails is not None:
            raise self.fails
        return await super().text(entry)


async def test_what_is_missing_once_is_hidden_and_comes_back_and_missing_twice_it_is_deleted(store: Store) -> None:
    index, source = store.open(PERSON, "test"), Changing(3)
    sync = Sync(index, None)
    await sync.run([source])
    source.gone = {"1"}
    (report,) = await sync.run([source])
    assert report.removed == 1
    assert index.known("number")["1"].missing
    assert len(search(index, "number", None, Where(), 10)) == 2
    source.gone = set()
    await sync.run([source])
    assert len(search(index, "number", None, Where(), 10)) == 3
    assert source.fetched.count("1") == 1
    source.gone = {"1"}
    await sync.run([source])
    await sync.run([source])
    assert "1" not in index.known("number")


async def test_a_service_that_does_not_answer_stops_the_source_and_is_not_held_against_the_document(
    store: Store,
) -> None:
    index, source = store.open(PERSON, "test"), Changing(3)
    source.fails = NetworkError("The service did not answer in time.")
    (report,) = await Sync(index, None).run([source])
    assert report.problem == "The service did not answer in time."
    assert contents(index) == {}
    source.fails = None
    (report,) = await Sync(index, None).run([source])
    assert report.indexed == 3


class CutOff(Numbers):
    """One whose request fails as it is called off."""

    def __init__(self) -> None:
        super().__init__(3)
        self.asked = anyio.Event()

    async def text(self, entry: Entry) -> str:
        return "".join(await each([entry.key], self._asked))

    async def _asked(self, key: str) -> str:
        self.asked.set()
        try:
            await anyio.sleep_forever()
        except asyncio.CancelledError:
            raise NetworkError("The connection was cut off.") from None
        return key


async def test_one_that_is_called_off_ends_also_where_a_request_fails_at_that_moment(store: Store) -> None:
    source = CutOff()
    run = asyncio.create_task(Sync(store.open(PERSON, "test"), None).run([source]))
    await source.asked.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run


async def test_another_model_makes_a_new_index_from_the_old_texts_and_then_takes_its_place(store: Store) -> None:
    source = Changing(3)
    await Person(PERSON, store, None, [source], ADVICE).update()
    before = len(source.fetched)
    model = Letters()
    person = Person(PERSON, store, model, [source], ADVICE)
    answer = await person.search("number", SearchMode.HYBRID, Where(), 5)
    assert len(answer.hits) == 3
    assert "the old one is searched by words" in answer.notes[0]
    await person.update()
    assert len(source.fetched) == before
    answer = await person.search("number 2", SearchMode.MEANING, Where(), 5)
    assert answer.notes == []
    assert answer.hits[0].cosine is not None
    other = Person(PERSON, store, Letters("other"), [source], ADVICE)
    assert (await other.search("number", SearchMode.KEYWORD, Where(), 5)).hits


async def test_another_way_of_cutting_passages_makes_a_new_index_too(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Changing(3)
    person = Person(PERSON, store, None, [source], ADVICE)
    await person.update()
    monkeypatch.setattr(chunks, "VERSION", f"{chunks.VERSION} of tomorrow")
    answer = await person.search("number", SearchMode.KEYWORD, Where(), 5)
    assert "A new index is being made" in answer.notes[0]
    await person.update()
    assert len(source.fetched) == 3
    answer = await person.search("number", SearchMode.KEYWORD, Where(), 5)
    assert len(answer.hits) == 3
    assert not any("new index" in note for note in answer.notes)


async def test_an_index_that_nobody_brought_up_to_date_for_a_day_is_called_old(store: Store) -> None:
    person = Person(PERSON, store, None, [Numbers(3)], ADVICE)
    await person.update()
    index = (await person._reading()).index  # pyright: ignore[reportPrivateUsage]
    for hours, old in ((23, False), (30, True)):
        index.finish("number", "all", time.time() - hours * 3600)
        notes = (await person.search("number", SearchMode.KEYWORD, Where(), 5)).notes
        assert ("The index was last brought up to date 30 hours ago. Update it." in notes) is old
    await person.update()
    assert not any(
        "hours ago" in note for note in (await person.search("number", SearchMode.KEYWORD, Where(), 5)).notes
    )


async def test_a_model_that_cannot_be_asked_leaves_the_words(store: Store) -> None:
    model, source = Letters(), Changing(3)
    person = Person(PERSON, store, model, [source], ADVICE)
    await person.update()
    model.fails = True
    answer = await person.search("number", SearchMode.HYBRID, Where(), 5)
    assert len(answer.hits) == 3
    assert "Only words were searched, as the model cannot be asked" in answer.notes[0]


class Letters:
    """A model that counts letters."""

    def __init__(self, name: str = "letters") -> None:
        self.name, self.fails = name, False

    async def identity(self) -> str:
        if self.fails:
            raise NetworkError("The endpoint cannot be reached.")
        return self.name

    async def passages(self, texts: Sequence[str]) -> list[bytes]:
        return pack_vectors([[text.count(letter) + 1.0 for letter in "ano"] for text in texts])

    async def query(self, text: str) -> bytes:
        return (await self.passages([text]))[0]

    async def aclose(self) -> None: ...


def reads(name: str, data: bytes) -> str:
    """Read a document, or do one of the things that readers do."""
    if name == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if name == "loop":
        while True:
            pass
    if name == "raise":
        raise ZeroDivisionError
    return f"{name}: {data.decode()}"


@pytest.fixture
def extractor(monkeypatch: pytest.MonkeyPatch) -> Extractor:
    """Start readers as users do, not as forks of a process that has imported all."""
    monkeypatch.setattr(sys, "executable", PYTHON)
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))
    return Extractor("tests.search.test_syncing:reads", seconds=20)


async def test_a_document_that_crashes_its_reader_takes_nothing_else_down(extractor: Extractor) -> None:
    assert await extractor.text("a", "ü".encode() * 100_000) == "a: " + "ü" * 100_000
    with pytest.raises(Unreadable, match="It crashed its reader"):
        await extractor.text("crash", b"")
    with pytest.raises(Unreadable, match=r"It cannot be read \(ZeroDivisionError\)"):
        await extractor.text("raise", b"")
    assert await extractor.text("b", b"still there") == "b: still there"
    await extractor.aclose()


async def test_a_document_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))
    extractor = Extractor("tests.search.test_syncing:reads", seconds=0.5)
    with pytest.raises(Unreadable, match=r"longer than 0.5 seconds"):
        await extractor.text("loop", b"")
    await extractor.aclose()
