"""What was seen, for a terminal: a line per tool with its four hints, then a line for whatever does not simply hold."""

from collections.abc import Iterator, Sequence
from typing import Final

import click

from aboveboard.audit.evidence import DEFAULTS, HINTS
from aboveboard.audit.report import Report, watch_summary
from aboveboard.audit.report.fitting import clip_text, columns, fit_lines
from aboveboard.audit.verdict import Ruling, Verdict

COLOURS: Final = {
    Ruling.HOLDS: "green",
    Ruling.VIOLATED: "red",
    Ruling.NOT_OBSERVED: "yellow",
    Ruling.UNTRIED: "magenta",
    Ruling.UNVERIFIABLE: "magenta",
}
MARKS: Final = {
    Ruling.HOLDS: "✓",
    Ruling.VIOLATED: "✗",
    Ruling.NOT_OBSERVED: "·",
    Ruling.UNTRIED: "○",
    Ruling.UNVERIFIABLE: "?",
}
LABELS: Final = ("read-only", "destructive", "idempotent", "open world")
SHORT: Final = ("reads  ", "destroys", "idempot.", "open   ")
"""The same in a narrow terminal, each as wide as its widest cell."""
NARROWEST_NAME: Final = 12
MARGIN: Final = 16
"""Where the words of a verdict begin."""
ORDER: Final = (Ruling.VIOLATED, Ruling.UNVERIFIABLE, Ruling.UNTRIED, Ruling.NOT_OBSERVED, Ruling.HOLDS)
IMPLIED: Final = {"destructiveHint": False, "idempotentHint": True}
"""What is meant on a tool that says it only reads."""
NAMED: Final = 3
MANY: Final = 40
"""Of more tools than this, only those with something to settle get a line."""
_LEGEND: Final = (
    "✓ holds  ✗ violated  · not observed  ○ untried  ? unverifiable;"
    " (yes), (no): not stated, so what clients assume is judged"
)


def verdict_lines(verdicts: Sequence[Verdict], *, verbose: bool, width: int | None = None) -> Iterator[str]:
    """Write the verdicts of one server."""
    if not verdicts:
        return
    yield from _matrix(verdicts, verbose=verbose, width=width)
    yield ""
    for line in _settled_and_open(verdicts, verbose=verbose):
        yield from fit_lines(line, width, MARGIN)


def _settled_and_open(verdicts: Sequence[Verdict], *, verbose: bool) -> Iterator[str]:
    for ruling in ORDER:
        if verbose or ruling is not Ruling.HOLDS:
            own = [one for one in verdicts if one.verdict is ruling]
            yield from _told([one for one in own if not one.settled or verbose], verbose=verbose)
            if not verbose:
                yield from _explained([one for one in own if one.settled])


def _matrix(verdicts: Sequence[Verdict], *, verbose: bool, width: int | None) -> Iterator[str]:
    """Write a line per tool; of very many, only those with something to settle."""
    by_place = {(one.tool, one.hint): one for one in verdicts}
    tools = list(dict.fromkeys(one.tool for one in verdicts))
    open_ones = {one.tool for one in verdicts if not one.settled}
    shown = tools if verbose or len(tools) <= MANY else [tool for tool in tools if tool in open_ones]
    yield ""
    if shown:
        needed = max(4, *(columns(tool) for tool in shown))
        labels = LABELS if width is None or needed + sum(len(one) + 2 for one in LABELS) + 2 <= width else SHORT
        room = needed if width is None else width - sum(len(one) + 2 for one in labels) - 2
        names = min(needed, max(room, NARROWEST_NAME))
        yield click.style("  ".join(["", "tool".ljust(names), *labels]).rstrip(), bold=True)
        for tool in shown:
            reads = (one := by_place.get((tool, "readOnlyHint"))) is not None and one.declared is True
            cells = [
                _cell(by_place.get((tool, hint)), len(label), reads=reads)
                for hint, label in zip(HINTS, labels, strict=True)
            ]
            name = clip_text(tool, names)
            yield f"  {name}{' ' * (names - columns(name))}" + "".join(cells).rstrip()
    if settled := len(tools) - len(shown):
        told = f"  {settled} {'other ' if shown else ''}tools: every hint holds, or the plan says why it cannot be seen"
        yield from fit_lines(told, width, 2)
    yield from fit_lines("  " + click.style(_LEGEND, dim=True), width, 2)


