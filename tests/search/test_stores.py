"""Indexes that several threads, processes and machines use at once, and that go while someone uses them."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from aboveboard.errors import Failure
from aboveboard.search.chunks import Chunk
from aboveboard.search.entries import Entry, Passage, Where
from aboveboard.search.models import pack_vectors
from aboveboard.search.ranking import search
from aboveboard.search.settings import SearchSettings
from aboveboard.search.sqlite import store as sqlite_store
from aboveboard.search.store import Index, Store

T = TypeVar("T")


def write(index: Index, key: str = "1", text: str = "an oak door") -> None:
    index.write("note", Entry(key=key, etag="1", title="Door"), text, [Passage(Chunk(0, len(text)), text.split())])


def at_once(*work: Callable[[], T]) -> list[T]:
    with ThreadPoolExecutor(len(work)) as threads:
        return [one.result() for one in [threads.submit(one) for one in work]]


def test_of_all_who_want_to_look_for_changes_one_may_until_its_time_is_over(index_place: str) -> None:
    stores = [SearchSettings(index=index_place).open_store() for _ in range(4)]
    indexes = [store.open("me", "words") for store in stores]
    assert sorted(at_once(*[lambda one=one: one.claim(100.0, 340.0) for one in indexes])) == [False] * 3 + [True]
    assert not indexes[0].claim(339.0, 600.0)
    assert indexes[1].claim(340.0, 600.0)
    assert stores[0].open("you", "words").claim(340.0, 600.0)
    for store in stores:
        store.close()


def test_two_that_write_the_same_document_at_once_leave_it_once(index_place: str) -> None:
    stores = [SearchSettings(index=index_place).open_store() for _ in range(3)]
    indexes = [store.open("me", "words") for store in stores]
    for _ in range(5):
        at_once(*[lambda one=one: write(one) for one in indexes])
    assert [(one.documents, one.passages) for one in indexes[0].states()] == [(1, 1)]
    for store in stores:
        store.close()


def test_whoever_is_erased_leaves_nothing_and_others_keep_theirs(store: Store) -> None:
    for person in ("me", "you"):
        for identity in ("words", "model"):
            write(store.open(person, identity))
    store.erase("me")
    assert not store.has("me")
    assert store.has("you")
    assert store.open("me", "words").states() == []
    assert search(store.open("you", "model"), "oak", None, Where(), 5)


def test_an_index_that_another_process_erased_is_made_anew_and_a_write_into_it_lost_or_refused(
    index_place: str,
) -> None:
    here, there = (SearchSettings(index=index_place).open_store() for _ in range(2))
    held = here.open("me", "words")
    write(held)
    there.erase("me")
    try:
        write(held, "2")
    except Failure as failure:
        assert "was deleted while it was being made" in str(failure)  # noqa: PT017 (a file takes it, and is gone)
    assert not there.has("me")
    write(here.open("me", "words"), "3")
    assert set(there.open("me", "words").known("note")) == {"3"}
    here.close()
    there.close()


def test_one_who_searches_an_index_while_another_takes_its_place_gets_an_answer(store: Store) -> None:
    old = store.open("me", "old")
    write(old)
    write(store.open("me", "new"))
    store.retire("me", "new")
    assert len(search(old, "oak", None, Where(), 5)) <= 1
    assert len(search(store.open("me", "new"), "oak", None, Where(), 5)) == 1


def test_the_directions_of_few_people_are_held_in_memory_and_each_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numpy")
    monkeypatch.setattr(sqlite_store, "HELD", 2 * 2 * 4)  # two directions of two numbers
    store = sqlite_store.SqliteStore(tmp_path)
    direction = pack_vectors([[1.0, 2.0]])[0]
    for number in range(5):
        index = store.open(f"person{number}", "model")
        index.write("note", Entry(key="1", etag="1", title="Door"), "oak", [Passage(Chunk(0, 3), ["oak"], direction)])
        assert len(search(index, "", direction, Where(), 5)) == 1
        assert sum(one.held for one in store._open.values()) <= 3 * 2 * 4  # pyright: ignore[reportPrivateUsage]
    assert [len(search(store.open(f"person{at}", "model"), "", direction, Where(), 5)) for at in range(5)] == [1] * 5
    store.close()


def test_only_so_many_files_stay_open_and_each_is_opened_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_store, "KEPT", 2)
    store = SearchSettings(index=str(tmp_path)).open_store()
    first = store.open("person0", "words")
    for number in range(5):
        write(store.open(f"person{number}", "words"))
    assert len(store._open) == 2  # pyright: ignore
    assert [len(search(store.open(f"person{at}", "words"), "oak", None, Where(), 5)) for at in range(5)] == [1] * 5
    assert search(first, "oak", None, Where(), 5)
    store.close()
