"""SCH08."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Tool, example
from aboveboard.audit.rule import Finding, Profile, Rule, Severity, weigh


class ObjectWithoutProperties(Rule[Tool]):
    """The input schema is an object and has no `properties`, not even empty ones.

    JSON Schema allows it and the specification shows it for a tool without parameters; OpenAI's API answers "object
    schema missing properties", unless a client adds them.
    """

    id = "SCH08"
    severity = Severity.INFO
    by_profile = weigh(openai=Severity.ERROR, anthropic=None)
    why = "OpenAI refuses the whole request, so one such tool switches off every tool of every server."
    fix = 'Add `"properties": {}` to the input schema of a tool without parameters.'
    bad = example("count_notes", "Count all notes there are.", inputSchema={"type": "object"})
    good = example("count_notes", "Count all notes there are.", inputSchema={"type": "object", "properties": {}})
    shown_under = Profile.OPENAI

    def check(self, evidence: Tool) -> Iterator[Finding]:
        schema = evidence.input_schema
        if schema.get("type") == "object" and "properties" not in schema:
            yield self.finding(evidence.name, "has an input schema without `properties`")
