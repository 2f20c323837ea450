"""A data file that is not the sandbox's own is refused, and nothing in it changes."""

import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path

import pytest

from aboveboard.cli.services import NAMES, open_sandbox
from aboveboard.errors import BadInput

LEFT_ALONE = "Nothing in it was changed: name another file, or one that is not there yet."


def made(service: str, file: Path) -> None:
    """Let a service's sandbox write its file."""
    open_sandbox(service, str(file)).close()


def someones(file: Path, *statements: str) -> None:
    """Write a database of another program's."""
    with closing(sqlite3.connect(file)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


@pytest.mark.parametrize("service", NAMES)
@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE photos (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO photos VALUES (1, 'cat')"],
        # Tables of the names that a sandbox has make it none.
        ["CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)"],
        ["PRAGMA application_id = 252006673", "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)"],
        ["PRAGMA journal_mode = WAL", "CREATE TABLE photos (id INTEGER PRIMARY KEY)"],
    ],
)
def test_another_programs_database_is_refused_and_left_as_it_is(
    tmp_path: Path, service: str, statements: list[str]
) -> None:
    file = tmp_path / "other.db"
    someones(file, *statements)
    before, beside = file.read_bytes(), sorted(tmp_path.iterdir())
    with pytest.raises(BadInput, match="another program's database") as told:
        open_sandbox(service, str(file))
    assert str(told.value).endswith(LEFT_ALONE)
    assert (file.read_bytes(), sorted(tmp_path.iterdir())) == (before, beside)


@pytest.mark.parametrize(("service", "other"), [NAMES, NAMES[::-1]])
def test_the_other_services_sandbox_is_refused_and_left_as_it_is(tmp_path: Path, service: str, other: str) -> None:
    file = tmp_path / "other.db"
    made(other, file)
    before = file.read_bytes()
    with pytest.raises(BadInput, match="another service's sandbox"):
        open_sandbox(service, str(file))
    assert file.read_bytes() == before
    made(other, file)


@pytest.mark.parametrize("service", NAMES)
@pytest.mark.parametrize("content", [b"Dear diary", b"\0" * 200, b"SQLite"])
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path: Path, service: str, content: bytes) -> None:
    file = tmp_path / "diary.txt"
    file.write_bytes(content)
    with pytest.raises(BadInput, match="the file is not a database"):
        open_sandbox(service, str(file))
    assert file.read_bytes() == content


@pytest.mark.parametrize("service", NAMES)
def test_a_sandbox_of_another_form_is_refused_and_left_as_it_is(tmp_path: Path, service: str) -> None:
    file = tmp_path / "old.db"
    made(service, file)
    someones(file, "PRAGMA user_version = 1")
    before = file.read_bytes()
    with pytest.raises(BadInput, match="a sandbox of another version of aboveboard"):
        open_sandbox(service, str(file))
    assert file.read_bytes() == before


@pytest.mark.parametrize("service", NAMES)
def test_a_file_of_its_own_an_empty_one_and_a_new_one_are_taken(tmp_path: Path, service: str) -> None:
    file = tmp_path / "empty.db"
    file.touch()
    for _ in range(2):
        made(service, file)
    backend = open_sandbox(service, str(file))
    # A reset replaces the whole database, its head included.
    import_module(f"aboveboard.{service}.sandbox").Sandbox.reset(backend)
    backend.close()
    made(service, file)
