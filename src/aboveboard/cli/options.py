"""Options that several commands take; each can be set in the environment, and a flag wins."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click
from starlette.types import ASGIApp

from aboveboard.cli.grouping import F, together
from aboveboard.cli.misspelt import refuse_misspelt, unread_names
from aboveboard.cli.services import Sandbox, ServerModule, open_sandbox, server_module
from aboveboard.errors import BadInput
from aboveboard.kit.audit_log import AuditLog
from aboveboard.kit.mode import Mode
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import Closable
from aboveboard.kit.service import Catalogue
from aboveboard.observing import Observers

if TYPE_CHECKING:  # a server of one person does not load what many need
    from aboveboard.kit.people.adapter import SignIn


def setting(flag: str, variable: str, help_text: str, **details: Any) -> Callable[[F], F]:
    """Make an option that can also be set in the environment."""
    return click.option(flag, envvar=variable, show_envvar=True, help=help_text, **details)


def names(_context: click.Context, _parameter: click.Parameter, value: str) -> tuple[str, ...]:
    """Split `a,b c` into names."""
    return tuple(value.replace(",", " ").split())


sandbox_options = together(
    click.option("--sandbox", is_flag=True, help="Use an embedded backend with demo data: no account needed."),
    click.option("--sandbox-data", metavar="FILE", help="Keep the sandbox's data in this file (implies --sandbox)."),
)

policy_options = together(
    setting(
        "--safety-mode",
        "ABOVEBOARD_SAFETY_MODE",
        "read-only: nothing changes. additive: nothing is lost. full: everything.",
        type=click.Choice([mode.value for mode in Mode]),
        default=Mode.FULL.value,
        show_default=True,
    ),
    setting(
        "--dry-run/--no-dry-run",
        "ABOVEBOARD_DRY_RUN",
        "Writing tools say what they would send, and send nothing.",
        default=False,
    ),
    setting(
        "--toolsets",
        "ABOVEBOARD_TOOLSETS",
        "auto (as many as the client takes), all, core (the most used), or areas such as charts,spaces.",
        default="auto",
        show_default=True,
        callback=names,
        metavar="NAMES",
    ),
    setting(
        "--exclude",
        "ABOVEBOARD_EXCLUDE",
        "Tools or areas to switch off, such as delete_space,people.",
        default="",
        callback=names,
        metavar="NAMES",
    ),
    setting(
        "--prefix",
        "ABOVEBOARD_TOOL_PREFIX",
        "What tool names start with, in place of the service's own prefix.",
        metavar="TEXT",
    ),
)


def opened_log(_context: click.Context, _parameter: click.Parameter, value: str | None) -> AuditLog | None:
    """Open the audit log, if one is named."""
    return AuditLog(value) if value else None


audit_log_option = setting(
    "--audit-log",
    "ABOVEBOARD_AUDIT_LOG",
    "Append a line of JSON per call to this file (- for stderr).",
    metavar="FILE",
    callback=opened_log,
)


def observers(audit_log: AuditLog | None) -> Observers:
    """Return those who are told what happens."""
    return () if audit_log is None else (audit_log,)


@dataclass
class Choice:
    """What the options above choose."""

    service: str
    safety_mode: str = Mode.FULL.value
    dry_run: bool = False
    toolsets: tuple[str, ...] = ("auto",)
    exclude: tuple[str, ...] = ()
    prefix: str | None = None
    sandbox: bool = False
    sandbox_data: str | None = None

    @property
    def module(self) -> ServerModule:
        """The service's server module."""
        return server_module(self.service)

    @property
    def policy(self) -> Policy:
        """Which tools are served, and whether they may write."""
        mode = Mode(self.safety_mode)
        return Policy(mode=mode, toolsets=self.toolsets, exclude=self.exclude, dry_run=self.dry_run)

    def catalogue(self) -> Catalogue[Any]:
        """Return the service's tools under the chosen policy."""
        return Catalogue(self.module.SERVICE, self.policy, self.prefix)

    def client(self) -> Closable:
        """Make the client: of a sandbox, or of the instance that the environment names."""
        place = self._place
        try:
            return self.module.connect(*place)
        except BadInput as problem:
            if self._is_meant(os.environ):
                raise BadInput(str(problem), next_step=unread_names(os.environ, self.service)) from None
            raise BadInput(f"{problem} (--sandbox needs no settings.)") from None

    def sign_in(self) -> "SignIn[Any]":
        """Make what lets many people sign in with the service."""
        return self.module.sign_in(*self._place)

    async def ready(self) -> None:
        """Raise a failure where the service cannot be used."""
        await self.module.ready(*self._place)

    def _is_meant(self, environment: Mapping[str, str]) -> bool:
        """Tell whether somebody chose where the service is: a sandbox, or an instance of which a setting speaks."""
        named = f"{self.service.upper()}_"
        return bool(self.sandbox or self.sandbox_data) or any(name.startswith(named) for name in environment)

    @cached_property
    def _place(self) -> tuple[Mapping[str, str], ASGIApp | None]:
        """The environment that names the service, and the sandbox in this process, if it is one."""
        if not (self.sandbox or self.sandbox_data):
            return os.environ, None
        backend: Sandbox = open_sandbox(self.service, self.sandbox_data)
        return {**os.environ, **backend.settings}, backend.app


def chosen_options(**options: Any) -> Choice:
    """Take the options of the command that runs; settings whose names are misspelt are refused."""
    refuse_misspelt(os.environ)
    return Choice(**options)
