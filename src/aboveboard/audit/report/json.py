"""The report for programs."""

import json
from typing import Any

from aboveboard import __version__
from aboveboard.audit.report import Report
from aboveboard.audit.rule import Finding, Severity


def text(report: Report, *, verbose: bool) -> str:
    """Write the report; programs always get all of it."""
    del verbose
    return json.dumps(document(report), ensure_ascii=False, indent=2)


def document(report: Report) -> dict[str, Any]:
    """Return the report as plain data."""
    return {
        "aboveboard": __version__,
        "profiles": list(report.profiles),
        "servers": [
            {
                "name": server.name,
                "origin": server.origin,
                "protocol": server.protocol,
                "tools": len(server.tools),
                "tokens": sum(tool.tokens for tool in server.tools),
            }
            for server in report.servers
        ],
        "summary": {weight.value: report.counts.get(weight, 0) for weight in Severity},
        "findings": [_finding(one) for one in report.findings],
        "verdicts": [
            {
                "tool": one.tool,
                "hint": one.hint,
                "declared": one.declared,
                "verdict": one.verdict.value,
                "oracle": one.oracle,
                "cause": one.cause,
                "server": one.server,
                "explained": one.explained,
                "arguments": list(one.arguments),
            }
            for one in report.verdicts
        ],
        "noise": list(report.noise),
        "remarks": list(report.remarks),
        "ignored": [{**_finding(one.finding), "reason": one.reason} for one in report.ignored],
        "unread": [{"server": one.name, "problem": one.problem} for one in report.unread],
    }


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "severity": one.severity.value,
        "tool": one.tool,
        "message": one.message,
        "profile": one.profile.value,
        "server": one.server,
        "hint": one.hint,
        "parameter": one.parameter,
    }
