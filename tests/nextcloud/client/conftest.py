from collections.abc import AsyncIterator

import pytest
from tests.nextcloud.client.people import Person, person

from aboveboard.nextcloud.sandbox import Sandbox


@pytest.fixture
async def ada(sandbox: Sandbox) -> AsyncIterator[Person]:
    """The sandbox's admin, who has asked for her principal before."""
    made = person(sandbox)
    await made.principal()
    made.forget()
    yield made
    await made.aclose()


@pytest.fixture
async def bob(sandbox: Sandbox) -> AsyncIterator[Person]:
    made = person(sandbox, "bob")
    await made.principal()
    made.forget()
    yield made
    await made.aclose()
