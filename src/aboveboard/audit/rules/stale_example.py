"""DSC07."""

import json
import re
from collections.abc import Iterator
from typing import Any

from aboveboard.audit.evidence import Tool, example, mismatch
from aboveboard.audit.rule import Finding, Rule, Severity

_MARKER = re.compile(
    r"\b(?:example|sample) ((?:response|output|result|answer)s?)\b[^{\[\n]{0,40}[\n`json]*(?=[{\[])", re.IGNORECASE
)
# "Example response for the input {...}": what follows is what was asked, not what was answered.
_OF_INPUT = re.compile(
    r"\b(inputs?|requests?|arguments?|params?|parameters|calls?|given|for|to|filter)\b", re.IGNORECASE
)
_SCHEMA = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}


def _examples(tool: Tool) -> Iterator[Any]:
    for marker in _MARKER.finditer(tool.description):
        if _OF_INPUT.search(marker[0]) or marker[1].lower() in tool.parameters:
            continue  # where `answers` is a parameter, "Example answers" are what it takes
        try:
            yield json.JSONDecoder().raw_decode(tool.description, marker.end())[0]
        except ValueError:
            continue  # an abridged example, such as {"id": 1, ...}, cannot be checked


class StaleExample(Rule[Tool]):
    """The example answer in the description does not fit the tool's output schema."""

    id = "DSC07"
    severity = Severity.WARNING
    why = "A model copies examples: it will look for fields that never come."
    fix = "Generate the example from the same type as the output schema."
    bad = example(description='Return one note by its id. Example response: {"uid": "7"}', outputSchema=_SCHEMA)
    good = example(description='Return one note by its id. Example response: {"id": 7}', outputSchema=_SCHEMA)

    def applies(self, evidence: Tool) -> bool:
        return evidence.output_schema is not None

    def check(self, evidence: Tool) -> Iterator[Finding]:
        for shown in _examples(evidence):
            if problem := mismatch(shown, evidence.output_schema or {}):
                yield self.finding(evidence.name, f"has an example that does not fit its output schema: {problem}")
