"""`aboveboard doctor`: is everything set up, and if not, what is there to fix."""

import os
import sys
from typing import Any

import anyio
import click

from aboveboard.cli.grouping import service_argument
from aboveboard.cli.services import SETTINGS, server_module
from aboveboard.kit.caller import Caller
from aboveboard.kit.checkup import State
from aboveboard.kit.client_limits import CLIENTS
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue

MARKS = {State.GOOD: ("✓", "green"), State.WARNING: ("!", "yellow"), State.BAD: ("✗", "red")}


@click.command(name="doctor", epilog=SETTINGS)
@service_argument
def command(service: str) -> None:
    """Check SERVICE's settings, the way to it, its version and the token, and say what to fix."""
    if not anyio.run(_all_well, service):
        sys.exit(1)


async def _all_well(service: str) -> bool:
    well = True
    async for check in server_module(service).checkup(os.environ):
        mark, colour = MARKS[check.state]
        click.echo(f"{click.style(mark, fg=colour)} {check.name}: {check.found}")
        well = well and check.state is not State.BAD
    if well:
        mark, colour = MARKS[State.GOOD]
        click.echo(
            f"{click.style(mark, fg=colour)} tools: {_shown(Catalogue(server_module(service).SERVICE, Policy()))}"
        )
    return well


def _shown(catalogue: Catalogue[Any]) -> str:
    """Say how many tools there are, and which clients are shown fewer."""
    few = [f"{one.name} {len(catalogue.definitions(Caller(client=one.spelled[0])))}" for one in CLIENTS]
    every = len(catalogue.definitions())
    return f"{every}; clients that take few are shown the most used ({', '.join(few)}), --toolsets names others"
