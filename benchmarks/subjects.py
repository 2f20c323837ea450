"""The servers that are compared, and the services that they ask."""

import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from aboveboard.cli.services import EMBEDDED
from benchmarks.process import free_port, running
from benchmarks.synthetic import write

PROOF = b"Corner Shop"
"""A project that the sandbox has: an answer without it is none."""

_ABOVEBOARD = str(Path(sys.executable).parent / "aboveboard")
# Imported, not run as a script, so that it is compiled once, as an installed command is.
_FLOOR = (sys.executable, "-c", "from benchmarks.floor_server import main; main()")


@dataclass(frozen=True)
class Subject:
    """A server that can be started on either transport."""

    name: str
    tool: str | None
    """One that takes no arguments; None where only starts are measured."""
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
NEXTCLOUD = Subject(
    name="nextcloud",
    tool=None,
    stdio=(_ABOVEBOARD, "serve", "nextcloud"),
    http=(_ABOVEBOARD, "serve", "nextcloud", "--transport", "streamable-http", "--port"),
)
SUBJECTS = (FLOOR, OURS)


def _synthetic(count: int) -> Subject:
    command = (sys.executable, "-c", "from benchmarks.synthetic import main; main()", f"synthetic_{count}")
    return Subject(name=f"{count} tools", tool=None, stdio=command, http=command)


FEW, MANY = _synthetic(40), _synthetic(330)
STARTING = (FLOOR, OURS, NEXTCLOUD, FEW, MANY)


@contextmanager
def upstream() -> Generator[Mapping[str, str]]:
    """Serve the sandboxes alone; yield the environment in which servers are run: it points them at the sandboxes."""
    with (
        TemporaryDirectory() as compiled,
        TemporaryDirectory() as packages,
        _sandbox("lightdash") as lightdash,
        _sandbox("nextcloud") as nextcloud,
    ):
        for count in (40, 330):
            write(Path(packages), count)
        yield {
            **lightdash,
            **nextcloud,
            # Whatever the caller's settings, the first start compiles and the others do not.
            "PYTHONPYCACHEPREFIX": compiled,
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPATH": os.pathsep.join((str(Path(__file__).parents[1]), packages)),
        }


@contextmanager
def _sandbox(service: str) -> Generator[Mapping[str, str]]:
    port = free_port()
    with running((_ABOVEBOARD, "sandbox", service, "--port", str(port)), {}) as process:
        process.await_port(port)
        settings: Mapping[str, str] = import_module(f"aboveboard.{service}.sandbox").Sandbox.settings
        address = f"http://127.0.0.1:{port}"
        yield {name: address if value == EMBEDDED else value for name, value in settings.items()}
