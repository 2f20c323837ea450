"""The two servers that are compared, and the one service that both of them ask."""

import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.process import free_port, running

PROOF = b"Corner Shop"
"""A project that the sandbox has: an answer without it is none."""

_ABOVEBOARD = str(Path(sys.executable).parent / "aboveboard")
# Imported, not run as a script, so that it is compiled once, as an installed command is.
_FLOOR = (sys.executable, "-c", "from benchmarks.floor_server import main; main()")


@dataclass(frozen=True)
class Subject:
    """A server that can be started on either transport."""

    name: str
    tool: str
    stdio: tuple[str, ...]
    http: tuple[str, ...]
    """Without the port, which follows."""


OURS = Subject(
    name="ours",
    tool="lightdash_tools__list_projects",
    stdio=(_ABOVEBOARD, "serve", "lightdash"),
    http=(_ABOVEBOARD, "serve", "lightdash", "--transport", "streamable-http", "--port"),
)
FLOOR = Subject(
    name="floor",
    tool="list_projects",
    stdio=_FLOOR,
    http=_FLOOR,
)
SUBJECTS = (FLOOR, OURS)


@contextmanager
def upstream() -> Generator[Mapping[str, str]]:
    """Serve the sandbox alone; yield the environment in which both servers are run: it points them at the sandbox."""
    port = free_port()
    with (
        TemporaryDirectory() as compiled,
        running((_ABOVEBOARD, "sandbox", "lightdash", "--port", str(port)), {}) as process,
    ):
        process.await_port(port)
        yield {
            "LIGHTDASH_URL": f"http://127.0.0.1:{port}",
            "LIGHTDASH_API_KEY": "ldpat_sandbox_admin",
            # Whatever the caller's settings, the first start compiles and the others do not.
            "PYTHONPYCACHEPREFIX": compiled,
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPATH": str(Path(__file__).parents[1]),
        }
