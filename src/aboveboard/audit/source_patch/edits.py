"""Changes to a text, by the bytes that they replace, and what both languages say of a declaration."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Edit:
    """The bytes from `start` to `end` become another text; where both are the same, it is put in between."""

    start: int
    end: int
    text: str


class NotPlain(Exception):
    """Hints are not written out where the tool is declared, so that nobody else may share them."""


@dataclass(frozen=True)
class Placed:
    """A tool's declaration with its hints, and the edits that set others."""

    tool: str
    line: int
    stated: Mapping[str, bool]
    edits: tuple[Edit, ...] = ()
    why_not: str = ""
    """Why its hints cannot be set here; empty where they can."""


def apply_edits(text: bytes, edits: Iterable[Edit]) -> bytes:
    """Make the changes; an equal one is made once."""
    for one in sorted(set(edits), reverse=True):
        text = text[: one.start] + one.text.encode() + text[one.end :]
    return text


def line_of(text: bytes, at: int) -> int:
    """Return the number of the line at which a byte stands."""
    return text.count(b"\n", 0, at) + 1


def newline_of(text: bytes) -> str:
    """Return how lines end in a file."""
    return "\r\n" if b"\r\n" in text else "\n"


def gap_before(text: bytes, at: int) -> str:
    """Return what stands before a thing, for another one of its kind: a new line as indented as its own, or a space."""
    start = text.rfind(b"\n", 0, at) + 1
    before = text[start:at].decode("utf-8", "replace")
    return f"{newline_of(text)}{before}" if before and not before.strip() else " "
