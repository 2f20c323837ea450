from collections.abc import Iterator

import pytest
from tests.lightdash import contract

from aboveboard.lightdash.sandbox import Sandbox

# These show something only where Lightdash keeps a trash, which is a setting of the instance.
NEED_A_TRASH = ("restore_content", "list_deleted_content")


@pytest.fixture(autouse=True)
def contract_kept() -> Iterator[None]:
    yield
    contract.check()


@pytest.fixture
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    callspec = getattr(request.node, "callspec", None)
    tool = callspec.params.get("tool") if callspec is not None else None
    made = Sandbox(enterprise=True, soft_delete=tool in NEED_A_TRASH)
    yield made
    made.close()
