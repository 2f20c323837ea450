"""State that is read and put back without a script: a SQLite file, a folder, Redis, PostgreSQL; several together."""

import json
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import chdir, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.audit.corpus import AT_ONCE, ROOT
from tests.audit.verify.stores import services
from tests.patience import patience

from aboveboard.audit.facts import changes
from aboveboard.audit.probe import Unreadable
from aboveboard.audit.verdict import Ruling
from aboveboard.audit.verify import ConnectOptions, parse_plan, verify
from aboveboard.audit.verify.oracle import Oracle
from aboveboard.audit.verify.oracles import KINDS, Store
from aboveboard.audit.verify.plan import Restore, Shell, Step, Stored
from aboveboard.audit.verify.state import DERIVED, INDEX, facts, is_covered
from aboveboard.errors import BadInput, Failure

FIRST = "CREATE TABLE notes (id integer PRIMARY KEY, text text, views integer); INSERT INTO notes VALUES (1, 'Milk', 4)"
LOOSE = "CREATE TABLE loose (word text); INSERT INTO loose VALUES ('b'), ('a')"
LOSE = "DELETE FROM loose"
MORE = "INSERT INTO notes VALUES (2, 'New', 0); CREATE TABLE more (id integer REFERENCES notes)"
VIEW, WRITE = "UPDATE notes SET views = views + 1 WHERE id = 1", "UPDATE notes SET text = 'Tea' WHERE id = 1"


@dataclass(frozen=True)
class Place:
    """A store with one note in it, and commands that lie, write and do much."""

    kind: str
    place: str
    view: str
    write: str
    much: str
    """Changes, removes, adds."""
    found: str
    """The fact that `view` changes."""


@pytest.fixture(scope="module")
def redis() -> Generator[str]:
    with services.redis() as url:
        yield url


@pytest.fixture(scope="module")
def postgres() -> Generator[str]:
    with services.postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "files", "redis", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    makers = {"sqlite": _sqlite, "files": _files, "redis": _redis, "postgres": _postgres}
    return makers[request.param](request, tmp_path)


def _sqlite(_: pytest.FixtureRequest, folder: Path) -> Place:
    file = folder / "app.db"
    with closing(sqlite3.connect(file)) as base:
        base.executescript(f"PRAGMA journal_mode=WAL; {FIRST}; {LOOSE}")

    def sql(text: str) -> str:
        code = f"import sqlite3; base = sqlite3.connect({str(file)!r}); base.executescript({text!r}); base.commit()"
        return shlex.join([sys.executable, "-c", code])

    much = f"{WRITE}; {LOSE}; {MORE}; INSERT INTO notes VALUES (3, x'ff00', 0)"  # noqa: S608 (our own words)
    return Place("sqlite", "app.db", sql(VIEW), sql(WRITE), sql(much), "app.db/notes/1/views")


def _files(_: pytest.FixtureRequest, folder: Path) -> Place:
    data = folder / "data"
    (data / "deep" / "empty").mkdir(parents=True)
    (data / "views").write_text("4", "utf-8")
    (data / "deep" / "note.txt").write_text("Milk", "utf-8")
    (data / "link").symlink_to("views")
    at = shlex.quote(str(data))
    much = f"cd {at} && rm -r deep link && mkdir link && echo x > link/y && printf '\\377' > raw && chmod 600 views"
    return Place("files", "data", f"echo 5 > {at}/views", f"echo Tea > {at}/deep/note.txt", much, "data/views")


def _redis(request: pytest.FixtureRequest, _: Path) -> Place:
    url = request.getfixturevalue("redis")
    cli = f"redis-cli -u {url} --no-auth-warning"

    def say(*commands: str) -> str:
        return " && ".join(f"{cli} {one}" for one in commands)

    first = ("FLUSHDB", "SET views 4", "HSET note:1 text Milk", "RPUSH queue a b", "ZADD rank 1 a", "SADD tags x y",
             "SETEX token 3000 abc", "XADD log 1-1 k v")  # fmt: skip
    subprocess.run(["sh", "-c", say(*first)], check=True, capture_output=True)  # noqa: S607
    much = say("DEL queue", "SADD tags z", "SET new 1", "PERSIST token", "SET rank text", "XADD log 1-2 k v")
    return Place("redis", url, say("INCR views"), say("HSET note:1 text Tea"), much, "redis/views/value")


