"""SIZ03."""

import json
from collections.abc import Iterator
from typing import Any, cast

from aboveboard.audit.evidence import CallResult, example, words
from aboveboard.audit.rule import Finding, Rule, Severity

_MANY = 200
_LONG = 100_000
_BOUNDS = {"limit", "max", "size", "count", "page", "cursor", "offset", "first", "last", "top", "take", "n", "per"}
_TOOL = example("list_notes", "List all notes.", inputSchema={"type": "object"})


class UnboundedList(Rule[CallResult]):
    """A tool answers with everything there is, and has no parameter that bounds it."""

    id = "SIZ03"
    severity = Severity.WARNING
    why = "One call can fill the model's context, and clients cut long answers off without telling what is missing."
    fix = "Add `limit` with a default, and a page or a cursor; say in the answer how much there is."
    bad = CallResult(_TOOL, {"structuredContent": {"items": [{"id": n} for n in range(300)]}})
    good = CallResult(_TOOL, {"structuredContent": {"items": [{"id": n} for n in range(50)], "total": 300}})

    def check(self, evidence: CallResult) -> Iterator[Finding]:
        if evidence.failed or any(not _BOUNDS.isdisjoint(words(name)) for name in evidence.tool.parameters):
            return
        longest = max(_lengths(evidence.result), default=0)
        size = len(json.dumps(evidence.result, default=str))
        if longest > _MANY:
            yield self.finding(evidence.tool.name, f"answered with {longest} items, and no parameter bounds them")
        elif size > _LONG:
            yield self.finding(evidence.tool.name, f"answered with {size:,} characters, and no parameter bounds them")


def _lengths(value: Any) -> Iterator[int]:
    if isinstance(value, list):
        yield len(cast("list[Any]", value))
    inner = (
        cast("dict[str, Any]", value).values()
        if isinstance(value, dict)
        else cast("list[Any]", value)
        if isinstance(value, list)
        else ()
    )
    for one in inner:
        yield from _lengths(one)
