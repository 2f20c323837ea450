"""Servers on their pipes: both eras, pages, and everything that can go wrong."""

import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.audit.corpus import ROOT, command
from tests.patience import patience

from aboveboard.audit.evidence import Server
from aboveboard.audit.probe import Command, Era, Options, UnreadServer, read_all, wire


def broken(name: str, *arguments: str) -> Command:
    return Command((sys.executable, "-m", f"tests.audit.broken.{name}", *arguments), name, folder=str(ROOT))


def outcome(target: Command, *, era: Era = Era.AUTO, timeout: float | None = None) -> Server | UnreadServer:
    (found,) = read_all([target], Options(era=era, timeout=patience(15) if timeout is None else timeout))
    return found


def served(target: Command, *, era: Era = Era.AUTO, timeout: float | None = None) -> Server:
    found = outcome(target, era=era, timeout=timeout)
    assert isinstance(found, Server), found
    return found


def problem(target: Command, *, era: Era = Era.AUTO, timeout: float | None = None) -> str:
    found = outcome(target, era=era, timeout=timeout)
    assert isinstance(found, UnreadServer), found
    return found.problem


@pytest.mark.parametrize("name", ["honest_plain", "honest_on_the_sdk"])
def test_a_server_of_both_eras_says_the_same_in_both(name: str) -> None:
    modern, legacy = served(command(name), era=Era.MODERN), served(command(name), era=Era.LEGACY)
    assert (modern.protocol, legacy.protocol) == ("2026-07-28", "2025-11-25")
    assert [tool.definition for tool in modern.tools] == [tool.definition for tool in legacy.tools]
    assert modern.name == legacy.name == "notes"


def test_an_unknown_era_is_found_out_by_asking() -> None:
    assert served(command("honest_modern_only")).protocol == "2026-07-28"
    assert served(command("honest_legacy_only")).protocol == "2025-11-25"


def test_an_era_that_the_server_does_not_speak_is_refused_with_advice() -> None:
    assert "Try --era legacy" in problem(command("honest_legacy_only"), era=Era.MODERN)
    assert "refused initialize" in problem(command("honest_modern_only"), era=Era.LEGACY)


def test_every_page_of_the_list_is_read() -> None:
    server = served(command("honest_paged"))
    assert [tool.name for tool in server.tools] == [f"get_page_{number}" for number in range(10)]


def test_the_wire_is_kept_as_it_was(read_liar: Callable[[str], Server]) -> None:
    (twice,) = read_liar("ann03_hint_written_twice").tools
    assert twice.repeated == {"readOnlyHint": [False, True]}
    (null,) = read_liar("ann03_null_hint").tools
    assert null.hints["openWorldHint"] is None
    (text,) = read_liar("ann03_text_for_a_hint").tools
    assert text.hints["readOnlyHint"] == "true"
    assert text.declared("readOnlyHint") is None


def test_lines_that_are_no_json_rpc_are_kept_as_evidence() -> None:
    server = served(command("pro01_banner"))
    assert server.session.stray == ("at start: Welcome to notes 1.0!",)


def test_a_server_that_crashes_is_refused_with_its_last_words() -> None:
    assert problem(broken("crashes")) == (
        "The server ended with exit code 3 before it answered. It said:\n"
        "Traceback (most recent call last):\nValueError: NOTES_HOME is not set"
    )


def test_the_error_of_a_server_that_crashes_is_quoted_though_many_places_come_after_it() -> None:
    words = "throw err;\n\nError: Cannot find module 'notes'\n" + "    at run (node:internal/main:17)\n" * 9
    said = problem(Command((sys.executable, "-c", f"import sys; sys.exit({words!r})")))
    assert said.splitlines()[1:3] == ["Error: Cannot find module 'notes'", "    at run (node:internal/main:17)"]
    assert len(said.splitlines()) == 7


def test_a_server_that_hangs_is_given_up_in_time() -> None:
    assert "did not answer within 1 seconds" in problem(broken("hangs"), timeout=1)


def test_a_server_that_hangs_is_quoted_too() -> None:
    waiting = "import sys, time; sys.stderr.write('\\x1b[31mwaiting for a database\\x1b[0m\\n'); time.sleep(60)"
    said = problem(Command((sys.executable, "-c", waiting)), timeout=patience(1))
    assert said.endswith("Give it longer with --timeout. It said: waiting for a database")


def test_a_server_that_talks_nonsense_is_refused() -> None:
    assert "ended with exit code 0 before it answered" in problem(broken("talks_nonsense"))


def test_a_line_without_an_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    assert f"a line of more than {wire.LARGEST // 1024**2} MiB" in problem(broken("floods"))


def test_a_version_that_nobody_knows_is_refused() -> None:
    assert problem(broken("speaks_the_future")) == "The server speaks MCP '2099-01-01', which is not known here."


def test_a_server_that_dies_of_the_first_question_is_greeted_the_older_way() -> None:
    assert served(broken("dies_of_discovery")).protocol == "2025-11-25"


def test_a_server_that_starts_late_is_asked_again() -> None:
    assert served(broken("starts_late"), timeout=patience(6)).protocol == "2026-07-28"


def test_a_list_without_an_end_is_refused() -> None:
    assert "did not end after 200 pages" in problem(broken("never_ends_its_list"))


def test_a_server_without_tools_has_none() -> None:
    assert served(broken("has_no_tools")).tools == []


def test_a_list_that_is_none_is_refused_and_entries_that_are_no_tools_are_kept() -> None:
    assert "without a list of tools" in problem(broken("lists_no_list", "object"))
    assert [tool.name for tool in served(broken("lists_no_list", "entries")).tools] == ["", "", ""]


def test_a_server_that_asks_back_gets_answers() -> None:
    target = broken("asks_back")
    assert served(Command(target.argv, folder=target.folder)).name == "{} -32601"


def test_a_command_that_does_not_exist_is_refused_with_advice() -> None:
    assert problem(Command(("no-such-program-anywhere",))) == (
        "'no-such-program-anywhere' cannot be started: No such file or directory. Check the command and the path."
    )


@pytest.mark.parametrize("how", [(), ("daemon",)], ids=["in its group", "in a session of its own"])
def test_nothing_that_a_server_started_is_left_behind(how: tuple[str, ...]) -> None:
    if how and not Path("/proc/self/environ").exists():
        pytest.skip("Only Linux tells the environment of processes, by which one that left its group is known.")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(patience(15))
        assert len(served(broken("leaves_a_child", str(listener.getsockname()[1]), *how)).tools) == 1
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(patience(15))
            assert connection.recv(1) == b"", "the other process still lives"
