"""The corpus: every liar found, no honest server accused. `python -m tests.audit.corpus` prints the figures.

Half of it is read (`liars/*.py`: what do the definitions say?), half of it is watched (`liars/watched/`: what do the
tools do?). A liar counts as found if its own rule finds it. A false alarm is a warning or an error that is not the
liar's own defect, or any about a server that is honest, under any of the four profiles.
"""

import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from tests.audit.liars.gate import Gate
from tests.audit.web_stage import Site, serving
from tests.forked import forked
from tests.patience import patience

from aboveboard.audit.evidence import Drift, Evidence, Fleet, Server, Tool
from aboveboard.audit.judge import evidence_pieces, judge
from aboveboard.audit.probe import Address, Command, Options, UnreadServer, read_all, sources
from aboveboard.audit.rule import Finding, Profile, Severity
from aboveboard.audit.rules import RULES

FOLDER: Final = Path(__file__).parent / "liars"
ROOT: Final = Path(__file__).parents[2]
TOGETHER: Final = 8
TOKEN: Final = "of-the-corpus"
AT_ONCE: Final = ("-S", "-c", """
import sys
from _frozen_importlib_external import SourceFileLoader
del sys.argv[0]
__file__ = f"{sys.argv[0].replace('.', '/')}.py"
exec(SourceFileLoader("__main__", __file__).get_code("__main__"))
""")  # fmt: skip
"""Runs a module as `-m` does; what `-m` and the look for installed packages import takes longer than such a start."""


@dataclass(frozen=True, kw_only=True)
class Sort:
    """What kind of server it is; a server that is only read has no state to speak of."""

    watched: bool = False
    sdk: str = ""
    transport: str = ""
    state: str = ""


@dataclass(frozen=True)
class Case:
    """One server of the corpus, and what was found."""

    name: str
    rule: str | None
    found: bool = False
    alarms: tuple[str, ...] = ()
    sort: Sort = Sort()
    unsure: tuple[str, ...] = ()
    """What watching could not tell, where it should have."""
    certified: bool = False
    """Whether a hint that is a lie was said to hold."""
    provable: bool = True
    """Whether the plan can show the lie; where it cannot, the auditor must say that it does not know."""

    @property
    def right(self) -> bool:
        """Tell whether the auditor judged it rightly."""
        found = self.found or self.rule is None or not self.provable
        return not self.alarms and not self.unsure and not self.certified and found


def names() -> list[str]:
    """Return every server that is read."""
    return sorted(
        file.stem for file in FOLDER.glob("*.py") if file.stem[:3].upper() in _PREFIXES or "honest_" in file.stem
    )


_PREFIXES = {rule.id[:3] for rule in RULES}


UNPROVEN: Final = "unproven_"
"""So begin the plans that cannot show the lie of their server."""


def rule_of(name: str) -> str | None:
    """Return the rule that a server breaks; its name begins with it."""
    return None if name.startswith("honest_") else name.removeprefix(UNPROVEN)[:5].upper()


def command(name: str) -> Command:
    """Return how to start a server of the corpus; one on an SDK is forked, as importing that takes longest."""
    module = f"tests.audit.liars.{name}"
    on_an_sdk = "tests.audit.liars.sdk" in (FOLDER / f"{name}.py").read_text("utf-8")
    return Command(forked(module) if on_an_sdk else (sys.executable, *AT_ONCE, module), folder=str(ROOT))


@contextmanager
def target(name: str) -> Generator[Command | Address]:
    """Return how to reach a server of the corpus; one that wants a token listens on a socket meanwhile."""
    gate: Gate | None = getattr(import_module(f"tests.audit.liars.{name}"), "GATE", None)
    if gate is None:
        yield command(name)
        return
    with serving(Site(token=TOKEN, gate=gate)) as site:
        yield Address(site.url, headers={"Authorization": f"Bearer {TOKEN}"})


def read_servers(batch: Sequence[str]) -> list[Server]:
    """Read servers of the corpus."""
    with ExitStack() as stack:
        found = read_all([stack.enter_context(target(name)) for name in batch], Options(timeout=patience(15)))
    unread = [f"{name}: {one.problem}" for name, one in zip(batch, found, strict=True) if isinstance(one, UnreadServer)]
    if unread:
        raise RuntimeError(f"could not be read: {unread}")
    return [one for one in found if isinstance(one, Server)]


def cases() -> Iterator[Case]:
    """Start every server, audit it, and compare with what it is."""
    for start in range(0, len(names()), TOGETHER):
        batch = names()[start : start + TOGETHER]
        yield from map(case, batch, read_servers(batch))


