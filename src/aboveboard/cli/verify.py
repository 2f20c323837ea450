"""`aboveboard verify`: what a server's tools do, watched."""

import signal
import sys
from pathlib import Path
from typing import Any

import click

from aboveboard.audit.verify import Plan
from aboveboard.audit.verify.budget import seconds_of
from aboveboard.audit.verify.draft import draft, read_with_pace
from aboveboard.audit.verify.tables import todos
from aboveboard.audit.words import plural
from aboveboard.cli.audit_options import (
    Dashes,
    choice_options,
    chosen_settings,
    output_options,
    patch_option,
    reach_options,
    source_option,
    strict_option,
)
from aboveboard.cli.finishing import finish
from aboveboard.cli.publishing import UNREADABLE, holds_something, keep_plans, stop, write
from aboveboard.cli.verify_running import (
    anchor_of,
    backend_option,
    connecting,
    evidence_options,
    is_a_plan,
    plan_for,
    plan_option,
    planned_places,
    run_options,
    run_plan,
    save_evidence,
    secrets_in,
    with_server,
)
from aboveboard.errors import BadInput, Failure


@click.command(name="verify", cls=Dashes)
@click.argument("target", required=False, metavar="[TARGET]")
@plan_option
@backend_option
@click.option("--draft", "drafting", is_flag=True, help="Write a first plan from the definitions; calls no tool.")
@click.option("--force", is_flag=True, help="Let --draft write over a file.")
@click.option(
    "--budget", default="5m", show_default=True, metavar="TIME", help="How long a drafted plan may take: 90s, 5m, 1h."
)
@run_options
@evidence_options
@patch_option
@source_option
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
    settings = chosen_settings(given)
    if target and file is None and is_a_plan(target):
        target, file = None, Path(target)
    try:
        if given["drafting"]:
            _draft(with_server(context, Plan(), target, given), given)
            return
        keep_plans(given, file)
        plan = plan_for(context, target, file, given)
        proof = run_plan(plan, given)
    except Failure as failure:
        click.echo(f"aboveboard: {failure}", err=True)
        sys.exit(UNREADABLE)
    secrets = secrets_in(plan)
    save_evidence(proof, secrets, given)
    finish(proof, settings, given, anchor=anchor_of(file), secrets=secrets, places=planned_places(plan, file))


def _draft(plan: Plan, given: dict[str, Any]) -> None:
    """Write a first plan, and say how much of it is left to do."""
    output: Path | None = given["output"]
    if output and holds_something(output) and not given["force"]:
        raise BadInput(f"{output} is there already.", next_step="Name another file, or write over it with --force.")
    budget = seconds_of(given["budget"])
    server, pace = read_with_pace(plan, connecting(given))
    text = draft(server, plan, str(output or "plan.yaml"), pace=pace, budget=budget)
    write(text.rstrip("\n"), output)
    count = len(todos(text))
    left = (
        f"{plural(count, 'line')} {'says' if count == 1 else 'say'} TODO; so does" if count else "TODO is left only by"
    )
    click.echo(f"{left} the backend, which is the first thing to fill in.", err=True)
