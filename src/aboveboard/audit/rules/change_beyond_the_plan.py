"""BEH09."""

from collections.abc import Iterator
from typing import Final

from aboveboard.audit.evidence import DELETES, Trial, example
from aboveboard.audit.rule import Finding, Rule

SHOWN: Final = 20
"""How many facts are told: whoever completes a plan needs them all."""

_RENAME = example("rename_note", "Give a note another title.", DELETES)
_BEFORE = {"notes/1/title": "Milk", "notes/1/color": "red"}
_RENAMED = {"notes/1/title": "Bread", "notes/1/color": "red"}


class ChangeBeyondThePlan(Rule[Trial]):
    """A call changed something besides what its case names, left as it was what the case names, or could not be made.

    The plan says what a call changes: `changes: ["notes/${note}/title"]`, or `changes: []` where that is nothing.
    """

    id = "BEH09"
    why = "What nobody asked for is gone in silence, such as a field that the server does not know and sent back empty."
    fix = "Begin an update with the whole object as it came; where the change is right, name it in the plan."
    bad = Trial(
        _RENAME,
        before=_BEFORE,
        after={"notes/1/title": "Bread"},
        asked=["notes/1/title"],
        beyond=["notes/1/color"],
    )
    good = Trial(_RENAME, before=_BEFORE, after=_RENAMED, asked=["notes/1/title"])

    def applies(self, evidence: Trial) -> bool:
        return evidence.asked is not None and not evidence.may_fail

    def check(self, evidence: Trial) -> Iterator[Finding]:
        which = f" in case {evidence.case!r}" if evidence.case else ""
        failed = evidence.problem or (evidence.answer.complaint if evidence.answer and evidence.answer.failed else "")
        if failed:
            message = f"could not be tried{which}, so what it changes is not known: {failed}"
            yield self.finding(evidence.tool.name, message, case=evidence.case)
            return
        beyond = [one for one in evidence.all_changes() if one.path in evidence.beyond]
        told = [f"changes{which} what the plan does not name: {evidence.describe(beyond, SHOWN)}"] if beyond else []
        if evidence.spared:
            told.append(f"does not change{which} what the plan names: {', '.join(evidence.spared)}")
        if told:
            yield self.finding(evidence.tool.name, "; it ".join(told), case=evidence.case)
