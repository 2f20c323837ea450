"""What a tool was seen to do: the answer to a call, a call from a known state, and all calls of a tool.

Data only, no I/O; `evidence` hands it on to the rules.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, cast

from aboveboard.audit.facts import SHOWN, Change, Facts, changes, describe_changes, itself_and_above
from aboveboard.audit.request import REFUSED, Request, routes
from aboveboard.audit.tool import Tool

# What servers say where they forget `isError`. An answer that only speaks of errors, such as a log, begins otherwise.
_CONFESSION: Final = re.compile(
    r"\W*(error(\s*:|\s+(executing|calling|while|fetching|reading|getting|in)\b)|failed(:|\s+to\b)|failure:|exception:"
    r"|traceback \(most recent|unauthori[sz]ed\b|(access|permission) denied\b"
    r"|[^\n]{0,80}\b(not found|does not exist|no such \w+)\W*\Z)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class CallResult:
    """What one call answered: the raw result, or the raw error."""

    tool: Tool
    result: Mapping[str, Any] = field(default_factory=dict[str, Any])
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    error: Mapping[str, Any] | None = None

    @property
    def server(self) -> str:
        """The name that findings carry."""
        return self.tool.server

    @property
    def failed(self) -> bool:
        """Tell whether the call came to nothing: a protocol error, or a result that says so."""
        return self.error is not None or self.result.get("isError") is True

    @property
    def confesses(self) -> bool:
        """Tell whether it says in words that the call came to nothing, though not in the way of the protocol."""
        said = self.content
        if isinstance(said, Mapping):
            told = cast("Mapping[str, Any]", said)
            return bool(told.get("error")) or told.get("success") is False
        return isinstance(said, str) and _CONFESSION.match(said) is not None

    @property
    def text(self) -> str:
        """All that it says in words: the message of the error, or every text of the result."""
        return str((self.error or {}).get("message") or "") or "\n".join(self._texts())

    @property
    def complaint(self) -> str:
        """Why the call failed, in one line."""
        said = str((self.error or {}).get("message") or "") or next(self._texts(), "") or "it does not say why"
        return " ".join(said.split())[:200]

    @property
    def content(self) -> Any:
        """What it says as data: its structured content, or else the JSON or the words of its first text."""
        if "structuredContent" in self.result:
            return self.result["structuredContent"]
        first = next(self._texts(), "")
        try:
            return json.loads(first)
        except ValueError:
            return first

    def _texts(self) -> Iterator[str]:
        content = self.result.get("content")
        blocks = cast("list[Any]", content) if isinstance(content, list) else []
        texts = (cast("Mapping[str, Any]", one).get("text") for one in blocks if isinstance(one, Mapping))
        return (one for one in texts if isinstance(one, str))


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A tool called from a known state, and the state afterwards; nothing here was decided by a hint."""

    tool: Tool = field(kw_only=False)
    before: Facts = field(default_factory=dict[str, Any])
    after: Facts = field(default_factory=dict[str, Any])
    again: Facts | None = None
    """The state after a second, equal call; None where there was none."""
    noise: Collection[str] = ()
    """Paths that moved without any call: measured in the control arm."""
    derived: Collection[str] = ()
    """Paths that are bookkeeping (counters, modification times, logs): only some profiles count them."""
    along: Collection[str] = ()
    """Paths that only moved along: the time of the call, a sequence or a sum that follows what was added."""
    copied: Collection[str] = ()
    """Texts that grew into what an argument says anyway: whoever replaces them would leave the same."""
    rewritten: Collection[str] = ()
    """Where something was written that was there already: with another value there, it would have been lost."""
    answer: CallResult | None = None
    """What the first call answered; None stands for a success that was not kept."""
    requests: Sequence[Request] = ()
    domain: Collection[str] | None = None
    """The hosts that are the service itself; empty where there is none behind it, None where nothing is recorded."""
    oracle: str = ""
    """What was asked for the state: `backend`, `upstream`, `tools`."""
    whole: bool = False
    """Whether, by the plan, the state tells all that the service keeps: a write that it does not show was none."""
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    case: str = ""
    """The name of the case in the plan."""
    local: str = ""
    """Why it is right that the call sent nothing; empty: a success that sent nothing is no evidence."""
    refused: Sequence[str] = ()
    """The words that the answer owes, where the plan says that this call is refused; an empty one: any."""
    unsaid: Sequence[str] = ()
    """Those of them that it lacked."""
    asked: Sequence[str] | None = None
    """All that the call changes, as the plan says; None where it does not say."""
    beyond: Collection[str] = ()
    """What it changed besides."""
    spared: Sequence[str] = ()
    """What it should have changed, and did not."""
    may_fail: str = ""
    """Why nothing is missing where this call failed; empty: it should have worked."""
    problem: str = ""
    """Why a call of which the plan says what becomes of it (a refusal, or what it changes) could not be made."""
    seconds: float = 0.0
    """How long the first call took."""
    sealed: bool = False
    """Whether nothing could have been sent past the recorder."""
    settled: float = 0.0
    """How many seconds each call was given for work after its answer, as it was seen to need them; 0: none."""

    @property
    def server(self) -> str:
        """The name that findings carry."""
        return self.tool.server

    @property
    def vacuous(self) -> bool:
        """Tell whether the call succeeded, and nothing was tried all the same."""
        return bool(self.vanity)

    @property
    def vanity(self) -> str:
        """Why a call that succeeded tried nothing: nothing was sent to a service that it has, or nothing came of it."""
        if self.local:
            return ""
        if self.domain and not self.requests:
            return "it succeeded and never reached the upstream, so nothing was tried"
        if self.all_changes():
            return ""
        # Of a refused write the verdicts say more.
        if self.requests and all(one.status >= REFUSED and not one.may_write for one in self.requests):
            first = self.requests[0]
            return f"all that it sent was refused ({first.method} {first.route}: {first.status}), so nothing was tried"
        if self.answer is not None and not self.answer.failed and self.answer.confesses:
            return f"its answer says that the call failed, though without `isError`: {self.answer.complaint}"
        return ""

    @property
    def succeeded(self) -> bool:
        """Tell whether the call worked: a failed one is no evidence that a hint holds."""
        return self.answer is None or not self.answer.failed

    @property
    def came_to_nothing(self) -> bool:
        """Tell whether nothing was tried by the call, though it should have been."""
        return not self.may_fail and (not self.succeeded or self.vacuous)

    def changes(self, *, count_derived: bool = False) -> list[Change]:
        """Return what the first call changed."""
        return self._counting(self._changed_at_first, count_derived=count_derived)

    def all_changes(self, *, count_derived: bool = False) -> list[Change]:
        """Return what either call changed; the second is a call like the first."""
        once = self.changes(count_derived=count_derived)
        known = {change.path for change in once}
        twice = self._second(count_derived=count_derived)
        return [*once, *(change for change in twice if change.path not in known or change.loses)]

    def losses(self, *, count_derived: bool = False) -> list[Change]:
        """Return what either call replaced, cleared or removed; what the first made, the second may not lose either."""
        found = [change for change in self.all_changes(count_derived=count_derived) if change.loses]
        return [change for change in found if count_derived or change.path not in self.along]

    def changes_when_repeated(self, *, count_derived: bool = False) -> list[Change]:
        """Return what the second, equal call changed beyond the first."""
        found = self._second(count_derived=count_derived)
        return [change for change in found if count_derived or change.path not in self.along]

    def denied(self, hint: str, *, count_derived: bool = False) -> list[Change]:
        """Return the changes that only the warning value of a hint allows."""
        seen = {
            "readOnlyHint": self.all_changes,
            "destructiveHint": self.losses,
            "idempotentHint": self.changes_when_repeated,
        }
        return seen[hint](count_derived=count_derived) if hint in seen else []

    def _second(self, *, count_derived: bool) -> list[Change]:
        return self._counting(self._changed_again, count_derived=count_derived)

    # What changed is asked for by every hint and every rule, and two states are compared fact by fact.
    @cached_property
    def _changed_at_first(self) -> list[Change]:
        return changes(self.before, self.after, without=self.noise)

    @cached_property
    def _changed_again(self) -> list[Change]:
        return [] if self.again is None else changes(self.after, self.again, without=self.noise)

    def _counting(self, found: list[Change], *, count_derived: bool) -> list[Change]:
        if count_derived or not self.derived:
            return list(found)
        derived = set(self.derived)
        return [change for change in found if derived.isdisjoint(itself_and_above(change.path))]

    @property
    def unaccounted(self) -> list[Request]:
        """The requests that may have written, where a state that may not tell all does not show what they wrote.

        Bookkeeping accounts for one route; of several, nobody knows which of them it was.
        """
        writes = [one for one in self.requests if one.may_write]
        if self.whole or self.all_changes():
            return []
        several = len({(one.method, one.route) for one in writes}) > 1
        return writes if several or not self.all_changes(count_derived=True) else []

    def outside(self) -> list[Request]:
        """Return the requests to hosts that are not the service."""
        return [] if self.domain is None else [one for one in self.requests if one.host not in self.domain]

    def describe(self, found: Sequence[Change], shown: int = SHOWN) -> str:
        """Name changes in a sentence, and the routes that may have made them, where requests were recorded."""
        on_disk = all(change.path.startswith("own-files/") for change in found)
        named = "" if on_disk else " and ".join(routes(self.requests, writing=True)[:2])
        return describe_changes(found, shown) + (f" (by {named})" if named else "")


