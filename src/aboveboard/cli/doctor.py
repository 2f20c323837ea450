"""`aboveboard doctor`: is everything set up, and if not, what is there to fix."""

import os
import sys

import anyio
import click

from aboveboard.cli.grouping import service_argument
from aboveboard.cli.services import SETTINGS, server_module
from aboveboard.kit.checkup import State

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
    return well
