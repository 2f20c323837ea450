"""Where people and grants are kept: SQLite on one machine, PostgreSQL for several.

Every piece of work is a function of a connection and runs as one transaction in a thread, so that a database that is
slow, or locked by another process, holds up nobody but who waits for it.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import anyio
from sqlalchemy import Connection, Engine, Table, create_engine, event, inspect, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, OperationalError

from aboveboard.errors import BadInput, Failure

T = TypeVar("T")
HEAD: Final = "0001"
"""The newest migration; one that is there already costs a start nothing."""
THREADS: Final = 16
WRITES: Final = "writes"
_MIGRATING: Final = 0x61626F76
"""What replicas that start at the same time wait for each other by."""


class StoreDown(Failure):
    """The database of the server itself did not answer; nobody's service is to blame."""

    advice = "Try again in a while; the operator's log has the details."


class Store:
    """One database."""

    def __init__(self, address: str) -> None:
        """Open it, and bring its tables up to date."""
        self._engine = _engine(address)
        self._threads: anyio.CapacityLimiter | None = None
        try:
            self._migrate()
        except OperationalError as error:
            raise BadInput(f"The store (ABOVEBOARD_STORE) cannot be opened: {error.orig}.") from None

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Look something up."""
        return await self._in_thread(lambda: self.now_read(work))

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Change something, all of it or nothing."""
        return await self._in_thread(lambda: self.now_write(work))

    def now_read(self, work: Callable[[Connection], T]) -> T:
        """Look something up, in this thread."""
        with self._engine.connect() as db, db.begin():
            return work(db)

    def now_write(self, work: Callable[[Connection], T]) -> T:
        """Change something, in this thread."""
        with self._engine.connect().execution_options(**{WRITES: True}) as db, db.begin():
            return work(db)

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._threads is None:
            self._threads = anyio.CapacityLimiter(THREADS)
        try:
            return await anyio.to_thread.run_sync(work, limiter=self._threads)
        except OperationalError as error:
            raise StoreDown("This server cannot reach its own database.") from error

    def _migrate(self) -> None:
        if self.now_read(_revision) != HEAD:
            self.now_write(_upgrade)


def put_row(db: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Keep a row in place of the one with the same key, where there is one; of two who do so at once, both may."""
    dialect = {"sqlite": sqlite, "postgresql": postgresql}[db.dialect.name]
    kept: Any = dialect.insert(table).values(row)
    db.execute(kept.on_conflict_do_update(index_elements=list(table.primary_key.columns), set_=row))


def _engine(address: str) -> Engine:
    if "://" not in address:
        address = f"sqlite:///{address}"
    for short in ("postgresql://", "postgres://"):
        if address.startswith(short):
            address = f"postgresql+psycopg://{address.removeprefix(short)}"
    if not address.startswith(("sqlite:///", "postgresql+psycopg://")):
        raise BadInput("ABOVEBOARD_STORE must be a file for SQLite, or an address such as postgresql://host/name.")
    try:
        engine = create_engine(address, pool_pre_ping=True, pool_size=THREADS)
    except ArgumentError:
        raise BadInput("ABOVEBOARD_STORE is not the address of a database.") from None
    if engine.dialect.name == "sqlite":
        _make_private(Path(engine.url.database or ""))
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    return engine


def _make_private(file: Path) -> None:
    file.absolute().parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file.touch(mode=0o600)


def _prepare(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin where we say so
    for pragma in ("foreign_keys = ON", "busy_timeout = 10000", "journal_mode = WAL", "synchronous = NORMAL"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(db: Connection) -> None:
    # Who means to write asks for the lock first: to ask for it later, after reading, fails where another was quicker.
    db.exec_driver_sql("BEGIN IMMEDIATE" if db.get_execution_options().get(WRITES) else "BEGIN")


def _revision(db: Connection) -> str | None:
    if not inspect(db).has_table("alembic_version"):
        return None
    return db.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(db: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    if db.dialect.name == "postgresql":
        db.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _MIGRATING})
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = db
    command.upgrade(config, "head")
