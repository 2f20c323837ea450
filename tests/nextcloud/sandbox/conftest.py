import pytest
from tests.nextcloud.sandbox.sending import Person

from aboveboard.nextcloud.sandbox import Sandbox


@pytest.fixture
def admin(sandbox: Sandbox) -> Person:
    return Person(sandbox, "admin")


@pytest.fixture
def bob(sandbox: Sandbox) -> Person:
    return Person(sandbox, "bob")
