"""What a dump shows of a table: all of it, unless the table says otherwise."""

import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from aboveboard.sandbox.store import META, META_COLUMNS, Schema, Store
from aboveboard.sandbox.table import Fact, Rows, Table

_META = Table(META, META_COLUMNS, hidden="It only counts.")


def store_of(*tables: Table, data: Path | None = None, letters: str = "test") -> Store:
    schema = Schema(letters, [_META, *tables], {"clock": 0})
    return Store(schema, data, Store(schema)) if data else Store(schema)


def test_a_table_that_says_nothing_is_shown_whole() -> None:
    store = store_of(Table("recipes", "id INTEGER PRIMARY KEY, name TEXT, picture BLOB, stars REAL"))
    store.insert("recipes", name="Soup", picture=b"\xff", stars=4.5)
    assert store.dump() == {
        "recipes/1/name": "Soup",
        "recipes/1/picture": f"sha256:{hashlib.sha256(bytes([255])).hexdigest()}",
        "recipes/1/stars": 4.5,
    }


def test_rows_without_a_key_or_without_anything_else_are_shown_too() -> None:
    store = store_of(Table("lines", "text TEXT"), Table("marks", "a TEXT, b TEXT, PRIMARY KEY (b, a)"))
    for text in ("x", "x"):
        store.insert("lines", text=text)
    store.insert("marks", a="1", b="2")
    assert store.dump() == {"lines/1/text": "x", "lines/2/text": "x", "marks/2/1": True}


def test_columns_are_shown_as_they_are_declared() -> None:
    table = Table(
        "cards",
        "id INTEGER PRIMARY KEY, labels TEXT, done INTEGER, password TEXT, time INTEGER, cache TEXT",
        json={"labels"},
        flags={"done"},
        secret={"password"},
        derived={"time"},
        unseen={"cache"},
    )
    store = store_of(table)
    store.insert("cards", labels=["a"], done=0, password="x", time=5, cache="y")
    store.insert("cards", done=0)
    store.update("cards", 2, labels={"a": 1}, done=1)
    assert store.dump() == {
        "cards/1/done": False,
        "cards/1/labels": ["a"],
        "cards/1/password": f"sha256:{hashlib.sha256(b'x').hexdigest()}",
        "cards/2/done": True,
        "cards/2/labels": {"a": 1},
        "cards/2/password": None,
        "derived/cards/1/time": 5,
        "derived/cards/2/time": None,
    }


def tell(rows: Rows) -> Iterator[Fact]:
    yield "walks", len(rows.all("SELECT * FROM walks"))


def test_rows_stand_where_the_table_says() -> None:
    store = store_of(
        Table("members", "gid TEXT, uid TEXT, PRIMARY KEY (gid, uid)", at="groups/{gid}/members/{uid}"),
        Table("targets", "id INTEGER PRIMARY KEY, path TEXT, off INTEGER", value="path", where="off = 0"),
        Table("reads", "uid TEXT PRIMARY KEY, time INTEGER", value="time", derived={"time"}),
        Table("queries", "id INTEGER PRIMARY KEY, sql TEXT", fleeting=True),
        Table("tokens", "token TEXT PRIMARY KEY", hidden="Nobody changes them."),
        Table("walks", "id INTEGER PRIMARY KEY", tell=tell),
    )
    store.insert("members", gid="team", uid="bob")
    for off in (0, 1):
        store.insert("targets", path="/a", off=off)
    store.insert("reads", uid="bob", time=7)
    store.insert("queries", sql="select 1")
    store.insert("tokens", token="t")
    assert store.dump() == {
        "derived/queries/1/sql": "select 1",
        "derived/reads/bob": 7,
        "groups/team/members/bob": True,
        "targets/1": "/a",
        "walks": 0,
    }


def test_two_tables_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="Two tables have the same name"):
        store_of(Table("a", "id TEXT"), Table("a", "id TEXT"))


def test_a_mark_is_another_one_after_every_write_and_reset() -> None:
    schema = Schema("test", [_META, Table("a", "id INTEGER PRIMARY KEY")], {"clock": 0})
    store = Store(schema, None, Store(schema))
    marks = [store.mark, store.mark]
    store.insert("a", id=1)
    marks.append(store.mark)
    store.reset()
    marks.append(store.mark)
    assert marks[0] == marks[1]
    assert len({*marks}) == 3


def test_a_file_is_kept_and_one_of_another_form_or_service_is_refused(tmp_path: Path) -> None:
    file, table = tmp_path / "state.sqlite", Table("a", "id INTEGER PRIMARY KEY")
    store = store_of(table, data=file)
    store.insert("a", id=1)
    store.close()
    again = store_of(table, data=file)
    assert again.dump() == {"a/1": True}
    again.close()
    before = file.read_bytes()
    for other in (lambda: store_of(table, data=file, letters="else"), lambda: store_of(Table("b", "x"), data=file)):
        with pytest.raises(sqlite3.DatabaseError):
            other()
    assert file.read_bytes() == before
