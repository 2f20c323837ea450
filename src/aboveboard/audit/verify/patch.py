"""Hints to state instead, as a document ready to be merged into definitions, with what was seen for each.

A *correction* says of a violated hint the opposite, which warns; a *suggestion* could be milder and nobody is wronged
without it.
"""

import json
from typing import Any, Final

from aboveboard.audit.report import Report
from aboveboard.audit.rules.hint_worse_than_the_tool import HintWorseThanTheTool
from aboveboard.audit.verdict import Ruling
from aboveboard.audit.words import plural

CORRECTION: Final = "correction"
SUGGESTION: Final = "suggestion"


def patch(report: Report) -> dict[str, Any]:
    """Return, for each tool with hints that were seen to be false or too grave, the hints to state instead."""
    suggested = {(one.server, one.tool, one.hint) for one in report.findings if one.rule == HintWorseThanTheTool.id}
    document: dict[str, Any] = {}
    for one in report.verdicts:
        violated = one.verdict is Ruling.VIOLATED
        if violated or (one.server, one.tool, one.hint) in suggested:
            entry = document.setdefault(one.tool, {"annotations": {}, "kind": {}, "evidence": {}})
            entry["annotations"][one.hint] = not one.declared
            entry["kind"][one.hint] = CORRECTION if violated else SUGGESTION
            entry["evidence"][one.hint] = one.cause
    return document


def patch_text(report: Report) -> str:
    """Write the patch."""
    return json.dumps(patch(report), ensure_ascii=False, indent=2)


def patch_summary(report: Report) -> str:
    """Say what is in it: `2 corrections, 1 suggestion`."""
    kinds = [kind for entry in patch(report).values() for kind in entry["kind"].values()]
    told = [plural(kinds.count(one), one) for one in (CORRECTION, SUGGESTION) if one in kinds]
    return ", ".join(told) or "no suggestion"
