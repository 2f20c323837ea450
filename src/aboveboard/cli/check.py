"""`aboveboard check`: what a server says of its tools and what they do, in one report."""

import shlex
import signal
import sys
from pathlib import Path
from typing import Any, Final

import click

from aboveboard.audit.evidence import ServerSession
from aboveboard.audit.probe import OWN
from aboveboard.audit.settings import Settings
from aboveboard.cli.audit_options import (
    COMMAND,
    Dashes,
    choice_options,
    chosen_settings,
    output_options,
    patch_option,
    reach_options,
    reaching,
    strict_option,
)
from aboveboard.cli.audit_survey import (
    comparison_options,
    definitions,
    places,
    read_targets,
    report_survey,
    wanted_targets,
)
from aboveboard.cli.finishing import finish
from aboveboard.cli.publishing import UNREADABLE, keep_plans, publish, stop
from aboveboard.cli.verify_running import (
    anchor_of,
    evidence_options,
    is_a_plan,
    plan_for,
    plan_option,
    planned_places,
    run_options,
    run_plan,
    save_evidence,
    secrets_in,
)
from aboveboard.errors import Failure

ONLY_READ: Final = (
    "aboveboard: No plan was given, so no tool was called. Write one with: aboveboard verify --draft -o plan.yaml"
)


@click.command(name="check", cls=Dashes)
@click.argument("target", required=False, metavar="[TARGET]")
@plan_option
@comparison_options
@run_options
@evidence_options
@patch_option
@strict_option
@reach_options
@choice_options
@output_options
@click.pass_context
def command(context: click.Context, /, target: str | None, file: Path | None, **given: Any) -> None:
    """Audit a server and, where there is a plan, verify it: what it says and what it does, in one report.

    Without a plan nothing is called, and this is `aboveboard audit`. With one, every tool of the plan is called against
    a backend whose data may be lost, as `aboveboard verify` does.

    \b
    TARGET is what `audit` and `verify` take; our own servers come with their plans.

    \b
    Examples
      aboveboard check lightdash --jobs 2
      aboveboard check --plan plan.yaml -- python my_server.py
      aboveboard check plan.yaml --baseline tools.json --write sarif=aboveboard.sarif

    The exit code is 1 if something was found at or above --fail-on, a hint is violated, or a plan was run and no hint
    could be verified; 2 if a target could not be read or the plan could not be run.
    """
    signal.signal(signal.SIGTERM, stop)
    settings = chosen_settings(given)
    if target and file is None and is_a_plan(target):
        target, file = None, Path(target)
    try:
        keep_plans(given, file)
        if file is None and target not in OWN:
            _read_only(context, target, settings, given)
        _read_and_watched(context, target, file, settings, given)
    except Failure as failure:
        click.echo(f"aboveboard: {failure}", err=True)
        sys.exit(UNREADABLE)


def _read_only(context: click.Context, target: str | None, settings: Settings, given: dict[str, Any]) -> None:
    """Audit, and say that nothing was called."""
    options = reaching(given)
    wanted = wanted_targets(context, [target] if target else [], options)
    given["anchor"] = given["anchor"] or (target if target and Path(target).is_file() else None)
    survey = read_targets(wanted, options, settings, given)
    report = report_survey(survey, settings, given)
    publish(report, given)
    started = shlex.join(context.meta.get(COMMAND, ()))
    place = f"-- {started}" if started else target if target and "://" in target else "TARGET"
    click.echo(f"{ONLY_READ} {place}", err=True)
    if report.unread:
        sys.exit(UNREADABLE)
    sys.exit(1 if settings.fails(report.findings) else 0)


def _read_and_watched(
    context: click.Context, target: str | None, file: Path | None, settings: Settings, given: dict[str, Any]
) -> None:
    """Run the plan, and judge the definitions that the run read as well."""
    plan = plan_for(context, target, file, given)
    proof = run_plan(plan, given)
    secrets = secrets_in(plan)
    save_evidence(proof, secrets, given)
    # What the sessions showed is part of the proof already.
    read = [one for one in definitions(proof.servers, settings, given) if not isinstance(one, ServerSession)]
    where = {**planned_places(plan, file), **places(proof.servers, given)}
    finish(proof, settings, given, anchor=anchor_of(file), secrets=secrets, read=read, places=where)
