"""What came out of an audit, and every form it can be written in."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module

from aboveboard.audit.evidence import Server
from aboveboard.audit.rule import Finding, Ignored, Profile, Severity
from aboveboard.audit.verdict import Ruling, Verdict
from aboveboard.audit.words import plural


class Format(StrEnum):
    """How a report is written."""

    TERMINAL = "terminal"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    MARKDOWN = "markdown"
    HTML = "html"


@dataclass(frozen=True)
class Unread:
    """A server that could not be read, and why."""

    name: str
    problem: str


@dataclass(frozen=True)
class Place:
    """A line of a file: where a tool is declared, planned or listed."""

    file: str
    line: int


@dataclass(frozen=True, kw_only=True)
class Report:
    """Everything that was read, found and seen."""

    servers: Sequence[Server]
    findings: Sequence[Finding]
    profiles: Sequence[Profile] = (Profile.SPEC,)
    unread: Sequence[Unread] = ()
    ignored: Sequence[Ignored] = ()
    verdicts: Sequence[Verdict] = ()
    anchor: str = "tools.json"
    """The file that code scanning shows findings in where nobody knows the tool's own line."""
    places: Mapping[str, Place] = field(default_factory=dict[str, Place])
    """Where tools are declared, by name."""
    applied: Collection[tuple[str, str]] = ()
    """The rules that had something to judge: server and id."""
    rules_url: str = ""
    """Where the pages of the rules are published; empty where they are not."""
    noise: Sequence[str] = ()
    """What moved while nothing was called, and was therefore left out."""
    remarks: Sequence[str] = ()
    """What a reader should know of the watching itself."""
    pace: str = ""
    """How much was watched, and how long it took."""

    @property
    def counts(self) -> Mapping[Severity, int]:
        """How many things are wrong, of each weight: what one rule finds in several tools of a server counts once."""
        return Counter(group.severity for group in groups(self.findings))

    @property
    def tool_count(self) -> int:
        """How many tools were read."""
        return sum(len(server.tools) for server in self.servers)


@dataclass(frozen=True)
class Line:
    """What a person reads as one thing: a finding, with every tool and every profile it is the same for."""

    rule: str
    severity: Severity
    message: str
    server: str
    tools: tuple[str, ...]
    profiles: tuple[Profile, ...]


def lines(findings: Sequence[Finding]) -> list[Line]:
    """Put together what is the same but for the tool, and is said by the same profiles; the order stays."""
    said_by: dict[tuple[str, Severity, str, str, str], list[Profile]] = {}
    for one in findings:
        said_by.setdefault((one.rule, one.severity, one.message, one.server, one.tool or ""), []).append(one.profile)
    together: dict[tuple[str, Severity, str, str, tuple[Profile, ...]], list[str]] = {}
    for (rule, severity, message, server, tool), profiles in said_by.items():
        together.setdefault((rule, severity, message, server, tuple(dict.fromkeys(profiles))), []).append(tool)
    return [
        Line(rule, severity, message, server, tuple(tool for tool in tools if tool), profiles)
        for (rule, severity, message, server, profiles), tools in together.items()
    ]


@dataclass(frozen=True)
class Group:
    """What one rule found in one server, at one weight."""

    rule: str
    severity: Severity
    server: str
    lines: tuple[Line, ...]

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools it is about."""
        return tuple(dict.fromkeys(tool for line in self.lines for tool in line.tools))

    @property
    def count(self) -> int:
        """How many places it is about."""
        return sum(max(len(line.tools), 1) for line in self.lines)

    @property
    def profiles(self) -> tuple[Profile, ...]:
        """Who says so, where they say so of every tool alike; empty where they differ."""
        return self.lines[0].profiles if len({line.profiles for line in self.lines}) == 1 else ()


def groups(findings: Sequence[Finding]) -> list[Group]:
    """Put together what one rule found in one server; the order stays."""
    together: dict[tuple[str, Severity, str], list[Line]] = {}
    for line in lines(findings):
        together.setdefault((line.rule, line.severity, line.server), []).append(line)
    return [Group(*key, lines=tuple(own)) for key, own in together.items()]


def rulings(report: Report) -> Mapping[Ruling, int]:
    """Count the verdicts of each kind, in the order of Ruling."""
    counted = Counter(one.verdict for one in report.verdicts)
    return {ruling: counted[ruling] for ruling in Ruling}


def watch_summary(report: Report) -> str:
    """Say in one sentence what watching the tools said of their hints."""
    unexplained = sum(one.verdict is Ruling.NOT_OBSERVED and not one.explained for one in report.verdicts)
    apart = {Ruling.NOT_OBSERVED: f" ({unexplained} without a reason)"} if unexplained else {}
    told = [f"{count:,} {ruling.value}{apart.get(ruling, '')}" for ruling, count in rulings(report).items() if count]
    tools = len({(one.server, one.tool) for one in report.verdicts})
    return f"{', '.join(told)}: {plural(len(report.verdicts), 'hint')} of {plural(tools, 'tool')}"


def summary(report: Report) -> str:
    """Say in one sentence what came out."""
    nouns = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
    counts = [plural(count, noun) for weight, noun in nouns.items() if (count := report.counts.get(weight, 0))]
    where = f"{plural(report.tool_count, 'tool')} of {plural(len(report.servers), 'server')}"
    told = ", ".join(counts) or nothing_found(report)
    ignored = f", {len(report.ignored)} ignored" if report.ignored else ""
    return f"{told} in {where}{ignored}"


def nothing_found(report: Report, server: str = "") -> str:
    """Say that no rule found anything; where hints could not be checked, that does not stand alone."""
    blind = sum(one.unproven and (not server or one.server == server) for one in report.verdicts)
    return f"no finding, but {plural(blind, 'hint')} could not be verified" if blind else "nothing found"


def render(report: Report, form: Format, *, verbose: bool = False, width: int | None = None) -> str:
    """Write a report; each form is imported when it is asked for, and only a terminal has a width."""
    options = {"width": width} if form is Format.TERMINAL else {}
    text: str = import_module(f"aboveboard.audit.report.{form.value}").text(report, verbose=verbose, **options)
    return text
