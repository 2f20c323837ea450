"""What one walk of a case saw; running makes it, judging reads it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aboveboard.audit.evidence import CallResult
from aboveboard.audit.facts import Facts
from aboveboard.audit.verify.plan import Case
from aboveboard.audit.verify.seen import SeenRequest
from aboveboard.audit.verify.state import moved_paths, without_ids


@dataclass(frozen=True, kw_only=True)
class WalkRecord:
    """What one walk saw; of the states, only what moved."""

    case: Case
    refused: Sequence[str] = ()
    """The case's words, with its values filled in."""
    changes: Sequence[str] | None = None
    """The case's globs, likewise."""
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    before: Facts = field(default_factory=dict[str, Any])
    after: Facts = field(default_factory=dict[str, Any])
    again: Facts = field(default_factory=dict[str, Any])
    quiet: Sequence[str] = ()
    """What moved while nothing was called."""
    rewritten: Sequence[str] = ()
    """Where the calls wrote what was there already."""
    answer: CallResult | None = None
    second: CallResult | None = None
    sent: Sequence[SeenRequest] = ()
    background: Sequence[SeenRequest] = ()
    """What the server sent while nothing was called."""
    seconds: float = 0.0
    at: float = 0.0
    """When the calls were made, in seconds since 1970: what a server writes down as now is known by it."""
    settled: float = 0.0
    """How many seconds each call was given to do what it does after its answer; 0: none was seen to need any."""
    problem: str = ""
    """Why the call could not be made, or the state not be read."""
    strays: Sequence[SeenRequest] = ()
    """Writing requests that came while nothing was called: of an earlier call, most likely."""

    @property
    def touched(self) -> list[str]:
        """What moved while something was called."""
        return [*moved_paths(self.before, self.after), *moved_paths(self.after, self.again)]

    @property
    def restless(self) -> set[str]:
        """What moved at any time, without ids."""
        return {without_ids(path) for path in (*self.quiet, *self.touched)}

    @property
    def failure(self) -> str:
        """Why the walk did not get through; empty where it did."""
        return self.problem or (self.answer.complaint if self.answer is not None and self.answer.failed else "")

    @property
    def changed(self) -> bool:
        """Tell whether the calls left another state than they found."""
        return bool(self.touched)
