"""A dump tells anew only what was written since the last one: whatever way a row changes, that must be noticed."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aboveboard.sandbox.store import META, META_COLUMNS, Schema, Store
from aboveboard.sandbox.table import Fact, Rows, Table


def tell_counts(rows: Rows) -> Iterator[Fact]:
    yield "open", rows.all("SELECT COUNT(*) FROM open_cards")[0][0]


TABLES = [
    Table(META, META_COLUMNS, hidden="It only counts."),
    Table("boards", "id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT"),
    Table(
        "cards",
        "id INTEGER PRIMARY KEY, board INTEGER REFERENCES boards ON DELETE CASCADE, done INTEGER DEFAULT 0",
        indexes=("board",),
        views={"open_cards": "SELECT * FROM cards WHERE done = 0"},
    ),
    Table("lines", "text TEXT", value="text"),
    Table("counts", "id INTEGER PRIMARY KEY", tell=tell_counts),
]
FIRST = {"boards/1/title": "Plans", "cards/1/board": 1, "cards/1/done": 0, "lines/1": "x", "open": 1}


def open_store(data: Path | None = None) -> Store:
    schema = Schema("test", TABLES, {"clock": 0})
    first = Store(schema)
    first.insert("boards", title="Plans")
    first.insert("cards", board=1)
    first.insert("lines", text="x")
    return Store(schema, data, first)


def seen(store: Store) -> dict[str, object]:
    """Return the dump, which is the same as JSON, key by key in the same order."""
    dump = store.dump()
    assert list(json.loads(store.written_dump()).items()) == list(dump.items())
    return dump


@pytest.mark.parametrize(
    ("sql", "after"),
    [
        ("UPDATE boards SET title = 'Büro'", {**FIRST, "boards/1/title": "Büro"}),
        ("DELETE FROM boards WHERE id = 1", {"lines/1": "x", "open": 0}),
        ("DELETE FROM lines", {path: value for path, value in FIRST.items() if path != "lines/1"}),
        ("UPDATE cards SET done = 1 RETURNING id", {**FIRST, "cards/1/done": 1, "open": 0}),
        ("WITH one AS (SELECT 1) UPDATE cards SET done = 1 WHERE id IN one", {**FIRST, "cards/1/done": 1, "open": 0}),
        ("REPLACE INTO boards VALUES (1, 'New')", {"boards/1/title": "New", "lines/1": "x", "open": 0}),
    ],
    ids=["a row", "a cascade", "all rows", "with an answer", "after a query", "a row in the place of another"],
)
def test_what_a_statement_writes_is_told_and_what_a_reset_brings_back(sql: str, after: dict[str, object]) -> None:
    store = open_store()
    for _ in range(3):
        assert seen(store) == FIRST
        store.all(sql)
        assert seen(store) == after
        store.reset()


def test_a_change_that_is_undone_is_told_while_it_lasts() -> None:
    store = open_store()
    store.update("boards", 1, title="Mine")
    before = seen(store)

    def fail() -> None:
        with store.change():
            store.run("DELETE FROM boards")
            assert seen(store) == {"lines/1": "x", "open": 0}
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert seen(store) == before
    store.insert("boards", title="Another")
    assert seen(store) == {**before, "boards/2/title": "Another"}


def test_what_others_write_to_the_file_is_told(tmp_path: Path) -> None:
    one, other = open_store(tmp_path / "state.sqlite"), open_store(tmp_path / "state.sqlite")
    assert seen(one) == seen(other) == FIRST
    other.update("boards", 1, title="Theirs")
    assert seen(one) == seen(other) == {**FIRST, "boards/1/title": "Theirs"}
    one.reset()
    assert seen(one) == seen(other) == FIRST


def test_stores_of_one_kind_do_not_tell_of_each_other() -> None:
    one = open_store()
    other = Store(one.schema, None, one)
    other.update("boards", 1, title="Other")
    one.update("cards", 1, done=1)
    assert seen(one)["boards/1/title"] == "Plans"
    assert seen(other) == {**FIRST, "boards/1/title": "Other"}
    other.reset()
    assert seen(other) == seen(one) == {**FIRST, "cards/1/done": 1, "open": 0}
    assert [row["done"] for row in other.all("SELECT done FROM cards")] == [1]


def test_a_store_that_was_copied_still_goes_back_to_its_own_first_state() -> None:
    store = open_store()
    store.update("boards", 1, title="Kept")
    kept = Store(store.schema, None, store)
    store.run("DELETE FROM boards")
    store.reset()
    assert seen(store) == FIRST
    store.update("cards", 1, done=1)
    store.reset()
    assert seen(store) == FIRST
    assert seen(kept) == {**FIRST, "boards/1/title": "Kept"}


def test_any_store_of_a_kind_is_brought_to_a_copy_and_back_and_what_is_written_meanwhile_stays_out_of_it() -> None:
    store = open_store()
    other = Store(store.schema, first=store.copy())
    store.update("boards", 1, title="Mine")
    mine, copy = seen(store), store.copy()
    store.update("boards", 1, title="Later")
    assert seen(store) == {**FIRST, "boards/1/title": "Later"}
    for one in (store, other):
        for _ in range(2):
            one.reset(copy)
            assert seen(one) == mine == seen(copy) == {**FIRST, "boards/1/title": "Mine"}
            one.insert("lines", text="y")
            assert seen(one) == {**mine, "lines/2": "y"}
        one.reset()
        assert seen(one) == FIRST


def test_what_is_written_to_a_file_stays_though_nobody_resets_or_closes(tmp_path: Path) -> None:
    store = open_store(tmp_path / "state.sqlite")
    store.reset()
    with store.change():
        store.update("boards", 1, title="Kept")
    assert seen(open_store(tmp_path / "state.sqlite")) == {**FIRST, "boards/1/title": "Kept"}


def test_keys_of_several_tables_stand_in_one_order_however_they_begin() -> None:
    keys = ("open", "open/a", "open-b/a", "open!", "openly/a", "derived", "derived/a", "derived/a/b", "derived/a-b/c")

    def telling(some: tuple[str, ...]) -> Callable[[Rows], Iterator[Fact]]:
        return lambda rows: ((key, len(rows.all("SELECT 1 FROM meta"))) for key in some)

    halves = [Table(f"half_{n}", "id TEXT", tell=telling(keys[n::2])) for n in range(2)]
    store = Store(Schema("test", [TABLES[0], *halves], {"clock": 0}))
    assert list(seen(store)) == sorted(keys)
