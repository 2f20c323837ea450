"""`aboveboard audit`: what a server says of its tools, checked."""

import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from aboveboard.audit.evidence import Drift, Evidence, Fleet, Server
from aboveboard.audit.judge import evidence_pieces, judge
from aboveboard.audit.probe import Command, Options, Target, Unreadable, UnreadServer, baseline, read, saved_text
from aboveboard.audit.probe import sources as sources_in
from aboveboard.audit.probe import targets as targets_of
from aboveboard.audit.report import Report, Unread
from aboveboard.audit.settings import Settings
from aboveboard.cli.audit_options import (
    COMMAND,
    Dashes,
    choice_options,
    chosen,
    output_options,
    reach_options,
    reaching,
)
from aboveboard.cli.publishing import UNREADABLE, publish, stop
from aboveboard.errors import BadInput


@click.command(name="audit", cls=Dashes)
@click.argument("targets", nargs=-1, metavar="TARGET...")
@reach_options
@choice_options
@click.option(
    "--baseline",
    "before",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Report what changed since this was saved: loosened hints, new words, new tools.",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write what the servers said, for a later --baseline.",
)
@click.option(
    "--source",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Look in this source code for hints that never reach the client (ANN09).",
)
@output_options
@click.pass_context
def command(context: click.Context, /, targets: tuple[str, ...], **given: Any) -> None:
    """Check what MCP servers say of their tools. Nothing is called, nothing is changed.

    \b
    TARGET is one or more of
      lightdash                 our own server, on its sandbox
      https://host/mcp          a server over HTTP (--header, --token)
      mcp.json                  a client's configuration (Claude, VS Code, Cursor): every server in it
      tools.json                a saved answer of tools/list
      -- npx some-server --arg  a command, after two dashes

    \b
    Examples
      aboveboard audit lightdash
      aboveboard audit --profile anthropic --profile openai -- npx -y @modelcontextprotocol/server-memory
      aboveboard audit ~/.cursor/mcp.json --format html -o report.html
      aboveboard audit https://example.com/mcp --save tools.json      then, later: --baseline tools.json

    The exit code is 1 if something was found at or above --fail-on, 2 if a target could not be read.
    """
    signal.signal(signal.SIGTERM, stop)
    settings = chosen(given)
    options = reaching(given)
    files = [text for text in targets if Path(text).is_file()]
    given["anchor"] = given["anchor"] or next(iter(files), None)
    try:
        report = audit(_wanted(context, targets, options), options, settings, given)
    except Unreadable as failure:
        click.echo(f"aboveboard: {failure}", err=True)
        sys.exit(UNREADABLE)
    publish(report, given)
    if report.unread:
        sys.exit(UNREADABLE)
    sys.exit(1 if settings.fails(report.findings) else 0)


def _wanted(context: click.Context, given: Sequence[str], options: Options) -> list[Target]:
    wanted = [target for text in given for target in targets_of(text, options)]
    if argv := context.meta.get(COMMAND):
        wanted.append(Command(tuple(argv)))
    if not wanted:
        raise BadInput("There is no target.", next_step="Try: aboveboard audit lightdash, or --help.")
    return wanted


def audit(wanted: Sequence[Target], options: Options, settings: Settings, given: dict[str, Any]) -> Report:
    """Read the targets and judge what they said."""
    found = read(wanted, options)
    servers = [one for one in found if isinstance(one, Server)]
    unread = [Unread(one.name, one.problem) for one in found if isinstance(one, UnreadServer)]
    evidence: list[Evidence] = [*evidence_pieces(Fleet(servers, settings.token_budget))] if servers else []
    if given["before"]:
        evidence += _drifts(baseline(given["before"]), servers)
    if given["source"]:
        evidence += sources_in(servers, given["source"])
    if given["save"] and servers:
        given["save"].write_text(saved_text(servers), encoding="utf-8")
    kept, ignored = settings.split_ignored(judge(evidence, settings.profiles, settings.rules()))
    return Report(
        servers=servers,
        findings=kept,
        profiles=settings.profiles,
        unread=unread,
        ignored=ignored,
        anchor=str(given["anchor"] or given["before"] or "tools.json"),
    )


def _drifts(before: Sequence[Server], now: Sequence[Server]) -> list[Drift]:
    """Pair each server with its baseline: by name, or the only one with the only one."""
    if len(before) == len(now) == 1:
        return [Drift(before[0], now[0])]
    known_by_name = {server.name: server for server in before}
    return [Drift(known_by_name[server.name], server) for server in now if server.name in known_by_name]