def _postgres(request: pytest.FixtureRequest, _: Path) -> Place:
    url = request.getfixturevalue("postgres")

    def sql(text: str) -> str:
        return shlex.join(["psql", url, "-qv", "ON_ERROR_STOP=1", "-c", text])

    labels = (
        "CREATE TABLE labels (id serial PRIMARY KEY, note integer REFERENCES notes, word text);"
        "INSERT INTO labels (note, word) VALUES (1, E'two\\nlines\\tand a tab')"
    )
    first = f"DROP SCHEMA public CASCADE; CREATE SCHEMA public; {FIRST}; {LOOSE}; {labels}"
    subprocess.run(["sh", "-c", sql(first)], check=True, capture_output=True)  # noqa: S607
    much = f"{WRITE}; {LOSE}; {MORE}; INSERT INTO labels (note) VALUES (2)"  # noqa: S608 (our own words)
    return Place("postgres", url, sql(VIEW), sql(WRITE), sql(much), "postgres/public.notes/1/views")


def _plan(place: Place, folder: Path, *, state: str = "", extra: str = "") -> Any:
    environment = {"READ": place.view, "WRITE": place.write, "PYTHONPATH": str(ROOT)}
    command = json.dumps(["${python}", *AT_ONCE, "tests.audit.verify.stores.server"])
    text = f"""
server: {{command: {command}, env: {_yaml(environment)}}}
backend:
  state: {state or f"[{{{place.kind}: '{place.place}'}}]"}
{extra}
tools: {{get_note: [{{}}], set_note: [{{}}]}}
"""
    return parse_plan(text, here=folder)


def _yaml(given: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{name}: '{value.replace(chr(39), chr(39) * 2)}'" for name, value in given.items()) + "}"


def _store(place: Place, folder: Path) -> Store:
    scratch = folder / "scratch"
    scratch.mkdir()
    return KINDS[place.kind](place.place, folder, scratch, patience(10))


def test_a_store_is_put_back_as_it_was(place: Place, tmp_path: Path) -> None:
    async def both() -> tuple[Any, Any, Any]:
        store = _store(place, tmp_path)
        first = await store.dump()
        await store.take()
        await anyio.run_process(["sh", "-c", place.much])
        changed = await store.dump()
        await store.restore()
        return first, changed, await store.dump()

    first, changed, last = anyio.run(both)
    assert first != changed
    assert last == first
    assert "Milk" in str(first), "texts, and no digests of them"


def test_a_read_that_writes_is_found_in_every_kind_of_store(place: Place, tmp_path: Path) -> None:
    plan = _plan(place, tmp_path)
    assert plan.backend.reset == Restore()
    with chdir(ROOT):
        proof = verify(plan, repeats=1, options=ConnectOptions(timeout=patience(20)))
    seen = {(one.tool, one.hint): one for one in proof.verdicts}
    assert seen["get_note", "readOnlyHint"].verdict is Ruling.VIOLATED
    assert place.found in seen["get_note", "readOnlyHint"].cause
    assert seen["set_note", "destructiveHint"].verdict is Ruling.HOLDS
    assert seen["set_note", "idempotentHint"].verdict is Ruling.HOLDS
    assert seen["set_note", "destructiveHint"].oracle == "backend"


@pytest.mark.parametrize("place", ["files", "redis", "postgres"], indirect=True)  # in WAL mode SQLite does not tell
def test_a_read_that_writes_what_is_there_is_not_certified(place: Place, tmp_path: Path) -> None:
    subprocess.run(["sh", "-c", place.write], check=True, capture_output=True)  # noqa: S607
    verdicts: dict[str, Any] = {}
    for read in (place.write, "true"):
        with chdir(ROOT):
            proof = verify(
                _plan(replace(place, view=read), tmp_path), repeats=1, options=ConnectOptions(timeout=patience(20))
            )
        (verdicts[read],) = [one for one in proof.verdicts if (one.tool, one.hint) == ("get_note", "readOnlyHint")]
    told = verdicts[place.write]
    assert told.verdict is Ruling.UNVERIFIABLE
    assert place.found.partition("/")[0] in told.cause.partition(" was written with what was there already")[0]
    assert verdicts["true"].verdict is Ruling.HOLDS


