"""Indexes in a PostgreSQL, one set of tables for all people. Each key starts with the person, so it can be sharded."""

from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from aboveboard.errors import Failure

if TYPE_CHECKING:
    from psycopg import Connection

    from aboveboard.search.postgres.index import PostgresIndex

KEPT: Final = 8
"""Connections that stay open between uses."""
_SCHEMA: Final = b"""
CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE IF NOT EXISTS search_edition (
  person text, identity text, complete boolean NOT NULL DEFAULT false, made timestamptz NOT NULL DEFAULT now(),
  claimed double precision NOT NULL DEFAULT 0, PRIMARY KEY (person, identity)
);
CREATE TABLE IF NOT EXISTS search_source (
  person text, identity text, name text, mark text, completed double precision, waiting integer NOT NULL DEFAULT 0,
  PRIMARY KEY (person, identity, name),
  FOREIGN KEY (person, identity) REFERENCES search_edition ON DELETE CASCADE
);
CREATE TABLE IF NOT EXISTS search_document (
  person text, id bigint GENERATED ALWAYS AS IDENTITY, identity text NOT NULL, source text NOT NULL, key text NOT NULL,
  etag text NOT NULL, title text NOT NULL, place text NOT NULL, modified bigint, problem text,
  missing boolean NOT NULL DEFAULT false, text bytea,
  PRIMARY KEY (person, id), UNIQUE (person, identity, source, key),
  FOREIGN KEY (person, identity) REFERENCES search_edition ON DELETE CASCADE
);
CREATE TABLE IF NOT EXISTS search_passage (
  person text, id bigint GENERATED ALWAYS AS IDENTITY, identity text NOT NULL, document bigint NOT NULL,
  start integer NOT NULL, stop integer NOT NULL, headings text[] NOT NULL, page integer,
  words bigint[] NOT NULL, counts smallint[] NOT NULL, length integer NOT NULL, vector halfvec,
  PRIMARY KEY (person, id), FOREIGN KEY (person, document) REFERENCES search_document ON DELETE CASCADE
) WITH (toast_tuple_target = 8160);
CREATE INDEX IF NOT EXISTS search_passage_lengths ON search_passage (person, identity) INCLUDE (length);
CREATE INDEX IF NOT EXISTS search_passage_document ON search_passage (person, document);
CREATE INDEX IF NOT EXISTS search_passage_words ON search_passage USING gin (words) WITH (fastupdate = off);
"""
_SETTING_UP: Final = 7243159
"""The lock that those take who make the tables at the same moment."""


class PostgresStore:
    """Indexes in one database."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._idle: list[Connection[Any]] = []
        self._is_set_up = False

    def open(self, person: str, identity: str) -> "PostgresIndex":
        """Open the index of a person, which may be new and empty."""
        from aboveboard.search.postgres.index import PostgresIndex

        with self.connection() as db:
            db.execute("INSERT INTO search_edition VALUES (%s, %s) ON CONFLICT DO NOTHING", (person, identity))
        return PostgresIndex(self, person, identity)

    def older(self, person: str, identity: str) -> "PostgresIndex | None":
        """Return a complete index of the person under another identity, if there is one."""
        from aboveboard.search.postgres.index import PostgresIndex

        with self.connection() as db:
            row = db.execute(
                "SELECT identity FROM search_edition WHERE person = %s AND identity <> %s AND complete"
                " ORDER BY made DESC LIMIT 1",
                (person, identity),
            ).fetchone()
        return None if row is None else PostgresIndex(self, person, row[0])

    def has(self, person: str) -> bool:
        """Tell whether a person has any index."""
        with self.connection() as db:
            return db.execute("SELECT 1 FROM search_edition WHERE person = %s", (person,)).fetchone() is not None

    def retire(self, person: str, identity: str) -> None:
        """Delete the person's indexes of all other identities."""
        with self.connection() as db:
            db.execute("DELETE FROM search_edition WHERE person = %s AND identity <> %s", (person, identity))

    def erase(self, person: str) -> None:
        """Delete all that is kept of a person."""
        with self.connection() as db:
            db.execute("DELETE FROM search_edition WHERE person = %s", (person,))

    def close(self) -> None:
        """Close the connections that nobody uses."""
        with suppress(IndexError):  # threads take from it at the same time
            while True:
                self._idle.pop().close()

    def _lent(self) -> "Connection[Any]":
        with suppress(IndexError):
            return self._idle.pop()
        return self._connected()

    @contextmanager
    def connection(self) -> "Generator[Connection[Any]]":
        """Lend a connection for one transaction."""
        from psycopg import OperationalError

        try:
            db = self._lent()
            try:
                with db.transaction():
                    yield db
            except BaseException:
                db.close()
                raise
        except OperationalError as error:
            self.close()  # what is idle is no better
            # What it says may hold the address with its password.
            raise Failure(
                "The database of the search index cannot be used.",
                next_step="Check that it is up, and ABOVEBOARD_SEARCH_INDEX.",
            ) from error
        if len(self._idle) < KEPT:
            self._idle.append(db)
        else:
            db.close()

    def _connected(self) -> "Connection[Any]":
        try:
            import psycopg
        except ImportError as error:
            raise Failure(
                "An index in PostgreSQL needs a library that is not installed.",
                next_step="Install it: pip install 'aboveboard[team]'.",
            ) from error
        db = psycopg.connect(self._url, autocommit=True)
        if not self._is_set_up:
            self._set_up(db)
            self._is_set_up = True
        return db

    def _set_up(self, db: "Connection[Any]") -> None:
        from psycopg import errors

        try:
            with db.transaction():
                db.execute("SELECT pg_advisory_xact_lock(%s)", (_SETTING_UP,))
                db.execute(_SCHEMA)
        except (errors.FeatureNotSupported, errors.UndefinedFile, errors.InsufficientPrivilege) as error:
            db.close()
            raise Failure(
                "The database of the search index has no pgvector, or this user may not set it up.",
                next_step="Install pgvector 0.7 or newer, and run CREATE EXTENSION vector in it.",
            ) from error
