"""Hints to state instead, as a document ready to be merged into definitions, with what was seen for each.

A *correction* says of a violated hint the opposite, which warns; a *suggestion* could be milder and nobody is wronged
without it. For a tool that states no hint at all, all four are proposed: beside suggestions, a *confirmation* is a
default that was seen to be true, and a *default* one of which too little is known to say otherwise.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from aboveboard.audit.evidence import DEFAULTS
from aboveboard.audit.report import Report
from aboveboard.audit.report.matrix import IMPLIED
from aboveboard.audit.rules.hint_worse_than_the_tool import HintWorseThanTheTool
from aboveboard.audit.verdict import Ruling, Verdict
from aboveboard.audit.words import plural

CORRECTION: Final = "correction"
SUGGESTION: Final = "suggestion"
CONFIRMATION: Final = "confirmation"
DEFAULT: Final = "default"


def patch(report: Report) -> dict[str, Any]:
    """Return, for each tool with hints that were seen to be false or too grave, or with none, the hints to state."""
    suggested = {(one.server, one.tool, one.hint) for one in report.findings if one.rule == HintWorseThanTheTool.id}
    stating = {(one.server, one.tool) for one in report.verdicts if one.declared is not None}
    document: dict[str, Any] = {}
    for one in report.verdicts:
        kind = _kind(
            one,
            suggested=(one.server, one.tool, one.hint) in suggested,
            bare=(one.server, one.tool) not in stating,
        )
        if kind:
            value = DEFAULTS[one.hint] if one.declared is None else one.declared
            entry = document.setdefault(one.tool, {"annotations": {}, "kind": {}, "evidence": {}})
            entry["annotations"][one.hint] = value if kind in (CONFIRMATION, DEFAULT) else not value
            entry["kind"][one.hint] = kind
            entry["evidence"][one.hint] = one.cause
    for entry in document.values():
        _follow(entry)
    return document


def _follow(entry: dict[str, Any]) -> None:
    """Let what a read-only tool is proposed agree: it destroys nothing, and a second call changes nothing more."""
    if entry["annotations"].get("readOnlyHint") is True:
        for hint, value in IMPLIED.items():
            if entry["kind"].get(hint) == DEFAULT:
                entry["annotations"][hint], entry["kind"][hint] = value, SUGGESTION


def _kind(verdict: Verdict, *, suggested: bool, bare: bool) -> str:
    """Say why a hint is to be stated; empty where it stays as it is."""
    if verdict.verdict is Ruling.VIOLATED:
        return CORRECTION
    if suggested:
        return SUGGESTION
    if not bare:
        return ""
    return CONFIRMATION if verdict.verdict is Ruling.HOLDS else DEFAULT


def patch_text(report: Report) -> str:
    """Write the patch."""
    return json.dumps(patch(report), ensure_ascii=False, indent=2)


def patch_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """Say in a line for each hint what is proposed, and what for."""
    for tool, entry in document.items():
        for hint, value in entry["annotations"].items():
            cause = " ".join(str(entry["evidence"][hint]).split())
            yield f"{tool}: {hint} {str(value).lower()} ({entry['kind'][hint]}){f': {cause}' if cause else ''}"


def patch_summary(report: Report) -> str:
    """Say what is in it: `2 corrections, 1 suggestion`."""
    kinds = [kind for entry in patch(report).values() for kind in entry["kind"].values()]
    told = [plural(kinds.count(one), one) for one in (CORRECTION, SUGGESTION, CONFIRMATION, DEFAULT) if one in kinds]
    return ", ".join(told) or "no suggestion"
