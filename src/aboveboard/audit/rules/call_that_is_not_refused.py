"""BEH07."""

from collections.abc import Iterator

from aboveboard.audit.evidence import DELETES, CallResult, Trial, example
from aboveboard.audit.rule import Finding, Rule

_DELETE = example("delete_folder", "Delete a folder in which nothing is left.", DELETES)
_SAID = CallResult(_DELETE, {"isError": True, "content": [{"type": "text", "text": "The folder is not empty."}]})
_BEFORE = {"folders/a": "Home"}


class CallThatIsNotRefused(Rule[Trial]):
    """A call that must be refused was carried out, left a change, or was refused without the words it owes.

    Which calls must be refused, and in which words, is said by the plan: `refused: not empty`, or `refused: true` where
    any words will do.
    """

    id = "BEH07"
    why = "Whoever relies on the refusal, to keep what is there or to learn from its words what to do, gets neither."
    fix = "Check before the first write, and say in the error what is wrong and what to do."
    bad = Trial(_DELETE, before=_BEFORE, after={}, answer=CallResult(_DELETE), refused=["not empty"])
    good = Trial(_DELETE, before=_BEFORE, after=_BEFORE, answer=_SAID, refused=["not empty"])

    def check(self, evidence: Trial) -> Iterator[Finding]:
        if evidence.refused and (wrong := _wrong(evidence)):
            which = f" in case {evidence.case!r}" if evidence.case else ""
            yield self.finding(evidence.tool.name, f"must be refused{which}, and {wrong}", case=evidence.case)


def _wrong(trial: Trial) -> str:
    """Say what came in place of the refusal; empty where it came."""
    if trial.problem:
        return f"could not be tried: {trial.problem}"
    changes = trial.all_changes()
    if trial.succeeded:
        return f"was carried out: {trial.describe(changes)}" if changes else "was carried out"
    if changes:
        return f"left a change: {trial.describe(changes)}"
    missing = " and ".join(repr(one) if one else "anything" for one in trial.unsaid)
    return f"was refused without saying {missing}" if missing else ""
