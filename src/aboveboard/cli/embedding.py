"""A plan's own `aboveboard serve` and `aboveboard sandbox`, made in this process instead of started."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

import click
from mcp.server.lowlevel import Server
from starlette.types import ASGIApp

from aboveboard.audit.verify import Plan
from aboveboard.audit.verify.in_process import InProcess
from aboveboard.cli import group
from aboveboard.cli.options import Choice
from aboveboard.cli.sandbox import VARIABLE, make_sandbox
from aboveboard.cli.sandbox import command as sandbox_command
from aboveboard.cli.serve import command as serve_command
from aboveboard.errors import BadInput
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server


def embed_plan(plan: Plan) -> InProcess:
    """Read from a plan's commands what they would start, so that it is said in no second place."""
    options = _parsed(serve_command, plan.server.command)
    choice = Choice(**{one.name: options[one.name] for one in fields(Choice)})
    catalogue = choice.catalogue()
    sandbox = _parsed(sandbox_command, [one.replace("${port}", "0") for one in plan.backend.command])

    @contextmanager
    def backend(environment: Mapping[str, str]) -> Generator[ASGIApp]:
        given: dict[str, Any] = {**sandbox, "token": environment.get(VARIABLE)}
        made = make_sandbox(**{name: value for name, value in given.items() if name != "port"})
        try:
            yield made.app
        finally:
            made.close()

    def server(environment: Mapping[str, str], app: ASGIApp) -> Server[Any]:
        return build_server(catalogue, OneClient(choice.module.connect(environment, app)))

    return InProcess(backend, server)


def _parsed(command: click.Command, argv: Sequence[str]) -> dict[str, Any]:
    if list(argv[:2]) != ["aboveboard", command.name]:
        raise BadInput(f"The plan does not start `aboveboard {command.name}`, so it cannot be run in this process.")
    # Below the group, as on the command line: a command remembers the options for help of its first context.
    above = click.Context(group, **group.context_settings)
    return command.make_context(str(command.name), list(argv[2:]), parent=above).params
