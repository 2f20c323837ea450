"""Judges the four hints of a tool by what was seen; nothing here runs anything.

Over all cases and repeats, the worst branch decides. A call that failed, or that never reached the upstream, says
nothing for a hint; what it changed still speaks against one.
"""

import json
from collections.abc import Sequence
from typing import Final

from aboveboard.audit.evidence import HINTS, Behaviour, Change, Tool, Trial
from aboveboard.audit.request import routes
from aboveboard.audit.verdict import Ruling, Verdict
from aboveboard.audit.verify.bystanders import line_to_paste
from aboveboard.audit.verify.causes import cause, places, suspected_write, suspicion
from aboveboard.audit.verify.own_files import is_temporary
from aboveboard.audit.words import plural

CLAIMS_LITTLE: Final = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
"""The value of each hint that promises something; the other value only warns."""
IDLE: Final = (
    "no call changed anything, so nothing was put to the test; give arguments that differ from what is there"
    " (or say under `unseen` why nothing can change)"
)
OTHER_TEXT: Final = "give a text that does not contain the one that is there"
UNRECORDED: Final = "nothing recorded its requests; `record: proxy` under `backend:` does, of a server that is started"
SHOWN: Final = 4
UNHEARD: Final = "the recorder saw no request of it, and one could have gone past the recorder"
DEEDS_OF_WRITES: Final = ("destructiveHint", "idempotentHint")
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


def _verdict(behaviour: Behaviour, hint: str, *, count_derived: bool) -> Verdict:
    tool = behaviour.tool
    ruling, why = _ruling(behaviour, hint, count_derived=count_derived)
    explained = ""
    if ruling not in (Ruling.HOLDS, Ruling.VIOLATED) and _worked(behaviour):
        # Who explains that a write cannot be seen has explained what else it would have shown.
        explained = behaviour.unseen.get(hint, "") or (behaviour.unseen.get("readOnlyHint", "") if why == IDLE else "")
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
    if nothing := _no_evidence(behaviour, hint) or _unsettled(behaviour, hint):
        return Ruling.UNVERIFIABLE, nothing
    if promises and (doubt := _doubt(behaviour, hint)):
        return Ruling.UNVERIFIABLE, doubt
    if left := _left(behaviour) or (_vain(behaviour, hint) if promises else ""):
        return Ruling.UNTRIED, left
    return (Ruling.HOLDS if promises else Ruling.NOT_OBSERVED), _never(behaviour, hint)


def _worked(behaviour: Behaviour) -> bool:
    """Tell whether any call came to something: without one, no reason explains what was not seen."""
    return any(trial.succeeded and not trial.vacuous for trial in behaviour.trials)


def _doubt(behaviour: Behaviour, hint: str) -> str:
    """Say which request may have done what a promise denies, where the state does not show it."""
    reads = behaviour.tool.declared("readOnlyHint") is True
    if reads and hint != "openWorldHint" and (writes := behaviour.unaccounted):
        safe = f'`routes: {{"{routes(writes)[0]}": safe}}`'
        return (
            f"{suspected_write(writes)}, and the state may not show it; if it only reads, review it: {safe},"
            " or if the state tells all that is kept: `whole: true` under `backend:`"
        )
    if reads and hint != "openWorldHint" and (again := behaviour.rewritten):
        listed = ", ".join(json.dumps(one) for one in again[:SHOWN])
        if left := [one for one in again if is_temporary(one)]:
            return (
                f"{', '.join(left[:SHOWN])} was left among the temporary files, where nobody can say whether it is"
                f" scratch paper or kept; if it is not kept, say so: bookkeeping: [{listed}]"
            )
        return (
            f"{', '.join(again[:SHOWN])} was written with what was there already, which says nothing of what else it"
            " would have written; begin with something else there, or if that is bookkeeping here, say so:"
            f" bookkeeping: [{listed}]"
        )
    if hint == "destructiveHint" and (lost := behaviour.unseen_deletions):
        mild = f'`routes: {{"{routes(lost)[0]}": additive}}`'
        return (
            f"{routes(lost)[0]} suggests that something was deleted, and the state shows nothing that is gone; if"
            f" nothing is lost by it, say so: {mild}, or if the state tells all that is kept: `whole: true` under"
            " `backend:`"
        )
    return ""


def _left(behaviour: Behaviour) -> str:
    """Say what would have to be tried before anything can be said of all its calls; empty where nothing is left."""
    if not behaviour.untried:
        return ""
    more = f" and {len(behaviour.untried) - SHOWN} more" if len(behaviour.untried) > SHOWN else ""
    stands = "".join(f", {one}" for one in _partly(behaviour))
    cases = plural(len(_cases(_good(behaviour))), "case")
    return f"{cases}{stands}: add a case for {', '.join(behaviour.untried[:SHOWN])}{more}"


