"""What moves by itself: measured while nothing was called, and left out of every comparison."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from aboveboard.audit.verify.routes import template
from aboveboard.audit.verify.seen import SeenRequest
from aboveboard.audit.verify.state import Snapshot, without_ids


def noise_patterns(moved: Iterable[str]) -> list[str]:
    """Return the paths that moved in control arms, without ids, so that they hold for other records as well."""
    return sorted({without_ids(path) for path in moved})


def noisy_paths(paths: Iterable[str], patterns: Collection[str], quiet: Collection[str] = ()) -> list[str]:
    """Return those of the paths that the mask covers, or that moved in this very walk."""
    return [path for path in paths if path in quiet or without_ids(path) in patterns]


@dataclass
class Known:
    """What a run knows to move, or to be sent, by itself: seen before any call, or while a fresh server was idle."""

    moved: list[str] = field(default_factory=list[str])
    beats: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    at_end: list[str] = field(default_factory=list[str])
    """What a server wrote as it ended, though nothing had been called."""
    first: list[Snapshot] = field(default_factory=list[Snapshot])
    """The state of each bench before any call."""

    @property
    def noise(self) -> list[str]:
        """The paths without ids."""
        return noise_patterns(self.moved)

    @property
    def standing(self) -> set[str]:
        """The paths that were there before any call and never moved by themselves, though others of their kind did.

        The mask is for a kind, as records that come by themselves have another id each time. That one of these moved
        with a call may be the call's doing or not: neither can be said.
        """
        noise, moving = set(self.noise), set(self.moved)
        there = {path for one in self.first for path in one.facts} if noise else set[str]()
        return {path for path in there if path not in moving and without_ids(path) in noise}

    def add(self, paths: Sequence[str], sent: Sequence[SeenRequest]) -> None:
        """Take in what an idle watch saw."""
        self.moved += paths
        self.beats |= {(one.method, template(one.path)) for one in sent}

    def fresh(self, paths: Sequence[str], noise: Sequence[str] = ()) -> list[str]:
        """Return the paths that are not known to move by themselves."""
        known = {*self.noise, *noise}
        return [path for path in paths if without_ids(path) not in known]

    def unended(self, paths: Sequence[str]) -> list[str]:
        """Return the paths that a server which was not called leaves alone when it ends."""
        known = set(noise_patterns(self.at_end))
        return [path for path in paths if without_ids(path) not in known]

    def unheard(self, sent: Sequence[SeenRequest]) -> list[SeenRequest]:
        """Return the requests that are not known to be sent by themselves."""
        return [one for one in sent if (one.method, template(one.path)) not in self.beats]
