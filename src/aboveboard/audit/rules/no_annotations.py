"""ANN01."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Tool, example
from aboveboard.audit.rule import Finding, Rule


class NoAnnotations(Rule[Tool]):
    """A tool has no annotations at all."""

    id = "ANN01"
    why = (
        "A client must then assume the worst (it writes, it destroys, it reaches out), so it asks before every call, "
        "even of a tool that only reads."
    )
    fix = "Publish `annotations` with all four hints, each true or false."
    bad = example(hints=None)
    good = example()

    def check(self, evidence: Tool) -> Iterator[Finding]:
        if evidence.definition.get("annotations") is None:
            yield self.finding(evidence.name, "has no annotations, so clients assume that it writes and destroys")
