"""SCH09."""

from collections.abc import Iterator, Mapping
from typing import Any

from aboveboard.audit.evidence import Tool, example, nodes
from aboveboard.audit.rule import Finding, Profile, Rule, Severity, weigh


def _with(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"cells": {**schema, "description": "JSON: values by column."}}}


class ObjectOfAnything(Rule[Tool]):
    """An object within the input schema names no properties: any keys may be given.

    JSON Schema allows it. In Gemini's `parameters` an object without properties is refused or arrives empty, adapters
    turn it into text, and OpenAI's strict mode cannot be used for the tool.
    """

    id = "SCH09"
    severity = Severity.INFO
    by_profile = weigh(spec=None, anthropic=None, openai=Severity.WARNING, gemini=Severity.ERROR)
    why = "Gemini refuses the whole request, or the model cannot give the parameter at all."
    fix = "Name the properties, take a list of {name, value}, or take the object as JSON text and say so."
    bad = example("find_rows", "Return the rows that have these values.", inputSchema=_with({"type": "object"}))
    good = example("find_rows", "Return the rows that have these values.", inputSchema=_with({"type": "string"}))
    shown_under = Profile.GEMINI

    def check(self, evidence: Tool) -> Iterator[Finding]:
        for place, node in nodes(evidence.input_schema):
            if place and node.get("type") == "object" and not node.get("properties"):
                parameter = place.split("/")[2] if place.startswith("/properties/") else None
                yield self.finding(evidence.name, f"takes any object at {place}", parameter=parameter)
