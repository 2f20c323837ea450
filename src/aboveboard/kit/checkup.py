"""What `doctor` finds out about a service's settings, one thing at a time."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class State(StrEnum):
    """How a check went."""

    GOOD = "ok"
    WARNING = "warning"
    BAD = "problem"


@dataclass(frozen=True)
class Check:
    """One thing that was looked at, what was found, and what to do where it is not good."""

    name: str
    state: State
    found: str


class Checkup(Protocol):
    """Looks at a service's settings; stops where nothing further can be found out."""

    def __call__(self, environment: Mapping[str, str]) -> AsyncIterator[Check]:
        """Check one thing after another."""
        ...
