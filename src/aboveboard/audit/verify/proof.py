"""What a run saw, put together as evidence and judged; nothing here runs anything."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import urlsplit

from aboveboard.audit.evidence import Behaviour, CallResult, Evidence, Server, Tool, Trial
from aboveboard.audit.request import routes
from aboveboard.audit.rule import Finding
from aboveboard.audit.verdict import Verdict
from aboveboard.audit.verify.branches import coverage, untried_values
from aboveboard.audit.verify.bystanders import moved_along, with_containers
from aboveboard.audit.verify.case_names import case_names
from aboveboard.audit.verify.causes import SHOWN, summarize_changes
from aboveboard.audit.verify.noise import noisy_paths
from aboveboard.audit.verify.plan import Case, Plan, Record
from aboveboard.audit.verify.routes import request
from aboveboard.audit.verify.state import DERIVED, copied_texts, is_covered, keep_paths
from aboveboard.audit.verify.verdicts import verdicts
from aboveboard.audit.verify.walk_record import WalkRecord
from aboveboard.audit.words import plural


@dataclass(frozen=True, kw_only=True)
class Proof:
    """What a run saw, and what it says of every hint."""

    servers: Sequence[Server]
    behaviours: Sequence[Behaviour]
    answers: Sequence[CallResult] = ()
    found: Sequence[Finding] = ()
    """What answers were found wrong by, where the answers themselves are not kept."""
    noise: Sequence[str] = ()
    """What moved while nothing was called, without ids."""
    seconds: float = 0.0
    walks: int = 0
    walking: float = 0.0
    """How many of the seconds the walks took; the others went into starting."""
    remarks: Sequence[str] = ()
    """What a reader should know of the run itself."""
    ended: str = ""
    """Why the run ended before its last case; empty where it did not."""

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """One for each tool and hint; bookkeeping does not count."""
        return self.judged()

    def judged(self, *, count_derived: bool = False) -> list[Verdict]:
        """Judge every hint of every tool."""
        return [one for behaviour in self.behaviours for one in verdicts(behaviour, count_derived=count_derived)]

    @property
    def tried(self) -> bool:
        """Tell whether any tool could be called at all."""
        refusals = [trial for behaviour in self.behaviours for trial in behaviour.refusals if not trial.problem]
        return bool(refusals) or any(behaviour.trials for behaviour in self.behaviours)

    @property
    def evidence(self) -> list[Evidence]:
        """All that rules can judge of what was seen."""
        sessions = [server.session for server in self.servers]
        every = ((*one.trials, *one.refusals, *one.unmade) for one in self.behaviours)
        trials = [trial for tried in every for trial in tried]
        return [*sessions, *self.answers, *trials, *self.behaviours]


# Without a text of all that it holds: Python 3.11 writes what a task ended with where it looks up signal handlers.
@dataclass(frozen=True, kw_only=True, repr=False)
class Run:
    """All that came out of running a plan."""

    plan: Plan
    server: Server
    tools: Sequence[Tool]
    """Those that were asked for."""
    walks: Sequence[WalkRecord]
    noise: Sequence[str]
    stray: Sequence[str]
    seconds: float
    walking: float
    unsettled: Mapping[int, Sequence[str]] = field(default_factory=dict[int, Sequence[str]])
    """For cases, by their identity, what moved after their calls where nobody can say whose doing it was."""
    unawaited: Mapping[int, str] = field(default_factory=dict[int, str])
    """For cases, by their identity, why it is not known what came after their answers."""
    standing: Collection[str] = ()
    """Paths that did not move by themselves, though the mask for others of their kind covers them."""
    unsealed: str = ""
    """Why a request could have gone past the recorder; empty where none could."""
    watched: Sequence[str] = ()
    """The folders of the server in which it was seen what it writes."""
    unwatched: Sequence[str] = ()
    """The folders of the server that hold too many files to be watched."""
    left_behind: Sequence[str] = ()
    """Files that the calls changed, and that nothing puts back."""
    late: float = 0.0
    """How many seconds after a call its work was looked for."""
    ended: str = ""
    unreached: Sequence[Case] = ()
    """The cases that were not walked to their end."""

    def proof(self) -> Proof:
        """Put what was seen together by tool."""
        tools = {tool.name: replace(tool, server=self.server.name) for tool in self.tools}
        by_tool = {name: [one for one in self.walks if one.case.tool == name] for name in tools}
        behaviours = [self._behaviour(tool, by_tool[name]) for name, tool in tools.items()]
        read_only = self.plan.server.read_only
        session = replace(
            self.server.session,
            stray=list(dict.fromkeys([*self.server.session.stray, *self.stray])),
            read_only_mode=read_only,
            writes=_writes(behaviours) if read_only else (),
        )
        return Proof(
            servers=[replace(self.server, session=session)],
            behaviours=behaviours,
            answers=[replace(one.answer, tool=tools[one.case.tool]) for one in self.walks if one.answer is not None],
            noise=self.noise,
            seconds=self.seconds,
            walks=len(self.walks),
            walking=self.walking,
            remarks=[*self._remarks(), *_vain(behaviours)],
            ended=self.ended,
        )

    @cached_property
    def _case_names(self) -> dict[int, str]:
        return dict(zip(map(id, self.plan.cases), case_names(self.plan.cases), strict=True))

    def _remarks(self) -> list[str]:
        told: list[str] = []
        if self.plan.backend.state is None:
            own = " and the server's own files" if self.plan.server.command else ""
            told.append(f"The plan names no state, so only the requests{own} could be watched.")
        elif self.walks and not any(one.changed for one in self.walks):
            told.append("No call changed the state, so the reset was never put to the test.")
        told.append(_lateness(self.late))
        if where := ", ".join(filter(None, self.watched)):
            told.append(
                f"Of files, those in the server's {where} were watched: what a call writes elsewhere is not seen."
            )
        told += [
            f"The server's {one} holds too many files to be watched: what a call leaves there is not seen."
            for one in self.unwatched
        ]
        if left := sorted(set(self.left_behind)):
            told.append(
                f"The run changed {', '.join(left[:SHOWN])}, and nothing puts that back: the next one begins with it."
                " Name it under `state`, which restores it, or let the server write into ${scratch}."
            )
        if self._domain() is not None:
            told.append(_closeness(self.unsealed))
        if refused := {(one.case.tool, one.case.name) for one in self.walks if one.case.refused}:
            told.append(f"{plural(len(refused), 'case')} must be refused: what came instead is a finding (BEH07).")
        return told + self._failures()

    def _failures(self) -> list[str]:
        """Name the cases that could not be tried: what the others show is all that a verdict stands on."""
        tried = [(one, _failure(one)) for one in self.walks if not one.case.refused]
        failed = {(one.case.tool, one.case.name): _named(one, why) for one, why in tried if why}
        if not failed:
            return []
        shown = "; ".join(f"{tool}, {why}" for (tool, _), why in list(failed.items())[:SHOWN])
        more = f"; and {len(failed) - SHOWN} more" if len(failed) > SHOWN else ""
        return [f"{plural(len(failed), 'case')} failed, which shows nothing of what a call does: {shown}{more}"]

    def _behaviour(self, tool: Tool, walks: Sequence[WalkRecord]) -> Behaviour:
        tried = [one for one in walks if not one.case.refused]
        trials = [self._trial(tool, one) for one in tried if one.answer is not None]
        problems = [_named(one, why) for one in tried if (why := _failure(one)) and not one.case.may_fail]
        left = [case.name or "its case" for case in self.unreached if case.tool == tool.name]
        if left and not trials:
            problems.append("the run ended before its cases were tried")
        own = {hint: why for case in self.plan.of(tool.name) for hint, why in case.unseen.items()}
        calls = [one.arguments for one in trials if one.succeeded and not one.vacuous]
        return Behaviour(
            tool,
            trials,
            refusals=[self._trial(tool, one) for one in walks if one.case.refused],
            unmade=[self._trial(tool, one) for one in tried if one.answer is None and one.case.changes is not None],
            unseen={**self.plan.unseen, **own},
            general=[hint for hint in self.plan.unseen if hint not in own],
            untried=untried_values(tool, calls) if trials else (),
            unreached=left,
            unsettled=sorted({path for one in walks for path in self._unsettled(one)}),
            unawaited=list(
                dict.fromkeys(
                    _named(one, self.unawaited[id(one.case)]) for one in walks if id(one.case) in self.unawaited
                )
            ),
            coverage=coverage(tool, calls),
            problem=problems[0] if problems else "",
        )

    def _unsettled(self, one: WalkRecord) -> list[str]:
        """Return what moved in a walk where nobody can say whose doing it was."""
        masked = [path for path in one.touched if path in self.standing and path not in one.quiet]
        return [*self.unsettled.get(id(one.case), ()), *masked]

    def _trial(self, tool: Tool, one: WalkRecord) -> Trial:
        paths = {**one.before, **one.after, **one.again}
        restless = noisy_paths(paths, self.noise, one.quiet)
        # A record that comes by itself hides itself, and not what calls do below it.
        parents = {path for path in restless if any(other.startswith(f"{path}/") for other in paths)}
        kept = paths.keys() - parents
        derived = with_containers(
            [path for path in paths if is_covered(path, [*self.plan.bookkeeping, *DERIVED])],
            (one.before, one.after, one.again),
        )
        counted = paths.keys() - {*restless, *derived}
        asked = one.case.changes if one.changes is None else one.changes
        allowed = ["**"] if asked is None else asked
        return Trial(
            tool,
            before=keep_paths(one.before, kept),
            after=keep_paths(one.after, kept),
            again=keep_paths(one.again, kept),
            noise=[path for path in restless if path not in parents],
            derived=derived,
            along=moved_along(
                [keep_paths(state, counted) for state in (one.before, one.after, one.again)], one.arguments, one.at
            ),
            rewritten=[path for path in one.rewritten if not self._expected(path)],
            copied=copied_texts(one.before, one.after, one.arguments),
            answer=one.answer,
            requests=[request(seen, self.plan.routes) for seen in one.sent if self._of_the_call(one, seen.host)],
            domain=self._domain(),
            oracle=self.plan.oracle,
            whole=self.plan.backend.whole,
            arguments=one.arguments,
            case=self._case_names.get(id(one.case), one.case.name),
            local=one.case.local,
            refused=one.refused or one.case.refused,
            may_fail=one.case.may_fail,
            unsaid=_unsaid(one),
            asked=asked,
            beyond=[path for path in one.touched if path in counted and not is_covered(path, allowed)],
            spared=[glob for glob in asked or () if not any(is_covered(path, [glob]) for path in one.touched)],
            problem=one.problem,
            seconds=one.seconds,
            settled=one.settled,
            sealed=not self.unsealed,
        )

    def _expected(self, path: str) -> bool:
        """Tell whether a path is bookkeeping, or moves by itself."""
        return is_covered(path, [*self.plan.bookkeeping, *DERIVED]) or bool(noisy_paths([path], self.noise))

    def _of_the_call(self, one: WalkRecord, host: str) -> bool:
        """Tell whether a request is the call's: hosts that the server asks by itself are not."""
        return host in (self._domain() or ()) or host not in {seen.host for seen in one.background}

    def _domain(self) -> list[str] | None:
        """Return the hosts that are the service; None where no request is recorded."""
        if self.plan.backend.recording is Record.NONE or not self.plan.server.command:
            return None
        host = urlsplit(self.plan.backend.url.replace("${port}", "1")).hostname
        return list(self.plan.domain) or ([host] if host else [])


