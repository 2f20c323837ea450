"""What every part of the demo does: say what comes, call a tool and show the answer, count tools by effect."""

import textwrap
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import click
import mcp_types as mcp
from mcp import Client

from aboveboard.cli.services import server_module
from aboveboard.cli.terminal import clip_text, colour_effect, harmless, table
from aboveboard.effects import EFFECTS
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue

COLUMNS: Final = 100
"""A demo is seen on any screen: nothing is wider, whatever the terminal is."""
INDENT: Final = "  "
ANSWER: Final = 2 * INDENT
Show: TypeAlias = Callable[[Mapping[str, Any]], Sequence[str]]
"""What makes the lines of an answer."""


def say(text: str) -> None:
    """Announce a part."""
    click.echo("\n" + click.style(text, bold=True))


def tell(text: str) -> None:
    """Show what belongs to a part."""
    click.echo(textwrap.indent(text, INDENT))


def by_effect(listed: Mapping[str, Sequence[mcp.Tool]]) -> str:
    """Count what the client sees of each service, by the effect that tools declare."""
    rows: list[list[str]] = []
    for service, tools in listed.items():
        declared = Catalogue(server_module(service).SERVICE, Policy()).tools
        counts = Counter(declared[tool.name].effect.name for tool in tools)
        rows.append([service, str(len(tools)), *(str(counts[effect.name] or "") for effect in EFFECTS)])
    return table(("service", "tools", *(colour_effect(effect) for effect in EFFECTS)), rows)


async def call(client: Client, tool: str, show: Show | None = None, /, **arguments: Any) -> dict[str, Any]:
    """Call a tool, and show what was asked and what came back: one line, or those that `show` makes of it."""
    given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    short = tool.rpartition("__")[2]
    asked = clip_text(f"{short}({given})", COLUMNS - 4)
    tell(f"{click.style('→', fg='blue')} {click.style(short, bold=True)}{asked.removeprefix(short)}")
    result = await client.call_tool(tool, arguments)
    structured: dict[str, Any] = result.structured_content or {}
    if result.is_error:
        text = "\n".join(block.text for block in result.content if isinstance(block, mcp.TextContent))
        shown = textwrap.fill(harmless(text), COLUMNS - len(ANSWER))
        click.echo(textwrap.indent(click.style(shown, fg="yellow"), ANSWER))
    else:
        for line in show(structured) if show else [_line(structured)]:
            click.echo(ANSWER + clip_text(harmless(line), COLUMNS - len(ANSWER)))
    return structured


def _line(structured: Mapping[str, Any]) -> str:
    """Put an answer on one line: the rows of a query, or the fields of a thing."""
    if "rows" in structured:
        labels = [column["label"] for column in structured["columns"]]
        rows = ["  ".join(map(str, row)) for row in structured["rows"]]
        return f"{', '.join(labels)}:  {'   '.join(rows)}"
    return "  ".join(f"{name}: {value}" for name, value in structured.items() if value and isinstance(value, str | int))
