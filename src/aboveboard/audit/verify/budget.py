"""How long a plan will take, by what was measured; and which cases fit into a time, the telling ones first."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aboveboard.errors import BadInput

WALKS: Final = 4
"""Three repeats and one with a fresh server."""
LOOKS: Final = 5
"""How often a walk reads the state, with the look that follows a reset."""
STARTS: Final = 2
LEAST: Final = 0.02
"""Seconds that a call takes at least: it does more than a listing does."""
_TIME: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|h|)")


@dataclass(frozen=True)
class Pace:
    """What was measured while the definitions were read."""

    start: float = 0.5
    """Seconds until the server had answered the greeting."""
    call: float = 0.05
    """Seconds until it had listed its tools: the only thing that can be asked of it before anyone agreed to calls."""


@dataclass(frozen=True)
class DraftCase:
    """A case as it is written into the plan."""

    tool: str
    written: Mapping[str, Any]
    steps: int
    rank: int
    """0: the usual call; 1: differs in one way; 2: must be refused; 3: differs in several; 4 and 5: after another."""

    def seconds(self, pace: Pace) -> float:
        """Estimate how long it takes."""
        return STARTS * pace.start + WALKS * (self.steps + 2 + LOOKS) * max(pace.call, LEAST)


def seconds_of(text: str) -> float:
    """Read a time: `90`, `90s`, `5m`, `1h`."""
    found = _TIME.fullmatch(text.strip())
    if not found:
        raise BadInput(f"{text!r} is not a time.", next_step="Say 90s, 5m or 1h.")
    return float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]]


def affordable(cases: Sequence[DraftCase], pace: Pace, budget: float) -> tuple[list[DraftCase], list[DraftCase]]:
    """Choose what fits: rank by rank, one case of each tool in turn; the usual call of a tool is never left out."""
    kept: set[int] = set()
    left = budget
    for index in _in_turn(cases):
        cost = cases[index].seconds(pace)
        if cost <= left or cases[index].rank == 0:
            kept.add(index)
            left -= cost
    return (
        [one for index, one in enumerate(cases) if index in kept],
        [one for index, one in enumerate(cases) if index not in kept],
    )


def _in_turn(cases: Sequence[DraftCase]) -> list[int]:
    """Order cases by rank; within a rank, the first of each tool comes before the second of any."""
    turns: dict[tuple[str, int], int] = defaultdict(int)
    order: list[tuple[int, int, int]] = []
    for index, case in enumerate(cases):
        turns[case.tool, case.rank] += 1
        order.append((case.rank, turns[case.tool, case.rank], index))
    return [index for *_, index in sorted(order)]
