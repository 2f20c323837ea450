"""`aboveboard call`: one tool, once, through a real MCP session."""

import json
import sys
from typing import Any

import anyio
import click
import mcp_types as mcp
from mcp import Client

from aboveboard.cli.answer import result_text
from aboveboard.cli.asked_tool import full_name, given_arguments
from aboveboard.cli.grouping import service_argument
from aboveboard.cli.options import audit_log_option, chosen_options, observers, policy_options, sandbox_options
from aboveboard.cli.services import SETTINGS
from aboveboard.cli.terminal import harmless
from aboveboard.cli.tool_help import ToolCommand
from aboveboard.kit.audit_log import AuditLog
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server


@click.command(name="call", cls=ToolCommand, epilog=SETTINGS)
@service_argument
@click.argument("tool")
@click.argument("arguments", nargs=-1, metavar="[KEY=VALUE]...")
@sandbox_options
@policy_options
@audit_log_option
@click.option("--json", "as_json", is_flag=True, help="Print the structured result as JSON.")
def command(
    tool: str,
    arguments: tuple[str, ...],
    audit_log: AuditLog | None,
    as_json: bool,  # noqa: FBT001 (click passes it by name)
    **options: Any,
) -> None:
    """Call TOOL of SERVICE and show its answer.

    TOOL is the short or the full name. A VALUE is text, or JSON where the parameter is not text:

        aboveboard call lightdash list_charts project_uuid=... limit=5 --sandbox

    With --help after TOOL, what that tool takes is shown.
    """
    choice = chosen_options(**options)
    catalogue = choice.catalogue()
    name = full_name(catalogue, tool)
    given = given_arguments(catalogue.tools[name].input_schema.get("properties", {}), arguments)
    server = build_server(catalogue, OneClient(choice.client()), observers(audit_log))

    async def run() -> mcp.CallToolResult:
        async with Client(server) as client:
            return await client.call_tool(name, given)

    result = anyio.run(run)
    if result.is_error:
        click.echo(harmless(_shown(result)), err=True)
        sys.exit(1)
    structured = result.structured_content
    if as_json:
        raw = [block.model_dump(by_alias=True, mode="json", exclude_none=True) for block in result.content]
        click.echo(json.dumps(raw if structured is None else structured, ensure_ascii=False, indent=2))
    else:
        click.echo(harmless(_shown(result)) if structured is None else result_text(structured))


def _shown(result: mcp.CallToolResult) -> str:
    """Return what a person can read of the content, and name the rest."""
    return "\n".join(block.text if isinstance(block, mcp.TextContent) else _named(block) for block in result.content)


def _named(block: mcp.ContentBlock) -> str:
    what = getattr(block, "uri", "") or getattr(block, "mime_type", "")
    return f"[{block.type} {what}]"
