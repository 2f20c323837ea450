"""What commands take alike and need no MCP for: it stands apart so that those without a server start fast."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from aboveboard.cli.services import NAMES

F = TypeVar("F", bound=Callable[..., Any])

service_argument = click.argument("service", type=click.Choice(NAMES), metavar="SERVICE")


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Make one decorator of several options, shown in this order."""

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add
