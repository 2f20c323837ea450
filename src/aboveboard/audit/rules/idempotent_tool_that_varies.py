"""BEH03."""

from collections.abc import Iterator

from aboveboard.audit.evidence import DELETES, Trial, example
from aboveboard.audit.rule import Finding, Rule

_SET = example("set_stars", "Set the stars of a note.", DELETES)


class IdempotentToolThatVaries(Rule[Trial]):
    """A tool declared idempotent changed the service again when it was called again.

    Judged on the state, never on the answer: a second delete may well answer "already gone".
    """

    id = "BEH03"
    why = "Clients repeat an idempotent call after a lost answer, and the second one does more."
    fix = "Declare `idempotentHint: false`, or make the second call find its work done."
    bad = Trial(_SET, before={"notes/1/stars": 0}, after={"notes/1/stars": 1}, again={"notes/1/stars": 2})
    good = Trial(_SET, before={"notes/1/stars": 0}, after={"notes/1/stars": 1}, again={"notes/1/stars": 1})

    def check(self, evidence: Trial) -> Iterator[Finding]:
        tool = evidence.tool
        if not tool.declared("idempotentHint") or tool.declared("readOnlyHint"):
            return
        if changes := evidence.changes_when_repeated():
            message = f"is declared idempotent and did more when called again: {evidence.describe(changes)}"
            yield self.finding(tool.name, message, hint="idempotentHint")
