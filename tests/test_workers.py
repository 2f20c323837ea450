"""What `--workers` does with tests that pass, fail, and end the process that runs them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.patience import patience
from tests.workers import LONGEST, WAITING, in_order

ROOT = Path(__file__).parents[1]
SHARED = """
import os, signal
import pytest

@pytest.fixture(scope="module")
def shared():
    with open("started", "a") as file:
        file.write(f"{__file__}\\n")
    yield
    with open("ended", "a") as file:
        file.write(f"{__file__}\\n")
"""
PASSES = (
    SHARED
    + """
@pytest.mark.parametrize("number", range(5))
def test_passes(shared, number, tmp_path, capfd):
    os.system("echo from a child")
    assert capfd.readouterr().out == "from a child\\n"
    assert not list(tmp_path.iterdir())
"""
)
FAILS = (
    SHARED
    + """
def test_fails(shared):
    print("what it said")
    assert 1 == 2

def test_is_skipped(shared):
    pytest.skip("for a reason")
"""
)
DIES = (
    SHARED
    + """
def test_before(shared):
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert os.system("kill -INT $$; true") == signal.SIGINT  # as a process that heeds it ends
def test_dies(shared): os.kill(os.getpid(), signal.SIGKILL)
def test_after(shared): pass
"""
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("project")
    for name, text in {"a": PASSES, "b": PASSES, "fails": FAILS, "dies": DIES}.items():
        (made / f"test_{name}.py").write_text(text)
    return made


def ended(command: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=patience(60), check=False
    )


@pytest.fixture(scope="module")
def said(folder: Path) -> str:
    options = ["-q", "--disable-plugin-autoload", "-p", "tests.workers", "--workers", "2", "--rootdir", str(folder)]
    command = [sys.executable, "-m", "pytest", *options, "."]
    ignored = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    )
    # As a shell starts what is to run in the background.
    done = ended([sys.executable, "-c", ignored, *command], folder)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def test_every_test_is_run_once_also_those_after_one_that_ended_its_process(said: str) -> None:
    assert re.search(r"^2 failed, 12 passed, 1 skipped in ", said, re.MULTILINE)
    assert re.search(
        r"^FAILED test_dies.py::test_dies - The process that ran this test ended with -9", said, re.MULTILINE
    )


def test_what_a_failed_test_said_is_shown(said: str) -> None:
    assert "what it said" in said.split("Captured stdout call")[1]


def test_what_the_tests_of_a_file_share_is_made_once_and_ends(said: str, folder: Path) -> None:
    names = [Path(line).stem for line in (folder / "started").read_text().split()]
    assert sorted(names) == [
        "test_a",
        "test_b",
        "test_dies",
        "test_dies",
        "test_fails",
    ]  # its process had to be replaced
    ended = [Path(line).stem for line in (folder / "ended").read_text().split()]
    assert sorted(ended) == ["test_a", "test_b", "test_dies", "test_fails"]


def test_what_waits_is_parted_from_what_works_which_begins_with_the_longest_and_nothing_is_left_out() -> None:
    paths = ["tests/x.py"] * 2 + [WAITING[1]] * 2 + [LONGEST[4]] * 2 + [LONGEST[0]] + ["tests/y.py", "tests/x.py"]
    assert in_order(paths) == ([[2], [3]], [[6], [4, 5], [0, 1, 8], [7]])


def test_the_files_that_are_named_exist() -> None:
    assert [path for path in (*LONGEST, *WAITING) if not (ROOT / path).is_file()] == []


DEAF = """
import signal, time

def test_is_deaf():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    open("deaf", "w").close()
    time.sleep(1)  # until the other has failed; before the last test of a file, a worker asks for more

def test_later(): pass
"""
FAILS_THEN = """
import os, time

def test_fails():
    while not os.path.exists("deaf"):
        time.sleep(0.01)
    assert 1 == 2
"""


def test_stopping_at_the_first_failure_waits_for_no_worker_that_lost_the_signal(tmp_path: Path) -> None:
    (tmp_path / "test_deaf.py").write_text(DEAF)
    (tmp_path / "test_fails.py").write_text(FAILS_THEN)
    options = ["-x", "-q", "--disable-plugin-autoload", "-p", "tests.workers", "--workers", "2"]
    done = ended([sys.executable, "-m", "pytest", *options, "--rootdir", str(tmp_path), "."], tmp_path)
    assert (done.returncode, "stopping after 1 failures" in done.stdout) == (1, True), done.stdout + done.stderr
