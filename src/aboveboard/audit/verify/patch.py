"""Hints that could be milder, as a document ready to be merged into definitions, with what was seen for each."""

import json
from typing import Any

from aboveboard.audit.report import Report
from aboveboard.audit.rules.hint_worse_than_the_tool import HintWorseThanTheTool


def patch(report: Report) -> dict[str, Any]:
    """Return, for each tool whose hints warn of more than was ever seen, the hints to state instead."""
    suggested = {(one.server, one.tool, one.hint) for one in report.findings if one.rule == HintWorseThanTheTool.id}
    document: dict[str, Any] = {}
    for one in report.verdicts:
        if (one.server, one.tool, one.hint) in suggested:
            entry = document.setdefault(one.tool, {"annotations": {}, "evidence": {}})
            entry["annotations"][one.hint] = not one.declared
            entry["evidence"][one.hint] = one.cause
    return document


def patch_text(report: Report) -> str:
    """Write the patch."""
    return json.dumps(patch(report), ensure_ascii=False, indent=2)
