"""BEH08."""

from collections.abc import Iterator

from aboveboard.audit.evidence import DELETES, Behaviour, Trial, example
from aboveboard.audit.rule import Finding, Rule

_DELETE = example("delete_note", "Delete a note for good.", DELETES)
_GONE = [Trial(_DELETE, before={"notes/1": "Milk"}, after={}, again={})]


class UnseenThatWasSeen(Rule[Behaviour]):
    """The plan says why something cannot be observed, and it was observed.

    It is the plan that is wrong, or that has grown old; the verdict stands on what was seen.
    """

    id = "BEH08"
    why = "The next reader believes the reason, and would not miss the proof if it were gone one day."
    fix = "Take the hint out of `unseen`, or correct the case that shows it."
    bad = Behaviour(_DELETE, _GONE, unseen={"destructiveHint": "There is nothing to lose."})
    good = Behaviour(_DELETE, _GONE, unseen={"openWorldHint": "Nothing is recorded."})

    def applies(self, evidence: Behaviour) -> bool:
        return bool(evidence.unseen)

    def check(self, evidence: Behaviour) -> Iterator[Finding]:
        for hint, why in evidence.unseen.items():
            if hint not in evidence.general and (seen := _seen(evidence, hint)):
                message = f"shows what the plan says cannot be observed of {hint} ({why!r}): {seen}"
                yield self.finding(evidence.tool.name, message, hint=hint)


def _seen(behaviour: Behaviour, hint: str) -> str:
    """Say what was seen that the other value of a hint denies; empty where nothing was."""
    for trial in (*behaviour.trials, *behaviour.refusals):
        if changes := trial.denied(hint):
            return trial.describe(changes)
        if hint == "openWorldHint" and (outside := trial.outside()):
            return f"it sent {outside[0]}"
    return ""
