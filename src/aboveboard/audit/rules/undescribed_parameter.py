"""SCH04."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Schema, Tool, example, resolve_reference
from aboveboard.audit.rule import Finding, Rule, Severity

_TYPES = ("type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref")


class UndescribedParameter(Rule[Tool]):
    """A parameter has no type or no description."""

    id = "SCH04"
    severity = Severity.WARNING
    why = "A model fills in what it guesses: an id, a name or a path."
    fix = "Give every parameter a type and one sentence, with an example of a value where the form matters."
    bad = example(inputSchema={"type": "object", "properties": {"id": {"type": "string"}}})
    good = example(inputSchema={"type": "object", "properties": {"id": {"type": "string", "description": "The id."}}})

    def check(self, evidence: Tool) -> Iterator[Finding]:
        for name, schema in evidence.parameters.items():
            lacks = [
                *(["type"] if not any(key in schema for key in _TYPES) else []),
                *(["description"] if not self._described(evidence, schema) else []),
            ]
            if lacks:
                yield self.finding(evidence.name, f"{name} has no {' and no '.join(lacks)}", parameter=name)

    def _described(self, tool: Tool, schema: Schema) -> bool:
        text = schema.get("description") or resolve_reference(tool.input_schema, schema).get("description")
        return isinstance(text, str) and bool(text.strip())
