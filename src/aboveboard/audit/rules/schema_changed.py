"""DRF04."""

from collections.abc import Iterator
from typing import Any, cast

from aboveboard.audit.evidence import Drift, Server, Tool, example
from aboveboard.audit.rule import Finding, Rule, Severity


def _server(*required: str) -> Server:
    fields = {name: {"type": "string", "description": "A part of the key."} for name in ("book", "id")}
    return Server("notes", [example(inputSchema={"type": "object", "properties": fields, "required": list(required)})])


def _required(tool: Tool) -> set[str]:
    names = tool.input_schema.get("required")
    return {name for name in cast("list[Any]", names) if isinstance(name, str)} if isinstance(names, list) else set()


class SchemaChanged(Rule[Drift]):
    """A tool takes or answers something else than in the baseline.

    A change that breaks callers (a parameter gone, a new one required) is a warning, any other a note.
    """

    id = "DRF04"
    severity = Severity.WARNING
    why = "A new parameter can carry data out, and calls that worked may fail."
    fix = "Read the difference. If it is meant, save a new baseline with `--save`."
    bad = Drift(_server("id"), _server("id", "book"))
    good = Drift(_server("id"), _server("id"))

    def check(self, evidence: Drift) -> Iterator[Finding]:
        for then, now in evidence.pairs():
            gone = sorted(then.parameters.keys() - now.parameters.keys())
            demanded = sorted(_required(now) - _required(then))
            if gone:
                yield self.finding(now.name, f"no longer takes {', '.join(gone)}")
            if demanded:
                yield self.finding(now.name, f"now requires {', '.join(demanded)}")
            if not (gone or demanded) and then.input_schema != now.input_schema:
                yield self.finding(now.name, "has another input schema than in the baseline", severity=Severity.INFO)
            if then.output_schema != now.output_schema:
                yield self.finding(now.name, "has another output schema than in the baseline", severity=Severity.INFO)
