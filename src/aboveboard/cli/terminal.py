"""What commands print: tables that line up in any script, colours where there is a terminal."""

import json
import os
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

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
WIDEST: Final = 48
"""The columns that a cell may take, however wide the terminal is."""
NARROWEST: Final = 12
"""The columns that a cell is not cut below: what is shorter tells nothing. Columns are left out instead."""
COPIED: Final = re.compile("(^|_)(id|uuid|path|etag)$")
"""The columns that people copy from, into the next call: they are never cut."""
GAP: Final = 2
_NO_WIDTH: Final = ("Mn", "Me", "Cf")


def coloured(effect: Effect) -> str:
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
    widths = [max(_width(row[column]) for row in cells) for column in range(len(headers))]
    return "\n".join(
        (GAP * " ").join(_padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )


def widest_line(text: str) -> int:
    """Count the columns that a text needs."""
    return max(map(_width, text.splitlines()), default=0)


def result_text(structured: Mapping[str, Any]) -> str:
    """Show a tool's structured answer to a person: a page as a table, one thing line by line."""
    items = structured.get("items")
    if isinstance(items, list) and all(isinstance(item, dict) for item in cast("list[Any]", items)):
        return _page(structured, cast("list[dict[str, Any]]", items))
    names = max((len(name) for name in structured), default=0)
    indented = "\n" + " " * (names + 2)
    return "\n".join(
        f"{click.style(name.ljust(names), bold=True)}  {_value(value).rstrip().replace(chr(10), indented)}"
        for name, value in structured.items()
    )


def harmless(text: str) -> str:
    """Return the text without control characters: a name from the service must not steer the terminal."""
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) != "Cc" else "\N{REPLACEMENT CHARACTER}" for char in text
    )


def clipped(text: str, width: int) -> str:
    """Cut a text to a number of columns, and show that it was cut."""
    if _width(text) <= width:
        return text
    while _width(text) > width - 1:
        text = text[:-1]
    return text + "…"


def _page(structured: Mapping[str, Any], items: list[dict[str, Any]]) -> str:
    columns = list(dict.fromkeys(name for item in items for name in item))
    rows = [[" ".join(_value(item.get(column, "")).split()) for column in columns] for item in items]
    following = next((name for name in structured if name.startswith("next_")), None)
    whole = structured.get("total", None if following else len(items))
    shown = f"{len(items)} shown" if whole is None else f"{len(items)} of {whole}"
    if following:
        shown += f"; the next page is {following.removeprefix('next_')}={structured[following]}"
    if not items:
        return shown
    widths = _fitting({cells[0]: max(map(_width, cells)) for cells in zip(columns, *rows, strict=True)})
    if left_out := columns[len(widths) :]:
        shown += f"; no room for {', '.join(left_out)}: --json shows all"
    # A row is as long as there is room for columns.
    cut = [[clipped(cell, width) for cell, width in zip(row, widths, strict=False)] for row in (columns, *rows)]
    ending = textwrap.fill(shown, room() or len(shown), break_long_words=False)
    return f"{table(cut[0], cut[1:])}\n{click.style(ending, dim=True)}"


def _fitting(widths: Mapping[str, int]) -> list[int]:
    """Choose how wide columns are: the widest give way first, and the last are left out where that is not enough."""
    whole = [bool(COPIED.search(name)) for name in widths]
    chosen = [width if kept else min(width, WIDEST) for width, kept in zip(widths.values(), whole, strict=True)]
    available = room()
    while available is not None and sum(chosen) + GAP * (len(chosen) - 1) > available:
        column = max(range(len(chosen)), key=lambda at: 0 if whole[at] else chosen[at])
        if not whole[column] and chosen[column] > NARROWEST:
            chosen[column] -= 1
        elif len(chosen) > 1:
            chosen.pop()
        else:
            break
    return chosen


def _value(value: object) -> str:
    if isinstance(value, str):
        return harmless(value)
    if isinstance(value, dict) and "name" in value:
        return harmless(str(cast("dict[str, object]", value)["name"]))
    return harmless(json.dumps(value, ensure_ascii=False))


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _width(text: str) -> int:
    """Count the columns a text takes: wide characters take two, combining and invisible ones none."""
    plain = click.unstyle(text)
    return sum(
        0 if unicodedata.category(char) in _NO_WIDTH else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in plain
    )