def _lateness(seconds: float) -> str:
    if not seconds:
        return "Nothing was waited for that comes after an answer."
    return f"What came up to {seconds:g} seconds after an answer was looked for."


def _closeness(unsealed: str) -> str:
    if not unsealed:
        return "The server had a network of its own: whatever tried to leave it was seen."
    return f"A request past the recorder would not have been seen: {unsealed}."


def _failure(one: WalkRecord) -> str:
    """Say why a walk did not get through; empty where it did, or did not have to."""
    return one.problem if one.case.may_fail else one.failure


def _named(one: WalkRecord, problem: str) -> str:
    return f"case {one.case.name!r}: {problem}" if one.case.name else problem


def _unsaid(one: WalkRecord) -> list[str]:
    """Return the words that an answer owes and lacks; where a line ends does not matter."""
    said = " ".join(one.answer.text.split()) if one.answer is not None else ""
    return [words for words in one.refused if not said or " ".join(words.split()) not in said]


def _vain(behaviours: Sequence[Behaviour]) -> list[str]:
    """Name the cases that succeeded and tried nothing: a verdict stands on the others."""
    trials = [trial for behaviour in behaviours for trial in behaviour.trials if trial.succeeded and trial.vacuous]
    vain = list(dict.fromkeys(f"{one.tool.name}{f', {one.case}' if one.case else ''}: {one.vanity}" for one in trials))
    if not vain:
        return []
    more = f"; and {len(vain) - SHOWN} more" if len(vain) > SHOWN else ""
    return [f"{plural(len(vain), 'case')} came to nothing: {'; '.join(vain[:SHOWN])}{more}"]


def _writes(behaviours: Sequence[Behaviour]) -> list[str]:
    """Say what was written by a server that promised to write nothing."""
    told: list[str] = []
    for behaviour in behaviours:
        for trial in (*behaviour.trials, *behaviour.refusals):
            if changes := trial.all_changes():
                who = " and ".join(routes(trial.requests, writing=True)[:2]) or "a call"
                told.append(f"{who} by {behaviour.tool.name} {summarize_changes(changes)}")
                break
    return told
