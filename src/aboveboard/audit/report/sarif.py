"""The report as SARIF 2.1.0, for code scanning."""

import json
from typing import Any, Final

from aboveboard import __version__
from aboveboard.audit.report import Report
from aboveboard.audit.rule import Finding, Rule, Severity
from aboveboard.audit.rules import RULES

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def text(report: Report, *, verbose: bool) -> str:
    """Write the report; programs always get all of it."""
    del verbose
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report)]}, ensure_ascii=False, indent=2)


def _run(report: Report) -> dict[str, Any]:
    notes = [{"level": "error", "message": {"text": f"{one.name}: {one.problem}"}} for one in report.unread]
    return {
        "tool": {
            "driver": {"name": "aboveboard", "semanticVersion": __version__, "rules": [_rule(rule) for rule in RULES]}
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not report.unread, "toolExecutionNotifications": notes}],
        "properties": {"profiles": list(report.profiles)},
        "results": [
            *(_result(report, one) for one in report.findings),
            *({**_result(report, one.finding), "suppressions": [_suppression(one.reason)]} for one in report.ignored),
        ],
    }


def _rule(rule: type[Rule[Any]]) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": rule.__name__,
        "shortDescription": {"text": rule.title()},
        "fullDescription": {"text": rule.why},
        "help": {"text": rule.fix, "markdown": rule.fix},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
    }


def _result(report: Report, finding: Finding) -> dict[str, Any]:
    subject = finding.tool or finding.server or "all servers"
    logical = {
        "name": subject,
        "fullyQualifiedName": "/".join(filter(None, (finding.server, finding.tool))),
        "kind": "object",
    }
    return {
        "ruleId": finding.rule,
        "ruleIndex": next(index for index, rule in enumerate(RULES) if rule.id == finding.rule),
        "level": LEVELS[finding.severity],
        "message": {"text": f"{subject}: {finding.message}"},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": report.anchor}, "region": {"startLine": 1}},
                "logicalLocations": [logical],
            }
        ],
        "partialFingerprints": {
            "aboveboard/v1": "/".join((finding.rule, finding.server, finding.tool or "", finding.hint or ""))
        },
        "properties": {
            "profile": finding.profile.value,
            "server": finding.server,
            "pointer": _pointer(report, finding),
        },
    }


def _pointer(report: Report, finding: Finding) -> str:
    """Point to the tool in the server's answer to tools/list."""
    for server in report.servers:
        for index, tool in enumerate(server.tools):
            if (server.name, tool.name) == (finding.server, finding.tool):
                return f"/tools/{index}" + (f"/annotations/{finding.hint}" if finding.hint else "")
    return ""


def _suppression(reason: str) -> dict[str, str]:
    return {"kind": "external", "justification": reason}
