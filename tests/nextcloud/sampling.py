"""What a sample of a tool is: it arranges through the session what the call needs, and returns the arguments."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.nextcloud.sessions import Session

Arguments = dict[str, Any]
Sample = Callable[[Session], Awaitable[Arguments]]
Samples = Mapping[str, Sample]
"""By the tool's full name: a call that works."""


@dataclass(frozen=True)
class Refused:
    """A call that does not work, and words of the reason that the model is told."""

    sample: Sample
    reason: str


Refusals = Mapping[str, Refused]


def plain(**arguments: Any) -> Sample:
    """Make a sample that needs nothing arranged."""

    async def sample(_: Session) -> Arguments:
        return arguments

    return sample
