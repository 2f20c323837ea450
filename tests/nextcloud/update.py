"""A call that changes something, and what of the state it may change."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Update:
    """A call, and the facts that it may change: patterns of their whole keys, `{note}` and its like being ids."""

    arguments: dict[str, Any]
    changes: Sequence[str]

    def __str__(self) -> str:
        return ", ".join(
            str(name) for name in self.arguments if not name.endswith("_id") and name not in {"path", "etag"}
        )
