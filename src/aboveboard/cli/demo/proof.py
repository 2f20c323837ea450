"""The end of the demo: every tool is called against its sandbox, and what became of its hints is one table."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

import click

from aboveboard.audit.verdict import Ruling, Verdict
from aboveboard.audit.verify import load_plan, verify
from aboveboard.audit.words import plural
from aboveboard.cli.progress import Meter
from aboveboard.cli.services import plan_folder, server_module
from aboveboard.cli.terminal import HINTS, table
from aboveboard.errors import Failure
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue

WIRE: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
MARKS: Final = {
    Ruling.HOLDS: ("✓", "green"),
    Ruling.NOT_OBSERVED: ("·", "blue"),
    Ruling.UNVERIFIABLE: ("?", "yellow"),
    Ruling.VIOLATED: ("✗", "red"),
}


def prove(services: Sequence[str], only: Sequence[str] = ()) -> None:
    """Run each service's plan, and show what became of every hint; one that is violated ends it with a failure."""
    rows: list[list[str]] = []
    found: list[Verdict] = []
    for service in services:
        with Meter() as meter:
            proof = verify(load_plan(plan_folder(service)), jobs=2, only=only, progress=meter.show)
        rows += _rows(service, proof.verdicts)
        found += proof.verdicts
    click.echo("  ".join(f"{click.style(mark, fg=colour)} {ruling}" for ruling, (mark, colour) in MARKS.items()))
    click.echo(table(("service", "area", "tools", *HINTS), rows))
    _explain(found)
    if wrong := [one for one in found if one.verdict in (Ruling.VIOLATED, Ruling.UNVERIFIABLE)]:
        raise Failure(f"{plural(len(wrong), 'hint')} did not stand: {wrong[0].tool} {wrong[0].hint}, {wrong[0].cause}")
    click.echo(f"{len(found)} hints of {len(found) // len(WIRE)} tools, none violated.")


def _explain(verdicts: Sequence[Verdict]) -> None:
    """Say why some hints could not be observed, each reason once."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for one in verdicts:
        if one.verdict is Ruling.NOT_OBSERVED:
            reasons.setdefault((one.hint, one.explained), []).append(one.tool)
    for (hint, reason), tools in reasons.items():
        whose = tools[0] if len(tools) == 1 else plural(len(tools), "tool")
        click.echo(textwrap.fill(f"· {hint} of {whose}: {reason}", 120, subsequent_indent="  "))


def _rows(service: str, verdicts: Sequence[Verdict]) -> list[list[str]]:
    areas = _areas(service)
    rows: list[list[str]] = []
    for area in dict.fromkeys(areas.values()):
        own = [one for one in verdicts if areas[one.tool] == area]
        if own:
            cells = [_cell([one.verdict for one in own if one.hint == hint]) for hint in WIRE]
            rows.append([service, area, str(len(own) // len(WIRE)), *cells])
    return rows


def _areas(service: str) -> Mapping[str, str]:
    """Tell every tool's area, by its short and its full name: a plan may serve without the prefix."""
    catalogue = Catalogue(server_module(service).SERVICE, Policy())
    by_name = {name: tool.toolset.area for name, tool in catalogue.tools.items()}
    return {**{tool.name: tool.toolset.area for tool in catalogue.tools.values()}, **by_name}


def _cell(rulings: Sequence[Ruling]) -> str:
    counts = {ruling: rulings.count(ruling) for ruling in MARKS}
    return " ".join(
        f"{click.style(MARKS[ruling][0], fg=MARKS[ruling][1])} {count}" for ruling, count in counts.items() if count
    )
