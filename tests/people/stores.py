"""Stores to test with: a fresh SQLite file, or a fresh PostgreSQL database, each with keys of its own."""

import uuid
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

import psycopg
from sqlalchemy import Connection, select

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


@contextmanager
def address_of(engine: str, folder: Path, postgres: str | None) -> Generator[str]:
    """Yield the address of an empty database."""
    if engine == "sqlite":
        yield str(folder / "people.db")
        return
    assert postgres is not None
    name = f"people_{uuid.uuid4().hex}"
    with psycopg.connect(postgres, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}".encode())
        yield postgres.replace("/postgres", f"/{name}")
        server.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


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