def closing_lines(report: Report) -> Iterator[str]:
    """Say what was left out, how long it took, and what came out."""
    if report.noise:
        more = f" and {len(report.noise) - 8} more" if len(report.noise) > 8 else ""
        yield click.style(f"moved by itself, and left out: {', '.join(report.noise[:8])}{more}", dim=True)
    elif report.verdicts:
        yield click.style("nothing moved by itself", dim=True)
    yield from (click.style(one, dim=True) for one in report.remarks)
    if report.verdicts:
        worst = next((one for one in ORDER if any(v.verdict is one for v in report.verdicts)), Ruling.HOLDS)
        pace = click.style(f"  ({report.pace})", dim=True) if report.pace else ""
        yield click.style(watch_summary(report), fg=COLOURS[worst], bold=True) + pace


def _cell(one: Verdict | None, width: int, *, reads: bool) -> str:
    if one is None:
        return "  " + " " * width
    text = f"{MARKS[one.verdict]} {stated_word(one, reads=reads)}"
    return "  " + click.style(text, fg=COLOURS[one.verdict]) + " " * (width - len(text))


def stated_word(one: Verdict, *, reads: bool) -> str:
    """Say what is declared; in brackets, what follows from read-only or is the default."""
    if one.declared is not None:
        return "yes" if one.declared else "no"
    assumed = IMPLIED.get(one.hint, DEFAULTS[one.hint]) if reads else DEFAULTS[one.hint]
    return "(yes)" if assumed else "(no)"


def _told(verdicts: Sequence[Verdict], *, verbose: bool) -> Iterator[str]:
    """Write a line for each thing that was seen; what is the same for several tools is said once."""
    together: dict[tuple[Ruling, str, str], list[Verdict]] = {}
    for one in verdicts:
        together.setdefault((one.verdict, one.cause, one.explained), []).append(one)
    for (ruling, cause, explained), same in together.items():
        word = click.style(ruling.value.ljust(12), fg=COLOURS[ruling])
        oracle = click.style(f"  [{same[0].oracle}]", dim=True) if same[0].oracle else ""
        yield f"  {word}  {_who(same)}: {cause}{oracle}"
        if explained:
            yield f"                {click.style('because', dim=True)}  {explained}"
        if verbose:
            yield from (
                f"                {click.style('called', dim=True)}   {line}" for line in same[0].arguments[:4] if line
            )


def _explained(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Write what the plan explains, once for each reason."""
    together: dict[tuple[str, bool | None, str], list[Verdict]] = {}
    for one in verdicts:
        together.setdefault((one.hint, one.declared, one.explained), []).append(one)
    for (_, _, why), same in together.items():
        word = click.style(same[0].verdict.value.ljust(12), fg=COLOURS[same[0].verdict], dim=True)
        yield f"  {word}  {_who(same)}: {why}"


def _who(same: Sequence[Verdict]) -> str:
    tools = list(dict.fromkeys(one.tool for one in same))
    named = ", ".join(click.style(tool, bold=True) for tool in tools[:NAMED])
    rest = f" and {len(tools) - NAMED} more" if len(tools) > NAMED else ""
    hints = list(dict.fromkeys(one.hint for one in same))
    which = "" if len(hints) == len(HINTS) else f" {', '.join(_stated(same, hint) for hint in hints)}"
    return f"{named}{rest}{which}"


def _stated(same: Sequence[Verdict], hint: str) -> str:
    values = {one.declared for one in same if one.hint == hint}
    value = values.pop() if len(values) == 1 else None
    return hint if len(values) else f"{hint}={'not stated' if value is None else str(value).lower()}"
