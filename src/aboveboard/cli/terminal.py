"""What commands print: tables that line up in any script, colours where there is a terminal."""

import os
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from typing import Final

import click
import mcp_types as mcp

from aboveboard.effects import Effect

COLOURS: Final = {
    "READ": "green",
    "ADD": "cyan",
    "ENSURE": "cyan",
    "REPLACE": "yellow",
    "EDIT": "yellow",
    "DELETE": "red",
    "RUN": "red",
}
HINTS: Final = ("read-only", "destructive", "idempotent", "open world")
GAP: Final = 2
_NO_WIDTH: Final = ("Mn", "Me", "Cf")


def colour_effect(effect: Effect) -> str:
    """Return an effect's name in its colour: green reads, cyan adds, yellow replaces, red destroys."""
    return click.style(effect.name, fg=COLOURS[effect.name])


def yes_and_no(tool: mcp.Tool) -> list[str]:
    """Return a tool's four hints as words, in the order of HINTS; what is not said is a question mark."""
    said = tool.annotations or mcp.ToolAnnotations()
    flags = (said.read_only_hint, said.destructive_hint, said.idempotent_hint, said.open_world_hint)
    return ["?" if flag is None else "yes" if flag else "no" for flag in flags]


def room() -> int | None:
    """Tell how many columns a line may take: as many as the terminal has; any number where there is none.

    COLUMNS says it for either.
    """
    if os.environ.get("COLUMNS", "").isdecimal() or sys.stdout.isatty():
        return shutil.get_terminal_size().columns
    return None


def table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Line up rows under their headers."""
    cells = [[click.style(header, bold=True) for header in headers], *rows]
    widths = [max(width_of(row[column]) for row in cells) for column in range(len(headers))]
    return "\n".join(
        (GAP * " ").join(_padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )


def widest_line(text: str) -> int:
    """Count the columns that a text needs."""
    return max(map(width_of, text.splitlines()), default=0)


def harmless(text: str) -> str:
    """Return the text without control characters: a name from the service must not steer the terminal."""
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) != "Cc" else "\N{REPLACEMENT CHARACTER}" for char in text
    )


def clip_text(text: str, width: int) -> str:
    """Cut a text to a number of columns, and show that it was cut."""
    if width_of(text) <= width:
        return text
    while width_of(text) > width - 1:
        text = text[:-1]
    return text + "…"


def _padded(text: str, width: int) -> str:
    return text + " " * (width - width_of(text))


def width_of(text: str) -> int:
    """Count the columns a text takes: wide characters take two, combining and invisible ones none."""
    plain = click.unstyle(text)
    return sum(
        0 if unicodedata.category(char) in _NO_WIDTH else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in plain
    )
