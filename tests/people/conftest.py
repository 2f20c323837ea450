"""Sandboxes and databases, fresh for each test."""

from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest
from tests.audit.verify.stores.services import postgres
from tests.people.raw import Raw
from tests.people.scripted import Scripted, company
from tests.people.stores import ENGINES, address_of

from aboveboard.kit.people.store import Store
from aboveboard.nextcloud.sandbox import Sandbox


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    """Open a sandbox in memory, with its first state."""
    fresh = Sandbox()
    yield fresh
    fresh.close()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Start a PostgreSQL, once for all tests of a worker."""
    with postgres() as url:
        yield url


@pytest.fixture(params=ENGINES)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Make a database of each kind, without people."""
    with address_of(request.param, tmp_path, _server(request)) as made:
        yield made


@pytest.fixture(params=ENGINES)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Make a database of each kind in which nothing is, not even a table."""
    with address_of(request.param, tmp_path, _server(request), empty=True) as made:
        yield made


def _server(request: pytest.FixtureRequest) -> str | None:
    return request.getfixturevalue("postgres_server") if request.param == "postgres" else None


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    """Open a store in it."""
    opened = Store(address)
    yield opened
    opened.close()


@pytest.fixture
def script() -> Scripted:
    """Make an identity provider that the test scripts."""
    return Scripted()


@pytest.fixture
async def staff(sandbox: Sandbox, tmp_path: Path, script: Scripted) -> AsyncGenerator[Raw]:
    """Serve the people of that provider, and make a client that speaks to the server."""
    async with company(sandbox, tmp_path, script) as client:
        yield client
