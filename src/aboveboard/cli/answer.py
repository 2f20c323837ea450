"""A tool's answer as a person reads it: a page or rows as a table that fits, one thing line by line."""

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import click

from aboveboard.cli.terminal import GAP, clip_text, harmless, room, table, width_of

WIDEST: Final = 48
"""The columns that a cell may take, however wide the terminal is."""
NARROWEST: Final = 12
"""The columns that a cell is not cut below: what is shorter tells nothing. Columns are left out instead."""
COPIED: Final = re.compile("(^|_)(id|uuid|path|etag|person|grant)$")
"""The columns that people copy from, into the next call: they are never cut."""


def result_text(structured: Mapping[str, Any]) -> str:
    """Show a tool's structured answer to a person: a page or the rows of a query as a table, one thing line by line."""
    items, columns, rows = (_listed(structured.get(name)) for name in ("items", "columns", "rows"))
    if items is not None and all(isinstance(item, dict) for item in items):
        return _page(structured, cast("list[dict[str, Any]]", items))
    if columns and rows is not None and _are_cells(columns, rows):
        return _queried(structured, cast("list[dict[str, Any]]", columns), rows)
    return _lines(structured)


def _listed(value: object) -> list[Any] | None:
    return cast("list[Any]", value) if isinstance(value, list) else None


def _are_cells(columns: list[Any], rows: list[Any]) -> bool:
    """Tell whether rows are lists with a value for each column, and columns are things with a label."""
    labelled = all(isinstance(column, dict) and "label" in column for column in columns)
    return labelled and all(isinstance(row, list) and len(cast("list[Any]", row)) == len(columns) for row in rows)


def _page(structured: Mapping[str, Any], items: list[dict[str, Any]]) -> str:
    columns = list(dict.fromkeys(name for item in items for name in item))
    rows = [[item.get(column, "") for column in columns] for item in items]
    following = next((name for name in structured if name.startswith("next_")), None)
    whole = structured.get("total", None if following else len(items))
    shown = _counted(len(items), whole)
    if following:
        shown += f"; the next page is {following.removeprefix('next_')}={structured[following]}"
    return fitted_table(columns, rows, shown)


def _queried(structured: Mapping[str, Any], columns: list[dict[str, Any]], rows: list[list[Any]]) -> str:
    """Show the rows of a query, and what else is told of them; an address that has no room is left to --json."""
    shown = f"{_counted(len(rows), structured.get('total_rows'))} rows"
    rest = {name: value for name, value in structured.items() if name not in ("columns", "rows", "total_rows")}
    available = room()
    if available is not None and _needs(rest) > available:
        rest.pop("url", None)
        shown += "; no room for url: --json shows all" if "url" in structured else ""
    return f"{fitted_table([harmless(str(one['label'])) for one in columns], rows, shown)}\n{_lines(rest)}"


def _needs(things: Mapping[str, Any]) -> int:
    """Count the columns that the url takes, shown among others line by line."""
    return max(map(len, things), default=0) + GAP + width_of(_value(things.get("url", "")))


def _counted(shown: int, whole: object) -> str:
    return f"{shown} shown" if whole is None else f"{shown} of {whole}"


def fitted_table(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], ending: str, elsewhere: str = "--json shows all"
) -> str:
    """Line up as many columns as there is room for, and say at the end which are left out, and where they are."""
    cells = [[" ".join(_value(value).split()) for value in row] for row in rows]
    if not cells:
        return click.style(_folded(ending), dim=True)
    widths = _fitting([(of[0], max(map(width_of, of))) for of in zip(columns, *cells, strict=True)])
    if left_out := columns[len(widths) :]:
        ending += f"; no room for {', '.join(left_out)}: {elsewhere}"
    # A row is as long as there is room for columns.
    cut = [[clip_text(cell, width) for cell, width in zip(row, widths, strict=False)] for row in (columns, *cells)]
    return f"{table(cut[0], cut[1:])}\n{click.style(_folded(ending), dim=True)}"


def _folded(text: str) -> str:
    return textwrap.fill(text, room() or len(text), break_long_words=False)


def _fitting(columns: Sequence[tuple[str, int]]) -> list[int]:
    """Choose how wide columns are: the widest give way first, and the last are left out where that is not enough."""
    available = room()
    for count in range(len(columns), 1, -1):
        chosen = _shrunk(columns[:count], available)
        if available is None or _needed(chosen) <= available:
            return chosen
    return _shrunk(columns[:1], available)


def _shrunk(columns: Sequence[tuple[str, int]], available: int | None) -> list[int]:
    """Take from the widest of those that may be cut, as far as it goes."""
    whole = [bool(COPIED.search(name)) for name, _ in columns]
    chosen = [width if kept else min(width, WIDEST) for (_, width), kept in zip(columns, whole, strict=True)]
    while available is not None and _needed(chosen) > available:
        column = max(range(len(chosen)), key=lambda at: 0 if whole[at] else chosen[at])
        if whole[column] or chosen[column] <= NARROWEST:
            break
        chosen[column] -= 1
    return chosen


def _needed(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _lines(things: Mapping[str, Any]) -> str:
    names = max((len(name) for name in things), default=0)
    indented = "\n" + " " * (names + GAP)
    return "\n".join(
        f"{click.style(name.ljust(names), bold=True)}  {_value(value).rstrip().replace(chr(10), indented)}"
        for name, value in things.items()
    )


def _value(value: object) -> str:
    if isinstance(value, str):
        return harmless(value)
    if isinstance(value, dict) and "name" in value:
        return harmless(str(cast("dict[str, object]", value)["name"]))
    return harmless(json.dumps(value, ensure_ascii=False))
