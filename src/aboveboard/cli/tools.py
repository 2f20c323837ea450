"""`aboveboard tools`: what a service's server publishes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import click
import mcp_types as mcp

from aboveboard.cli.grouping import service_argument
from aboveboard.cli.options import chosen_options, policy_options
from aboveboard.cli.terminal import HINTS, colour_effect, room, table, widest_line, yes_and_no
from aboveboard.kit.service import Catalogue

BRIEF: Final = ("read", "destr", "idem", "open")
"""The hints' names where there is little room."""


@click.command(name="tools")
@service_argument
@policy_options
@click.option("--json", "as_json", is_flag=True, help="Print exactly what tools/list publishes.")
def command(as_json: bool, **options: Any) -> None:  # noqa: FBT001 (click passes it by name)
    """Show SERVICE's tools by area and effect, under the given policy. No account is needed."""
    catalogue = chosen_options(**options).catalogue()
    if as_json:
        tools = [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in catalogue.definitions()]
        click.echo(json.dumps({"tools": tools}, ensure_ascii=False, indent=2))
        return
    rows = [_row(catalogue, definition) for definition in catalogue.definitions()]
    click.echo(_fitting(rows, _shared_prefix(catalogue)))
    click.echo(f"{len(rows)} tools" + (f", {len(catalogue.refusals)} switched off" if catalogue.refusals else ""))


@dataclass(frozen=True)
class _Row:
    area: str
    effect: str
    name: str
    title: str
    hints: Sequence[str]


def _row(catalogue: Catalogue[Any], definition: mcp.Tool) -> _Row:
    tool = catalogue.tools[definition.name]
    return _Row(tool.toolset.area, colour_effect(tool.effect), definition.name, tool.title, yes_and_no(definition))


def _fitting(rows: Sequence[_Row], prefix: str) -> str:
    """Show what there is room for: names lose what all of them start with, then titles go, long headers, areas."""
    short = [replace(row, name=row.name.removeprefix(prefix)) for row in rows]
    note = f"\nNames start with {prefix}" if prefix else ""
    forms = [
        table(("area", "effect", "tool", "title", *HINTS), [_cells(row, row.title) for row in rows]),
        table(("area", "effect", "tool", "title", *HINTS), [_cells(row, row.title) for row in short]) + note,
        table(("area", "effect", "tool", *HINTS), [_cells(row) for row in rows]),
        table(("area", "effect", "tool", *HINTS), [_cells(row) for row in short]) + note,
        table(("area", "effect", "tool", *BRIEF), [_cells(row) for row in short]) + note,
        table(("effect", "tool", *BRIEF), [_cells(row)[1:] for row in short]) + note,
    ]
    available = room()
    return next((form for form in forms if available is None or widest_line(form) <= available), forms[-1])


def _cells(row: _Row, *title: str) -> list[str]:
    return [row.area, row.effect, row.name, *title, *row.hints]


def _shared_prefix(catalogue: Catalogue[Any]) -> str:
    """Return what all names start with before the short name, if that is the same everywhere."""
    prefixes = {name.removesuffix(tool.name) for name, tool in catalogue.tools.items()}
    return prefixes.pop() if len(prefixes) == 1 else ""