def case(name: str, server: Server) -> Case:
    """Judge one server."""
    module = import_module(f"tests.audit.liars.{name}")
    rule: str | None = getattr(module, "RULE", None)
    profiles = [Profile(getattr(module, "PROFILE", "spec"))] if rule else list(Profile)
    findings = judge(_evidence(module, server), profiles)
    return Case(name, rule, any(one.rule == rule for one in findings), alarms(findings, rule))


def alarms(findings: Sequence[Finding], rule: str | None) -> tuple[str, ...]:
    """Return the warnings and errors that are not the liar's own defect."""
    wrong = [one for one in findings if one.severity is not Severity.INFO and one.rule != rule]
    return tuple(dict.fromkeys(f"{one.rule} {one.message}" for one in wrong))


def _evidence(module: ModuleType, server: Server) -> list[Evidence]:
    servers = [server]
    if beside := getattr(module, "BESIDE", None):
        servers += read_servers([beside])
    found = [*evidence_pieces(Fleet(servers))]
    if (before := getattr(module, "BASELINE", None)) is not None:
        found.append(Drift(replace(server, tools=_tools(before)), server))
    if source := getattr(module, "SOURCE", None):
        found += sources(servers, FOLDER / source)
    return found


def _tools(definitions: list[dict[str, Any]]) -> list[Tool]:
    return [Tool(one) for one in definitions]


ROWS: Final[Sequence[tuple[str, Callable[[Sort], bool]]]] = (
    ("read: what definitions say", lambda sort: not sort.watched),
    ("watched: what tools do", lambda sort: sort.watched),
    ("- without an SDK", lambda sort: sort.sdk == "none"),
    ("- Python SDK, mcp 1.x", lambda sort: sort.sdk == "mcp1"),
    ("- Python SDK, mcp 2.x", lambda sort: sort.sdk == "mcp2"),
    ("- TypeScript SDK", lambda sort: sort.sdk == "typescript"),
    ("- over stdio", lambda sort: sort.transport == "stdio"),
    ("- over Streamable HTTP", lambda sort: sort.transport == "http"),
    ("- local state: a file, or memory", lambda sort: sort.state == "local"),
    ("- state in Redis", lambda sort: sort.state == "redis"),
    ("- state behind a REST API", lambda sort: sort.state == "rest"),
    ("all", lambda _: True),
)


def table(corpus: Sequence[Case]) -> str:
    """Say by kind of server how many were found and how many accused."""
    lines = ["| servers | liars | found | honest | accused |", "| --- | --- | --- | --- | --- |"]
    for title, belongs in ROWS:
        those = [one for one in corpus if belongs(one.sort)]
        liars = [one for one in those if one.rule and one.provable]
        honest = [one for one in those if not one.rule]
        found, accused = sum(one.found for one in liars), sum(bool(one.alarms) for one in honest)
        share = f" ({found / len(liars):.0%})" if liars else ""
        lines.append(f"| {title} | {len(liars)} | {found}{share} | {len(honest)} | {accused} |")
    return "\n".join(lines)


def certified(corpus: Sequence[Case]) -> str:
    """Say how many lies were said to hold, which must never be."""
    liars = [one for one in corpus if one.rule and one.sort.watched]
    hidden = sum(not one.provable for one in liars)
    wrong = sum(one.certified for one in liars)
    return (
        f"Certified although false: {wrong}, of {len(liars)} lies that were watched,"
        f" {hidden} of them with plans that cannot show the lie."
    )


def figures(corpus: Sequence[Case]) -> str:
    """Say how well the rules do, and where they fail."""
    told = {one.rule for one in corpus if one.found}
    lines = [
        certified(corpus),
        "",
        table(corpus),
        "",
        f"{len(RULES)} rules, {len(told)} of which found a liar of their own.",
    ]
    for one in corpus:
        lines += [f"CERTIFIED: {one.name} ({one.rule})"] if one.certified else []
        lines += [f"NOT FOUND: {one.name} ({one.rule})"] if one.rule and one.provable and not one.found else []
        lines += [f"FALSE ALARM: {one.name}: {alarm}" for alarm in one.alarms]
        lines += [f"NOT SURE: {one.name}: {what}" for what in one.unsure]
    return "\n".join(lines)


def main() -> int:
    """Judge the whole corpus, print the figures, and fail if one is not as it should be."""
    from tests.audit import watched

    everything = [*cases(), *watched.cases()]
    for line in (figures(everything), *watched.left_out()):
        print(line)  # noqa: T201 (this is what the command is for)
    return int(not all(one.right for one in everything))


if __name__ == "__main__":
    sys.exit(main())
