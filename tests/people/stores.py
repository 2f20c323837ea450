"""Stores to test with: a fresh SQLite file, or a fresh PostgreSQL database, each with keys of its own."""

import tempfile
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

import psycopg
import pytest
from sqlalchemy import Connection, select
from tests.search.servers import OTHERS_END

from aboveboard.kit.mode import Mode
from aboveboard.kit.people.adapter import Identity
from aboveboard.kit.people.grants import Grant, add, remember
from aboveboard.kit.people.rights import Rights
from aboveboard.kit.people.sealing import Keys
from aboveboard.kit.people.secrets import new_id
from aboveboard.kit.people.store import Store
from aboveboard.kit.people.tables import metadata

ENGINES: Final = ("sqlite", "postgres")
NOW: Final = 1_800_000_000.0
# How a client speaks and where a server keeps its people know nothing of each other: both of each, and not all pairs.
legacy_on_sqlite = pytest.mark.parametrize(
    ("era", "address"), [("legacy", "sqlite"), ("auto", "postgres")], indirect=["address"]
)
legacy_on_postgres = pytest.mark.parametrize(
    ("era", "address"), [("legacy", "postgres"), ("auto", "sqlite")], indirect=["address"]
)


@contextmanager
def address_of(engine: str, folder: Path, postgres: str | None, *, empty: bool = False) -> Generator[str]:
    """Yield the address of a database without people; the tables are there, unless it is to be empty."""
    if engine == "sqlite":
        yield str(folder / "people.db") if empty else with_tables(folder / "people.db")
        return
    assert postgres is not None
    if empty:
        name = f"people_{uuid.uuid4().hex}"
        with psycopg.connect(postgres, autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name}".encode())
            yield postgres.replace("/postgres", f"/{name}")
            server.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
    else:
        address = _postgres_with_tables(postgres)
        yield address
        with psycopg.connect(address, autocommit=True) as server:
            server.execute(OTHERS_END)
            for table in reversed(metadata.sorted_tables):
                server.execute(f"DELETE FROM {table.name}".encode())  # noqa: S608 - names are ours


def with_tables(file: Path) -> str:
    """Make a file with all tables, where there is none: to copy one takes a fraction of the time of the migrations."""
    if not file.exists():
        file.write_bytes(_file_with_tables())
    return str(file)


@cache
def _file_with_tables() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "people.db"
        Store(str(file)).close()
        return file.read_bytes()


@cache
def _postgres_with_tables(postgres: str) -> str:
    """Make a database with all tables, once: to take out what a test left is faster than to make another."""
    with psycopg.connect(postgres, autocommit=True) as server:
        server.execute(b"CREATE DATABASE people")
    address = postgres.replace("/postgres", "/people")
    Store(address).close()
    return address


@cache
def keys() -> Keys:
    """Return a key ring of this test run."""
    return Keys({"k1": b"1" * 32})


def some_grant(store: Store, principal: str = "ada", client: str = "claude", now: float = NOW) -> Grant:
    """Keep a grant, and return it."""

    def work(db: Connection) -> Grant:
        person = remember(db, "https://cloud", Identity(principal, principal.title()), now)
        ident = new_id()
        grant = Grant(
            id=ident,
            person=person,
            principal=principal,
            person_name=principal.title(),
            client=client,
            client_name=client.title(),
            rights=Rights(frozenset({"read"}), Mode.READ_ONLY),
            resource="https://mcp/mcp",
            credential=keys().seal({"password": f"secret of {principal}"}, ident),
            version=now,
            dead=None,
            created=now,
            used=now,
        )
        add(db, grant)
        return grant

    return store.now_write(work)


def every_row(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Return all that a store holds."""
    return {
        table.name: store.now_read(lambda db, table=table: [tuple(row) for row in db.execute(select(table))])
        for table in metadata.sorted_tables
    }
