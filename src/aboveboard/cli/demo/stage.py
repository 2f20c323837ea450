"""What every part of the demo does: say what comes, call a tool and show the answer, show the tools by effect."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click
import mcp_types as mcp
from mcp import Client

from aboveboard.cli.services import server_module
from aboveboard.cli.terminal import COLOURS, HINTS, harmless, result_text, table, yes_and_no
from aboveboard.effects import EFFECTS
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue

COLUMNS: Final = (
    "name",
    "title",
    "path",
    "kind",
    "type",
    "chart_kind",
    "space",
    "views",
    "category",
    "size",
    "excerpt",
)
"""What of a list fits on a screen."""


EXAMPLES: Final = 6


def say(text: str) -> None:
    """Announce a part."""
    click.echo("\n" + click.style(text, bold=True, underline=True))


def by_effect(service: str, tools: Sequence[mcp.Tool]) -> str:
    """Show what the client sees of a service, a group for each effect that tools declare."""
    declared = Catalogue(server_module(service).SERVICE, Policy())
    groups: dict[tuple[str, ...], list[str]] = {}
    for tool in tools:
        group = (declared.tools[tool.name].effect.name, *yes_and_no(tool))
        groups.setdefault(group, []).append(_short(tool.name))
    order = [effect.name for effect in EFFECTS]
    lines: list[str] = []
    for (name, *hints), members in sorted(groups.items(), key=lambda group: (order.index(group[0][0]), group[0])):
        said = ", ".join(f"{hint} {word}" for hint, word in zip(HINTS, hints, strict=True))
        lines.append(f"{click.style(name, fg=COLOURS[name])}: {said}; {len(members)} tool{'s' * (len(members) > 1)}")
        more = [f"and {len(members) - EXAMPLES} more"] if len(members) > EXAMPLES else []
        lines.append(textwrap.indent(textwrap.fill(", ".join([*members[:EXAMPLES], *more]), 96), "    "))
    return "\n".join([*lines, f"(aboveboard tools {service} shows all of them)"])


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool, and show what was asked and what came back."""
    given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    click.echo(f"\n{click.style('→', fg='blue')} {click.style(_short(tool), bold=True)}({given})")
    result = await client.call_tool(tool, arguments)
    text = "\n".join(block.text for block in result.content if isinstance(block, mcp.TextContent))
    if result.is_error:
        click.echo(click.style(harmless(text), fg="yellow"))
        return {}
    structured: dict[str, Any] | None = result.structured_content
    if structured is None:
        click.echo(harmless(text))
        return {}
    if "rows" in structured:
        rows = [[str(value) for value in row] for row in structured["rows"]]
        click.echo(table([column["label"] for column in structured["columns"]], rows))
    else:
        click.echo(result_text(_brief(structured)))
    return structured


def _brief(structured: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what fills the screen."""
    shown = {name: value for name, value in structured.items() if value not in ([], {}) and name != "access"}
    if "items" in shown:
        shown["items"] = [{name: item[name] for name in COLUMNS if name in item} for item in shown["items"]]
    return shown


def _short(tool: str) -> str:
    """Return the name without the prefix that all tools of a service share."""
    return tool.rpartition("__")[2]
