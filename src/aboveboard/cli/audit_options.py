"""The options that the auditor's commands share, and what they choose."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from aboveboard.audit.probe import Era, Options
from aboveboard.audit.report import Format
from aboveboard.audit.rule import Profile, Severity
from aboveboard.audit.settings import NEVER, Settings, in_ci, known_rule_ids, profile, read_settings, severity
from aboveboard.cli.grouping import together
from aboveboard.errors import BadInput

COMMAND: Final = "aboveboard.audit.command"
"""Where a command's context keeps what stands after two dashes."""


class Dashes(click.Command):
    """A command that keeps what stands after two dashes: it is a command of its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Part our own arguments from the server's command."""
        if "--" in args:
            at = args.index("--")
            ctx.meta[COMMAND] = args[at + 1 :]
            args = args[:at]
        ctx.allow_extra_args = True  # what they are is said below, and better
        try:
            left = super().parse_args(ctx, list(args))
        except click.NoSuchOption as problem:
            told = f"{problem.message} Where it is the server's, put its whole command after two dashes."
            raise click.NoSuchOption(problem.option_name, told, problem.possibilities, ctx) from None
        if left:
            raise click.UsageError(_dashes_advice(ctx, args, [str(ctx.params["target"]), *left]), ctx)
        return left


def _dashes_advice(context: click.Context, given: Sequence[str], words: Sequence[str]) -> str:
    """Say how a server's command is given, where it came without its dashes: its words, behind our own options."""
    ours = list(given)
    for word in reversed(words):
        del ours[len(ours) - 1 - ours[::-1].index(word)]
    line = shlex.join(["aboveboard", str(context.info_name), *ours, "--", *words])
    return f"{context.info_name} takes one TARGET. A server's command stands after two dashes: {line}"


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
    click.option(
        "--rules-url",
        envvar="ABOVEBOARD_RULES_URL",
        show_envvar=True,
        default="",
        metavar="URL",
        help="SARIF: where the pages of docs/rules are published, for a link with each rule.",
    ),
    click.option("-v", "--verbose", is_flag=True, help="Terminal: list every place, why it matters and how to fix it."),
)


strict_option = click.option(
    "--strict/--no-strict",
    default=in_ci,
    help="Fail as well on what is untried, unverifiable or not observed for no stated reason.  [default: where CI is"
    " set]",
)
patch_option = click.option(
    "--patch",
    "patch_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write corrections of violated hints, and hints that could be milder, with the evidence: as JSON, or, where"
    " the name ends in .diff or .patch, as a patch of the code below --source.",
)
source_option = click.option(
    "--source",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Look in this source code for where tools are declared, for --patch, and for hints that never reach the client"
    " (ANN09).",
)


def reaching(given: dict[str, Any]) -> Options:
    """Take together how servers are reached."""
    headers = {**given["header"], **({"Authorization": f"Bearer {given['token']}"} if given["token"] else {})}
    return Options(headers=headers, inputs=given["inputs"], era=Era(given["era"]), timeout=given["timeout"])


def chosen_settings(given: dict[str, Any]) -> Settings:
    """Take the settings from the file, and what the command line says on top."""
    settings = read_settings(given["config"], Path.cwd())
    if given["profiles"]:
        settings = replace(settings, profiles=tuple(dict.fromkeys(profile(one) for one in given["profiles"])))
    if given["select"]:
        settings = replace(settings, select=known_rule_ids(given["select"]))
    known_rule_ids([one.partition(":")[0] for one in given["ignore"]])
    settings = replace(settings, ignore={**settings.ignore, **dict.fromkeys(given["ignore"], "on the command line")})
    if given["fail_on"]:
        settings = replace(settings, fail_on=severity(given["fail_on"]))
    return replace(settings, token_budget=given["token_budget"] or settings.token_budget)
