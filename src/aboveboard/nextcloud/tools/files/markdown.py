"""Writes Markdown: headings, tables, and parts with a blank line between them."""

from collections.abc import Iterable, Sequence


def heading(level: int, text: str) -> str:
    """Write a heading, on one line."""
    return f"{'#' * min(max(level, 1), 6)} {' '.join(text.split())}"


def table(rows: Iterable[Sequence[str]]) -> str:
    """Write a table, whose first row is its head; columns and rows without anything in them are left out."""
    filled = [[_cell(text) for text in row] for row in rows]
    width = max((at + 1 for row in filled for at, text in enumerate(row) if text), default=0)
    lines = [row[:width] + [""] * (width - len(row)) for row in filled if any(row)]
    if not lines:
        return ""
    return "\n".join(map(_line, [lines[0], ["---"] * width, *lines[1:]]))


def join_parts(parts: Iterable[str]) -> str:
    """Put parts below each other; items of a list stay together."""
    text, before = "", ""
    for part in filter(None, parts):
        gap = "\n" if _is_item(before) and _is_item(part) else "\n\n"
        text += (gap if text else "") + part
        before = part
    return f"{text}\n" if text else ""


def _is_item(part: str) -> bool:
    return part.lstrip().startswith(("- ", "1. "))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
