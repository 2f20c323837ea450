import sys

from tests.cli.command import next_line, running
from tests.patience import MOST, factor, patience


def test_a_deadline_grows_with_the_load_and_never_shrinks() -> None:
    assert factor(load=0.1, slowness=0.3) == 1.0
    assert factor(load=4.0, slowness=2.0) == 4.0
    assert factor(load=1.0, slowness=3.0) == 3.0
    assert factor(load=1000.0, slowness=1.0) == MOST
    assert 5.0 <= patience(5.0) <= 5.0 * MOST


def test_a_command_that_says_nothing_is_not_waited_for_for_ever() -> None:
    silent = (sys.executable, "-c", "import sys; sys.stdin.read()")
    with running(command=silent) as process:
        assert next_line(process, seconds=0.1) == ""
        assert process.wait(patience(30)) < 0
