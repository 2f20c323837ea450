"""`aboveboard serve`: a service's MCP server, on stdio or over HTTP."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from pydantic import SecretStr

from aboveboard.cli.grouping import service_argument
from aboveboard.cli.options import (
    audit_log_option,
    chosen_options,
    names,
    observers,
    policy_options,
    sandbox_options,
    setting,
    together,
)
from aboveboard.cli.people_options import PEOPLE, people_options, people_settings
from aboveboard.cli.services import SETTINGS
from aboveboard.errors import BadInput
from aboveboard.kit.audit_log import AuditLog
from aboveboard.kit.people.sign_in_mode import SignInMode
from aboveboard.kit.start import serve, serve_people

if TYPE_CHECKING:  # a server on stdio does not pay for what HTTP needs
    from aboveboard.kit.serving.web import WebSettings

WEB: Final = ("host", "port", "auth", "allowed_hosts", "allowed_origins", "session_idle_seconds")

web_options = together(
    setting(
        "--transport",
        "MCP_TRANSPORT",
        "How clients connect.",
        type=click.Choice(("stdio", "streamable-http")),
        default="stdio",
        show_default=True,
    ),
    setting("--host", "MCP_HTTP_HOST", "HTTP: where to listen.", default="127.0.0.1", show_default=True),
    setting(
        "--port",
        "MCP_HTTP_PORT",
        "HTTP: the port; 0 takes a free one.",
        type=click.IntRange(0, 65535),
        default=3100,
        show_default=True,
    ),
    setting("--auth/--no-auth", "MCP_AUTH_ENABLED", "HTTP: require the key that MCP_API_KEY holds.", default=False),
    setting(
        "--allowed-hosts",
        "MCP_HTTP_ALLOWED_HOSTS",
        "HTTP: Host headers to accept beside loopback, such as mcp.example.com.",
        default="",
        callback=names,
        metavar="NAMES",
    ),
    setting(
        "--allowed-origins",
        "MCP_HTTP_ALLOWED_ORIGINS",
        "HTTP: Origin headers to accept beside loopback, such as https://example.com.",
        default="",
        callback=names,
        metavar="URLS",
    ),
    setting(
        "--session-idle-seconds",
        "MCP_SESSION_IDLE_SECONDS",
        "HTTP: when the unused session of an older client ends.",
        type=click.FloatRange(min=0, min_open=True),
        default=1800.0,
        show_default=True,
    ),
)


@click.command(name="serve", epilog=SETTINGS)
@service_argument
@sandbox_options
@policy_options
@audit_log_option
@web_options
@people_options
def command(audit_log: AuditLog | None, transport: str, sign_in: str, **options: Any) -> None:
    """Serve SERVICE's tools to an MCP client.

    A client such as Claude Desktop starts this itself and talks to it on stdio. With --transport streamable-http
    it listens at http://127.0.0.1:3100/mcp instead, with /healthz and /readyz beside it. With --sign-in it serves many
    people over HTTP, each as themselves.
    """
    mode = SignInMode(sign_in)
    web = {name: options.pop(name) for name in WEB}
    people = {name: options.pop(name) for name in PEOPLE}
    choice = chosen_options(**options)
    if mode is not SignInMode.NONE and transport == "stdio":
        raise BadInput(f"--sign-in {mode} is for HTTP: add --transport streamable-http (MCP_TRANSPORT).")
    common: dict[str, Any] = {
        "policy": choice.policy,
        "prefix": choice.prefix,
        "observers": observers(audit_log),
        "ready": choice.ready,
    }
    if mode.has_people:
        settings = people_settings(mode, people)
        serve_people(choice.module.SERVICE, choice.sign_in, settings, web=_web_settings(web), **common)
        return
    web["auth"] = web["auth"] or mode is SignInMode.KEY
    at = None if transport == "stdio" else _web_settings(web)
    serve(choice.module.SERVICE, choice.client, web=at, waiting=_waiting(sys.argv), **common)


def _web_settings(given: dict[str, Any]) -> "WebSettings":
    from aboveboard.kit.serving.web import WebSettings

    key = os.environ.get("MCP_API_KEY", "").strip()
    return WebSettings(key=SecretStr(key) if key else None, **given)


def _waiting(started: Sequence[str]) -> str:
    """Tell a person at a terminal what this waits for, and how a client is given the same command."""
    script = Path(started[0]).absolute()
    command = [sys.executable, "-m", "aboveboard"] if script.name == "__main__.py" else [str(script)]
    entry = {"command": command[0], "args": [*command[1:], *started[1:]]}
    return (
        "This waits on stdin for an MCP client, which starts it by itself.\n"
        f"The client's entry under mcpServers: {json.dumps(entry, ensure_ascii=False)}\n"
        "Over HTTP: --transport streamable-http. For a person: `aboveboard call`. Ctrl-C ends it."
    )
