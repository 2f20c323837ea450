"""Both engines: the same words, the same order, whole documents or none, and nothing of anybody else."""

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.search.servers import postgres_url

from aboveboard.search.chunks import chunks
from aboveboard.search.entries import Entry, Passage, Unread, Vector, Where
from aboveboard.search.ranking import Hit, find_related, search
from aboveboard.search.settings import SearchSettings
from aboveboard.search.sqlite.index import SqliteIndex
from aboveboard.search.store import Index, Store
from aboveboard.search.words import words

ME = "https://cloud.example#me"
TEXTS = {
    "door": "The shed door is made of oak and two metres high.",
    "roof": "The roof of the shed is covered with slate.",
    "soup": "Cook the soup slowly, with onions and much patience.",
    "größe": "Die Größe der Straße wurde vermessen. Ein schönes Haus.",
    "tower": "東京タワーの高さは三百三十三メートルです。",
    "letter": "Dear landlord, the heating has been cold since Monday.",
}


def entry(key: str, *, etag: str = "1", place: str = "Home", modified: int = 1000) -> Entry:
    return Entry(key=key, etag=etag, title=key, place=place, modified=modified)


def direction(*numbers: float) -> Vector:
    length = sum(number**2 for number in numbers) ** 0.5
    return struct.pack(f"<{len(numbers)}e", *(number / length for number in numbers))


def put(index: Index, one: Entry, text: str, vectors: Sequence[Vector | None] = (), source: str = "note") -> None:
    cut = chunks(text)
    given = [*vectors, *[None] * len(cut)]
    passages = [
        Passage(chunk, words(f"{one.title} {text[chunk.start : chunk.end]}"), vector)
        for chunk, vector in zip(cut, given, strict=False)
    ]
    index.write(source, one, text, passages)


def filled(store: Store, person: str = ME) -> Index:
    index = store.open(person, "test")
    for key, text in TEXTS.items():
        put(index, entry(key), text)
    return index


def keys(hits: Sequence[Hit]) -> list[str]:
    return [hit.at.entry.key for hit in hits]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("oak door", "door"),
        ("ONIONS", "soup"),
        ("grosse strasse", "größe"),
        ("Schöne Häuser", "größe"),  # another ending, by its beginning
        ("東京の高さ", "tower"),
        ("landlords", "letter"),
    ],
)
def test_words_are_found_in_any_case_with_or_without_accents_by_pairs_and_by_beginnings(
    store: Store, query: str, found: str
) -> None:
    assert keys(search(filled(store), query, None, Where(), 10))[0] == found


def test_a_query_of_words_that_nobody_has_finds_nothing(store: Store) -> None:
    assert search(filled(store), "quantum chromodynamics", None, Where(), 10) == []
    assert search(filled(store), "", None, Where(), 10) == []


def test_an_empty_index_finds_nothing(store: Store) -> None:
    index = store.open(ME, "test")
    assert search(index, "anything", direction(1, 0), Where(), 10) == []
    assert index.states() == []
    assert not index.is_complete


def test_another_person_finds_nothing_of_mine(store: Store) -> None:
    filled(store)
    other = store.open("https://cloud.example#bob", "test")
    assert search(other, "oak door", None, Where(), 10) == []
    assert other.stored("note", "door") is None
    assert other.known("note") == {}


def test_what_others_have_does_not_change_my_order_or_my_scores(store: Store) -> None:
    mine = filled(store)
    before = search(mine, "shed door oak", None, Where(), 10)
    other = store.open("https://cloud.example#bob", "test")
    for number in range(20):
        put(other, entry(f"n{number}"), "oak oak oak door")
    assert search(mine, "shed door oak", None, Where(), 10) == before


def test_meaning_and_words_add_up_and_each_hit_says_which_half_found_it(store: Store) -> None:
    index = store.open(ME, "test")
    put(index, entry("near"), "nothing of it", [direction(1, 0.1, 0)])
    put(index, entry("said"), "a lighthouse", [direction(0, 0, 1)])
    put(index, entry("both"), "a lighthouse keeper", [direction(1, 0, 0)])
    put(index, entry("far"), "something else", [direction(0, 1, 0)])
    put(index, entry("farther"), "and another", [direction(0, 1, 0.2)])
    hits = search(index, "lighthouse", direction(1, 0, 0), Where(), 10)
    assert {hit.at.entry.key: hit.found_by for hit in hits} == {
        "both": "words and meaning",
        "near": "meaning",
        "said": "words",
    }
    assert keys(hits)[0] == "both"
    assert keys(search(index, "", direction(1, 0, 0), Where(), 10)) == ["both", "near"]


