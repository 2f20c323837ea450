"""How far a run is, and about how long it will still take."""

from dataclasses import dataclass
from typing import Final

ENOUGH: Final = 10
"""How many cases must have been walked before they stand for the others: the first load what all of them use."""
SOON: Final = 30.0
"""Seconds after which it is told all the same, where cases are slow."""


@dataclass(frozen=True)
class Progress:
    """How far a run is: first all cases are walked, then late work of all of them is looked for."""

    done: int
    """How many cases were walked."""
    total: int
    tool: str
    """Whose case was walked last; nothing where late work was looked for."""
    seconds: float
    looked: int = 0
    """After how many cases late work was looked for."""
    late: float = 0.0
    """About how many seconds it will still take to look for late work."""

    @property
    def left(self) -> float | None:
        """About how many seconds all of it will still take; nothing while that would be a guess."""
        if not self.done or (self.done < min(ENOUGH, self.total) and self.seconds < SOON):
            return None
        return self.seconds / self.done * (self.total - self.done) + self.late

    @property
    def looking(self) -> bool:
        """Tell whether all cases were walked, and it is late work that is looked for."""
        return self.done == self.total and bool(self.looked or self.late)
