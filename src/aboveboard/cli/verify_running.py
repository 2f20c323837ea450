"""Which plan `verify` and `check` run, against which server, and the run itself."""

import shlex
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

import click

from aboveboard.audit.probe import OWN, Address, Command, Target, Unreadable
from aboveboard.audit.probe import targets as targets_of
from aboveboard.audit.report import Place
from aboveboard.audit.verify import ConnectOptions, Plan, Proof, load_plan, verify
from aboveboard.audit.verify.backend_file import load_backend, load_bookkeeping
from aboveboard.audit.verify.late import LATE, SETTING
from aboveboard.audit.verify.loading import SUFFIXES, base_of
from aboveboard.audit.verify.redaction import redact_proof, secrets_of, veil_secrets
from aboveboard.audit.verify.saving import evidence_text
from aboveboard.cli.audit_options import COMMAND, reaching
from aboveboard.cli.grouping import together
from aboveboard.cli.progress import Meter
from aboveboard.cli.publishing import write
from aboveboard.cli.services import bookkeeping_file, plan_folder
from aboveboard.errors import BadInput

NO_PLAN: Final = "Write a first one with: aboveboard verify --draft -o plan.yaml"

plan_option = click.option(
    "--plan", "file", type=click.Path(path_type=Path), metavar="PATH", help="What to call, and against what."
)
backend_option = click.option(
    "--backend",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A disposable service of your own in the place of the plan's backend.",
)
run_options = together(
    click.option("--only", multiple=True, metavar="TOOL", help="Only these tools: add_note,get_*; may be repeated."),
    click.option(
        "--repeats", type=click.IntRange(min=1), default=3, show_default=True, help="How often each case is walked."
    ),
    click.option(
        "--late",
        type=click.FloatRange(min=0),
        envvar=SETTING,
        show_envvar=True,
        default=LATE,
        show_default=True,
        metavar="SECONDS",
        help="How long after an answer work of that call is still looked for; 0: not at all.",
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
evidence_options = together(
    click.option(
        "--save", type=click.Path(path_type=Path), metavar="FILE", help="Write the evidence, for `aboveboard report`."
    ),
    click.option("--keep-values", is_flag=True, help="Let --save keep values, not digests of them; secrets go."),
)


def is_a_plan(target: str) -> bool:
    """Tell whether a target is a plan: a YAML file or a folder, unless it is the name of one of our own servers."""
    path = Path(target)
    return target not in OWN and (path.suffix in SUFFIXES or path.is_dir())


def anchor_of(file: Path | None) -> str:
    """Name the file in which code scanning shows the findings."""
    if file is not None and file.is_dir():
        return str(base_of(file))
    return str(file or "plan.yaml")


def planned_places(plan: Plan, file: Path | None) -> dict[str, Place]:
    """Find the lines at which a plan says how the tools are called: those of their first cases."""
    if file is None:
        return {}
    found: dict[str, Place] = {}
    for case in plan.cases:
        if case.place is not None:
            found.setdefault(case.tool, Place((file.parent / case.place.file).as_posix(), case.place.line))
    return found


def plan_for(context: click.Context, target: str | None, file: Path | None, given: dict[str, Any]) -> Plan:
    """Read the plan: the one that was given, or the one that comes with our own servers."""
    own = target in OWN
    if file is None and own:
        file = plan_folder(str(target))
    if file is None:
        raise BadInput("There is no plan.", next_step=f"{NO_PLAN} {_server_words(context, target, given)}")
    plan = load_plan(file)
    if given.get("backend"):
        known = load_bookkeeping(bookkeeping_file(str(target))) if own else ()
        plan = load_backend(given["backend"], plan).replacing(plan, known)
    return plan if own and (plan.server.command or plan.server.url) else with_server(context, plan, target, given)


def _server_words(context: click.Context, target: str | None, given: dict[str, Any]) -> str:
    """Return how the server is named on a command line; a target that is none is refused."""
    if argv := context.meta.get(COMMAND):
        return f"-- {shlex.join(argv)}"
    if target is None:
        return "TARGET"
    _targets(context, target, given)
    return shlex.quote(target)


def _targets(context: click.Context, target: str, given: dict[str, Any]) -> list[Target]:
    return targets_of(target, reaching(given), f"aboveboard {context.info_name} -- {target}")


def with_server(context: click.Context, plan: Plan, target: str | None, given: dict[str, Any]) -> Plan:
    """Put the server that the command line names in the place of the plan's own."""
    if argv := context.meta.get(COMMAND):
        return plan.starting(Command(tuple(argv)))
    if target is None:
        return plan
    found = _targets(context, target, given)
    if len(found) != 1 or not isinstance(found[0], Command | Address):
        raise Unreadable(f"{target} is not one server that can be started or reached.")
    return plan.starting(found[0])


def connecting(given: dict[str, Any]) -> ConnectOptions:
    """Take together how the server under test is spoken to."""
    options = reaching(given)
    return ConnectOptions(era=options.era, timeout=options.timeout)


def run_plan(plan: Plan, given: dict[str, Any]) -> Proof:
    """Run a plan, and show how far it is."""
    with Meter() as meter:
        return verify(
            plan,
            repeats=given["repeats"],
            jobs=given["jobs"],
            only=[one.strip() for several in given["only"] for one in several.split(",")],
            late=given["late"],
            progress=meter.show,
            options=connecting(given),
            disposable=given["disposable"],
        )


def save_evidence(proof: Proof, secrets: Collection[str], given: dict[str, Any]) -> None:
    """Write the evidence: with digests for values, or with the values; secrets stand in neither."""
    if not given["save"]:
        return
    kept = given["keep_values"]
    shareable = veil_secrets(proof, secrets) if kept else redact_proof(proof, secrets)
    how = "with values as they are" if kept else "with digests for values"
    write(evidence_text(shareable), given["save"], f"the evidence, {how}")


def secrets_in(plan: Plan) -> set[str]:
    """Collect the secrets that the plan hands to servers and backends: none of them may show."""
    headers: dict[str, str] = getattr(plan.backend.state, "headers", {})
    backend = plan.backend
    tables = (plan.server.environment, plan.server.headers, backend.environment, backend.headers, headers)
    return {secret for table in tables for secret in secrets_of(table)}
