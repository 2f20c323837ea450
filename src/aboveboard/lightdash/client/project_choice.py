"""Which project is meant where none is named and no default is set."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

FRESH: Final = 300.0
SHOWN: Final = 8


@dataclass(frozen=True)
class KnownProject:
    """A project to choose, and whether it is only a preview of another."""

    uuid: str
    name: str
    is_preview: bool


class ProjectChoice:
    """The projects that were last seen: where no default is set, the only one that is no preview is meant."""

    def __init__(self) -> None:
        self._seen_at: float | None = None
        self._seen: Sequence[KnownProject] = ()

    @property
    def is_fresh(self) -> bool:
        """Tell whether there is no need to look again."""
        return self._seen_at is not None and time.monotonic() - self._seen_at < FRESH

    @property
    def is_known(self) -> bool:
        """Tell whether anyone has looked."""
        return self._seen_at is not None

    @property
    def is_empty(self) -> bool:
        """Tell whether somebody looked, and saw none."""
        return self.is_known and not self._seen

    def note(self, projects: Sequence[KnownProject]) -> None:
        """Note the projects there are."""
        self._seen_at, self._seen = time.monotonic(), projects

    @property
    def only(self) -> str | None:
        """The one that is meant where none is named."""
        real = [one.uuid for one in self._seen if not one.is_preview]
        return real[0] if len(real) == 1 else None

    def __str__(self) -> str:
        shown = [f"{one.uuid} ({one.name})" for one in self._seen[:SHOWN]]
        more = [f"{len(self._seen) - SHOWN} more that list_projects shows"] if len(self._seen) > SHOWN else []
        return ", ".join(shown + more) or "list_projects shows them"
