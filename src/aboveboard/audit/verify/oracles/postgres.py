"""A PostgreSQL database: rows by primary key, read with psql; kept by pg_dump, and put back in one transaction.

Both programs come with PostgreSQL. Tables that are new are dropped; a table that was altered or dropped is not mended,
which the proof of the reset then says.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from aboveboard.audit.probe import Unreadable
from aboveboard.audit.verify.processes import run_to_end

_OWN: Final = "n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'"
_TABLES: Final = f"""
SELECT c.oid, c.oid::regclass::text AS name, n.nspname || '.' || c.relname AS said, ARRAY(
  SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
  WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY array_position(i.indkey::int2[], a.attnum)) AS keys
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND {_OWN} ORDER BY 2"""  # noqa: S608 (our own words)
# One line of JSON for each table: a query that writes the queries, and runs them.
_DUMP: Final = f"""
SELECT format('SELECT jsonb_build_array(%L, %L::jsonb, coalesce(jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)::text),
  ''[]''::jsonb)) FROM %s t', said, to_jsonb(keys), name) FROM ({_TABLES}) tables \\gexec
SELECT jsonb_build_array('sequences', '["name"]'::jsonb, coalesce(jsonb_agg(jsonb_build_object(
  'name', schemaname || '.' || sequencename, 'last', last_value)), '[]'::jsonb)) FROM pg_sequences;
"""  # noqa: S608 (our own words)
_WRITERS: Final = f"""
SELECT format('SELECT jsonb_build_array(%L, md5(coalesce(string_agg(xmin::text || ctid::text, %L ORDER BY ctid), %L)))
  FROM %s', said, ',', '', name) FROM ({_TABLES}) tables \\gexec
"""  # noqa: S608 (our own words)


class Postgres:
    """The database that a URL names: `postgresql://user@127.0.0.1:5432/app`."""

    def __init__(self, url: str, scratch: Path, patience: float) -> None:
        self._url, self._patience = url, patience
        self._copy = scratch / "snapshot.sql"
        self._tables: set[str] = set()
        self.name = unquote(urlsplit(url).path.strip("/")) or "postgres"

    async def dump(self) -> Any:
        """Return every table's rows by primary key, and where the sequences stand."""
        told: dict[str, Any] = {}
        for line in (await self._psql(_DUMP)).splitlines():
            table, keys, rows = json.loads(line)
            told[table] = {_key(row, keys): row for row in rows} if keys else rows
        return told

    async def marks(self) -> dict[str, str]:
        """Return of every table which transactions wrote its rows."""
        lines = (await self._psql(_WRITERS)).splitlines()
        return {f"{self.name}/{table}": writers for table, writers in map(json.loads, lines)}

    async def take(self) -> None:
        """Let pg_dump write down all data."""
        self._tables = set(await self._names())
        self._copy.write_bytes(await self._run(["pg_dump", "--data-only", "--no-owner", self._url]))

    async def restore(self) -> None:
        """Empty all tables and load the data again; nothing is changed where that fails."""
        there = await self._names()
        new = [f"DROP TABLE {name} CASCADE;" for name in there if name not in self._tables]
        kept = ", ".join(sorted(self._tables))
        script = [
            "BEGIN; SET LOCAL lock_timeout = '10s';",
            # Triggers and foreign keys have had their say when the rows came; only a superuser may silence them.
            "SELECT set_config('session_replication_role', 'replica', true) FROM pg_roles"
            " WHERE rolname = current_user AND rolsuper;",
            *new,
            f"TRUNCATE {kept};" if kept else "",
            self._copy.read_text("utf-8"),
            "COMMIT;",
        ]
        await self._psql("\n".join(script))

    async def _names(self) -> list[str]:
        said = await self._psql(f"SELECT to_jsonb(name) FROM ({_TABLES}) tables;")  # noqa: S608 (our own words)
        return [json.loads(line) for line in said.splitlines()]

    async def _psql(self, script: str) -> str:
        command = ["psql", "--no-psqlrc", "--quiet", "-At", "--set", "ON_ERROR_STOP=1", "--dbname", self._url]
        return (await self._run(command, script.encode())).decode("utf-8")

    async def _run(self, command: list[str], given: bytes = b"") -> bytes:
        try:
            done = await run_to_end(command, _environment(), self._patience, given)
        except FileNotFoundError:
            raise Unreadable(
                f"{command[0]} is not installed, which reads PostgreSQL.", next_step="Install postgresql-client."
            ) from None
        except TimeoutError:
            raise Unreadable(f"{command[0]} did not end within {self._patience:g} seconds.") from None
        if done.returncode:
            lines = done.stderr.decode("utf-8", "replace").splitlines()
            said = [line for line in lines if "error" in line.lower()]
            raise Unreadable(f"{command[0]} failed. {said[0][:300] if said else ''}".rstrip())
        return done.stdout


def _environment() -> Mapping[str, str]:
    """Return the environment without what would lead to another server than the plan names."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG") or name == "PGPASSFILE"}


def _key(row: Mapping[str, Any], keys: list[str]) -> str:
    return ",".join(str(row[key]) for key in keys)
