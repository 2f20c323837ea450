"""The report as Markdown, for a pull request or a job's summary."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from aboveboard.audit.evidence import DEFAULTS, HINTS, Server, Tool
from aboveboard.audit.report import Line, Report, lines, nothing_found, summary, watch_summary
from aboveboard.audit.report.matrix import IMPLIED
from aboveboard.audit.rule import Severity
from aboveboard.audit.rules import BY_ID
from aboveboard.audit.verdict import Ruling
from aboveboard.audit.words import plural

MARKS: Final = {Severity.ERROR: "🔴 error", Severity.WARNING: "🟡 warning", Severity.INFO: "🔵 note"}


def text(report: Report, *, verbose: bool) -> str:
    """Write the report."""
    return "\n\n".join(_parts(report, verbose=verbose))


def _parts(report: Report, *, verbose: bool) -> Iterator[str]:
    yield from _watching(report)
    yield f"**{summary(report).capitalize()}** (profile {', '.join(report.profiles)})."
    yield from _unread(report)
    found = lines(report.findings)
    if shared := [line for line in found if not line.server]:
        yield "## All servers together"
        yield _table(shared, several=len(report.profiles) > 1)
    for server in report.servers:
        own = [line for line in found if line.server == server.name]
        yield f"## {_safe(server.name)}"
        yield f"{plural(len(server.tools), 'tool')}" + (f", MCP {server.protocol}." if server.protocol else ".")
        yield (
            _table(own, several=len(report.profiles) > 1)
            if own
            else f"{nothing_found(report, server.name).capitalize()}."
        )
        if verbose and own:
            yield "\n".join(f"- **{rule}**: {_why(rule)}" for rule in dict.fromkeys(line.rule for line in own))
        if told := _seen(report, server):
            yield told
        if server.tools:
            yield f"<details><summary>Hints of {plural(len(server.tools), 'tool')}</summary>"
            yield _hints(report, server)
            yield "</details>"
    if report.ignored:
        yield "## Ignored"
        told = [(one.finding.rule, one.finding.tool or one.finding.server, one.reason) for one in report.ignored]
        yield "\n".join(f"- {rule} {_safe(where)}: {_safe(why)}" for rule, where, why in dict.fromkeys(told))


def _unread(report: Report) -> Iterator[str]:
    """Say what could not be read, and what was found of it all the same."""
    for one in report.unread:
        yield f"❌ **{_safe(one.name)}** could not be read: {_safe(one.problem)}"
        if own := [line for line in lines(report.findings) if line.server == one.name]:
            yield _table(own, several=len(report.profiles) > 1)


def _watching(report: Report) -> Iterator[str]:
    """Begin with what watching said, where tools were watched."""
    if not report.verdicts:
        yield "# aboveboard audit"
        yield from map(_safe, report.remarks)
        return
    left_out = f" Left out, as it moved by itself: {_codes(report.noise)}." if report.noise else ""
    yield "# aboveboard verify"
    yield f"**{watch_summary(report)}.**{left_out}"
    yield from map(_safe, report.remarks)


def _table(found: list[Line], *, several: bool) -> str:
    head = ["", "rule", "tools", "what", *(["profile"] if several else [])]
    rows = [
        [
            MARKS[line.severity],
            line.rule,
            ", ".join(f"`{_code(tool)}`" for tool in line.tools),
            _safe(line.message),
            *([", ".join(line.profiles)] if several else []),
        ]
        for line in found
    ]
    return _rows(head, rows)


def _hints(report: Report, server: Server) -> str:
    verdicts = {(one.server, one.tool, one.hint): one.verdict.value for one in report.verdicts}
    rows = [
        [
            f"`{_code(tool.name)}`",
            *(_cell(tool, hint, verdicts.get((server.name, tool.name, hint), "")) for hint in HINTS),
        ]
        for tool in server.tools
    ]
    return _rows(["tool", *HINTS], rows)


def _seen(report: Report, server: Server) -> str:
    """Write a row for every hint that does not simply hold."""
    rows = [
        [one.verdict.value, f"`{_code(one.tool)}`", one.hint, _safe(one.cause), _safe(one.explained)]
        for one in sorted(report.verdicts, key=lambda one: one.verdict is not Ruling.VIOLATED)
        if one.server == server.name and one.verdict is not Ruling.HOLDS
    ]
    return _rows(["verdict", "tool", "hint", "what was seen", "why"], rows) if rows else ""


def _codes(values: Sequence[str]) -> str:
    return ", ".join(f"`{_code(one)}`" for one in values[:8]) + (" …" if len(values) > 8 else "")


def _cell(tool: Tool, hint: str, verdict: str) -> str:
    declared = tool.declared(hint)
    if declared is None:
        odd = "unreadable" if hint in tool.annotations else "not stated"
        reads = tool.declared("readOnlyHint") is True
        said = f"*{odd}: {str(IMPLIED.get(hint, DEFAULTS[hint]) if reads else DEFAULTS[hint]).lower()}*"
    else:
        said = str(declared).lower()
    return f"{said} ({verdict})" if verdict else said


def _rows(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def _why(rule: str) -> str:
    known = BY_ID.get(rule)
    return f"{known.why} {known.fix}" if known else ""


def _safe(value: str) -> str:
    """Write text of others so that it stays text: no markup, no cell, no line of its own."""
    flat = " ".join(value.split())
    return re.sub(r"([\\`*_\[\]#|~!])", r"\\\1", flat).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _code(value: str) -> str:
    return " ".join(value.split()).replace("`", "'").replace("|", "¦")
