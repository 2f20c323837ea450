"""ANN06."""

from collections.abc import Iterator

from aboveboard.audit.evidence import DELETES, READS, Tool, example
from aboveboard.audit.rule import Finding, Rule, Severity


class NameThatContradictsTheHint(Rule[Tool]):
    """A tool's name says one thing and its hints another: a suspicion, which `verify` can settle.

    Words that can honestly mean something else (`create_embedding`, `remove_background`, `reset_view`,
    `preview_delete`, `list_deleted`) raise no suspicion, and a description that denies it ends it.
    """

    id = "ANN06"
    severity = Severity.WARNING
    why = "Copied annotations are the commonest lie: a `delete_` tool published with the hints of its neighbour."
    fix = "Check what the tool does, then correct the hint or the name. `aboveboard verify` tells which."
    bad = example("delete_note", "Delete a note for good.", READS)
    good = example("delete_note", "Delete a note for good.", DELETES)

    def check(self, evidence: Tool) -> Iterator[Finding]:
        says, name = evidence.intent, evidence.name
        if evidence.declared("readOnlyHint"):
            if says.writes:
                yield self.finding(
                    name, f"may not be read-only: its words say {says.writes!r} (a suspicion)", hint="readOnlyHint"
                )
            return
        if says.loses and evidence.declared("destructiveHint") is False:
            yield self.finding(
                name, f"may be destructive: its words say {says.loses!r} (a suspicion)", hint="destructiveHint"
            )
        if says.reads and evidence.declared("readOnlyHint") is False and evidence.declared("destructiveHint"):
            yield self.finding(
                name, f"may be read-only: its words say {says.reads!r} (a suspicion)", hint="readOnlyHint"
            )
