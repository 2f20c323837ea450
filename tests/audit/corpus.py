"""The corpus: every liar found, no honest server accused. `python -m tests.audit.corpus` prints the figures.

A liar counts as found if its own rule finds it. A false alarm is a warning or an error that is not the liar's own
defect, or any about a server that is honest, under any of the four profiles.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from aboveboard.audit.evidence import Drift, Evidence, Fleet, Server, Tool
from aboveboard.audit.judge import judge, pieces
from aboveboard.audit.probe import Command, Options, Refused, read, sources
from aboveboard.audit.rule import Finding, Profile, Severity
from aboveboard.audit.rules import RULES

FOLDER: Final = Path(__file__).parent / "liars"
ROOT: Final = Path(__file__).parents[2]
WATCHED: Final = {"SCH06", "SIZ03", "PRO03", "BEH01", "BEH02", "BEH03", "BEH04", "BEH05", "BEH06"}
"""Rules that only watching a tool can break; their liars belong to verify."""
TOGETHER: Final = 8


@dataclass(frozen=True)
class Case:
    """One server of the corpus, and what was found."""

    name: str
    rule: str | None
    found: bool
    alarms: tuple[Finding, ...]


def names() -> list[str]:
    """Return every server of the corpus."""
    return sorted(
        file.stem for file in FOLDER.glob("*.py") if file.stem[:3].upper() in _PREFIXES or "honest_" in file.stem
    )


_PREFIXES = {rule.id[:3] for rule in RULES}


def command(name: str) -> Command:
    """Return how to start a server of the corpus."""
    return Command((sys.executable, "-m", f"tests.audit.liars.{name}"), folder=str(ROOT))


def cases() -> Iterator[Case]:
    """Start every server, audit it, and compare with what it is."""
    for start in range(0, len(names()), TOGETHER):
        batch = names()[start : start + TOGETHER]
        for name, server in zip(batch, read([command(one) for one in batch], Options()), strict=True):
            if isinstance(server, Refused):
                raise RuntimeError(f"{name} could not be read: {server.problem}")  # noqa: TRY004 (it is no type error)
            yield case(name, server)


def case(name: str, server: Server) -> Case:
    """Judge one server."""
    module = import_module(f"tests.audit.liars.{name}")
    rule: str | None = getattr(module, "RULE", None)
    profiles = [Profile(getattr(module, "PROFILE", "spec"))] if rule else list(Profile)
    findings = judge(_evidence(module, server), profiles)
    alarms = [one for one in findings if one.severity is not Severity.INFO and one.rule != rule]
    return Case(name, rule, any(one.rule == rule for one in findings), tuple(alarms))


def _evidence(module: ModuleType, server: Server) -> list[Evidence]:
    servers = [server]
    if beside := getattr(module, "BESIDE", None):
        servers += [one for one in read([command(beside)], Options()) if isinstance(one, Server)]
    found = [*pieces(Fleet(servers))]
    if (before := getattr(module, "BASELINE", None)) is not None:
        found.append(Drift(replace(server, tools=_tools(before)), server))
    if source := getattr(module, "SOURCE", None):
        found += sources(servers, FOLDER / source)
    return found


def _tools(definitions: list[dict[str, Any]]) -> list[Tool]:
    return [Tool(one) for one in definitions]


def figures(corpus: list[Case]) -> str:
    """Say in a few lines how well the rules do."""
    liars, honest = [one for one in corpus if one.rule], [one for one in corpus if not one.rule]
    found, accused = [one for one in liars if one.found], [one for one in corpus if one.alarms]
    rules = {one.rule for one in found}
    static = {rule.id for rule in RULES} - WATCHED
    told = [
        f"{len(liars)} liars: {len(found)} found ({len(found) / len(liars):.0%})",
        f"{len(honest)} honest servers: {sum(bool(one.alarms) for one in honest)} accused",
        f"{len(corpus)} servers: {len(accused)} false alarms ({len(accused) / len(corpus):.0%})",
        f"{len(static)} rules on definitions: {len(static & rules)} with a liar of their own",
    ]
    told += [f"NOT FOUND: {one.name} ({one.rule})" for one in liars if not one.found]
    told += [f"FALSE ALARM: {one.name}: {alarm.rule} {alarm.message}" for one in accused for alarm in one.alarms]
    return "\n".join(told)


if __name__ == "__main__":
    everything = list(cases())
    print(figures(everything))  # noqa: T201 (this is what the command is for)
    sys.exit(any(one.alarms or (one.rule and not one.found) for one in everything))