def test_a_document_is_found_once_by_its_best_passage(store: Store) -> None:
    index = store.open(ME, "test")
    text = "# One\n\nAbout boats.\n\n# Two\n\nAbout bread and more bread.\n"
    put(index, entry("book"), text)
    (hit,) = search(index, "bread", None, Where(), 10)
    assert text[hit.at.chunk.start : hit.at.chunk.end] == "About bread and more bread."
    assert hit.at.chunk.headings == ("Two",)


@pytest.mark.parametrize(
    ("where", "found"),
    [
        (Where(sources=["file"]), {"file"}),
        (Where(sources=["note", "file"]), {"file", "old", "new"}),
        (Where(sources=[]), set[str]()),
        (Where(folder="Work"), {"file", "old"}),
        (Where(folder="/Work/Deep/"), {"old"}),
        (Where(folder="Wor"), set[str]()),
        (Where(after=500), {"new", "file"}),
        (Where(before=500), {"old"}),
        (Where(after=100, before=500, folder="Work"), {"old"}),
    ],
)
@pytest.mark.parametrize("vector", [None, direction(1, 0)])
def test_a_search_can_be_narrowed(store: Store, where: Where, found: set[str], vector: Vector | None) -> None:
    index = store.open(ME, "test")
    put(index, entry("old", place="Work/Deep", modified=100), "bread", [direction(1, 0)])
    put(index, entry("new", place="Workshop", modified=1000), "bread", [direction(1, 0)])
    put(index, entry("file", place="Work", modified=1000), "bread", [direction(1, 0)], source="file")
    assert set(keys(search(index, "bread", vector, where, 10))) == found


def test_what_is_written_again_takes_the_place_of_the_old(store: Store) -> None:
    index = filled(store)
    put(index, entry("door", etag="2"), "Pine.")
    assert "door" not in keys(search(index, "oak", None, Where(), 10))
    assert keys(search(index, "pine", None, Where(), 10)) == ["door"]
    assert index.known("note")["door"].entry.etag == "2"
    stored = index.stored("note", "door")
    assert stored is not None
    assert stored.text == "Pine."


def test_what_is_hidden_is_not_found_and_comes_back_and_what_is_forgotten_does_not(store: Store) -> None:
    index = filled(store)
    index.hide("note", ["door"])
    assert "door" not in keys(search(index, "oak door", None, Where(), 10))
    assert index.stored("note", "door") is None
    assert index.known("note")["door"].missing
    index.show("note", ["door"])
    assert keys(search(index, "oak door", None, Where(), 10))[0] == "door"
    index.forget("note", ["door", "roof"])
    assert search(index, "oak slate", None, Where(), 10) == []
    assert set(index.known("note")) == TEXTS.keys() - {"door", "roof"}


def test_what_could_not_be_read_is_remembered_with_the_reason_and_is_not_found(store: Store) -> None:
    index = filled(store)
    index.write("file", entry("scan.pdf"), "", [], "It is broken.")
    assert index.known("file")["scan.pdf"].problem == "It is broken."
    assert index.stored("file", "scan.pdf") is None
    (state,) = [one for one in index.states() if one.failures]
    assert (state.name, state.failed, state.documents) == ("file", [Unread("scan.pdf", "scan.pdf", "It is broken.")], 0)


def test_marks_and_progress_are_kept_by_source(store: Store) -> None:
    index = filled(store)
    assert index.mark("note") is None
    index.progress("note", 3)
    assert [(one.name, one.waiting, one.completed, one.documents) for one in index.states()] == [("note", 3, None, 6)]
    index.finish("note", "m1", 12.5)
    assert index.mark("note") == "m1"
    assert [(one.waiting, one.completed) for one in index.states()] == [(0, 12.5)]
    index.progress("note", 2)
    assert index.mark("note") == "m1"


def test_texts_and_names_of_any_kind_are_kept_as_they_are(store: Store) -> None:
    index = store.open(ME, "test")
    odd = Entry(key="a/b 'c' \"d\"", etag='"e"', title="Ünïcödé 📈 %s", place="x; DROP TABLE document", modified=None)
    put(index, odd, "tab\tnul\x00 \U0001f600 end")
    stored = index.stored("note", odd.key)
    assert stored is not None
    assert (stored.entry, stored.text) == (odd, "tab\tnul\x00 \U0001f600 end")


