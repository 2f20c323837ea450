"""The one seam of those who keep watch: every call passes through it, whatever its kind."""

import time
from collections.abc import Generator, Iterable
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass

from mcp.shared.exceptions import MCPError

from aboveboard.effects import READ, Effect
from aboveboard.kit.caller import Caller
from aboveboard.observing import CallRecord, Kind, Observers, observe_with, tell

CANCELLED = "cancelled"
UNKNOWN = "(unknown)"
"""In place of a name that the server does not have: what a caller makes up may be anything."""


@dataclass
class Ending:
    """How a call ended; one that never says so was given up."""

    outcome: str = CANCELLED


@dataclass(frozen=True)
class Watch:
    """Lets all observers know of a call, and of the requests that are sent for it or beside it."""

    observers: Observers

    def over(
        self, kind: Kind, name: str, scope: str, caller: Caller, *, effect: Effect = READ, arguments: Iterable[str] = ()
    ) -> AbstractContextManager[Ending]:
        """Watch over a block that is a call; where nobody does, it costs nothing."""
        if not self.observers:
            return nullcontext(Ending())
        return self._over(kind, name, scope, caller, effect, arguments)

    def unknown(self, kind: Kind, caller: Caller) -> None:
        """Let all know of a call of something that is not there; nothing was done for it."""
        with self.over(kind, UNKNOWN, "", caller) as ending:
            ending.outcome = "failed: no such name"

    def requests(self) -> AbstractContextManager[None]:
        """Watch over a block that is no call and may send requests all the same: a list, or work beside the calls."""
        return observe_with(self.observers)

    @contextmanager
    def _over(
        self, kind: Kind, name: str, scope: str, caller: Caller, effect: Effect, arguments: Iterable[str]
    ) -> Generator[Ending]:
        ending, started = Ending(), time.perf_counter()
        try:
            with observe_with(self.observers):
                yield ending
        except MCPError:
            ending.outcome = "failed: MCPError" if ending.outcome == CANCELLED else ending.outcome
            raise
        finally:
            record = CallRecord(
                kind=kind,
                name=name,
                effect=effect.name,
                scope=scope,
                arguments=tuple(arguments),
                outcome=ending.outcome,
                seconds=time.perf_counter() - started,
                subject=caller.subject,
                client=caller.client,
                grant=caller.grant,
            )
            for observer in self.observers:
                tell(observer.call_ended, record)

    def close(self) -> None:
        """Tell all observers that nothing more will happen."""
        for observer in self.observers:
            observer.close()
