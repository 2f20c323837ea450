"""The model that works on one machine without a key: Universal Sentence Encoder, multilingual, in its small form."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any, Final

import anyio.to_thread

from aboveboard.search.entries import Vector
from aboveboard.search.models import pack_vectors

NAME: Final = "Universal Sentence Encoder Multilingual 3, int8"
DIMENSION: Final = 512
_REMEMBERED: Final = 2048
"""Texts, of which each takes some three kilobytes: what is shared is indexed for everybody who may read it."""


class PackagedModel:
    """The model in a file; it is loaded on first use."""

    name = NAME

    def __init__(self, file: Path, checksum: str) -> None:
        self._file = file
        self._identity = f"use-multilingual-3-int8:{checksum[:12]}:{DIMENSION}"
        self._running = Lock()
        self._direction = lru_cache(_REMEMBERED)(self._found)

    async def identity(self) -> str:
        """Return what decides the directions."""
        return self._identity

    async def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return the directions of the passages of one document."""
        return await anyio.to_thread.run_sync(self.embed, texts)

    async def query(self, text: str) -> Vector:
        """Return the direction of a query."""
        return (await self.passages([text]))[0]

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return directions; each text goes alone, as the model rounds a text by what else is in its run."""
        return [self._direction(text) for text in texts]

    async def aclose(self) -> None:
        """Do nothing: there are no connections."""

    def _found(self, text: str) -> Vector:
        import numpy as np

        # Whoever asks a question waits for one passage, and not for a whole document that is being indexed.
        with self._running:
            rows = self._session.run(None, {"inputs": np.array([text], dtype=object)})[0]
        return pack_vectors(rows)[0]

    @cached_property
    def _session(self) -> Any:
        runtime: Any = import_module("onnxruntime")
        extensions: Any = import_module("onnxruntime_extensions")
        options = runtime.SessionOptions()
        options.register_custom_ops_library(extensions.get_library_path())
        options.log_severity_level = 3
        options.intra_op_num_threads = 1  # indexing in the background must leave the machine to its owner
        return runtime.InferenceSession(str(self._file), options, providers=["CPUExecutionProvider"])
