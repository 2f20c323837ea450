"""`aboveboard verify`: what a server's tools do, watched."""

import signal
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

import click

from aboveboard.audit.probe import OWN, Address, Command, Unreadable
from aboveboard.audit.probe import targets as targets_of
from aboveboard.audit.verify import ConnectOptions, Plan, Proof, load_plan, verify
from aboveboard.audit.verify.backend_file import load_backend, load_bookkeeping
from aboveboard.audit.verify.draft import draft, read_server
from aboveboard.audit.verify.loading import SUFFIXES, base_of
from aboveboard.audit.verify.redaction import redacted, secrets_of, veiled
from aboveboard.audit.verify.saving import evidence_text
from aboveboard.audit.verify.tables import todos
from aboveboard.audit.words import plural
from aboveboard.cli.audit_options import (
    COMMAND,
    Dashes,
    choice_options,
    chosen,
    output_options,
    patch_option,
    reach_options,
    reaching,
    strict_option,
)
from aboveboard.cli.finishing import finish
from aboveboard.cli.grouping import together
from aboveboard.cli.progress import Meter
from aboveboard.cli.publishing import UNREADABLE, stop, write
from aboveboard.cli.services import bookkeeping_file, plan_folder
from aboveboard.errors import BadInput, Failure

NO_PLAN: Final = "Write a first one with: aboveboard verify TARGET --draft -o plan.yaml"

run_options = together(
    click.option("--only", multiple=True, metavar="TOOL", help="Only this tool; globs work; may be repeated."),
    click.option(
        "--repeats", type=click.IntRange(min=1), default=3, show_default=True, help="How often each case is walked."
    ),
    click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="How many servers, each with a backend of its own, work side by side.",
    ),
    click.option(
        "--i-know-this-is-disposable",
        "disposable",
        is_flag=True,
        help="Allow a backend beyond this machine: everything in it may be lost.",
    ),
)


@click.command(name="verify", cls=Dashes)
@click.argument("target", required=False, metavar="[TARGET]")
@click.option("--plan", "file", type=click.Path(path_type=Path), metavar="PATH", help="What to call, and against what.")
@click.option(
    "--backend",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A disposable service of your own in the place of the plan's backend.",
)
@click.option("--draft", "drafting", is_flag=True, help="Write a first plan from the definitions; calls no tool.")
@run_options
@click.option(
    "--save", type=click.Path(path_type=Path), metavar="FILE", help="Write the evidence, for `aboveboard report`."
)
@click.option("--keep-values", is_flag=True, help="Let --save keep values, not digests of them; secrets go.")
@patch_option
@strict_option
@reach_options
@choice_options
@output_options
@click.pass_context
def command(context: click.Context, /, target: str | None, file: Path | None, **given: Any) -> None:
    """Call the tools of a server as a plan says, and compare the backend's state before and after.

    The backend must be one whose data may be lost: every tool of the plan is called, deleting ones included.

    \b
    TARGET is
      lightdash, nextcloud      our own servers, with the plans that come with them
      plan.yaml, plan/          a plan, one file or a folder: the same as --plan plan.yaml
      https://host/mcp          a server over HTTP (--header, --token)
      -- npx some-server --arg  a command, after two dashes
      nothing                   the server that the plan names

    \b
    Examples
      aboveboard verify lightdash --jobs 2
      aboveboard verify nextcloud --backend mine.yaml
      aboveboard verify --draft -o plan.yaml -- python my_server.py
      aboveboard verify --plan plan.yaml --save evidence.json --write html=report.html

    The exit code is 1 if a hint is violated, no hint at all could be verified, or something was found at or above
    --fail-on; 2 if it could not be run.
    """
    signal.signal(signal.SIGTERM, stop)
    settings = chosen(given)
    if target and file is None and _is_a_plan(target):
        target, file = None, Path(target)
    try:
        if given["drafting"]:
            _draft(_server(context, Plan(), target, given), given)
            return
        plan = _plan(context, target, file, given)
        proof = _run(plan, given)
    except Failure as failure:
        click.echo(f"aboveboard: {failure}", err=True)
        sys.exit(UNREADABLE)
    secrets = _secrets(plan)
    if given["save"]:
        _save(proof, secrets, given)
    finish(proof, settings, given, anchor=_anchor(file), secrets=secrets)


def _is_a_plan(target: str) -> bool:
    """Tell whether a target is a plan: a YAML file or a folder, unless it is the name of one of our own servers."""
    path = Path(target)
    return target not in OWN and (path.suffix in SUFFIXES or path.is_dir())


def _anchor(file: Path | None) -> str:
    """Name the file in which code scanning shows the findings."""
    if file is not None and file.is_dir():
        return str(base_of(file))
    return str(file or "plan.yaml")


def _plan(context: click.Context, target: str | None, file: Path | None, given: dict[str, Any]) -> Plan:
    """Read the plan: the one that was given, or the one that comes with our own servers."""
    own = target in OWN
    if file is None and own:
        file = plan_folder(str(target))
    if file is None:
        raise BadInput("There is no plan.", next_step=NO_PLAN)
    plan = load_plan(file)
    if given["backend"]:
        known = load_bookkeeping(bookkeeping_file(str(target))) if own else ()
        plan = load_backend(given["backend"], plan).replacing(plan, known)
    return plan if own and (plan.server.command or plan.server.url) else _server(context, plan, target, given)


def _server(context: click.Context, plan: Plan, target: str | None, given: dict[str, Any]) -> Plan:
    """Put the server that the command line names in the place of the plan's own."""
    if argv := context.meta.get(COMMAND):
        return plan.starting(Command(tuple(argv)))
    if target is None:
        return plan
    found = targets_of(target, reaching(given))
    if len(found) != 1 or not isinstance(found[0], Command | Address):
        raise Unreadable(f"{target} is not one server that can be started or reached.")
    return plan.starting(found[0])


def _options(given: dict[str, Any]) -> ConnectOptions:
    options = reaching(given)
    return ConnectOptions(era=options.era, timeout=options.timeout)


def _run(plan: Plan, given: dict[str, Any]) -> Proof:
    with Meter() as meter:
        return verify(
            plan,
            repeats=given["repeats"],
            jobs=given["jobs"],
            only=given["only"],
            progress=meter.show,
            options=_options(given),
            disposable=given["disposable"],
        )


def _save(proof: Proof, secrets: Collection[str], given: dict[str, Any]) -> None:
    """Write the evidence: with digests for values, or with the values; secrets stand in neither."""
    kept = given["keep_values"]
    shareable = veiled(proof, secrets) if kept else redacted(proof, secrets)
    how = "with values as they are" if kept else "with digests for values"
    write(evidence_text(shareable), given["save"], f"the evidence, {how}")


def _draft(plan: Plan, given: dict[str, Any]) -> None:
    """Write a first plan, and say how much of it is left to do."""
    text = draft(read_server(plan, _options(given)), plan, str(given["output"] or "plan.yaml"))
    write(text.rstrip("\n"), given["output"])
    count = len(todos(text))
    left = (
        f"{plural(count, 'line')} {'says' if count == 1 else 'say'} TODO; so does" if count else "TODO is left only by"
    )
    click.echo(f"{left} the backend, which is the first thing to fill in.", err=True)


def _secrets(plan: Plan) -> set[str]:
    """Collect the secrets that the plan hands to servers and backends: none of them may show."""
    headers: dict[str, str] = getattr(plan.backend.state, "headers", {})
    backend = plan.backend
    tables = (plan.server.environment, plan.server.headers, backend.environment, backend.headers, headers)
    return {secret for table in tables for secret in secrets_of(table)}
