"""A fresh sandbox for each test."""

from collections.abc import Iterator

import pytest

from aboveboard.nextcloud.sandbox import Sandbox


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    """Open a sandbox in memory, with its first state."""
    fresh = Sandbox()
    yield fresh
    fresh.close()
