"""SCH01."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from aboveboard.audit.evidence import Tool, example, schema_problem
from aboveboard.audit.rule import Finding, Rule


class InvalidSchema(Rule[Tool]):
    """A schema is missing, is not a JSON Schema, or does not describe an object."""

    id = "SCH01"
    why = "A client cannot build or check the arguments, and providers refuse the request with all other tools in it."
    fix = 'Publish a JSON Schema with `"type": "object"` at its root, also for a tool without parameters.'
    bad = example(inputSchema={"type": "array"})
    good = example(inputSchema={"type": "object", "properties": {}, "additionalProperties": False})

    def check(self, evidence: Tool) -> Iterator[Finding]:
        given = evidence.definition.get("inputSchema")
        if not isinstance(given, Mapping):
            yield self.finding(
                evidence.name, "has no input schema" if given is None else "has an input schema that is not an object"
            )
        elif (kind := cast("Mapping[str, Any]", given).get("type")) != "object":
            said = f"is of type {kind!r}" if kind is not None else "states no type"
            yield self.finding(evidence.name, f'has an input schema that {said}, not "object"')
        elif problem := schema_problem(evidence.input_schema):
            yield self.finding(evidence.name, f"has an input schema that is not valid: {problem}")
        output = evidence.definition.get("outputSchema")
        if output is not None and not isinstance(output, Mapping | bool):
            yield self.finding(evidence.name, "has an output schema that is not an object")
        elif evidence.output_schema is not None and (problem := schema_problem(evidence.output_schema)):
            yield self.finding(evidence.name, f"has an output schema that is not valid: {problem}")