def _unsettled(behaviour: Behaviour, hint: str) -> str:
    if behaviour.unawaited:
        return (
            f"what comes after its answer could not be looked for, since a call failed then: {behaviour.unawaited[0]}"
        )
    if hint == "openWorldHint" or not behaviour.unsettled:
        return ""
    told = ", ".join(behaviour.unsettled[:SHOWN])
    return f"{told} moved, and it could not be found out whether a call was the reason"


def _vain(behaviour: Behaviour, hint: str) -> str:
    """Say why the calls of a tool that does not say it only reads did not put its promise to the test."""
    if hint not in DEEDS_OF_WRITES or behaviour.tool.declared("readOnlyHint") is True:
        return ""
    if behaviour.idle:
        return IDLE
    texts = _only_copied(behaviour) if hint == "destructiveHint" else []
    return f"{', '.join(texts[:SHOWN])} grew to what an argument says anyway; {OTHER_TEXT}" if texts else ""


def _only_copied(behaviour: Behaviour) -> list[str]:
    """Return the texts that grew, where no other trial shows that it is the tool which keeps the old ones."""
    changing = [trial for trial in behaviour.trials if trial.all_changes()]
    return [path for trial in changing for path in trial.copied] if all(one.copied for one in changing) else []


def _good(behaviour: Behaviour) -> list[Trial]:
    return [trial for trial in behaviour.trials if trial.succeeded and not trial.vacuous]


def _cases(trials: Sequence[Trial]) -> list[str]:
    return list(dict.fromkeys(trial.case or _arguments(trial) for trial in trials))


def _partly(behaviour: Behaviour) -> list[str]:
    """Return of which parameters only some values were tried."""
    names = {one.rpartition("=")[0] for one in behaviour.untried}
    return [one for one in behaviour.coverage if one.partition(" values of ")[2] in names][:SHOWN]


def _never(behaviour: Behaviour, hint: str) -> str:
    """Say how much was tried without seeing it, which is what the verdict stands on."""
    good = _good(behaviour)
    sent = ", ".join(routes([one for trial in good for one in trial.requests])[:2])
    calls = f"{plural(len(_cases(good)), 'case')}, {plural(len(good), 'trial')}{f' ({sent})' if sent else ''}"
    tried = "".join(f", {one}" for one in behaviour.coverage[:SHOWN])
    derived = [change for trial in good for change in trial.all_changes(count_derived=True)]
    kept = places(derived) if hint == "readOnlyHint" else ""
    apart = f"; bookkeeping apart: {kept}" if kept else ""
    along = list(dict.fromkeys(path for trial in good for path in trial.along)) if hint in DEEDS_OF_WRITES else []
    apart += f"; moved along with it: {', '.join(along[:SHOWN])}" if along else ""
    failed = f"; no evidence from what failed: {behaviour.problem}" if behaviour.problem else ""
    return f"{calls}{tried}, none {DEEDS[hint]}{apart}{failed}"


def _against(behaviour: Behaviour, hint: str, *, count_derived: bool) -> str:
    """Say what was seen that only the warning value of a hint allows; empty where nothing was."""
    if hint == "openWorldHint":
        return _outside([*behaviour.trials, *behaviour.refusals])
    every = [*behaviour.trials, *behaviour.refusals]
    found = [(trial, changes) for trial in every if (changes := trial.denied(hint, count_derived=count_derived))]
    if not found:
        return ""
    trial, changes = found[0]
    told = cause(trial, changes, again=hint == "idempotentHint") + _how_often(behaviour, found)
    guilty = _value(behaviour.tool, hint) is CLAIMS_LITTLE[hint] and not count_derived
    buried = any(change.buries for change in changes)
    return told + (line_to_paste([change.path for change in changes]) if guilty and not buried else "")


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
    if hint == "openWorldHint" and not any(trial.requests or trial.sealed for trial in trials):
        return UNHEARD
    if hint != "openWorldHint" and not any(trial.oracle for trial in trials):
        return "; ".join(filter(None, ("no oracle tells the state", suspicion(trials))))
    if not any(trial.succeeded for trial in trials):
        return f"every call failed{f': {behaviour.problem}' if behaviour.problem else ''}"
    if all(vain := [trial.vanity for trial in trials if trial.succeeded]):
        return vain[0]
    return (
        f"the run ended before it was done with {', '.join(map(repr, behaviour.unreached))}"
        if behaviour.unreached
        else ""
    )


def _arguments(trial: Trial) -> str:
    given = ", ".join(f"{name}: {value}" for name, value in trial.arguments.items())
    return f"{trial.case}: {given}" if trial.case and given else trial.case or given
