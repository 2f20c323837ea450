"""ANN08."""

from collections.abc import Iterator
from typing import Any, cast

from aboveboard.audit.evidence import DELETES, READS, Tool, example, words
from aboveboard.audit.rule import Finding, Rule, Severity

_SELECTORS = {"action", "operation", "op", "command", "method", "verb", "mode"}
_LOSING = {"delete", "remove", "drop", "purge", "overwrite", "destroy", "update", "replace"}
_WRITING = _LOSING | {
    *("create", "add", "insert", "write", "upsert", "send", "publish", "rename", "move", "edit", "patch", "apply"),
    *("set", "enable", "disable"),
}
_HTTP_METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


def _with(*actions: str) -> dict[str, Any]:
    return {"type": "object", "properties": {"action": {"enum": list(actions), "description": "What to do."}}}


class ManyActionsInOneTool(Rule[Tool]):
    """A tool takes an action that writes or deletes, and its hints cover only the harmless ones."""

    id = "ANN08"
    severity = Severity.WARNING
    why = "Hints belong to the tool, not to the call: a client that trusts them lets `action: delete` through unasked."
    fix = "Split the tool by effect, or declare the worst of its actions."
    bad = example("manage_note", "Get or delete a note.", READS, inputSchema=_with("get", "delete"))
    good = example("manage_note", "Get or delete a note.", DELETES, inputSchema=_with("get", "delete"))

    def check(self, evidence: Tool) -> Iterator[Finding]:
        if evidence.name_reads:  # list_audit_events(action="delete") filters by it
            return
        for parameter, schema in evidence.parameters.items():
            if parameter.lower() not in _SELECTORS:
                continue
            actions = [value for value in cast("list[Any]", schema.get("enum") or []) if isinstance(value, str)]
            if evidence.name_writes and _HTTP_METHODS.issubset(actions):
                continue  # create_request(method="DELETE") keeps it, and sends nothing
            if evidence.declared("readOnlyHint"):
                yield from self._suspected(evidence, parameter, actions, _WRITING, "readOnlyHint")
            elif evidence.declared("destructiveHint") is False:
                yield from self._suspected(evidence, parameter, actions, _LOSING, "destructiveHint")

    def _suspected(
        self, tool: Tool, parameter: str, actions: list[str], verbs: set[str], hint: str
    ) -> Iterator[Finding]:
        telling = [action for action in actions if not verbs.isdisjoint(words(action)[:1])]
        if telling:
            says = "read-only" if hint == "readOnlyHint" else "not destructive"
            yield self.finding(tool.name, f"is declared {says}, but {parameter} can be {', '.join(telling)}", hint=hint)