@pytest.mark.parametrize(("mode", "told"), [("delete", True), ("wal", False)])
def test_a_row_that_went_and_came_is_counted_by_sqlite_and_one_that_is_read_is_not(
    tmp_path: Path, mode: str, *, told: bool
) -> None:
    file = tmp_path / "app.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as base:
        base.executescript(FIRST)
        base.execute(f"PRAGMA journal_mode = {mode}")
        store = KINDS["sqlite"](str(file), tmp_path, tmp_path, 1)
        first = anyio.run(store.marks)
        base.execute("SELECT * FROM notes").fetchall()
        assert anyio.run(store.marks) == first
        base.execute("INSERT OR REPLACE INTO notes VALUES (1, 'Milk', 4)")
        assert (anyio.run(store.marks) != first) is told


def test_stores_and_other_oracles_tell_the_state_together(tmp_path: Path) -> None:
    request: Any = None
    base, tree = _sqlite(request, tmp_path), _files(request, tmp_path)
    place = Place("", "", f"{base.view}; {tree.view}", tree.write, "", "")
    state = "[{sqlite: app.db}, {files: data}, {command: [cat, '${here}/data/views']}, {tools: [{call: list}]}]"
    plan = _plan(place, tmp_path, state=state)
    assert plan.oracle == "backend and tools"
    assert plan.stores == [Stored("sqlite", "app.db"), Stored("files", "data")]
    plan = _plan(place, tmp_path, state=state.replace(", {tools: [{call: list}]}", ""))
    with chdir(ROOT):
        proof = verify(plan, repeats=1, options=ConnectOptions(timeout=patience(20)))
    (broken,) = [one for one in proof.verdicts if (one.tool, one.hint) == ("get_note", "readOnlyHint")]
    for fact in (base.found, tree.found, "command"):
        assert fact in broken.cause


def test_a_store_is_put_back_also_when_the_run_fails(tmp_path: Path) -> None:
    place = _files(None, tmp_path)  # pyright: ignore[reportArgumentType]
    plan = _plan(place, tmp_path)
    spoiling = replace(plan, server=replace(plan.server, command=("sh", "-c", f"{place.view}; exit 3")))
    with pytest.raises(Failure, match="exit code 3"):
        verify(spoiling, repeats=1)
    assert (tmp_path / "data" / "views").read_text("utf-8") == "4"


def test_two_jobs_need_two_stores(tmp_path: Path) -> None:
    plan = _plan(_files(None, tmp_path), tmp_path)  # pyright: ignore[reportArgumentType]
    with pytest.raises(BadInput, match=r"Several jobs need a files store each\. Put \$\{scratch\} or \$\{port\}"):
        verify(plan, jobs=2)


@pytest.mark.parametrize(
    "state",
    [
        "{redis: 'redis://cache.example.com:6379/0'}",
        "{postgres: 'postgresql://app@db.example.com/app'}",
        "{postgres: 'postgresql://127.0.0.1/app?host=db.example.com'}",
        "{postgres: 'postgresql:///app?service=db.example.com'}",
        "{postgres: 'postgresql://127.0.0.1,db.example.com/app'}",
    ],
)
def test_a_store_beyond_this_machine_is_refused(state: str) -> None:
    plan = parse_plan(f"server: {{command: [x]}}\nbackend: {{state: [{state}]}}")
    with pytest.raises(BadInput, match=r"at \w+\.example\.com is not on this machine.*--i-know-this-is-disposable"):
        verify(plan)


@pytest.mark.parametrize(
    ("backend", "said"),
    [
        ("{state: [{redis: here}]}", "redis takes a URL that begins with redis://."),
        ("{state: [{redis: '${url}'}]}\nvalues: {url: 'redis://example.com'}", "redis takes a URL"),
        ("{state: {postgres: 'host=db.example.com'}}", "postgres takes a URL that begins with postgresql://."),
        ("{state: {sqlite: 'https://example.com/a'}}", "sqlite takes a path."),
        ("{state: {sqlit: a}}", "the plan has no key 'sqlit': did you mean 'sqlite'"),
        ("{state: GET /state, reset: snapshot}", "reset cannot be snapshot: `state` names no sqlite, files"),
    ],
)
def test_a_store_is_named_by_what_it_is(backend: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_plan(f"server: {{command: [x]}}\nbackend: {backend}")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("{sqlite: nowhere.db}", "There is no database at"),
        ("{files: nowhere}", "There is no folder"),
        ("{files: ..}", "holds the plan"),
        ("{redis: 'redis://127.0.0.1:1/0'}", "Redis at 127.0.0.1:1 does not answer"),
    ],
)
def test_a_store_that_cannot_be_kept_ends_the_run_with_a_sentence(tmp_path: Path, state: str, said: str) -> None:
    here = tmp_path / "plan"
    here.mkdir()
    plan = _plan(Place("", "", "true", "true", "", ""), here, state=f"[{state}]")
    with pytest.raises(Failure, match=said):
        verify(plan, repeats=1)


