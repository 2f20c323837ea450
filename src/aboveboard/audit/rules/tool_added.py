"""DRF02."""

from collections.abc import Iterator

from aboveboard.audit.evidence import DELETES, Drift, Server, example
from aboveboard.audit.rule import Finding, Rule, Severity, weigh

_GET = example()


class ToolAdded(Rule[Drift]):
    """There is a tool that the baseline does not know."""

    id = "DRF02"
    severity = Severity.INFO
    by_profile = weigh(strict=Severity.WARNING)
    why = "Nobody has looked at it yet, and clients that approved the server may call it."
    fix = "Look at it, then save a new baseline with `--save`."
    bad = Drift(Server("notes", [_GET]), Server("notes", [_GET, example("delete_note", hints=DELETES)]))
    good = Drift(Server("notes", [_GET]), Server("notes", [_GET]))

    def check(self, evidence: Drift) -> Iterator[Finding]:
        known = evidence.before.by_name()
        for tool in evidence.now.tools:
            if tool.name not in known:
                yield self.finding(tool.name, "is not in the baseline")
