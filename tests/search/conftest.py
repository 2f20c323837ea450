"""Both engines, and the packaged model where it is there."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.search.servers import postgres_url, stop_servers

from aboveboard.search.models.obtaining import MODEL_SHA256, model_file
from aboveboard.search.models.packaged import PackagedModel
from aboveboard.search.settings import SearchSettings
from aboveboard.search.store import Store


@pytest.fixture(scope="session", autouse=True)
def servers_end() -> Iterator[None]:
    """Leave no server running."""
    yield
    stop_servers()


@pytest.fixture(params=["sqlite", "postgres"])
def index_place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return where the index is kept: in a folder, or in a PostgreSQL, empty."""
    return str(tmp_path / "indexes") if request.param == "sqlite" else postgres_url()


@pytest.fixture
def store(index_place: str) -> Iterator[Store]:
    """Open an engine."""
    opened = SearchSettings(index=index_place).open_store()
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def model() -> PackagedModel:
    """Return the packaged model, which `make test` obtains; without it, what needs it is left out, but not in CI."""
    file = model_file(SearchSettings.read(os.environ).models)
    if file is None:
        said = "the packaged model is not there: `aboveboard search setup` obtains it"
        if os.environ.get("CI"):
            pytest.fail(said)
        pytest.skip(said)
    return PackagedModel(file, MODEL_SHA256)
