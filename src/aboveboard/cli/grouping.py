"""What commands take alike and need no MCP for: it stands apart so that those without a server start fast."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from aboveboard.cli.services import NAMES
from aboveboard.errors import explain_unknown

F = TypeVar("F", bound=Callable[..., Any])


class _Service(click.Choice[str]):
    """One of our services; a mistyped one is corrected."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, or say which is meant."""
        if value not in NAMES:
            self.fail(explain_unknown("service", value, NAMES, of="aboveboard"), param, ctx)
        return value


service_argument = click.argument("service", type=_Service(NAMES), metavar="SERVICE")


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Make one decorator of several options, shown in this order."""

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add
