"""ANN04."""

from collections.abc import Iterator

from aboveboard.audit.evidence import READS, Tool, example
from aboveboard.audit.rule import Finding, Rule, Severity, weigh


class ReadOnlyAndDestructive(Rule[Tool]):
    """A tool is declared read-only and destructive at once."""

    id = "ANN04"
    severity = Severity.WARNING
    by_profile = weigh(strict=Severity.ERROR)
    why = "One of the two is false. Some clients then skip the question, others always ask."
    fix = "Decide: a tool that only reads is not destructive, a tool that destroys is not read-only."
    bad = example(hints={**READS, "destructiveHint": True})
    good = example()

    def check(self, evidence: Tool) -> Iterator[Finding]:
        if evidence.declared("readOnlyHint") and evidence.declared("destructiveHint"):
            yield self.finding(evidence.name, "is declared read-only and destructive", hint="destructiveHint")
