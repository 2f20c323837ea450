"""Judges the four hints of a tool by what was seen; nothing here runs anything.

Over all cases and repeats, the worst branch decides. A call that failed, or that never reached the upstream, says
nothing for a hint; what it changed still speaks against one.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from aboveboard.audit.evidence import HINTS, Behaviour, Change, Tool, Trial
from aboveboard.audit.request import routes
from aboveboard.audit.verdict import Ruling, Verdict
from aboveboard.audit.verify.causes import cause, places, suspicion
from aboveboard.audit.words import plural

CLAIMS_LITTLE: Final = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
"""The value of each hint that promises something; the other value only warns."""
IDLE: Final = "its write changed nothing; give arguments that differ from what is there"
UNRECORDED: Final = "nothing recorded its requests; `record: proxy` under `backend:` does, of a server that is started"
MOOT: Final = "it has no meaning on a tool that is declared read-only"
DEEDS: Final = {
    "readOnlyHint": "changed anything",
    "destructiveHint": "lost anything",
    "idempotentHint": "did more when repeated",
    "openWorldHint": "left the service",
}


def verdicts(behaviour: Behaviour, *, count_derived: bool = False) -> list[Verdict]:
    """Judge all four hints of one tool."""
    return [_verdict(behaviour, hint, count_derived=count_derived) for hint in HINTS]


def contradictions(behaviour: Behaviour) -> Iterator[str]:
    """Go through what the plan says cannot be seen of this tool, and was seen."""
    for hint in behaviour.unseen:
        if hint not in behaviour.general and _against(behaviour, hint, count_derived=False):
            yield f"The plan says why {hint} of {behaviour.tool.name} cannot be observed, and it was observed."


def _verdict(behaviour: Behaviour, hint: str, *, count_derived: bool) -> Verdict:
    tool = behaviour.tool
    ruling, why = _ruling(behaviour, hint, count_derived=count_derived)
    explained = ""
    if ruling in (Ruling.NOT_OBSERVED, Ruling.UNVERIFIABLE):
        explained = behaviour.unseen.get(hint, "")
    if ruling is Ruling.NOT_OBSERVED and _moot(tool, hint):
        explained = explained or MOOT
    oracle = "recorder" if hint == "openWorldHint" else next((one.oracle for one in behaviour.trials if one.oracle), "")
    return Verdict(
        tool=tool.name,
        hint=hint,
        declared=tool.declared(hint),
        verdict=ruling,
        oracle="" if ruling is Ruling.UNVERIFIABLE else oracle,
        cause=why,
        server=tool.server,
        explained=explained,
        arguments=list(dict.fromkeys(_arguments(one) for one in behaviour.trials)),
    )


def _value(tool: Tool, hint: str) -> bool:
    """Return the value to judge: what is stated, what read-only implies, or the default."""
    return CLAIMS_LITTLE[hint] if _implied(tool, hint) else tool.effective(hint)


def _implied(tool: Tool, hint: str) -> bool:
    return _moot(tool, hint) and tool.declared(hint) is None


def _moot(tool: Tool, hint: str) -> bool:
    return tool.declared("readOnlyHint") is True and hint in ("destructiveHint", "idempotentHint")


def _ruling(behaviour: Behaviour, hint: str, *, count_derived: bool) -> tuple[Ruling, str]:
    against = _against(behaviour, hint, count_derived=count_derived)
    promises = _value(behaviour.tool, hint) is CLAIMS_LITTLE[hint]
    if against and promises and _implied(behaviour.tool, hint):
        return Ruling.NOT_OBSERVED, "it is not stated; what is violated is readOnlyHint"
    if against:
        return (Ruling.VIOLATED if promises else Ruling.HOLDS), against
    if nothing := _no_evidence(behaviour, hint):
        return Ruling.UNVERIFIABLE, nothing
    if promises and hint in ("destructiveHint", "idempotentHint") and _idle(behaviour, hint):
        return Ruling.UNVERIFIABLE, IDLE
    return (Ruling.HOLDS if promises else Ruling.NOT_OBSERVED), _never(behaviour, hint)


def _idle(behaviour: Behaviour, hint: str) -> bool:
    """Tell whether a tool that says it writes sent a write in vain, which is no evidence that nothing gets lost.

    A plan that says why this hint, or the write itself, cannot be seen has explained it.
    """
    explained = not behaviour.unseen.keys().isdisjoint((hint, "readOnlyHint"))
    return behaviour.idle and not explained and not behaviour.tool.declared("readOnlyHint")


def _never(behaviour: Behaviour, hint: str) -> str:
    """Say how much was tried without seeing it."""
    good = [trial for trial in behaviour.trials if trial.succeeded and not trial.vacuous]
    sent = ", ".join(routes([one for trial in good for one in trial.requests])[:2])
    calls = f"{plural(len(good), 'trial')}{f' ({sent})' if sent else ''}"
    kept = places(good[0].all_changes(count_derived=True)) if hint == "readOnlyHint" else ""
    apart = f"; bookkeeping apart: {kept}" if kept else ""
    failed = f"; no evidence from what failed: {behaviour.problem}" if behaviour.problem else ""
    return f"{calls}, none {DEEDS[hint]}{apart}{failed}"


def _against(behaviour: Behaviour, hint: str, *, count_derived: bool) -> str:
    """Say what was seen that only the warning value of a hint allows; empty where nothing was."""
    if hint == "openWorldHint":
        return _outside([*behaviour.trials, *behaviour.refusals])
    seen: dict[str, Callable[[Trial], list[Change]]] = {
        "readOnlyHint": lambda trial: trial.all_changes(count_derived=count_derived),
        "destructiveHint": lambda trial: trial.losses(count_derived=count_derived),
        "idempotentHint": lambda trial: trial.changes_when_repeated(count_derived=count_derived),
    }
    every = [*behaviour.trials, *behaviour.refusals]
    found = [(trial, changes) for trial in every if (changes := seen[hint](trial))]
    if not found:
        return ""
    trial, changes = found[0]
    return cause(trial, changes, again=hint == "idempotentHint") + _how_often(behaviour, found)


def _how_often(behaviour: Behaviour, found: Sequence[tuple[Trial, list[Change]]]) -> str:
    """Say so where equal walks did not end alike."""
    case = found[0][0].case
    walks = [trial for trial in (*behaviour.trials, *behaviour.refusals) if trial.case == case]
    same = [trial for trial, _ in found if trial.case == case]
    return "" if len(same) == len(walks) else f" ({len(same)} of {len(walks)} times)"


def _outside(trials: Sequence[Trial]) -> str:
    for trial in trials:
        if outside := trial.outside():
            hosts = list(dict.fromkeys(f"{one.method} {one.host}{one.route}" for one in outside))
            which = f", in case {trial.case!r}" if trial.case else ""
            return f"it sent {', '.join(hosts[:2])}, outside the service{which}"
    return ""


def _no_evidence(behaviour: Behaviour, hint: str) -> str:
    """Say why the trials prove nothing; empty where they do."""
    trials = behaviour.trials
    if not trials:
        return behaviour.problem or ("only cases that must be refused" if behaviour.refusals else "no case in the plan")
    if hint == "openWorldHint" and not any(trial.domain is not None for trial in trials):
        return UNRECORDED
    if hint != "openWorldHint" and not any(trial.oracle for trial in trials):
        return "; ".join(filter(None, ("no oracle tells the state", suspicion(trials))))
    if not any(trial.succeeded for trial in trials):
        return f"every call failed{f': {behaviour.problem}' if behaviour.problem else ''}"
    if all(trial.vacuous for trial in trials if trial.succeeded):
        return "it succeeded and never reached the upstream, so nothing was tried"
    if behaviour.untried:
        return f"no case tries {', '.join(behaviour.untried[:4])}"
    return ""


def _arguments(trial: Trial) -> str:
    given = ", ".join(f"{name}: {value}" for name, value in trial.arguments.items())
    return f"{trial.case}: {given}" if trial.case else given
