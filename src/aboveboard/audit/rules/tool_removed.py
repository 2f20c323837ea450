"""DRF03."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Drift, Server, example
from aboveboard.audit.rule import Finding, Rule, Severity

_GET, _LIST = example(), example("list_notes", "List the notes of one notebook, newest first.")


class ToolRemoved(Rule[Drift]):
    """A tool of the baseline is gone."""

    id = "DRF03"
    severity = Severity.WARNING
    why = "Prompts, rules and approvals that name it no longer do what they say."
    fix = "Tell your users, or keep the old name working; then save a new baseline with `--save`."
    bad = Drift(Server("notes", [_GET, _LIST]), Server("notes", [_GET]))
    good = Drift(Server("notes", [_GET, _LIST]), Server("notes", [_LIST, _GET]))

    def check(self, evidence: Drift) -> Iterator[Finding]:
        for name in evidence.before.by_name().keys() - evidence.now.by_name().keys():
            yield self.finding(name, "is in the baseline and no longer listed")
