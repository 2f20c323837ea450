"""SCH05."""

import json
from collections.abc import Iterator
from typing import Any, cast

from aboveboard.audit.evidence import Schema, Tool, example, mismatch, nodes, schema_problem
from aboveboard.audit.rule import Finding, Rule, Severity

_BOUNDS = (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"))
NULL_DEFAULT = "gives optional parameters the default null, which their type does not allow"


def _taking(parameter: Schema) -> Schema:
    return {"type": "object", "properties": {"limit": {"description": "How many at most.", **parameter}}}


class IncoherentParameter(Rule[Tool]):
    """A schema contradicts itself: a default that is not allowed, limits that cross, an unknown name required.

    A default of null on an optional parameter is how some frameworks say that it may be left out: a note.
    """

    id = "SCH05"
    severity = Severity.WARNING
    why = "Whatever the model sends is wrong, or the value it leaves out is."
    fix = "Make the default one of the allowed values, and list only names that exist as required."
    bad = example(inputSchema=_taking({"type": "integer", "maximum": 50, "default": 100}))
    good = example(inputSchema=_taking({"type": "integer", "maximum": 50, "default": 10}))

    def check(self, evidence: Tool) -> Iterator[Finding]:
        schema = evidence.input_schema
        if not schema or schema_problem(schema):
            return
        nulls: list[str] = []
        for place, node in nodes(schema):
            name = place.rpartition("/")[2]
            if node.get("default", "") is None and _misfit(None, node, schema):
                nulls.append(name)
                continue
            for problem in _contradictions(node, schema):
                yield self.finding(evidence.name, f"{name or 'the schema'}: {problem}", parameter=name or None)
        if nulls:
            yield self.finding(evidence.name, NULL_DEFAULT, severity=Severity.INFO)


def _contradictions(node: Schema, root: Schema) -> Iterator[str]:
    properties, required = node.get("properties"), node.get("required")
    if isinstance(required, list) and node.get("additionalProperties") is False:
        known = (
            list(cast("Schema", properties)) if isinstance(properties, dict) else []
        )  # what is no text can be no key
        yield from (
            f"requires {name!r}, which it does not allow" for name in cast("list[Any]", required) if name not in known
        )
    if "default" in node and (problem := _misfit(node["default"], node, root)):
        yield f"the default is not allowed: {problem}"
    enum = node.get("enum")
    if isinstance(enum, list):
        yield from _enum_problems(cast("list[Any]", enum), node, root)
    for low, high in _BOUNDS:
        if (
            isinstance(node.get(low), int | float)
            and isinstance(node.get(high), int | float)
            and node[low] > node[high]
        ):
            yield f"{low} is over {high}"


def _enum_problems(enum: list[Any], node: Schema, root: Schema) -> Iterator[str]:
    if not enum:
        yield "has no allowed value"
    if len({json.dumps(value, sort_keys=True) for value in enum}) < len(enum):
        yield "lists an allowed value twice"
    for value in enum:
        if _misfit(value, node, root):
            yield f"allows {json.dumps(value)}, which is not of its type"


def _misfit(value: Any, node: Schema, root: Schema) -> str | None:
    """Check a value against a part of a schema, whose references point to the whole."""
    shared = {key: root[key] for key in ("$defs", "definitions") if key in root}
    return mismatch(value, {**shared, **node})
