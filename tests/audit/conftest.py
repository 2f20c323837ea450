"""What the tests of the auditor share."""

from collections.abc import Callable

import pytest
from tests.audit.corpus import command
from tests.patience import patience

from aboveboard.audit.evidence import Server
from aboveboard.audit.probe import Options, read


@pytest.fixture
def read_liar() -> Callable[[str], Server]:
    """Start a server of the corpus and read it."""

    def go(name: str) -> Server:
        (found,) = read([command(name)], Options(timeout=patience(15)))
        assert isinstance(found, Server), found
        return found

    return go
