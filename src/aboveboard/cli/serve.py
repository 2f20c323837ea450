"""`aboveboard serve`: a service's MCP server, on stdio or over HTTP."""

import logging
import os
import sys
from typing import Any

import click
from pydantic import SecretStr

from aboveboard.cli.grouping import service_argument
from aboveboard.cli.options import (
    Choice,
    audit_log_option,
    names,
    observers,
    policy_options,
    sandbox_options,
    setting,
    together,
)
from aboveboard.cli.services import SETTINGS
from aboveboard.kit.audit_log import AuditLog
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server

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
def command(
    audit_log: AuditLog | None,
    transport: str,
    host: str,
    port: int,
    auth: bool,  # noqa: FBT001 (click passes it by name)
    allowed_hosts: tuple[str, ...],
    allowed_origins: tuple[str, ...],
    session_idle_seconds: float,
    **options: Any,
) -> None:
    """Serve SERVICE's tools to an MCP client.

    A client such as Claude Desktop starts this itself and talks to it on stdio. With --transport streamable-http
    it listens at http://127.0.0.1:3100/mcp instead, with /healthz and /readyz beside it.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    choice = Choice(**options)
    catalogue, client = choice.catalogue(), choice.client()
    server = build_server(catalogue, OneClient(client), observers(audit_log))
    if transport == "stdio":
        from aboveboard.kit.serving.stdio import serve_stdio

        serve_stdio(server)
        return
    from aboveboard.kit.serving.web import WebSettings, serve_web, web_app

    key = os.environ.get("MCP_API_KEY", "").strip()
    settings = WebSettings(
        host=host,
        port=port,
        auth=auth,
        key=SecretStr(key) if key else None,
        allowed_hosts=allowed_hosts,
        allowed_origins=allowed_origins,
        session_idle_seconds=session_idle_seconds,
    )
    app = web_app(server, settings, lambda: choice.module.ready(client))
    title = catalogue.service.title
    serve_web(app, settings, lambda address: click.echo(f"Serving {title} at {address}", err=True))
