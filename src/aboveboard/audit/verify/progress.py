"""How far a run is, and about how long it will still take."""

from dataclasses import dataclass


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
    def left(self) -> float:
        """About how many seconds all of it will still take."""
        return self.seconds / self.done * (self.total - self.done) + self.late

    @property
    def looking(self) -> bool:
        """Tell whether all cases were walked, and it is late work that is looked for."""
        return self.done == self.total and bool(self.looked or self.late)
