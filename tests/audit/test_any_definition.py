"""Whatever a server says, the rules judge it and do not break."""

from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from aboveboard.audit.evidence import CallResult, Drift, Fleet, Server, ServerSession, Tool, Trial
from aboveboard.audit.judge import evidence_pieces, judge
from aboveboard.audit.report import Format, Report, render
from aboveboard.audit.rule import Profile

KEYS = (
    *("name", "title", "description", "inputSchema", "outputSchema", "annotations", "readOnlyHint", "destructiveHint"),
    *("type", "properties", "required", "enum", "default", "anyOf", "$ref", "$defs", "items", "minimum", "maximum"),
    *("action", "x-mcp-header", "additionalProperties", "pattern", "const", "structuredContent", "isError"),
)
TEXTS = ("object", "string", "delete_note", "#/$defs/x", "#", "true", "Example response: {", "\ud800", "(", "")

scalars = st.none() | st.booleans() | st.integers(-2, 2) | st.floats(allow_nan=False) | st.sampled_from(TEXTS)
anything: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=14,
)
definitions = st.dictionaries(st.sampled_from(KEYS[:8]), anything, max_size=8)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example([{"inputSchema": {"required": [[]]}}], {})
@example([{"inputSchema": {"required": ["id"], "properties": 1}}], {})
@example([{"inputSchema": {"required": [{}], "additionalProperties": False}}], {})
@given(st.lists(definitions, max_size=3), definitions)
def test_no_definition_breaks_a_rule_or_a_report(given_tools: list[dict[str, Any]], before: dict[str, Any]) -> None:
    tools = [Tool(one) for one in given_tools]
    server = Server("notes", tools, session=ServerSession("notes", listings=[tools, tools[::-1]]))
    then = Server("notes", [Tool(before)])
    answers = [CallResult(tool, result=before) for tool in tools]
    trials = [Trial(tool, before=before, after={}, answer=answer) for tool, answer in zip(tools, answers, strict=True)]
    found = judge([*evidence_pieces(Fleet([server])), Drift(then, server), *answers, *trials], list(Profile))
    report = Report(servers=[server], findings=found)
    for form in Format:
        assert render(report, form, verbose=True)
