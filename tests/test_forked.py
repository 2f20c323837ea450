"""Processes that are forked of a warm one do as those that are started."""

import os
import subprocess
from pathlib import Path

import pytest
from tests.forked import PYTHON, forked, warm_interpreter
from tests.patience import patience

from aboveboard import __version__
from aboveboard.audit.verify.sealing import forbidden

NETWORK = "import os; print(os.readlink('/proc/self/ns/net'))"
PARENT = "import os, sys; print('tests.forked' in open(f'/proc/{os.getppid()}/cmdline').read(), *sys.argv[1:])"


def said(*command: str, **environment: str) -> str:
    env = os.environ | environment
    done = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", timeout=patience(30), check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(bool(forbidden()), reason=forbidden())
def test_a_fork_is_in_the_network_of_who_asks_for_it(tmp_path: Path) -> None:
    program = tmp_path / "network.py"
    program.write_text(NETWORK, "utf-8")
    own = os.readlink("/proc/self/ns/net")
    assert said(*forked(str(program))) == own
    closed_in = ("unshare", "--map-root-user", "--net", "sh", "-c", 'readlink /proc/self/ns/net; "$@"', "sh")
    outside, inside = said(*closed_in, *forked(str(program))).split()
    assert outside == inside != own


def test_what_the_product_starts_of_itself_is_forked_and_all_else_is_started(tmp_path: Path) -> None:
    other = tmp_path / "aboveboard"
    other.mkdir()
    (other / "__init__.py").touch()
    (other / "__main__.py").write_text("print('started')", "utf-8")
    for python, words in ((PYTHON, "started"), (warm_interpreter(), f"aboveboard, version {__version__}")):
        assert said(python, "-m", "aboveboard", "--version", PYTHONPATH=str(tmp_path)) == words
    program = tmp_path / "two words.py"
    program.write_text(PARENT, "utf-8")
    assert said(*forked(str(program), "a b", "$c")) == "True a b $c"
    assert said(warm_interpreter(), str(program), "a b", "$c") == "False a b $c"
