"""Where the index is and which model makes it, from the environment; what is wrong with it is said before any work."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import SecretStr

from aboveboard.errors import BadInput
from aboveboard.search.models import INSTALL
from aboveboard.search.models.obtaining import MODEL_SHA256, can_run, model_file
from aboveboard.search.places import IN_MEMORY, cache_folder, index_place

if TYPE_CHECKING:  # keyword search needs none of them
    from aboveboard.search.models import Embedder
    from aboveboard.search.models.endpoint import Endpoint
    from aboveboard.search.store import Store

_URLS: Final = ("postgresql://", "postgres://")


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """The place of the index, the place of models, and the endpoint where one is to be used."""

    index: str = IN_MEMORY
    """A folder, the URL of a PostgreSQL, or `:memory:`."""
    models: Path = field(default_factory=lambda: cache_folder(os.environ) / "models")
    endpoint: "Endpoint | None" = None

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "SearchSettings":
        """Read the settings, or say what is wrong with them."""
        cache = cache_folder(environment)
        return cls(
            index=index_place(environment),
            models=Path(environment.get("ABOVEBOARD_MODELS", "").strip() or cache / "models"),
            endpoint=_endpoint(environment),
        )

    def in_memory(self) -> "SearchSettings":
        """Return these settings for an index that ends with the process."""
        return replace(self, index=IN_MEMORY)

    def open_store(self) -> "Store":
        """Open the engine."""
        if self.index.startswith(_URLS):
            from aboveboard.search.postgres.store import PostgresStore

            return PostgresStore(self.index)
        from aboveboard.search.sqlite.store import SqliteStore

        return SqliteStore(None if self.index == IN_MEMORY else Path(self.index))

    def open_model(self) -> "Embedder | None":
        """Open the model: the endpoint's, the packaged one, or None where neither is there, or nothing to run it."""
        if self.endpoint is not None:
            from aboveboard.search.models.endpoint import EndpointModel

            if find_spec("numpy") is None:
                lacking = "ABOVEBOARD_EMBEDDINGS_URL is set, and what compares directions is not installed."
                raise BadInput(lacking, next_step=f"Install it: {INSTALL}.")
            return EndpointModel(self.endpoint)
        file = model_file(self.models)
        if file is None or not can_run():
            return None
        from aboveboard.search.models.packaged import PackagedModel

        return PackagedModel(file, MODEL_SHA256)


def _endpoint(environment: Mapping[str, str]) -> "Endpoint | None":
    def given(name: str) -> str:
        return environment.get(f"ABOVEBOARD_EMBEDDINGS_{name}", "")

    url, model = given("URL").strip(), given("MODEL").strip()
    if not url:
        return None
    from aboveboard.http.base_url import base_url_problem

    examples = "http://127.0.0.1:11434/v1"
    if problem := base_url_problem("ABOVEBOARD_EMBEDDINGS_URL", url, service="embedding endpoint", examples=examples):
        raise BadInput(problem)
    if not model:
        raise BadInput("ABOVEBOARD_EMBEDDINGS_MODEL is not set: name the model that the endpoint is to use.")
    from aboveboard.search.models.endpoint import Endpoint

    key = given("KEY").strip()
    return Endpoint(
        url=url,
        model=model,
        key=SecretStr(key) if key else None,
        query_prefix=given("QUERY_PREFIX"),
        passage_prefix=given("PASSAGE_PREFIX"),
        batch=_number(given("BATCH"), "BATCH") or 32,
        dimensions=_number(given("DIMENSIONS"), "DIMENSIONS"),
    )


def _number(given: str, name: str) -> int | None:
    if not given.strip():
        return None
    if not given.strip().isdecimal() or int(given) == 0:
        raise BadInput(f"ABOVEBOARD_EMBEDDINGS_{name} must be a number from 1 on.")
    return int(given)
