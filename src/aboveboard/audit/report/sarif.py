"""The report as SARIF 2.1.0, for code scanning: one result per finding, at the line of its tool where that is known."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from aboveboard import __version__
from aboveboard.audit.report import Report
from aboveboard.audit.rule import Finding, Profile, Rule, Severity
from aboveboard.audit.rules import RULES

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
TAGS: Final = {
    "ANN": "annotations",
    "AUT": "authorization",
    "BEH": "behaviour",
    "DRF": "drift",
    "DSC": "description",
    "NAM": "name",
    "PRO": "protocol",
    "SCH": "schema",
    "SIZ": "size",
    "TTL": "title",
}
SECURITY: Final = ("ANN", "AUT", "BEH", "DRF", "DSC05", "DSC06", "DSC08", "SCH07", "PRO03")
"""What bears on security: code scanning shows it under that name."""


def text(report: Report, *, verbose: bool) -> str:
    """Write the report; programs always get all of it."""
    del verbose
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report)]}, ensure_ascii=False, indent=2)


def _run(report: Report) -> dict[str, Any]:
    notes = [{"level": "error", "message": {"text": f"{one.name}: {one.problem}"}} for one in report.unread]
    results = [_result(report, same) for same in _merged(report.findings)]
    for same in _merged([one.finding for one in report.ignored]):
        reason = next(one.reason for one in report.ignored if one.finding is same[0])
        results.append({**_result(report, same), "suppressions": [_suppression(reason)]})
    return {
        "tool": {
            "driver": {
                "name": "aboveboard",
                "semanticVersion": __version__,
                "rules": [_rule(report, rule) for rule in RULES],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not report.unread, "toolExecutionNotifications": notes}],
        "properties": {"profiles": list(report.profiles)},
        "results": _told_apart(results),
    }


def _merged(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Put together what several profiles say alike; the worst comes first."""
    together: dict[tuple[str, ...], list[Finding]] = {}
    for one in findings:
        key = (one.rule, one.server, one.tool or "", one.hint or "", one.parameter or "", one.message)
        together.setdefault(key, []).append(one)
    return [sorted(same, key=lambda one: -one.severity.rank) for same in together.values()]


def _rule(report: Report, rule: type[Rule[Any]]) -> dict[str, Any]:
    family = TAGS[rule.id[:3]]
    where = {"helpUri": f"{report.rules_url.rstrip('/')}/{rule.id}.md"} if report.rules_url else {}
    return {
        "id": rule.id,
        "name": rule.__name__,
        "shortDescription": {"text": rule.title()},
        "fullDescription": {"text": rule.why},
        "help": {"text": f"{rule.why} {rule.fix}", "markdown": f"**Why.** {rule.why}\n\n**Fix.** {rule.fix}"},
        **where,
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {"tags": ["mcp", family, *(["security"] if rule.id.startswith(SECURITY) else [])]},
    }


def _result(report: Report, same: Sequence[Finding]) -> dict[str, Any]:
    finding = same[0]
    subject = finding.tool or finding.server or "all servers"
    logical = {
        "name": subject,
        "fullyQualifiedName": "/".join(filter(None, (finding.server, finding.tool))),
        "kind": "object",
    }
    place = report.places.get(finding.tool or "")
    profiles = [one for one in Profile if one in {finding.profile for finding in same}]
    return {
        "ruleId": finding.rule,
        "ruleIndex": next(index for index, rule in enumerate(RULES) if rule.id == finding.rule),
        "level": LEVELS[finding.severity],
        "message": {"text": f"{subject}: {finding.message}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": place.file if place else report.anchor},
                    "region": {"startLine": place.line if place else 1},
                },
                "logicalLocations": [logical],
            }
        ],
        "partialFingerprints": {"aboveboard/v2": _fingerprint(finding)},
        "properties": {
            "profiles": [one.value for one in profiles],
            "server": finding.server,
            "pointer": _pointer(report, finding),
        },
    }


def _fingerprint(finding: Finding) -> str:
    """Name a finding by what it is about, not by its words: these may be mended without its becoming another one."""
    parts = (finding.rule, finding.server, finding.tool, finding.hint, finding.parameter)
    return "/".join(part or "" for part in parts)


def _told_apart(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Number what one rule finds several times in one place: code scanning keeps one result for each fingerprint."""
    seen: Counter[str] = Counter()
    for result in results:
        prints = result["partialFingerprints"]
        for kind, value in prints.items():
            seen[value] += 1
            prints[kind] = value if seen[value] == 1 else f"{value}#{seen[value]}"
    return results


def _pointer(report: Report, finding: Finding) -> str:
    """Point to the tool in the server's answer to tools/list."""
    for server in report.servers:
        for index, tool in enumerate(server.tools):
            if (server.name, tool.name) == (finding.server, finding.tool):
                return f"/tools/{index}{_within(finding)}"
    return ""


def _within(finding: Finding) -> str:
    if finding.hint:
        return f"/annotations/{finding.hint}"
    return f"/inputSchema/properties/{finding.parameter}" if finding.parameter else ""


def _suppression(reason: str) -> dict[str, str]:
    return {"kind": "external", "justification": reason}
