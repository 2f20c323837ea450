"""`aboveboard call SERVICE TOOL --help`: what one tool does, and what it takes."""

import json
from collections.abc import Mapping
from typing import Any, Final

import click
import mcp_types as mcp

from aboveboard.cli.asked_tool import full_name, kind_of, write_example
from aboveboard.cli.options import Choice
from aboveboard.cli.services import NAMES
from aboveboard.kit.definitions import EXAMPLE
from aboveboard.kit.service import Catalogue

ASKED: Final = "aboveboard.call.asked"
"""Where a command's context keeps which service and tool were named."""


class ToolCommand(click.Command):
    """A command whose help is that of the tool that is named before `--help`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Look first which tool is named: click shows the help before it reads that."""
        named, _, _ = self.make_parser(ctx).parse_args(args=list(args))
        ctx.meta[ASKED] = (named.get("service"), named.get("tool"))
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the tool's help, or, where none is named, the command's."""
        service, tool = ctx.meta.get(ASKED, (None, None))
        if service not in NAMES or not isinstance(tool, str):
            super().format_help(ctx, formatter)
            return
        catalogue = Choice(service=str(service)).catalogue()
        write_tool_help(formatter, catalogue, full_name(catalogue, tool), f"{ctx.command_path} {service}")


def write_tool_help(formatter: click.HelpFormatter, catalogue: Catalogue[Any], name: str, started: str) -> None:
    """Write what a tool does and each of its parameters: what kind it is, whether it is required, what it means."""
    tool = catalogue.tools[name]
    definition = catalogue.definition(tool)
    properties: Mapping[str, Any] = definition.input_schema.get("properties", {})
    required = definition.input_schema.get("required", ())
    formatter.write_usage(f"{started} {tool.name}", "[KEY=VALUE]... [OPTIONS]")
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(f"{tool.title} ({tool.effect.name}): {_summary(definition)}")
    if properties:
        with formatter.section("Parameters"):
            formatter.write_dl([(key, _told(one, required=key in required)) for key, one in properties.items()])
    formatter.write_paragraph()
    structured = [(key, one) for key, one in properties.items() if one.get("type") in ("array", "object")]
    for key, one in structured[:1]:
        formatter.write_text(f"A list or an object is written as JSON, in quotes: {write_example(key, one)}")
    formatter.write_text("`aboveboard call --help` tells the options.")


def _summary(definition: mcp.Tool) -> str:
    return (definition.description or "").partition(EXAMPLE)[0]


def _told(schema: Mapping[str, Any], *, required: bool) -> str:
    kind = kind_of(schema) + (", required" if required else "")
    default = schema.get("default")
    usual = f" Default: {default if isinstance(default, str) else json.dumps(default)}." if default else ""
    return f"{kind}. {schema.get('description', '')}{usual}".rstrip()
