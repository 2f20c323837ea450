"""Commands that a plan has run, such as one that tells the state, and who ends what is left of them."""

import os
import time
from pathlib import Path

import anyio
import pytest
from tests.patience import patience

from aboveboard.audit.probe import Unreadable
from aboveboard.audit.verify.processes import guardian, output_of, run_to_end


def _output(*command: str, seconds: float = 10) -> bytes:
    return anyio.run(output_of, command, {"NOTE": "Milk"}, "The state", patience(seconds))


def test_what_a_command_prints_is_returned() -> None:
    assert _output("sh", "-c", "cat; echo $NOTE") == b"Milk\n", "and it has nothing to read"


def test_a_command_that_fails_is_told_with_its_last_words() -> None:
    with pytest.raises(Unreadable, match=r"The state ended with exit code 3\. no disk$"):
        _output("sh", "-c", "echo starting >&2; echo no disk >&2; exit 3")
    with pytest.raises(Unreadable, match="The state cannot be run: 'no-such-command', No such file"):
        _output("no-such-command")


def test_a_command_that_ends_before_it_has_read_what_it_is_given_is_told_by_its_code() -> None:
    done = anyio.run(run_to_end, ["false"], {**os.environ}, patience(10), b"x" * 10_000_000)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")


def test_a_command_that_does_not_end_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    group = tmp_path / "group"
    with pytest.raises(Unreadable, match="The state did not end within"):
        _output("sh", "-c", f"echo $$ > {group}; sleep 600; true", seconds=0.3)
    deadline = time.monotonic() + patience(20)
    while _is_there(int(group.read_text("utf-8"))):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _is_there(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_all_runs_have_one_guardian_and_one_that_was_ended_is_replaced() -> None:
    first = guardian()
    assert guardian() is first
    ended = first._process  # pyright: ignore[reportPrivateUsage] (nobody else ends it)
    ended.kill()
    ended.wait()
    first.watch(1, "nobody hears it, and nothing breaks")
    assert guardian() is not first
    assert guardian().is_there


def test_a_fork_has_a_guardian_of_its_own() -> None:
    ours, (told, tells) = guardian(), os.pipe()
    fork = os.fork()
    if fork == 0:
        os.write(tells, b"its own" if guardian() is not ours else b"ours")
        os._exit(0)
    os.waitpid(fork, 0)
    assert os.read(told, 100) == b"its own"
    for end in (told, tells):
        os.close(end)
