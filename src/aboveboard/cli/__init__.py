"""The command line: `aboveboard serve`, `tools`, `call`, `sandbox`, `doctor`, `demo`.

A command's module is imported only when that command runs, so that none pays for another's imports.
Exit codes: 0 it worked, 1 it did not, 2 the command or its settings are wrong.
"""

import gc
import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Final

import click

from aboveboard import __version__
from aboveboard.errors import BadInput, Failure, explain_unknown

COMMANDS: Final = {
    "serve": "Serve a service's tools to an MCP client.",
    "tools": "Show a service's tools, by area and effect.",
    "call": "Call one tool and show its answer.",
    "doctor": "Check the settings of a service and say what to fix.",
    "audit": "Check what any MCP server says of its tools.",
    "verify": "Watch what a server's tools do, against a disposable backend.",
    "check": "Audit and verify a server in one report.",
    "seed": "Fill a disposable service with what its plan expects.",
    "report": "Write the report of a saved verification again.",
    "rules": "List the auditor's rules, or explain one.",
    "search": "Set up search by meaning.",
    "index": "Index what a person has, so that it can be searched.",
    "people": "See who has signed in to a team's server, and end or forget them.",
    "sandbox": "Serve a service's sandbox alone, for any client.",
    "demo": "See it work: a real server, a real client, no account.",
}


class _Lazy(click.Group):
    """A group whose commands are imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return import_module(f"aboveboard.cli.{cmd_name}").command if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(explain_unknown("command", args[0], list(COMMANDS), of="aboveboard"), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="aboveboard")
def group() -> None:
    """MCP servers whose tools do exactly what their labels say.

    Start with `aboveboard demo`. `aboveboard COMMAND --help` tells what a command takes.
    """
    if not gc.isenabled():  # by main(); this runs when the command's module is loaded, before the command does
        gc.freeze()
        gc.enable()


def main() -> None:
    """Run the command line."""
    # Nearly all that loading modules makes stays: looking for garbage in it, then or later, is a tenth of a start.
    gc.disable()
    gc.set_threshold(50_000, 20, 20)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A pipe on Windows would refuse most of the world's names; a file's name need be no text at all.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        group(prog_name="aboveboard")
    except Failure as failure:
        click.echo(f"aboveboard: {failure}", err=True)
        sys.exit(2 if isinstance(failure, BadInput) else 1)
    except BaseExceptionGroup as several:  # click sees to it only where it comes alone
        if several.subgroup(BrokenPipeError) is None:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # whoever read this has enough
        sys.exit(1)
