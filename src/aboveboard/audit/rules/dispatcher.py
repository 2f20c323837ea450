"""ANN13."""

from collections.abc import Iterator, Mapping
from typing import Any

from aboveboard.audit.evidence import READS, Schema, Tool, example
from aboveboard.audit.rule import Finding, Rule, Severity

_SELECTORS = {
    *("action", "operation", "op", "command", "method", "verb", "function", "endpoint", "api"),
    *("tool", "tool_name", "toolname"),
}
_FREE = {
    *("params", "parameters", "args", "arguments", "kwargs", "payload", "body", "input", "inputs", "data", "options"),
    *("tool_args", "toolargs"),
}
_TEXT: dict[str, Any] = {"type": "string", "description": "What to do."}
_ANYTHING: dict[str, Any] = {"type": "object", "description": "What it takes."}
_NAMED: dict[str, Any] = {**_ANYTHING, "properties": {"id": {"type": "string"}}}


def _with(selector: Mapping[str, Any], taken: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"action": dict(selector), "params": dict(taken)}}


class Dispatcher(Rule[Tool]):
    """A tool takes the name of any action with free parameters, and its hints promise that all of them are harmless.

    A selector with its values listed is judged by them (ANN08); hints that declare the worst case are true of anything.
    """

    id = "ANN13"
    severity = Severity.WARNING
    why = "One such tool is all tools of its service: what the hints promise, nobody can know before the call."
    fix = "Publish a tool for each action, or declare the worst: not read-only, destructive."
    bad = example("notes_api", "Call an action of the notes service.", READS, inputSchema=_with(_TEXT, _ANYTHING))
    good = example(
        "notes_api", "Count or list.", READS, inputSchema=_with({**_TEXT, "enum": ["count", "list"]}, _NAMED)
    )

    def check(self, evidence: Tool) -> Iterator[Finding]:
        hint = _promise(evidence)
        if hint is None:
            return
        selector = next((name for name, one in evidence.parameters.items() if _selects(name, one)), None)
        free = next((name for name, one in evidence.parameters.items() if _is_free(name, one)), None)
        if selector and free:
            says = "read-only" if hint == "readOnlyHint" else "not destructive"
            yield self.finding(
                evidence.name, f"is declared {says}, but {selector} can be anything, with any {free}", hint=hint
            )


def _promise(tool: Tool) -> str | None:
    if tool.declared("readOnlyHint"):
        return "readOnlyHint"
    return "destructiveHint" if tool.declared("destructiveHint") is False else None


def _selects(name: str, schema: Schema) -> bool:
    return name.lower() in _SELECTORS and not any(key in schema for key in ("enum", "const", "anyOf", "oneOf", "$ref"))


def _is_free(name: str, schema: Schema) -> bool:
    return name.lower() in _FREE and schema.get("type", "object") == "object" and not schema.get("properties")
