"""`aboveboard doctor`: is everything set up, and if not, what is there to fix."""

import os
import sys
from typing import Any

import anyio
import click

from aboveboard.cli.grouping import service_argument
from aboveboard.cli.misspelt import unread_names
from aboveboard.cli.options import Choice, chosen_options, policy_options
from aboveboard.cli.services import SETTINGS
from aboveboard.kit.caller import Caller
from aboveboard.kit.checkup import State
from aboveboard.kit.client_limits import CLIENTS
from aboveboard.kit.policy import ALLOWED, Policy
from aboveboard.kit.service import Catalogue

MARKS = {State.GOOD: ("✓", "green"), State.WARNING: ("!", "yellow"), State.BAD: ("✗", "red")}


@click.command(name="doctor", epilog=SETTINGS)
@service_argument
@policy_options
def command(**options: Any) -> None:
    """Check SERVICE's settings, the way to it, its version and the token, and say what to fix and what is left out."""
    if not anyio.run(_all_well, chosen_options(**options)):
        sys.exit(1)


async def _all_well(choice: Choice) -> bool:
    well, catalogue = True, choice.catalogue()
    async for check in choice.module.checkup(os.environ):
        mark, colour = MARKS[check.state]
        click.echo(f"{click.style(mark, fg=colour)} {check.name}: {check.found}")
        well = well and check.state is not State.BAD
    if not well and (unread := unread_names(os.environ, choice.service)):
        mark, colour = MARKS[State.WARNING]
        click.echo(f"{click.style(mark, fg=colour)} names: {unread}")
    if well:
        mark, colour = MARKS[State.GOOD]
        click.echo(f"{click.style(mark, fg=colour)} safety: {_allowed(catalogue.policy)}")
        click.echo(f"{click.style(mark, fg=colour)} tools: {_shown(catalogue)}")
    return well


def _shown(catalogue: Catalogue[Any]) -> str:
    """Say how many tools there are, which clients are shown fewer, what is left out, and how to get it."""
    said = [str(len(catalogue.definitions()))]
    if catalogue.policy.differs_by_client:
        few = [f"{one.name} {len(catalogue.definitions(Caller(client=one.spelled[0])))}" for one in CLIENTS]
        said.append(f"clients that take few are shown the most used ({', '.join(few)}), --toolsets names others")
    if catalogue.left_out:
        off = [f"{area} {count}" for area, count in catalogue.left_out.items()]
        said.append(f"left out: {', '.join(off)} ({_way_in(catalogue)})")
    return "; ".join(said)


def _allowed(policy: Policy) -> str:
    """Say what may be done: who believes to be safe must be able to see it."""
    told = f"{policy.mode}, {ALLOWED.get(policy.mode, 'everything may be changed')}"
    return f"{told}; dry run: what writes says what it would send, and sends nothing" if policy.dry_run else told


def _way_in(catalogue: Catalogue[Any]) -> str:
    """Name the settings that would leave nothing out."""
    policy = catalogue.policy
    if shut := [area for area in catalogue.left_out if area in policy.exclude]:
        return f"--exclude without {', '.join(shut)}"
    return f"--toolsets {','.join((*policy.toolsets, *catalogue.left_out))}"
