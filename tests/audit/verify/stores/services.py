"""Redis and PostgreSQL as Debian packages them, started for the tests at free ports."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from tests.patience import patience

from aboveboard.audit.verify.processes import free_port

POSTGRES: Final = "postgres"
"""The user as whom the database runs where the tests run as root, which it refuses."""


def need(program: str, package: str) -> str:
    """Find a program; where it is missing, the test is skipped, and fails where the result counts."""
    beside = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))  # Debian keeps them out of PATH
    found = shutil.which(program) or (str(beside[-1]) if beside else "")
    if not found:
        why = f"{program} is not installed: apt-get install {package}"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(why)
    return found


@contextmanager
def redis() -> Generator[str]:
    """Start a Redis that keeps nothing, and yield its URL."""
    program, port = need("redis-server", "redis-server"), free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with _running(command, ["redis-cli", "-p", str(port), "ping"]):
        yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def postgres() -> Generator[str]:
    """Start a PostgreSQL with one empty database, and yield its URL."""
    make, run, port = need("initdb", "postgresql"), need("postgres", "postgresql"), free_port()
    # Debian's psql is a script that looks for servers first, which takes longer than what is asked of them.
    os.environ["PATH"] = f"{Path(run).resolve().parent}:{os.environ['PATH']}"
    user = POSTGRES if os.geteuid() == 0 else None
    if user and user not in {one.pw_name for one in pwd.getpwall()}:
        pytest.skip("There is no user postgres, and PostgreSQL does not run as root.")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "data"
        folder.mkdir(mode=0o700)
        if user:
            Path(scratch).chmod(0o755)
            shutil.chown(folder, user)
        subprocess.run(
            [make, "-D", str(folder), "-A", "trust", "-U", "tester", "-N", "-E", "UTF8"],
            check=True, capture_output=True, user=user, cwd="/",
        )  # fmt: skip
        settings = ("fsync=off", f"unix_socket_directories={folder}")
        command = [run, "-D", str(folder), "-p", str(port), *(word for one in settings for word in ("-c", one))]
        url = f"postgresql://tester@127.0.0.1:{port}/postgres"
        with _running(command, ["psql", url, "-c", "SELECT 1"], user=user):
            yield url


@contextmanager
def _running(command: Sequence[str], ready: Sequence[str], user: str | None = None) -> Generator[None]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=user, cwd="/")
    try:
        end = time.monotonic() + patience(20)
        while subprocess.run(ready, capture_output=True, check=False).returncode:
            assert process.poll() is None, f"{command[0]} ended"
            assert time.monotonic() < end, f"{command[0]} is not ready"
            time.sleep(0.05)
        yield
    finally:
        # At SIGTERM a database waits for whoever is connected, as a test is that was interrupted.
        process.send_signal(signal.SIGINT)
        process.wait()
