"""A fresh sandbox for each test."""

from collections.abc import Iterator

import pytest
from tests.nextcloud.contract import CONTRACT

from aboveboard.nextcloud.sandbox import Sandbox


@pytest.fixture(autouse=True)
def contract_kept() -> Iterator[None]:
    yield
    CONTRACT.check()


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    """Open a sandbox in memory, with its first state."""
    fresh = Sandbox()
    yield fresh
    fresh.close()
