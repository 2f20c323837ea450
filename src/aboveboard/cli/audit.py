"""`aboveboard audit`: what a server says of its tools, checked."""

import signal
import sys
from pathlib import Path
from typing import Any

import click

from aboveboard.audit.probe import Unreadable
from aboveboard.cli.audit_options import (
    Dashes,
    choice_options,
    chosen_settings,
    output_options,
    reach_options,
    reaching,
)
from aboveboard.cli.audit_survey import comparison_options, read_targets, report_survey, save_listing, wanted_targets
from aboveboard.cli.publishing import UNREADABLE, keep_plans, publish, stop


@click.command(name="audit", cls=Dashes)
@click.argument("targets", nargs=-1, metavar="TARGET...")
@reach_options
@choice_options
@comparison_options
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write what the servers said, for a later --baseline.",
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
    settings = chosen_settings(given)
    keep_plans(given)
    options = reaching(given)
    files = [text for text in targets if Path(text).is_file()]
    given["anchor"] = given["anchor"] or next(iter(files), None)
    try:
        survey = read_targets(wanted_targets(context, targets, options), options, settings, given)
        save_listing(survey.servers, given["save"])
    except Unreadable as failure:
        click.echo(f"aboveboard: {failure}", err=True)
        sys.exit(UNREADABLE)
    report = report_survey(survey, settings, given)
    publish(report, given)
    if report.unread:
        sys.exit(UNREADABLE)
    sys.exit(1 if settings.fails(report.findings) else 0)
