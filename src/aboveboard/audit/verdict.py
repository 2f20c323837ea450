"""What watching a tool says of its hints."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Ruling(StrEnum):
    """What watching a tool says of one of its hints."""

    HOLDS = "holds"
    VIOLATED = "violated"
    NOT_OBSERVED = "not observed"
    UNTRIED = "untried"
    """No call put it to the test: a value that no case gives, a write that changed nothing."""
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """One hint of one tool, as it was seen to be."""

    tool: str
    hint: str
    declared: bool | None
    verdict: Ruling
    oracle: str = ""
    cause: str = ""
    server: str = ""
    explained: str = ""
    """Why it could not be observed, in the words of the plan; empty where nobody says."""
    arguments: Sequence[str] = ()
    """What the tool was called with, a line per case, without secrets."""

    @property
    def settled(self) -> bool:
        """Tell whether nothing is left to explain: it holds, or the plan says why it cannot be seen."""
        return self.verdict is Ruling.HOLDS or (self.verdict is not Ruling.VIOLATED and bool(self.explained))

    @property
    def unproven(self) -> bool:
        """Tell whether it is one of those of which nothing is known and nobody says why."""
        return self.verdict in (Ruling.UNTRIED, Ruling.UNVERIFIABLE) and not self.explained
