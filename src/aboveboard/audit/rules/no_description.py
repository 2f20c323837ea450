"""DSC01."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Tool, example
from aboveboard.audit.rule import Finding, Rule


class NoDescription(Rule[Tool]):
    """A tool has no description."""

    id = "DSC01"
    why = "The description is all a model knows of the tool: without it, it guesses from the name."
    fix = "Say in one to three sentences what happens, what comes back, and what is lost."
    bad = example(description="")
    good = example()

    def check(self, evidence: Tool) -> Iterator[Finding]:
        if not evidence.description.strip():
            yield self.finding(evidence.name, "has no description")
