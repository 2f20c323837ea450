"""BEH06."""

from collections.abc import Iterator

from aboveboard.audit.evidence import DELETES, CallResult, Trial, example
from aboveboard.audit.rule import Finding, Rule, Severity

_MOVE = example("move_note", "Move a note to another notebook.", DELETES)
_FAILED = CallResult(_MOVE, {"isError": True})


class FailureThatChangesSomething(Rule[Trial]):
    """A call that failed left a change behind."""

    id = "BEH06"
    severity = Severity.WARNING
    why = "The model is told that nothing worked and tries again, on a state that is neither the old nor the new one."
    fix = "Check everything before the first write, or undo what was done."
    bad = Trial(_MOVE, before={"notes/1/book": "a"}, after={}, answer=_FAILED)
    good = Trial(_MOVE, before={"notes/1/book": "a"}, after={"notes/1/book": "a"}, answer=_FAILED)

    def check(self, evidence: Trial) -> Iterator[Finding]:
        if evidence.succeeded or evidence.refused:  # of a call that must be refused, BEH07 says more
            return
        if changes := evidence.changes():
            yield self.finding(evidence.tool.name, f"failed and left a change: {evidence.describe(changes)}")
