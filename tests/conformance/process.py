"""A server in a process of its own (`tests/forked.py`): it says where it listens, and the parent waits for that."""

import subprocess
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from tests.forked import forked
from tests.patience import patience

from aboveboard.kit.serving.web import WebSettings, serve_web

ROOT: Final = Path(__file__).parents[2]


def serve(make: Callable[[WebSettings], Starlette]) -> None:
    """Serve on a free port, as in production, and print the address."""
    settings = WebSettings(port=0)
    serve_web(make(settings), settings, lambda url: print(url, flush=True))  # noqa: T201


@contextmanager
def served(module: str) -> Generator[str]:
    """Run a module that serves; give its address, and end it afterwards."""
    with subprocess.Popen(forked(module), cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        # Killed, it closes its end of the pipe, so that a server which never listens cannot hang the tests.
        watchdog = threading.Timer(patience(60), process.kill)
        watchdog.start()
        try:
            address = process.stdout.readline().strip() if process.stdout else ""
            watchdog.cancel()
            assert address, f"{module} did not start: its words are on stderr."
            yield address
        finally:
            watchdog.cancel()
            _end(process)


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(patience(15))
    except subprocess.TimeoutExpired:
        process.kill()
