"""SCH03."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Tool, example, nodes
from aboveboard.audit.rule import Finding, Rule, Severity, weigh

_REFUSED = (
    *("$ref", "$dynamicRef", "patternProperties", "if", "not", "dependentSchemas", "dependentRequired"),
    *("unevaluatedProperties", "prefixItems", "propertyNames", "contains"),
)
_SHARED = {"Id": {"type": "string", "description": "The id."}}


class SchemaSomeClientsRefuse(Rule[Tool]):
    """The input schema uses keywords that some providers refuse or drop.

    A reference to another document is a warning everywhere: a client must not fetch it.
    """

    id = "SCH03"
    severity = Severity.INFO
    by_profile = weigh(gemini=Severity.ERROR, strict=Severity.WARNING)
    why = "Gemini refuses `$ref`, and adapters drop what they do not know: the parameter arrives without its shape."
    fix = "Write shared parts out where they are used, and keep to type, properties, items, enum and limits."
    bad = example(inputSchema={"type": "object", "properties": {"id": {"$ref": "#/$defs/Id"}}, "$defs": _SHARED})
    good = example(inputSchema={"type": "object", "properties": {"id": {"type": "string", "description": "The id."}}})

    def check(self, evidence: Tool) -> Iterator[Finding]:
        used: dict[str, None] = {}
        for place, node in nodes(evidence.input_schema):
            used |= dict.fromkeys(keyword for keyword in _REFUSED if keyword in node)
            pointer = node.get("$ref")
            if isinstance(pointer, str) and not pointer.startswith("#"):
                yield self.finding(
                    evidence.name, f"refers to another document at {place or '/'}", severity=Severity.WARNING
                )
        if used:
            yield self.finding(evidence.name, f"uses {', '.join(used)} in its input schema")
