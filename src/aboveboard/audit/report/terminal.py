"""The report for a terminal: by server, the worst first, a line for each rule; verbose lists what is behind it."""

from collections.abc import Iterator
from typing import Final

import click

from aboveboard.audit.evidence import Server
from aboveboard.audit.report import Group, Report, Unread, groups, nothing_found, summary
from aboveboard.audit.report.fitting import fit_lines
from aboveboard.audit.report.matrix import COLOURS as VERDICT_COLOURS
from aboveboard.audit.report.matrix import closing_lines, verdict_lines
from aboveboard.audit.rule import Profile, Severity
from aboveboard.audit.rules import BY_ID
from aboveboard.audit.verdict import Ruling
from aboveboard.audit.words import plural

COLOURS: Final = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}
WORDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
NAMED: Final = 2
"""How many tools a line names before it counts the others."""
MARGIN: Final = 18
"""Where the words of a finding begin."""


def text(report: Report, *, verbose: bool, width: int | None = None) -> str:
    """Write the report, in lines of at most so many columns."""
    return "\n".join(_lines(report, verbose=verbose, width=width))


def _lines(report: Report, *, verbose: bool, width: int | None) -> Iterator[str]:
    for name, header in _parts(report):
        yield header
        yield from _part(report, name, verbose=verbose, width=width)
        yield ""
    for one in report.unread:
        yield from _unread(one, width)
        yield from _found(report, one.name, verbose=verbose, width=width)
    for line in _closing(report, verbose=verbose):
        yield from fit_lines(line, width, 2)


def _part(report: Report, name: str, *, verbose: bool, width: int | None) -> Iterator[str]:
    found = list(_found(report, name, verbose=verbose, width=width))
    yield from found
    if not found:
        yield "  " + click.style(nothing_found(report, name), fg=_calm(report))
    yield from verdict_lines([one for one in report.verdicts if one.server == name], verbose=verbose, width=width)


def _found(report: Report, name: str, *, verbose: bool, width: int | None) -> Iterator[str]:
    for group in groups(report.findings):
        if group.server == name:
            yield from _shown(group, verbose=verbose, several=len(report.profiles) > 1, width=width)


def _closing(report: Report, *, verbose: bool) -> Iterator[str]:
    for ignored in report.ignored if verbose else ():
        what = f"{ignored.finding.rule} {ignored.finding.tool or ignored.finding.server}"
        yield click.style(f"ignored {what}: {ignored.reason}", dim=True)
    yield from closing_lines(report)
    if report.servers or report.findings:
        yield from _summary(report, verbose=verbose).splitlines()


def _unread(one: Unread, width: int | None) -> Iterator[str]:
    """Say why a server could not be read, with its own words below."""
    problem, *words = one.problem.splitlines()
    said = click.style(one.name, bold=True) + click.style("  could not be read: ", fg="red") + problem
    yield from fit_lines(said, width, 2)
    for word in words:
        yield from fit_lines(f"  {click.style('|', dim=True)} {word}", width, 4)


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


def _shown(group: Group, *, verbose: bool, several: bool, width: int | None) -> Iterator[str]:
    weight = click.style(WORDS[group.severity].ljust(7), fg=COLOURS[group.severity])
    whose = _whose(group.profiles) if several else ""
    yield from fit_lines(f"  {weight}  {group.rule}  {_told(group)}{whose}", width, MARGIN)
    if not verbose:
        return
    for line in group.lines if len(group.lines) > 1 else ():
        said_by = _whose(line.profiles) if several and not group.profiles else ""
        yield from fit_lines(
            f"{MARGIN * ' '}{', '.join(line.tools) or 'server'}: {line.message}{said_by}", width, MARGIN + 2
        )
    rule = BY_ID.get(group.rule)
    tools = ", ".join(group.tools) if len(group.lines) == 1 and len(group.tools) > NAMED else ""
    told = {"tools": tools, "why": rule.why if rule else "", "fix": rule.fix if rule else ""}
    for word, said in told.items():
        if said:
            yield from fit_lines(f"{11 * ' '}{click.style(word.ljust(5), dim=True)}  {said}", width, MARGIN)


def _told(group: Group) -> str:
    """Say what was found: the same of several tools once, and of different things the first and how many more."""
    first, *others = group.lines
    who = _who(first.tools)
    if not others:
        return f"{who}{first.message}"
    more = group.count - max(len(first.tools), 1)
    others = [tool for tool in group.tools if tool not in first.tools[:NAMED]]
    rest = f" and {plural(len(others) - NAMED, 'other tool')}" if len(others) > NAMED else ""
    where = f" in {', '.join(others[:NAMED])}{rest}" if others else ""
    return f"{who}{first.message}" + click.style(f" (and {more} more{where}: -v)", dim=True)


def _whose(profiles: tuple[Profile, ...]) -> str:
    return click.style(f"  [{', '.join(profiles)}]", dim=True) if profiles else ""


def _who(tools: tuple[str, ...]) -> str:
    if not tools:
        return ""
    named = ", ".join(click.style(tool, bold=True) for tool in tools[:NAMED])
    rest = f" and {len(tools) - NAMED} more" if len(tools) > NAMED else ""
    return f"{'each of ' if len(tools) > 1 else ''}{named}{rest}: "


def _summary(report: Report, *, verbose: bool) -> str:
    worst = next((one for one in Severity if report.counts.get(one)), None)
    said = click.style(summary(report), fg=COLOURS[worst] if worst else _calm(report), bold=True)
    profiles = click.style(f"  (profile {', '.join(report.profiles)})", dim=True)
    rules = [] if verbose else list(dict.fromkeys(group.rule for group in groups(report.findings)))
    each = f"aboveboard rules {rules[0]}" if len(rules) == 1 else f"aboveboard rules RULE, for {', '.join(rules)}"
    return f"{said}{profiles}" + (click.style(f"\nExplained by: {each}", dim=True) if rules else "")


def _calm(report: Report) -> str:
    """Choose the colour of no finding: it is not green where hints could not be checked."""
    blind = any(one.unproven for one in report.verdicts)
    return VERDICT_COLOURS[Ruling.UNVERIFIABLE if blind else Ruling.HOLDS]
