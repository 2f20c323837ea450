from collections.abc import Iterator

import pytest

from aboveboard.lightdash.sandbox import Sandbox


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    """Give a fresh one with agents and without a bin."""
    made = Sandbox(enterprise=True)
    yield made
    made.close()
