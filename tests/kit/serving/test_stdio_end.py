"""How a stdio server ends: at once when asked, with exit code 0, in silence, and without losing an earned answer."""

import json
import os
import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT, SIGTERM

import mcp_types as mcp
import pytest
from tests.forked import forked
from tests.kit.serving.processes import (
    INITIALIZE,
    INITIALIZED,
    NOISY,
    SERVE,
    Process,
    answers,
    call,
    greet,
    interpreted,
    messages,
    request,
    started,
)
from tests.kit.serving.upstream import settings_for_socket, silent
from tests.patience import patience

SANDBOX = (*SERVE, "--sandbox")
ONE_CALL = (INITIALIZE, INITIALIZED, call(1, "lightdash_tools__list_projects"))

ENDS: dict[str, Callable[[Process], None]] = {
    "stdin closes": Process.close_stdin,
    "SIGINT": lambda process: process.signal(SIGINT),
    "SIGTERM": lambda process: process.signal(SIGTERM),
}


@pytest.fixture(params=ENDS)
def end(request: pytest.FixtureRequest) -> Callable[[Process], None]:
    return ENDS[request.param]


@pytest.fixture(params=["SIGINT", "SIGTERM"])
def signalled(request: pytest.FixtureRequest) -> Callable[[Process], None]:
    return ENDS[request.param]


@contextmanager
def call_in_flight() -> Generator[Process]:
    """A real server in the middle of a call that its Lightdash does not answer."""
    with silent() as lightdash, started(SERVE, settings_for_socket(lightdash)) as process:
        process.send(*ONE_CALL)
        connection, _ = lightdash.accept()
        with connection:
            yield process


def test_an_idle_server_ends_when_asked(end: Callable[[Process], None]) -> None:
    with started(SANDBOX, starting=interpreted if end is Process.close_stdin else forked) as process:
        greet(process)
        end(process)
        process.assert_clean_end()
        assert answers(process).keys() == {0}


def test_a_signal_ends_a_call_in_flight_which_is_told_so(signalled: Callable[[Process], None]) -> None:
    with call_in_flight() as process:
        signalled(process)
        process.assert_clean_end()
        assert answers(process)[1]["error"]["code"] == mcp.CONNECTION_CLOSED


def test_a_signal_ends_the_wait_for_a_call_when_stdin_is_closed_already() -> None:
    with started((*NOISY, "600")) as process:
        greet(process)
        process.send(call(1, "take_forever"))
        process.stderr.wait_for("taking forever")
        process.close_stdin()
        process.signal(SIGTERM)
        assert process.exit_code() == 0
        assert answers(process)[1]["error"]["code"] == mcp.CONNECTION_CLOSED
        assert process.stderr.text == "taking forever\nthe client is closed\n"


def test_a_call_that_does_not_end_is_waited_for_only_so_long_when_stdin_closes() -> None:
    with started((*NOISY, "0.1")) as process:
        greet(process)
        process.send(call(1, "take_forever"), call(2, "take_forever"))
        process.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})
        process.stderr.wait_for("taking forever")
        process.close_stdin()
        assert process.exit_code() == 0
        assert answers(process)[1]["error"]["code"] == mcp.CONNECTION_CLOSED
        assert 2 not in answers(process)


def test_a_cancelled_call_is_not_waited_for_and_the_client_is_closed_at_the_end() -> None:
    with started((*NOISY, "600")) as process:
        greet(process)
        process.send(call(1, "take_forever"))
        process.stderr.wait_for("taking forever")
        process.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        process.close_stdin()
        assert process.exit_code() == 0
        assert answers(process).keys() == {0}
        assert process.stderr.text == "taking forever\nthe client is closed\n"


def test_a_client_that_asks_and_closes_stdin_at_once_gets_its_answers() -> None:
    with started((*NOISY, str(patience(5)))) as process:
        process.send(INITIALIZE, INITIALIZED, call(1, "print_loudly"))
        process.send(*(request(number, "tools/list") for number in range(2, 12)))
        process.close_stdin()
        assert process.exit_code() == 0
        assert answers(process).keys() == set(range(12))
        assert answers(process)[1]["result"]["structuredContent"] == {"text": ""}


