"""`aboveboard demo`: the first thing people run."""

import os
import pty
import re
import subprocess

import pytest
from tests.cli.command import ANY_COLOUR, COMMAND, aboveboard, environment, in_process

from aboveboard.cli.demo.proof import prove
from aboveboard.lightdash.server import SERVICE as LIGHTDASH
from aboveboard.nextcloud.server import SERVICE as NEXTCLOUD


def test_the_demo_works_and_is_plain_when_piped() -> None:
    ran = aboveboard("demo", "--quick")
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    assert "\x1b" not in ran.stdout
    assert ran.stdout.endswith("The sandbox's state is unchanged.\n")
    counted = sum(int(count) for count in re.findall(r"; (\d+) tools?$", ran.stdout, re.MULTILINE))
    assert counted == len([tool for tool in (*LIGHTDASH.tools, *NEXTCLOUD.tools) if tool.toolset.default])
    assert "READ: read-only yes, destructive no, idempotent yes, open world no;" in ran.stdout
    assert "READ: read-only yes, destructive no, idempotent yes, open world yes;" in ran.stdout
    assert "A tool declared READ tried to send PATCH" in ran.stdout
    assert "Nothing was written. Read it again, then decide." in ran.stdout


def test_effects_are_coloured_on_a_terminal() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "tools", "nextcloud"], env=environment({"TERM": "xterm-256color"}), stdout=theirs
    )
    os.close(theirs)
    shown = everything_from(ours)
    assert process.wait(timeout=60) == 0
    assert "\x1b[32mREAD" in shown
    assert "\x1b[31mDELETE" in shown
    assert "\x1b" not in ANY_COLOUR.sub("", shown)


def test_the_proof_is_a_table_of_what_became_of_every_hint(capsys: pytest.CaptureFixture[str]) -> None:
    # All of it is in test_proof of each service; here a few tools stand for it.
    prove(["nextcloud"], only=["nc_get_context", "nc_share_*"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["service", "area", "tools", "read-only", "destructive", "idempotent", "open", "world"]
    assert lines[2].split() == ["nextcloud", "context", "1", "✓", "1", "✓", "1", "✓", "1", "·", "1"]
    assert lines[3].split() == ["nextcloud", "sharing", "7", "✓", "7", "✓", "7", "✓", "7", "·", "7"]
    assert lines[4].startswith("· openWorldHint of 8 tools: ")
    assert lines[-1] == "32 hints of 8 tools, none violated."


def test_a_reader_who_has_seen_enough_is_not_shown_a_traceback() -> None:
    with subprocess.Popen(
        [*COMMAND, "demo", "--quick"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


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
