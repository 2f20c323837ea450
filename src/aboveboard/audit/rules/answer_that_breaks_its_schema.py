"""SCH06."""

from collections.abc import Iterator

from aboveboard.audit.evidence import CallResult, example, mismatch
from aboveboard.audit.rule import Finding, Rule

_TOOL = example(outputSchema={"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]})


class AnswerThatBreaksItsSchema(Rule[CallResult]):
    """A call's structured answer does not fit the tool's output schema, or is missing."""

    id = "SCH06"
    why = "The specification says it must. Clients check it, and turn a call that worked into an error."
    fix = "Derive schema and answer from one type."
    bad = CallResult(_TOOL, {"structuredContent": {"id": "seven"}})
    good = CallResult(_TOOL, {"structuredContent": {"id": 7}})

    def applies(self, evidence: CallResult) -> bool:
        return evidence.tool.output_schema is not None and not evidence.failed

    def check(self, evidence: CallResult) -> Iterator[Finding]:
        schema = evidence.tool.output_schema or {}
        if "structuredContent" not in evidence.result:
            yield self.finding(evidence.tool.name, "has an output schema and answered without structured content")
        elif problem := mismatch(evidence.result["structuredContent"], schema):
            yield self.finding(evidence.tool.name, f"answered what its output schema does not allow: {problem}")
