"""The report as one HTML file for people: a matrix of tools by hints, and the evidence behind every cell.

It loads nothing, and reads well without JavaScript, which only adds filters and the choice of colours.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from aboveboard import __version__
from aboveboard.audit import raw
from aboveboard.audit.evidence import DEFAULTS, HINTS, Server, Tool
from aboveboard.audit.report import Line, Report, lines, nothing_found, rulings, summary
from aboveboard.audit.report.matrix import MARKS, stated_word
from aboveboard.audit.report.terminal import WORDS
from aboveboard.audit.rule import Finding, Severity
from aboveboard.audit.rules import BY_ID
from aboveboard.audit.verdict import Ruling, Verdict
from aboveboard.audit.words import plural

ASSETS: Final = Path(__file__).parent / "assets"
LABELS: Final[dict[str, str]] = dict(zip(HINTS, ("Read-only", "Destructive", "Idempotent", "Open world"), strict=True))
MEANINGS: Final = {
    "readOnlyHint": ("It changes nothing.", "It changes something."),
    "destructiveHint": ("It can replace or remove what is there.", "What is there stays; it can only add."),
    "idempotentHint": ("A second, equal call changes nothing more.", "Each call can change more."),
    "openWorldHint": ("It reaches beyond the service.", "It stays within the service."),
}
RISKY: Final = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}
FEW: Final = 12
"""Of more tools than this, those with nothing to settle are folded."""
RULING_WORDS: Final = {
    Ruling.HOLDS: "was seen to be true",
    Ruling.VIOLATED: "was seen to be false",
    Ruling.NOT_OBSERVED: "was not seen to be false",
    Ruling.UNTRIED: "was not put to the test",
    Ruling.UNVERIFIABLE: "could not be checked",
}


@dataclass(frozen=True)
class Cell:
    """One hint of one tool."""

    hint: str
    label: str
    word: str
    state: str
    """For the colours: safe, risky, plain, unset, odd, moot."""
    wire: str
    meaning: str
    findings: Sequence[Line]
    verdict: Verdict | None
    verdict_words: str
    seen_word: str = ""
    """What is declared, or in brackets what clients assume, as the terminal has it."""

    @property
    def guilty(self) -> str:
        """The arguments of the call that broke the hint: of the case that the cause names, or of the only one."""
        if self.verdict is None or self.verdict.verdict is not Ruling.VIOLATED:
            return ""
        calls = [line or "no arguments" for line in self.verdict.arguments]
        named = [line for line in calls if f"in case {line.partition(': ')[0]!r}" in self.verdict.cause]
        return named[0] if named else calls[0] if len(calls) == 1 else ""

    @property
    def worst(self) -> str:
        """The weight of the worst finding on it."""
        return self.findings[0].severity.value if self.findings else ""


@dataclass(frozen=True)
class Row:
    """One tool."""

    tool: Tool
    anchor: str
    cells: Sequence[Cell]
    findings: Sequence[Line]
    counts: Sequence[tuple[str, int]]
    search: str

    @property
    def quiet(self) -> bool:
        """Tell whether nothing is left to settle: no error, no warning, no hint that does not hold or is explained."""
        heavy = any(weight != Severity.INFO for weight, _ in self.counts)
        return not heavy and all(cell.verdict is None or cell.verdict.settled for cell in self.cells)


@dataclass(frozen=True)
class Section:
    """One server, or all of them together."""

    name: str
    server: Server | None
    facts: Sequence[str]
    rows: Sequence[Row]
    findings: Sequence[Line]

    @property
    def loud(self) -> Sequence[Row]:
        """The tools that are shown at once: of few all, of many those with something to settle."""
        return [row for row in self.rows if row not in self.quiet]

    @property
    def quiet(self) -> Sequence[Row]:
        """The tools that are folded."""
        return [row for row in self.rows if row.quiet] if len(self.rows) > FEW else []

    @property
    def tally(self) -> Sequence[tuple[str, Sequence[tuple[str, str]]]]:
        """What the folded tools say, hint by hint: a kind of cell, and how many there are of it."""
        columns = zip(*(row.cells for row in self.quiet), strict=True)
        return [(cells[0].label, _tally(cells)) for cells in columns]


_FIXED: Final = {
    "rules": BY_ID,
    "words": WORDS,
    "plural": plural,
    "labels": list(LABELS.values()),
    "marks": {ruling.value: mark for ruling, mark in MARKS.items()},
    "version": __version__,
}


def text(report: Report, *, verbose: bool) -> str:
    """Write the page; it always holds everything."""
    del verbose
    return _templates().get_template("page.html").render(**_FIXED, **_page(report))


@lru_cache
def _templates() -> Environment:
    """Return what compiles the page: once, and again only where its file has changed."""
    return Environment(loader=FileSystemLoader(ASSETS), autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def _page(report: Report) -> dict[str, Any]:
    counts = [(weight.value, WORDS[weight], report.counts.get(weight, 0)) for weight in Severity]
    sections = [_section(report, server) for server in report.servers]
    headline, mood = _headline(report)
    found = lines(report.findings)
    shared = [line for line in found if not line.server]
    if shared:
        sections.insert(0, Section("All servers together", None, (), (), shared))
    return {
        "title": " and ".join(server.name for server in report.servers[:2]) or "audit",
        "summary": summary(report),
        "headline": headline,
        "mood": mood,
        "nothing": {server.name: nothing_found(report, server.name) for server in report.servers},
        "counts": counts,
        "sections": sections,
        "several_profiles": len(report.profiles) > 1,
        "profiles": list(report.profiles),
        "unread": report.unread,
        "closed": {one.name: [line for line in found if line.server == one.name] for one in report.unread},
        "ignored": report.ignored,
        "watched": bool(report.verdicts),
        "rulings": [(one.value, count) for one, count in rulings(report).items()] if report.verdicts else [],
        "noise": report.noise,
        "remarks": report.remarks,
        "pace": report.pace,
        "tools": sorted({tool.name for server in report.servers for tool in server.tools}),
        "tool_count": report.tool_count,
        "style": (ASSETS / "style.css").read_text(encoding="utf-8"),
        "script": (ASSETS / "script.js").read_text(encoding="utf-8"),
    }


def _tally(cells: Sequence[Cell]) -> list[tuple[str, str]]:
    """Count the cells of a hint by what was seen, or else by what is said; the most frequent first."""
    kinds = Counter(
        (f"seen {cell.verdict.verdict.replace(' ', '-')}", MARKS[cell.verdict.verdict])
        if cell.verdict
        else (cell.state, cell.word)
        for cell in cells
    )
    return [(kind, f"{sign} {count}") for (kind, sign), count in kinds.most_common()]


def _headline(report: Report) -> tuple[str, str]:
    """Say it in a few words, and in which mood; that all is well is only said of tools that were watched."""
    weights = {finding.severity for finding in report.findings}
    violated = any(one.verdict is Ruling.VIOLATED for one in report.verdicts)
    if Severity.ERROR in weights or report.unread or violated:
        return "Not all above board.", "found"
    if any(one.unproven for one in report.verdicts):
        return "Not all could be seen.", "warned"
    if Severity.WARNING in weights:
        return "Something to mend.", "warned"
    return "All above board." if report.verdicts else "So far, so good.", "clean"


def _section(report: Report, server: Server) -> Section:
    own = [finding for finding in report.findings if finding.server == server.name]
    facts = [plural(len(server.tools), "tool"), f"about {sum(tool.tokens for tool in server.tools):,} tokens"]
    facts += [f"MCP {server.protocol}"] if server.protocol else []
    rows = [_row(report, server, index, own) for index in range(len(server.tools))]
    return Section(server.name, server, facts, rows, lines(own))


def _row(report: Report, server: Server, index: int, own: Sequence[Finding]) -> Row:
    tool = server.tools[index]
    mine = [finding for finding in own if finding.tool == tool.name]
    verdicts = {one.hint: one for one in report.verdicts if (one.server, one.tool) == (server.name, tool.name)}
    found = lines(mine)
    counts = [(weight.value, sum(line.severity is weight for line in found)) for weight in Severity]
    return Row(
        tool=tool,
        anchor=f"{server.name}-{index}",
        cells=[_cell(tool, hint, mine, verdicts.get(hint)) for hint in HINTS],
        findings=found,
        counts=[(weight, count) for weight, count in counts if count],
        search=f"{tool.name} {tool.title} {tool.description}".lower(),
    )


def _cell(tool: Tool, hint: str, findings: Sequence[Finding], verdict: Verdict | None) -> Cell:
    declared = tool.declared(hint)
    value = tool.effective(hint)
    moot = tool.declared("readOnlyHint") is True and hint in ("destructiveHint", "idempotentHint")
    yes, no = MEANINGS[hint]
    if declared is None:
        word = "unreadable" if hint in tool.annotations else "not stated"
        state = "odd" if hint in tool.annotations else "moot" if moot else "unset"
        meaning = f"Clients assume {str(DEFAULTS[hint]).lower()}: {(yes if value else no).lower()}"
    else:
        word = "yes" if declared else "no"
        state = "moot" if moot and declared != RISKY[hint] else "risky" if declared == RISKY[hint] else "safe"
        meaning = yes if declared else no
    if moot and declared is None:
        meaning = "It means nothing on a tool that only reads."
    return Cell(
        hint=hint,
        label=LABELS[hint],
        word=word,
        state=state,
        wire=_wire(tool, hint),
        meaning=meaning,
        findings=lines([finding for finding in findings if finding.hint == hint]),
        verdict=verdict,
        verdict_words=RULING_WORDS[verdict.verdict] if verdict else "",
        seen_word=stated_word(verdict, reads=tool.declared("readOnlyHint") is True) if verdict else "",
    )


def _wire(tool: Tool, hint: str) -> str:
    """Return what stood on the wire, word for word."""
    if hint in tool.repeated:
        return ", ".join(f'"{hint}": {raw.dump(value)}' for value in tool.repeated[hint])
    if hint in tool.annotations:
        return f'"{hint}": {raw.dump(tool.annotations[hint])}'
    return f"no {hint}" if tool.definition.get("annotations") is not None else "no annotations"
