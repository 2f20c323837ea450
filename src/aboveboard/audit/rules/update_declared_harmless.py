"""ANN12."""

from collections.abc import Iterator

from aboveboard.audit.evidence import ADDS, DELETES, Tool, example, updating_verb
from aboveboard.audit.rule import Finding, Rule, Severity


class UpdateDeclaredHarmless(Rule[Tool]):
    """A tool that updates says that it destroys nothing: a suspicion, which `verify` can settle.

    The specification calls an update destructive if it is not only additive: the value that was there is gone. A
    description that says the old one is kept, or that nothing is replaced, ends the suspicion.
    """

    id = "ANN12"
    severity = Severity.WARNING
    why = "Clients that ask only before destructive calls let it overwrite what people wrote, without a question."
    fix = "Declare `destructiveHint: true`, or say in the description that what was there is kept."
    bad = example("update_note", "Update the text of a note.", {**ADDS, "idempotentHint": True})
    good = example("update_note", "Update the text of a note.", DELETES)

    def check(self, evidence: Tool) -> Iterator[Finding]:
        if evidence.declared("readOnlyHint") or evidence.declared("destructiveHint") is not False:
            return
        verb = updating_verb(evidence.name, evidence.description)
        if verb and not evidence.intent.loses:  # what says delete is a matter of ANN06
            yield self.finding(
                evidence.name,
                f"may be destructive: its words say {verb!r}, and the old value may be gone (a suspicion)",
                hint="destructiveHint",
            )