@dataclass(frozen=True)
class Behaviour:
    """All trials of one tool: each branch of its arguments, each repeat."""

    tool: Tool
    trials: Sequence[Trial]
    refusals: Sequence[Trial] = ()
    """Calls that must be refused: they show nothing for a hint, and what they change counts against it."""
    unmade: Sequence[Trial] = ()
    """Calls of which the plan says what they change, and that could not be made: they show nothing."""
    unseen: Mapping[str, str] = field(default_factory=dict[str, str])
    """Why a hint cannot be observed here, in the words of the plan."""
    general: Collection[str] = ()
    """Those of them that the plan says of the server as a whole: a tool that is seen to do it is no contradiction."""
    untried: Sequence[str] = ()
    """Values of the arguments that no successful call took: `action=delete`."""
    unreached: Sequence[str] = ()
    """Cases that the run did not come to, without which a tool has kept no promise."""
    unsettled: Sequence[str] = ()
    """What moved after its calls, or before them, where it could not be found out whose doing that was."""
    unawaited: Sequence[str] = ()
    """Why it is not known what came after the answers of its cases: a call failed then, where it had worked before."""
    coverage: Sequence[str] = ()
    """What was tried of each enumeration and flag: `1 of 3 values of sort`."""
    problem: str = ""
    """Why there is no trial, or why there are fewer than planned."""

    @property
    def idle(self) -> bool:
        """Tell whether no call changed a thing in any trial."""
        return not any(trial.all_changes() for trial in self.trials)

    @property
    def unaccounted(self) -> list[Request]:
        """The requests that may have written, of calls after which a state that may not tell all does not show it."""
        return [request for trial in self.trials for request in trial.unaccounted]

    @property
    def rewritten(self) -> list[str]:
        """Where calls wrote what was there already."""
        return list(dict.fromkeys(path for trial in self.trials for path in trial.rewritten))

    @property
    def unseen_deletions(self) -> list[Request]:
        """The requests that delete and were answered well, where a state that may not tell all shows nothing gone."""
        blind = [one for one in self.trials if not one.whole and not one.losses(count_derived=True)]
        return [request for trial in blind for request in trial.requests if request.deleted]

    @property
    def server(self) -> str:
        """The name that findings carry."""
        return self.tool.server