def test_a_client_that_reads_late_gets_every_answer() -> None:
    reading, writing = os.pipe()
    with started((*NOISY, "0.1"), stdout=writing) as process, os.fdopen(reading, "rb") as unread:
        os.close(writing)
        process.send(INITIALIZE, INITIALIZED, *(request(number, "tools/list") for number in range(1, 41)))
        process.close_stdin()
        process.stderr.wait_for("the client is closed")
        with pytest.raises(subprocess.TimeoutExpired):
            process.popen.wait(0.5)  # all work is done, and yet it stays until its answers are taken
        answered = unread.read()
        assert process.exit_code() == 0
    assert len(answered) > 65536  # more than the pipe holds
    assert {message["id"] for message in messages(answered)} == set(range(41))


def test_requests_from_a_file_are_answered_into_a_file(tmp_path: Path) -> None:
    asked, answered = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    asked.write_text("\n".join(json.dumps(message) for message in ONE_CALL))  # and no newline at the end
    with (
        asked.open("rb") as stdin,
        answered.open("wb") as stdout,
        started(SANDBOX, stdin=stdin, stdout=stdout) as process,
    ):
        process.assert_clean_end()
    assert [message["id"] for message in messages(answered.read_bytes())] == [0, 1]


def test_no_stdin_at_all_is_an_end() -> None:
    with started(SANDBOX, stdin=subprocess.DEVNULL) as process:
        process.assert_clean_end()
        assert process.wire.bytes == b""


@contextmanager
def on_a_terminal() -> Generator[tuple[Process, Callable[[], None]]]:
    """A server whose stdin is a terminal, and how to hang up."""
    master, slave = os.openpty()
    ends = {master, slave}

    def hang_up() -> None:
        while ends:
            os.close(ends.pop())

    try:
        with started(SANDBOX, stdin=slave) as process:
            os.write(master, json.dumps(INITIALIZE).encode() + b"\n")
            process.wire.wait_for_lines(1)
            yield process, hang_up
    finally:
        hang_up()


def test_a_signal_ends_a_server_on_a_terminal() -> None:
    with on_a_terminal() as (process, _):
        process.signal(SIGINT)
        assert_end_after_the_greeting(process)
        assert answers(process).keys() == {0}


def test_a_terminal_that_hangs_up_is_an_end() -> None:
    with on_a_terminal() as (process, hang_up):
        hang_up()
        assert_end_after_the_greeting(process)


def assert_end_after_the_greeting(process: Process) -> None:
    """Whoever sits at the terminal was told what this waits for, and nothing else."""
    assert process.exit_code() == 0
    assert [line.split(":")[0] for line in process.stderr.text.splitlines()] == [
        "This waits on stdin for an MCP client, which starts it by itself.",
        "The client's entry under mcpServers",
        "Over HTTP",
    ]


def test_a_server_nobody_reads_from_any_more_ends_when_it_has_something_to_say() -> None:
    reading, writing = os.pipe()
    with started(SANDBOX, stdout=writing) as process:
        os.close(writing)
        process.send(INITIALIZE, INITIALIZED)
        assert os.read(reading, 1) == b"{"
        os.close(reading)
        process.send(request(1, "tools/list"))
        process.assert_clean_end()


def test_a_client_that_stops_reading_cannot_keep_the_server_from_ending() -> None:
    reading, writing = os.pipe()
    with started(SANDBOX, stdout=writing) as process:
        os.close(writing)
        process.send(INITIALIZE, INITIALIZED, *(request(number, "tools/list") for number in range(1, 201)))
        assert os.read(reading, 1) == b"{"
        process.signal(SIGTERM)
        assert process.exit_code() == 0
        assert "Traceback" not in process.stderr.text
    os.close(reading)
