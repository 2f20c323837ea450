"""`aboveboard tools`: what a service's server publishes."""

import json
from typing import Any

import click

from aboveboard.cli.grouping import service_argument
from aboveboard.cli.options import Choice, policy_options
from aboveboard.cli.terminal import HINTS, coloured, table, yes_and_no
from aboveboard.kit.service import Catalogue


@click.command(name="tools")
@service_argument
@policy_options
@click.option("--json", "as_json", is_flag=True, help="Print exactly what tools/list publishes.")
def command(as_json: bool, **options: Any) -> None:  # noqa: FBT001 (click passes it by name)
    """Show SERVICE's tools by area and effect, under the given policy. No account is needed."""
    catalogue = Choice(**options).catalogue()
    if as_json:
        tools = [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in catalogue.definitions()]
        click.echo(json.dumps({"tools": tools}, ensure_ascii=False, indent=2))
        return
    listed = {definition.name for definition in catalogue.definitions()}
    rows = [_row(catalogue, name) for name in catalogue.tools if name in listed]
    click.echo(table(("area", "effect", "tool", "title", *HINTS), rows))
    click.echo(f"{len(rows)} tools" + (f", {len(catalogue.refusals)} switched off" if catalogue.refusals else ""))


def _row(catalogue: Catalogue[Any], name: str) -> list[str]:
    tool = catalogue.tools[name]
    hints = yes_and_no(catalogue.definition(tool))
    return [tool.toolset.area, coloured(tool.effect), name, tool.title, *hints]
