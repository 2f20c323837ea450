"""BEH02."""

from collections.abc import Iterator

from aboveboard.audit.evidence import ADDS, Trial, example
from aboveboard.audit.rule import Finding, Rule

_ADD = example("add_label", "Add a label to a note.", ADDS)


class AdditiveToolThatDestroys(Rule[Trial]):
    """A tool declared not destructive replaced, cleared or removed something.

    Filling an empty place, adding to a list and growing a text lose nothing and do not violate it.
    """

    id = "BEH02"
    why = "Clients that ask only before destructive calls did not ask before this one."
    fix = "Declare `destructiveHint: true`, or keep what was there."
    bad = Trial(_ADD, before={"notes/1/labels": ["work"]}, after={"notes/1/labels": ["new"]})
    good = Trial(_ADD, before={"notes/1/labels": ["work"]}, after={"notes/1/labels": ["work", "new"]})

    def check(self, evidence: Trial) -> Iterator[Finding]:
        tool = evidence.tool
        if tool.declared("readOnlyHint") or tool.effective("destructiveHint"):
            return
        if losses := evidence.losses():
            message = f"is declared not destructive and lost something: {evidence.describe(losses)}"
            yield self.finding(tool.name, message, hint="destructiveHint")
