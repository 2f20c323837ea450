"""Text for the end of a file, in the characters and with the line ends that the file has."""

import codecs
from typing import Final

from aboveboard.errors import BadInput

_MARKS: Final = (  # the longer first: UTF-32's mark starts like UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def addition(old: bytes, text: str, separator: str | None, *, line_ends: int) -> bytes:
    """Return what adds a text to a file: after a separator or so many line ends, but for a file that is empty.

    What cannot be written in the characters of the file is refused.
    """
    encoding = _encoding(old)
    # Whatever else a text is in, ASCII is the same there, but for encodings in which all characters are wide.
    held = old.decode(encoding or "latin-1").removeprefix("\ufeff")
    between = _missing(line_ends, held) if separator is None else separator
    added = f"{between}{text}" if held else text
    wide = b"\0" in old or old.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if encoding is None and (wide or not added.isascii()):
        raise BadInput(
            "The file is not UTF-8, and what is to be added cannot be written as its own characters are;"
            " nothing was appended.",
            next_step="Write it with ASCII characters alone, or save the file as UTF-8 first.",
        )
    try:
        return added.encode(encoding or "ascii")
    except UnicodeEncodeError:
        raise BadInput("The text ends or begins within a character; nothing was appended.") from None


def _missing(line_ends: int, held: str) -> str:
    """Return the line ends that are missing at the end of a text, such as it has itself."""
    newline = "\r\n" if "\r\n" in held else "\n"
    tail = held[len(held.rstrip("\r\n")) :]
    return newline * (line_ends - tail.count("\n"))


def _encoding(data: bytes) -> str | None:
    """Tell what a text is in, where that is certain."""
    name = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    if name == "utf-8" and b"\0" in data and len(data) % 2 == 0:
        return None  # it may be UTF-16 without a mark, whose ASCII characters are UTF-8 as well
    try:
        data.decode(name)
    except UnicodeDecodeError:
        return None
    return name
