"""The report for a terminal: by server, the worst first, a line each."""

from collections.abc import Iterator
from typing import Final

import click

from aboveboard.audit.evidence import Server
from aboveboard.audit.report import Line, Report, lines, nothing_found, summary
from aboveboard.audit.report.matrix import COLOURS as VERDICT_COLOURS
from aboveboard.audit.report.matrix import closing_lines, verdict_lines
from aboveboard.audit.rule import Severity
from aboveboard.audit.rules import BY_ID
from aboveboard.audit.verdict import Ruling
from aboveboard.audit.words import plural

COLOURS: Final = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}
WORDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
NAMED: Final = 2
"""How many tools a line names before it counts the others."""


def text(report: Report, *, verbose: bool) -> str:
    """Write the report."""
    return "\n".join(_lines(report, verbose=verbose))


def _lines(report: Report, *, verbose: bool) -> Iterator[str]:
    found = lines(report.findings)
    several = len(report.profiles) > 1
    for name, header in _parts(report):
        yield header
        own = [line for line in found if line.server == name]
        for line in own:
            yield from _shown(line, verbose=verbose, several=several)
        if not own:
            yield "  " + click.style(nothing_found(report, name), fg=_calm(report))
        yield from verdict_lines([one for one in report.verdicts if one.server == name], verbose=verbose)
        yield ""
    for one in report.unread:
        yield click.style(one.name, bold=True) + click.style("  could not be read: ", fg="red") + one.problem
    if verbose:
        for ignored in report.ignored:
            what = f"{ignored.finding.rule} {ignored.finding.tool or ignored.finding.server}"
            yield click.style(f"ignored {what}: {ignored.reason}", dim=True)
    yield from closing_lines(report)
    if report.servers:
        yield _summary(report)


def _parts(report: Report) -> Iterator[tuple[str, str]]:
    if any(not finding.server for finding in report.findings):
        yield "", click.style("all servers together", bold=True)
    for server in report.servers:
        yield server.name, _header(server)


def _header(server: Server) -> str:
    tokens = sum(tool.tokens for tool in server.tools)
    facts = [plural(len(server.tools), "tool"), f"about {tokens:,} tokens"]
    if server.protocol:
        facts.append(f"MCP {server.protocol}")
    return click.style(server.name, bold=True) + click.style("  " + ", ".join(facts), dim=True)


def _shown(line: Line, *, verbose: bool, several: bool) -> Iterator[str]:
    weight = click.style(WORDS[line.severity].ljust(7), fg=COLOURS[line.severity])
    who = _who(line.tools)
    whose = click.style(f"  [{', '.join(line.profiles)}]", dim=True) if several else ""
    yield f"  {weight}  {line.rule}  {who}{line.message}{whose}"
    if not verbose:
        return
    if len(line.tools) > NAMED:
        yield f"           {click.style('tools', dim=True)}  {', '.join(line.tools)}"
    rule = BY_ID.get(line.rule)
    if rule is not None:
        yield f"           {click.style('why', dim=True)}    {rule.why}"
        yield f"           {click.style('fix', dim=True)}    {rule.fix}"


def _who(tools: tuple[str, ...]) -> str:
    if not tools:
        return ""
    named = ", ".join(click.style(tool, bold=True) for tool in tools[:NAMED])
    rest = f" and {len(tools) - NAMED} more" if len(tools) > NAMED else ""
    return f"{'each of ' if len(tools) > 1 else ''}{named}{rest}: "


def _summary(report: Report) -> str:
    worst = next((one for one in Severity if report.counts.get(one)), None)
    said = click.style(summary(report), fg=COLOURS[worst] if worst else _calm(report), bold=True)
    profiles = click.style(f"  (profile {', '.join(report.profiles)})", dim=True)
    rules = list(dict.fromkeys(line.rule for line in lines(report.findings)))
    each = f"aboveboard rules {rules[0]}" if len(rules) == 1 else f"aboveboard rules RULE, for {', '.join(rules)}"
    return f"{said}{profiles}" + (click.style(f"\nExplained by: {each}", dim=True) if rules else "")


def _calm(report: Report) -> str:
    """Choose the colour of no finding: it is not green where hints could not be checked."""
    blind = any(one.verdict is Ruling.UNVERIFIABLE for one in report.verdicts)
    return VERDICT_COLOURS[Ruling.UNVERIFIABLE if blind else Ruling.HOLDS]
