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
        """How many findings there are of each weight; one that several profiles make counts once."""
        return Counter(line.severity for line in lines(self.findings))

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
    """Put together what is the same but for tool and profile; the order stays."""
    together: dict[tuple[str, Severity, str, str], list[Finding]] = {}
    for finding in findings:
        key = (finding.rule, finding.severity, finding.message, finding.server)
        together.setdefault(key, []).append(finding)
    return [
        Line(
            *key,
            tools=tuple(dict.fromkeys(one.tool for one in same if one.tool)),
            profiles=tuple(dict.fromkeys(one.profile for one in same)),
        )
        for key, same in together.items()
    ]


def rulings(report: Report) -> Mapping[Ruling, int]:
    """Count the verdicts of each kind, in the order of Ruling."""
    counted = Counter(one.verdict for one in report.verdicts)
    return {ruling: counted[ruling] for ruling in Ruling}


def watched(report: Report) -> str:
    """Say in one sentence what watching the tools said of their hints."""
    told = [f"{count:,} {ruling.value}" for ruling, count in rulings(report).items() if count]
    unexplained = sum(one.verdict is Ruling.NOT_OBSERVED and not one.explained for one in report.verdicts)
    apart = f" ({unexplained} without a reason)" if unexplained else ""
    tools = len({(one.server, one.tool) for one in report.verdicts})
    return f"{', '.join(told)}{apart}: {plural(len(report.verdicts), 'hint')} of {plural(tools, 'tool')}"


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
    blind = sum(one.verdict is Ruling.UNVERIFIABLE and (not server or one.server == server) for one in report.verdicts)
    return f"no finding, but {plural(blind, 'hint')} could not be verified" if blind else "nothing found"


def render(report: Report, form: Format, *, verbose: bool = False) -> str:
    """Write a report; each form is imported when it is asked for."""
    text: str = import_module(f"aboveboard.audit.report.{form.value}").text(report, verbose=verbose)
    return text