def test_another_identity_is_another_index_and_the_old_one_serves_until_the_new_one_is_complete(store: Store) -> None:
    old = filled(store)
    assert store.older(ME, "new") is None
    old.complete()
    new = store.open(ME, "new")
    serving = store.older(ME, "new")
    assert serving is not None
    assert keys(search(serving, "oak door", None, Where(), 10))[0] == "door"
    assert search(new, "oak door", None, Where(), 10) == []
    new.complete()
    store.retire(ME, "new")
    assert store.older(ME, "new") is None
    assert store.has(ME)
    store.erase(ME)
    assert not store.has(ME)


def test_what_is_related_is_near_to_any_passage(store: Store) -> None:
    index = store.open(ME, "test")
    put(index, entry("a"), "one", [direction(1, 0, 0)])
    put(index, entry("b"), "two", [direction(0, 1, 0.1)])
    put(index, entry("c"), "three", [direction(0, 0, 1)])
    hits = find_related(index, [direction(1, 0.2, 0), direction(0, 1, 0)], Where(), 2)
    assert set(keys(hits)) == {"a", "b"}
    assert index.vectors("note", "a") == [direction(1, 0, 0)]


def test_what_one_process_wrote_another_reads_also_by_meaning(index_place: str) -> None:
    settings = SearchSettings(index=index_place)
    writer, reader = settings.open_store(), settings.open_store()
    index = reader.open(ME, "test")
    put(writer.open(ME, "test"), entry("a"), "one", [direction(1, 0)])
    assert keys(search(index, "", direction(1, 0), Where(), 10)) == ["a"]
    put(writer.open(ME, "test"), entry("b"), "one", [direction(1, 0)])
    assert set(keys(search(index, "", direction(1, 0), Where(), 10))) == {"a", "b"}
    writer.open(ME, "test").forget("note", ["a"])
    assert keys(search(index, "", direction(1, 0), Where(), 10)) == ["b"]
    writer.close()
    reader.close()


def test_both_engines_give_the_same_scores(tmp_path: Path) -> None:
    stores = [SearchSettings(index=place).open_store() for place in (str(tmp_path), postgres_url())]
    indexes = [filled(store) for store in stores]
    for index in indexes:
        for count in range(40):
            put(index, entry(f"n{count}"), f"shed {'oak ' * (count % 7)} roof {count} common", [direction(1, count, 3)])
    for query in ("shed door oak", "roof 7", "common", "größen", "the common oak of nobody"):
        for vector in (None, direction(2, 5, 1)):
            one, other = (search(index, query, vector, Where(), 20) for index in indexes)
            assert [round(hit.score, 3) for hit in one] == [round(hit.score, 3) for hit in other], query
            assert len(one) > 0
    for store in stores:
        store.close()


def test_what_is_near_is_told_with_its_words_though_others_have_more_of_them(store: Store) -> None:
    index = store.open(ME, "test")
    for count in range(20):
        text = f"shed {'oak ' * count}" if count < 5 else "roof"
        put(index, entry(f"n{count}"), text, [direction(20 - count, count)])
    every, few = (index.find(["oak"], direction(1, 0), Where(), depth) for depth in (20, 3))
    said = {one.document: round(one.bm25, 4) for one in every.items}
    heard = {one.document: round(one.bm25, 4) for one in few.items}
    assert heard.items() <= said.items()
    assert (len(heard), list(heard.values()).count(0.0)) == (5, 1)  # three by each half, of which one is the same


def test_an_index_that_is_no_database_is_made_anew(tmp_path: Path) -> None:
    settings = SearchSettings(index=str(tmp_path))
    store = settings.open_store()
    filled(store)
    store.close()
    (file,) = tmp_path.rglob("*.db")
    file.write_bytes(b"this is no database at all, whatever its name says" * 100)
    fresh = settings.open_store()
    assert search(fresh.open(ME, "test"), "oak", None, Where(), 10) == []
    fresh.close()


def test_whoever_looks_for_an_index_that_is_gone_does_not_make_it_again(tmp_path: Path) -> None:
    gone = tmp_path / "gone.db"
    assert SqliteIndex.identity_in(gone) is None
    assert not gone.exists()


def test_a_query_of_a_thousand_words_is_one_that_can_be_asked(store: Store) -> None:
    many = " ".join(f"w{number}" for number in range(1000))
    assert keys(search(filled(store), f"oak {many}", None, Where(), 10)) == ["door"]


def test_only_their_owner_may_read_the_files_of_an_index(tmp_path: Path) -> None:
    store = SearchSettings(index=str(tmp_path / "indexes")).open_store()
    filled(store)
    store.close()
    (file,) = tmp_path.rglob("*.db")
    assert file.stat().st_mode & 0o077 == 0
    assert file.parent.stat().st_mode & 0o077 == 0
