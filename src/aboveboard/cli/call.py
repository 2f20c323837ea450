"""`aboveboard call`: one tool, once, through a real MCP session."""

import json
import sys
from typing import Any

import anyio
import click
import mcp_types as mcp
from mcp import Client

from aboveboard.cli.options import Choice, policy_options, sandbox_options, service_argument
from aboveboard.cli.services import SETTINGS
from aboveboard.cli.terminal import harmless, result_text
from aboveboard.errors import BadInput, unknown
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue


@click.command(name="call", epilog=SETTINGS)
@service_argument
@click.argument("tool")
@click.argument("arguments", nargs=-1, metavar="[KEY=VALUE]...")
@sandbox_options
@policy_options
@click.option("--json", "as_json", is_flag=True, help="Print the structured result as JSON.")
def command(tool: str, arguments: tuple[str, ...], as_json: bool, **options: Any) -> None:  # noqa: FBT001
    """Call TOOL of SERVICE and show its answer.

    TOOL is the short or the full name. A VALUE is text, or JSON where the parameter is no text:

        aboveboard call lightdash list_charts project_uuid=... limit=5 --sandbox
    """
    choice = Choice(**options)
    catalogue = choice.catalogue()
    name = _full_name(catalogue, tool)
    given = _arguments(catalogue, name, arguments)
    server = build_server(catalogue, OneClient(choice.client()))

    async def run() -> mcp.CallToolResult:
        async with Client(server) as client:
            return await client.call_tool(name, given)

    result = anyio.run(run)
    if result.is_error:
        text = "\n".join(block.text for block in result.content if isinstance(block, mcp.TextContent))
        click.echo(harmless(text), err=True)
        sys.exit(1)
    structured = result.structured_content
    click.echo(json.dumps(structured, ensure_ascii=False, indent=2) if as_json else result_text(structured))


def _full_name(catalogue: Catalogue[Any], tool: str) -> str:
    for name, declared in catalogue.tools.items():
        if tool in (name, declared.name):
            return name
    short = [declared.name for declared in catalogue.tools.values()]
    raise BadInput(unknown("tool", tool, short, of=catalogue.service.title))


def _arguments(catalogue: Catalogue[Any], name: str, given: tuple[str, ...]) -> dict[str, Any]:
    properties: dict[str, Any] = catalogue.tools[name].input_schema.get("properties", {})
    values: dict[str, Any] = {}
    for pair in given:
        key, equals, text = pair.partition("=")
        if not equals:
            raise BadInput(f"{pair!r} is no argument: write KEY=VALUE.")
        values[key] = text if properties.get(key, {}).get("type") == "string" else _parsed(text)
    return values


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
