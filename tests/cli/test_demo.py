"""`aboveboard demo`: the first thing people run."""

import os
import pty
import re
import subprocess

import pytest
from tests.cli.command import ANY_COLOUR, COMMAND, aboveboard, environment, in_process

from aboveboard.lightdash.server import SERVICE


def test_the_demo_works_and_is_plain_when_piped() -> None:
    ran = aboveboard("demo")
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    assert "\x1b" not in ran.stdout
    assert ran.stdout.endswith("\nEvery tool did exactly what its label says.\n")
    listed = set(re.findall(r"[a-z_]+", ran.stdout.partition("3. Calls")[0]))
    assert listed >= {tool.name for tool in SERVICE.tools if tool.toolset.default}
    assert "READ: read-only yes, destructive no, idempotent yes, open world no;" in ran.stdout
    assert "A tool declared READ tried to send PATCH" in ran.stdout
    assert "The sandbox's state is unchanged." in ran.stdout


def test_the_demo_is_coloured_on_a_terminal_and_says_the_same() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*COMMAND, "demo"], env=environment({"TERM": "xterm-256color"}), stdout=theirs)
    os.close(theirs)
    shown = everything_from(ours)
    assert process.wait(timeout=60) == 0
    assert "\x1b[32mREAD" in shown
    assert "\x1b[31mDELETE" in shown
    assert ANY_COLOUR.sub("", shown) != shown
    assert "\x1b" not in ANY_COLOUR.sub("", shown)
    plain = ANY_COLOUR.sub("", shown).splitlines()
    assert plain[-1] == "Every tool did exactly what its label says."


@pytest.mark.parametrize("arguments", [("tools", "lightdash"), ("call", "lightdash", "list_projects", "--sandbox")])
def test_a_table_is_plain_when_piped(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    ran = in_process(*arguments, capsys=capsys)
    assert ran.returncode == 0
    assert ran.stdout
    assert "\x1b" not in ran.stdout


def everything_from(terminal: int) -> str:
    chunks: list[bytes] = []
    while True:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # Linux's way to say that the other side is closed
            chunk = b""
        if not chunk:
            os.close(terminal)
            return b"".join(chunks).decode()
        chunks.append(chunk)
