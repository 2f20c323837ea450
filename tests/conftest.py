import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no failure, and what was once found is written down as a test, not kept in a file.
settings.register_profile("house", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
