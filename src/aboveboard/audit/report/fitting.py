"""Lines that fit a terminal: colours take no room, and what goes on stands below where it began."""

import unicodedata
from collections.abc import Iterator
from typing import Final

import click

NARROWEST: Final = 40
"""Below this many columns a line is not broken further: it would be one word a line."""


def fit_lines(text: str, width: int | None, indent: int) -> Iterator[str]:
    """Break a line at its blanks; None leaves it as long as it is."""
    if width is None or columns(text) <= width:
        yield text
        return
    available, margin = max(width, NARROWEST), " " * indent
    first = len(text) - len(text.lstrip(" "))
    line = text[:first]
    for number, word in enumerate(text[first:].split(" ")):
        if number and columns(line) + 1 + columns(word) > available and line.strip():
            yield line.rstrip()
            line = margin + word
        else:
            line = f"{line} {word}" if number else line + word
    yield line


def clip_text(text: str, width: int) -> str:
    """Cut a name to a number of columns, and show that it was cut."""
    if columns(text) <= width:
        return text
    while columns(text) > width - 1:
        text = text[:-1]
    return text + "…"


def columns(text: str) -> int:
    """Count the columns that a text takes: wide characters two, combining ones and colours none."""
    plain = click.unstyle(text)
    return sum(
        0
        if unicodedata.category(char) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(char) in "WF"
        else 1
        for char in plain
    )
