"""What the tests of the auditor share."""

from collections.abc import Callable

import pytest
from tests.audit.corpus import read_servers

from aboveboard.audit.evidence import Server


@pytest.fixture
def read_liar() -> Callable[[str], Server]:
    """Start a server of the corpus and read it."""

    def go(name: str) -> Server:
        (found,) = read_servers([name])
        return found

    return go
