import gc

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no failure, and what was once found is written down as a test, not kept in a file.
settings.register_profile("house", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


# Looking for garbage among ten thousand collected tests, and in all they import, costs more than it finds.
gc.set_threshold(50_000, 20, 20)


def pytest_collection_finish() -> None:
    """Take what is there now for granted; a test's own garbage is still looked for."""
    gc.freeze()


# What takes longest comes first, so that no worker is left alone with it at the end.
LONGEST = ("test_proof.py", "test_conformance.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest tests first; the others keep their order."""
    items.sort(key=lambda item: item.path.name not in LONGEST)
