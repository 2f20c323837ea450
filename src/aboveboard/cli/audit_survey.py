"""What `audit` and `check` read of servers, and the evidence it makes."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from aboveboard.audit.evidence import Drift, Evidence, Fleet, ProtectedResource, Server
from aboveboard.audit.judge import applied_rules, evidence_pieces, judge
from aboveboard.audit.probe import (
    Command,
    Options,
    Target,
    UnreadServer,
    baseline,
    declarations,
    read_all,
    saved_text,
    tool_lines,
)
from aboveboard.audit.probe import sources as sources_in
from aboveboard.audit.probe import targets as targets_of
from aboveboard.audit.report import Place, Report, Unread
from aboveboard.audit.settings import Settings
from aboveboard.cli.audit_options import COMMAND, source_option
from aboveboard.cli.grouping import together
from aboveboard.errors import BadInput

comparison_options = together(
    click.option(
        "--baseline",
        "before",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Report what changed since this was saved: loosened hints, new words, new tools.",
    ),
    source_option,
)


@dataclass(frozen=True, kw_only=True)
class Survey:
    """What servers said of themselves."""

    servers: Sequence[Server] = ()
    unread: Sequence[Unread] = ()
    evidence: Sequence[Evidence] = field(default_factory=list[Evidence])
    remarks: Sequence[str] = ()


def wanted_targets(context: click.Context, given: Sequence[str], options: Options) -> list[Target]:
    """Find out what the targets on the command line are."""
    wanted: list[Target] = []
    for at, text in enumerate(given):
        # A command without its dashes is several targets to us; one in quotes is a whole line.
        line = shlex.join(given[at:]) if given[at + 1 :] else text
        wanted += targets_of(text, options, f"aboveboard {context.info_name} -- {line}")
    if argv := context.meta.get(COMMAND):
        wanted.append(Command(tuple(argv)))
    if not wanted:
        name = context.info_name
        raise BadInput("There is no target.", next_step=f"Try: aboveboard {name} lightdash, or --help.")
    return wanted


def read_targets(wanted: Sequence[Target], options: Options, settings: Settings, given: dict[str, Any]) -> Survey:
    """Read the targets; each is read or refused by itself."""
    found = read_all(wanted, options)
    servers = [one for one in found if isinstance(one, Server)]
    closed = [one for one in found if isinstance(one, UnreadServer)]
    evidence = definitions(servers, settings, given)
    evidence += [replace(piece, server=one.name) for one in closed for piece in one.sign_in]
    return Survey(
        servers=servers,
        unread=[Unread(one.name, one.problem) for one in closed],
        evidence=evidence,
        remarks=[remark for one in found for remark in _not_asked(one)],
    )


def _not_asked(found: Server | UnreadServer) -> list[str]:
    """Say of which places to sign in nothing was read."""
    resources = [piece for piece in found.sign_in if isinstance(piece, ProtectedResource)]
    told = "which is on another host and was not asked: nothing is said of it"
    return [f"{found.name}: people sign in at {one!r}, {told}." for piece in resources for one in piece.elsewhere]


def definitions(servers: Sequence[Server], settings: Settings, given: dict[str, Any]) -> list[Evidence]:
    """Make evidence of what servers said, beside their baseline and their source where these are given."""
    evidence: list[Evidence] = [*evidence_pieces(Fleet(servers, settings.token_budget))] if servers else []
    if given["before"]:
        evidence += _drifts(baseline(given["before"]), servers)
    if given["source"]:
        evidence += sources_in(servers, given["source"])
    return evidence


def save_listing(servers: Sequence[Server], file: Path | None) -> None:
    """Write what servers said, for a later baseline."""
    if file and servers:
        file.write_text(saved_text(servers), encoding="utf-8")


def places(servers: Sequence[Server], given: dict[str, Any]) -> dict[str, Place]:
    """Find the lines that declare the tools: in the source code, or else in the file that lists them."""
    found: dict[str, tuple[Path, int]] = {}
    anchor = Path(str(given["anchor"] or given["before"] or ""))
    if anchor.suffix == ".json" and anchor.is_file():
        found |= tool_lines(servers, anchor)
    if given["source"]:
        found |= declarations(servers, given["source"])
    return {name: Place(file.as_posix(), line) for name, (file, line) in found.items()}


def report_survey(survey: Survey, settings: Settings, given: dict[str, Any]) -> Report:
    """Judge what was read."""
    kept, ignored = settings.split_ignored(judge(survey.evidence, settings.profiles, settings.rules()))
    return Report(
        servers=survey.servers,
        findings=kept,
        profiles=settings.profiles,
        unread=survey.unread,
        remarks=survey.remarks,
        ignored=ignored,
        anchor=str(given["anchor"] or given["before"] or "tools.json"),
        places=places(survey.servers, given),
        applied=applied_rules(survey.evidence, settings.profiles, settings.rules()),
        rules_url=given["rules_url"],
    )


def _drifts(before: Sequence[Server], now: Sequence[Server]) -> list[Drift]:
    """Pair each server with its baseline: by name, or the only one with the only one."""
    if len(before) == len(now) == 1:
        return [Drift(before[0], now[0])]
    known_by_name = {server.name: server for server in before}
    return [Drift(known_by_name[server.name], server) for server in now if server.name in known_by_name]