def test_what_is_no_text_is_shown_in_digits(tmp_path: Path) -> None:
    place = _files(None, tmp_path)  # pyright: ignore[reportArgumentType]
    (tmp_path / "data" / "raw").write_bytes(b"\xff\x00")
    (tmp_path / "data" / "long").write_bytes(b"x" * 1_000_001)
    told = anyio.run(_store(place, tmp_path).dump)
    assert told["raw"] == "hex:ff00"
    assert told["long"].startswith("1000001 bytes, sha256:")
    assert told["link"] == "-> views"


def test_psql_that_fails_says_why(postgres: str, tmp_path: Path) -> None:
    store = KINDS["postgres"](f"{postgres}-that-is-not-there", tmp_path, tmp_path, patience(10))
    with pytest.raises(Unreadable, match=r'psql failed\. .*database "postgres-that-is-not-there" does not exist'):
        anyio.run(store.dump)


def test_a_full_text_index_is_bookkeeping_and_a_flag_is_true_or_false(tmp_path: Path) -> None:
    file = tmp_path / "notes.db"
    with closing(sqlite3.connect(file)) as base:
        base.executescript(
            "CREATE TABLE notes (id integer PRIMARY KEY, text text, pinned boolean, stars integer);"
            "CREATE VIRTUAL TABLE words USING fts5 (text, content='notes', content_rowid='id');"
            "CREATE VIRTUAL TABLE alone USING fts5 (text, content='');"
            "CREATE VIRTUAL TABLE own USING fts5 (text);"
            "INSERT INTO notes VALUES (1, 'Milk', 0, 1); INSERT INTO words (rowid, text) VALUES (1, 'Milk');"
            "INSERT INTO own VALUES ('Bread')"
        )
    told = anyio.run(KINDS["sqlite"](str(file), tmp_path, tmp_path, patience(10)).dump)
    assert told["notes"] == {"1": {"id": 1, "text": "Milk", "pinned": False, "stars": 1}}
    assert {"words_data", "own_data"} < told[INDEX].keys()
    assert "alone_data" in told, "its words are nowhere else"
    assert told["own_content"]["1"] == {"id": 1, "c0": "Bread"}
    state = facts(told, "notes.db")
    assert {path for path in state if is_covered(path, DERIVED)} == {path for path in state if INDEX in path}


def test_json_in_a_folder_is_told_by_what_it_says(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "people.jsonl").write_text('{"name": "Ann", "likes": ["tea"]}\n{"name": "Bob", "likes": []}\n')
    (folder / "settings.json").write_text('{"sort": "age"}')
    (folder / "torn.json").write_text('{"sort": ')
    store = KINDS["files"](str(folder), tmp_path, tmp_path, patience(10))
    before = facts(anyio.run(store.dump), "data")
    assert before["data/torn.json"] == '{"sort": '
    (folder / "people.jsonl").write_text('{"name": "Ann", "likes": ["tea", "cake"]}\n{"name": "Bob", "likes": []}\n')
    (folder / "settings.json").write_text('{"sort": "name"}')
    found = changes(before, facts(anyio.run(store.dump), "data"))
    assert [(one.path, one.loses) for one in found] == [
        ("data/people.jsonl/Ann/likes", False),
        ("data/settings.json/sort", True),
    ]


def test_a_state_that_is_half_written_is_read_again(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    script = f"test -e {asked} && echo '{{}}' || {{ touch {asked}; printf '{{'; }}"
    values = {"here": str(tmp_path), "scratch": str(tmp_path)}
    never = ["sh", "-c", "printf '{'"]

    async def look(*command: str) -> Any:
        oracle = Oracle("", values, patience(10), {}, None)
        try:
            return (await oracle.look(Shell(command), _nobody, None)).facts
        finally:
            await oracle.aclose()

    assert anyio.run(look, "sh", "-c", script) == {}
    with pytest.raises(Unreadable, match="The state is not JSON"):
        anyio.run(look, *never)


async def _nobody(step: Step) -> Any:
    raise AssertionError(step)
