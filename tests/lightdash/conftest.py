from collections.abc import Iterator

import pytest
from tests.lightdash import contract

from aboveboard.lightdash.sandbox import Sandbox


@pytest.fixture(autouse=True)
def contract_kept() -> Iterator[None]:
    yield
    contract.check()


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    """Give a fresh one with agents and without a bin."""
    made = Sandbox(enterprise=True)
    yield made
    made.close()
