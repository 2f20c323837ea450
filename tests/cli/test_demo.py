"""`aboveboard demo`: the first thing people run."""

import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from tests.cli.command import aboveboard, environment
from tests.forked import forked
from tests.nextcloud.sessions import connected, serving

from aboveboard.audit.verdict import Ruling, Verdict
from aboveboard.cli.demo.free_time import meet
from aboveboard.cli.demo.proof import EXTRAS, QUARTERS, prove, show
from aboveboard.cli.terminal import widest_line
from aboveboard.errors import Failure
from aboveboard.lightdash.server import SERVICE as LIGHTDASH
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.server import SERVICE as NEXTCLOUD

LINES, COLUMNS = 40, 100
DOCS = Path(__file__).parents[2] / "docs"


def test_the_demo_fits_a_screen_and_is_plain_when_piped() -> None:
    ran = aboveboard("demo", "--quick")
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    assert "\x1b" not in ran.stdout
    lines = ran.stdout.splitlines()
    assert len(lines) + LINES_OF_THE_PROOF <= LINES
    assert [line for line in lines if widest_line(line) > COLUMNS] == []
    assert lines[1].startswith("This takes about ten seconds.")
    for service in (LIGHTDASH, NEXTCLOUD):
        [row] = [line.split() for line in lines if line.split()[:1] == [service.name]]
        listed = [tool for tool in service.tools if tool.toolset.default]
        assert int(row[1]) == len(listed) == sum(map(int, row[2:]))
    assert "    A tool declared READ tried to send DELETE /index.php/apps/notes/api/v1/notes/37" in ran.stdout
    assert "  The sandbox's state is unchanged." in lines
    assert "Read it again, then decide." in ran.stdout
    assert "The proof was left out (--quick)" in lines
    assert lines[-4:-1] == ["What next", *(line for line in lines[-3:-1] if line.startswith("  python -m aboveboard "))]


LINES_OF_THE_PROOF = 5


def test_the_proof_is_a_small_table_of_what_became_of_the_hints(capsys: pytest.CaptureFixture[str]) -> None:
    # All of it is in test_proof of each service; here a few tools stand for it.
    prove(["nextcloud"], only=["nc_get_context", "nc_share_*"])
    said = capsys.readouterr()
    blank, heading, *lines = said.out.splitlines()
    assert blank == ""
    told = said.err.splitlines()
    assert [line.partition(" of ")[0] for line in (told[0], told[-1])] == ["1", told[-1].split()[2]]
    assert len(told) == 2 + QUARTERS, "the first, and that from which on the time is told"
    assert heading.startswith("The proof, once and in this process: ")
    assert lines[0].split() == [
        "service",
        "tools",
        "hints",
        "held",
        "violated",
        "not",
        "observed",
        "untried",
        "unverifiable",
    ]
    assert lines[1].split() == ["nextcloud", "8", "32", "24", "0", "8", "0", "0"]
    assert len(lines) + 2 == LINES_OF_THE_PROOF  # with the other service, which has a line more; the heading stands
    assert max(map(widest_line, (heading, *lines))) <= COLUMNS
    assert "Nothing is proven of these." in lines[2]


def test_tools_that_are_proven_and_were_not_listed_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    prove(["lightdash"], only=["list_*_agents", "get_context"])
    lines = capsys.readouterr().out.splitlines()
    [row] = [line.split() for line in lines if line.split()[:1] == ["lightdash"]]
    assert row[1] == "3"
    assert lines[-1] == "  2 of lightdash's are listed only on request: --toolsets all,agents."


@pytest.mark.anyio
async def test_the_demo_of_calendars_finds_a_time_and_is_what_the_page_shows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sandbox = Sandbox()
    async with connected(serving(sandbox)) as session:
        await meet(session.client, date(2026, 11, 18))
    sandbox.close()
    said = capsys.readouterr().out.strip("\n")
    assert max(map(widest_line, said.splitlines())) <= COLUMNS
    assert said.count("→ nc_calendar_") == 3
    assert said.endswith("Mon 23 Nov 08:30-08:45  Stand-up\n    Mon 23 Nov 13:00-14:00  Budget")
    assert f"```text\n{said}\n```" in (DOCS / "calendars.md").read_text()


@pytest.mark.parametrize("ruling", [Ruling.VIOLATED, Ruling.UNTRIED, Ruling.UNVERIFIABLE])
def test_a_hint_that_does_not_stand_ends_the_demo_with_a_failure(ruling: Ruling) -> None:
    lie = Verdict(tool="peek", hint="readOnlyHint", declared=True, verdict=ruling, cause="it wrote")
    with pytest.raises(Failure, match="1 hint did not stand: peek readOnlyHint, it wrote"):
        show({"cheat": [lie]})


def test_what_an_extra_brings_is_left_unproven_where_it_is_not_installed_and_a_lie_is_still_a_lie(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = [
        Verdict(tool=tool, hint="readOnlyHint", declared=True, verdict=Ruling.UNVERIFIABLE, cause="?")
        for tool in EXTRAS
    ]
    with pytest.raises(Failure, match="2 hints did not stand"):
        show({"cheat": lacking})
    as_installed = capsys.readouterr().out
    for library, _ in EXTRAS.values():
        monkeypatch.setitem(sys.modules, library, None)
    show({"cheat": lacking})
    said = capsys.readouterr().out
    assert "or aboveboard[charts,documents] is not installed." in said
    assert len(said.splitlines()) == len(as_installed.splitlines()), "a base installation has the same screen"
    assert max(map(widest_line, said.splitlines())) <= COLUMNS
    with pytest.raises(Failure, match="1 hint did not stand"):
        show({"cheat": [*lacking, replace(lacking[0], verdict=Ruling.VIOLATED)]})


def test_a_reader_who_has_seen_enough_is_not_shown_a_traceback() -> None:
    with subprocess.Popen(
        forked("aboveboard", "demo", "--quick"),
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
