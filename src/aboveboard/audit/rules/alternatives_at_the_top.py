"""SCH02."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Tool, example
from aboveboard.audit.rule import Finding, Rule, Severity, weigh

_ALTERNATIVES = ("anyOf", "oneOf", "allOf")
_ONE = {"type": "object", "properties": {"id": {"type": "string", "description": "The note's id."}}}


class AlternativesAtTheTop(Rule[Tool]):
    """The input schema has anyOf, oneOf or allOf at its root.

    The specification allows it; the APIs of Anthropic, OpenAI and Gemini refuse the request.
    """

    id = "SCH02"
    severity = Severity.ERROR
    by_profile = weigh(spec=Severity.INFO, gemini=Severity.ERROR)
    why = "The provider refuses the whole request, so one such tool switches off every tool of every server."
    fix = "Describe one object, check the combinations in the tool, and say them in the description."
    bad = example(inputSchema={**_ONE, "anyOf": [{"required": ["id"]}]})
    good = example(inputSchema=_ONE)

    def check(self, evidence: Tool) -> Iterator[Finding]:
        if used := [keyword for keyword in _ALTERNATIVES if keyword in evidence.input_schema]:
            yield self.finding(evidence.name, f"has {', '.join(used)} at the root of its input schema")
