"""NAM03."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Tool, example
from aboveboard.audit.rule import Finding, Rule, Severity, weigh


class NameThatStartsWithNoLetter(Rule[Tool]):
    """A name starts with a digit, a dash or a dot."""

    id = "NAM03"
    severity = Severity.WARNING
    by_profile = weigh(gemini=Severity.ERROR)
    why = "Gemini takes only names that start with a letter or an underscore, and refuses the request otherwise."
    fix = "Start the name with a letter."
    bad = example("2fa_status")
    good = example("status_2fa")

    def check(self, evidence: Tool) -> Iterator[Finding]:
        name = evidence.name
        if name and name[0].isascii() and (name[0].isdigit() or name[0] in "-."):
            yield self.finding(name, f"starts with {name[0]!r}, which Gemini refuses")
