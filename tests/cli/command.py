"""The command line as a process of its own, in an environment that holds no settings.

Most are forked from a process that has the SDK already (`tests/forked.py`); what is `installed` is started as users
start it.
"""

import gc
import os
import re
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from threading import Timer
from typing import Final

import pytest
from tests.forked import forked
from tests.patience import patience

from aboveboard.cli import main

OURS: Final = ("LIGHTDASH_", "NEXTCLOUD_", "MCP_", "ABOVEBOARD_")
TERMINAL_SWITCHES: Final = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "PYTHONIOENCODING", "COLUMNS", "LINES")
INSTALLED: Final = (sys.executable, "-m", "aboveboard")
ANY_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
Environment = Mapping[str, str]


def environment(settings: Environment | None = None) -> dict[str, str]:
    """Return what a command is started with: no settings but those given, and how long the tests wait for late work."""
    given = {"ABOVEBOARD_LATE": os.environ["ABOVEBOARD_LATE"], **(settings or {})}
    clean = {name: value for name, value in os.environ.items() if not name.startswith((*OURS, *TERMINAL_SWITCHES))}
    return {**clean, **given}


def aboveboard(*arguments: str, settings: Environment | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return _ended(forked("aboveboard", *arguments), settings)


def installed(*arguments: str, settings: Environment | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command to its end in an interpreter of its own, as users do."""
    return _ended((*INSTALLED, *arguments), settings)


def _ended(command: Sequence[str], settings: Environment | None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env=environment(settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=patience(60),
    )


def in_process(
    *arguments: str, settings: Environment | None = None, capsys: pytest.CaptureFixture[str]
) -> subprocess.CompletedProcess[str]:
    """Run a command that cannot stay running in this process: the same code, without the seconds that a start takes."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [*os.environ]:
            if name.startswith((*OURS, *TERMINAL_SWITCHES)):
                patch.delenv(name)
        for name, value in (settings or {}).items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["aboveboard", *arguments])
        patch.setattr(gc, "freeze", lambda: None)  # what is in this process was not loaded for the command
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            gc.enable()
    said = capsys.readouterr()
    return subprocess.CompletedProcess(arguments, code, said.out, said.err)


@contextmanager
def running(
    *arguments: str, settings: Environment | None = None, command: Sequence[str] = ()
) -> Generator[subprocess.Popen[str]]:
    """Keep a command running for as long as the block lasts."""
    with subprocess.Popen(
        [*(command or forked("aboveboard")), *arguments],
        env=environment(settings),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(timeout=patience(30))


def announced(process: subprocess.Popen[str]) -> str:
    """Wait for the address that a command announces on stderr, and return that line."""
    line = next_line(process)
    assert process.stderr is not None
    assert "http://" in line, line + process.stderr.read()
    return line.rstrip()


def next_line(process: subprocess.Popen[str], seconds: float = 60) -> str:
    """Return the next line on stderr; a command that says nothing for so long is ended, and the line is empty."""
    assert process.stderr is not None
    deadline = Timer(patience(seconds), process.kill)
    deadline.start()
    try:
        return process.stderr.readline()
    finally:
        deadline.cancel()
