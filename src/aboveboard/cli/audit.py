"""`aboveboard audit`: what a server says of its tools, checked."""

import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from aboveboard.audit.evidence import Drift, Evidence, Fleet, Server
from aboveboard.audit.judge import judge, pieces
from aboveboard.audit.probe import Command, Era, Options, Refused, Target, Unreadable, baseline, read, saved_text
from aboveboard.audit.probe import sources as sources_in
from aboveboard.audit.probe import targets as targets_of
from aboveboard.audit.report import Format, Report, Unread, render
from aboveboard.audit.rule import Profile, Severity
from aboveboard.audit.settings import NEVER, Settings, known, profile, read_settings, severity
from aboveboard.cli.grouping import together
from aboveboard.errors import BadInput, unknown

UNREADABLE: Final = 2
COMMAND: Final = "aboveboard.audit.command"


class Dashes(click.Command):
    """A command that keeps what stands after two dashes: it is a command of its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Part our own arguments from the server's command."""
        if "--" in args:
            at = args.index("--")
            ctx.meta[COMMAND] = args[at + 1 :]
            args = args[:at]
        return super().parse_args(ctx, args)


def pairs(separator: str) -> Any:
    """Make a callback that splits each `name<separator>value` of a repeated option."""

    def split(_context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
        parts = [one.partition(separator) for one in given]
        for name, found, _ in parts:
            if not found or not name.strip():
                raise BadInput(f"{parameter.opts[0]} takes name{separator}value.")
        return {name.strip(): value.strip() for name, _, value in parts}

    return split


reach_options = together(
    click.option(
        "--header",
        multiple=True,
        metavar="'NAME: VALUE'",
        callback=pairs(":"),
        help="Send this header to a URL target; may be repeated.",
    ),
    click.option(
        "--token", envvar="ABOVEBOARD_TOKEN", show_envvar=True, help="Send this bearer token to a URL target."
    ),
    click.option(
        "--input",
        "inputs",
        multiple=True,
        metavar="ID=VALUE",
        callback=pairs("="),
        help="What ${input:ID} stands for in a VS Code configuration; may be repeated.",
    ),
    click.option(
        "--era",
        type=click.Choice([one.value for one in Era]),
        default="auto",
        show_default=True,
        help="Which era of the protocol to speak: modern asks server/discover, legacy shakes hands.",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(min=0.1),
        default=30.0,
        show_default=True,
        help="How many seconds each server gets.",
    ),
)

choice_options = together(
    click.option(
        "--profile",
        "profiles",
        multiple=True,
        type=click.Choice([one.value for one in Profile]),
        help="Whose reading of the hints counts; may be repeated.  [default: spec]",
    ),
    click.option("--select", multiple=True, metavar="RULE", help="Only these rules: ANN, NAM04; may be repeated."),
    click.option(
        "--ignore",
        multiple=True,
        metavar="RULE[:TOOL]",
        help="Leave this rule out, for this run; may be repeated. Lasting ones go into the settings, with a reason.",
    ),
    click.option(
        "--fail-on",
        type=click.Choice([*(one.value for one in Severity), NEVER]),
        help="What makes the exit code 1.  [default: error]",
    ),
    click.option(
        "--token-budget",
        type=click.IntRange(min=1),
        help="How many tokens all definitions together may cost; several servers share it.",
    ),
    click.option(
        "--config",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Take the settings from here, not from the nearest aboveboard.toml or pyproject.toml.",
    ),
)

output_options = together(
    click.option(
        "--format",
        "form",
        type=click.Choice([one.value for one in Format]),
        default="terminal",
        show_default=True,
        help="The form of the report.",
    ),
    click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write the report to this file instead of the terminal.",
    ),
    click.option(
        "--write",
        "also",
        multiple=True,
        metavar="FORMAT=FILE",
        callback=pairs("="),
        help="Write the report to this file in this form as well; may be repeated.",
    ),
    click.option("--anchor", metavar="FILE", help="SARIF: the file in which code scanning shows the findings."),
    click.option("-v", "--verbose", is_flag=True, help="Terminal: add why it matters and how to fix it."),
)


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


def reaching(given: dict[str, Any]) -> Options:
    """Take together how servers are reached."""
    headers = {**given["header"], **({"Authorization": f"Bearer {given['token']}"} if given["token"] else {})}
    return Options(headers=headers, inputs=given["inputs"], era=Era(given["era"]), timeout=given["timeout"])


def publish(report: Report, given: dict[str, Any]) -> None:
    """Write a report in every form that was asked for."""
    for form, file in given["also"].items():
        write(render(report, form_of(form), verbose=True), Path(file), f"the report as {form}")
    text = render(report, Format(given["form"]), verbose=given["verbose"])
    write(text, given["output"], f"the report as {given['form']}")


def form_of(name: str) -> Format:
    """Return a form of the report by its name."""
    if name not in list(Format):
        raise BadInput(unknown("format", name, [one.value for one in Format], of="The auditor"))
    return Format(name)


def stop(*_: object) -> None:
    """End by unwinding, so that the servers that were started end too."""
    sys.exit(128 + signal.SIGTERM)


def _wanted(context: click.Context, given: Sequence[str], options: Options) -> list[Target]:
    wanted = [target for text in given for target in targets_of(text, options)]
    if argv := context.meta.get(COMMAND):
        wanted.append(Command(tuple(argv)))
    if not wanted:
        raise BadInput("There is no target.", next_step="Try: aboveboard audit lightdash, or --help.")
    return wanted


def chosen(given: dict[str, Any]) -> Settings:
    """Take the settings from the file, and what the command line says on top."""
    settings = read_settings(given["config"], Path.cwd())
    if given["profiles"]:
        settings = replace(settings, profiles=tuple(dict.fromkeys(profile(one) for one in given["profiles"])))
    if given["select"]:
        settings = replace(settings, select=known(given["select"]))
    known([one.partition(":")[0] for one in given["ignore"]])
    settings = replace(settings, ignore={**settings.ignore, **dict.fromkeys(given["ignore"], "on the command line")})
    if given["fail_on"]:
        settings = replace(settings, fail_on=severity(given["fail_on"]))
    return replace(settings, token_budget=given["token_budget"] or settings.token_budget)


def audit(wanted: Sequence[Target], options: Options, settings: Settings, given: dict[str, Any]) -> Report:
    """Read the targets and judge what they said."""
    found = read(wanted, options)
    servers = [one for one in found if isinstance(one, Server)]
    unread = [Unread(one.name, one.problem) for one in found if isinstance(one, Refused)]
    evidence: list[Evidence] = [*pieces(Fleet(servers, settings.token_budget))] if servers else []
    if given["before"]:
        evidence += _drifts(baseline(given["before"]), servers)
    if given["source"]:
        evidence += sources_in(servers, given["source"])
    if given["save"] and servers:
        given["save"].write_text(saved_text(servers), encoding="utf-8")
    kept, ignored = settings.sorted_out(judge(evidence, settings.profiles, settings.rules()))
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


def write(text: str, output: Path | None, what: str = "") -> None:
    """Print a text, or put it into a file and say what it is."""
    if output is None:
        click.echo(text)
        return
    try:
        output.write_text(click.unstyle(text) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {error.strerror}.") from None
    if what:
        click.echo(f"{output}: {what}", err=True)
