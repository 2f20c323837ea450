"""Content lines, of which calendars and cards are made: a text is edited line by line, what is not touched stays.

Where lines begin and end, and what is a name, a parameter or a value, is icalendar's to say. A line that it cannot
read has no name, and so stays as it is.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Self, cast

from icalendar.parser import Contentline, Parameters, q_split, unescape_backslash

_WHOLE: Final = re.compile(r"[^\n]*(?:\n[ \t][^\n]*)*(?:\n|\Z)")
"""A line with the lines that go on with it, and its end."""
_ENDS: Final = ("\r\n", "\n", "\r", "")
_TOKEN: Final = re.compile(r"[A-Za-z0-9-]+")


@dataclass(frozen=True)
class Line:
    """One property as it was written, folds and line end included."""

    raw: str

    @classmethod
    def of(cls, text: str, end: str = "\r\n") -> Self:
        """Write a line, folded where it is long."""
        return cls(Contentline(text).to_ical().decode().replace("\r\n", end) + end)

    @cached_property
    def end(self) -> str:
        """How the line ends; the last one of a text may not."""
        return next(end for end in _ENDS if self.raw.endswith(end))

    @cached_property
    def text(self) -> str:
        """The line without folds and end."""
        folded = self.raw.removesuffix(self.end)
        return str(cast("Any", Contentline).from_ical(folded)) if "\n" in folded else folded

    @cached_property
    def _colon(self) -> int:
        if "\n" in self.text:
            return -1  # a lone carriage return or a fold that icalendar does not know: not ours to understand
        found = self.text.find(":")
        # Most lines have no quotes before it, and so no other colon that it could be.
        return Contentline(self.text).value_separator_index() if '"' in self.text[: max(found, 0)] else found

    @cached_property
    def pieces(self) -> list[str]:
        """What stands before the value, parted: the name with its group, then the parameters as they were written."""
        before = self.text[: max(self._colon, 0)]
        return q_split(before, ";") if ";" in before else [before]

    @cached_property
    def group(self) -> str:
        """What ties it to other lines of a card: `item1` of `item1.EMAIL`."""
        return self.pieces[0].rpartition(".")[0].lower()

    @cached_property
    def name(self) -> str:
        """The name in capitals; nothing where the line cannot be read."""
        name = self.pieces[0].rpartition(".")[2].strip().upper()
        return name if _TOKEN.fullmatch(name) else ""

    @property
    def value(self) -> str:
        """The value as it was written."""
        return self.text[self._colon + 1 :] if self._colon > 0 else ""

    @cached_property
    def parameters(self) -> dict[str, list[str]]:
        """The values of each parameter, however often it was given; one without a name is a TYPE."""
        found: dict[str, list[str]] = {}
        for piece in self.pieces[1:]:
            found.setdefault(piece_name(piece), []).extend(_values(piece))
        return found

    def parameter(self, name: str) -> list[str]:
        """Return the values of a parameter."""
        return self.parameters.get(name, [])

    def param(self, name: str) -> str:
        """Return what a parameter says; empty where there is none."""
        return ",".join(self.parameter(name))

    def with_value(self, value: str) -> "Line":
        """Return the line with another value; its name and parameters keep their spelling."""
        return self.with_pieces(self.pieces, value)

    def with_parameters(self, given: Mapping[str, str]) -> "Line":
        """Return the line with some parameters set, each in its place; the others keep their spelling."""
        written = {name: _written(name, value) for name, value in given.items()}
        kept = [written.pop(piece_name(piece), piece) for piece in self.pieces[1:]]
        return self.with_pieces([self.pieces[0], *kept, *written.values()], self.value)

    def with_pieces(self, pieces: Sequence[str], value: str) -> "Line":
        """Return the line with other parameters and value, or itself where they are the same."""
        text = f"{';'.join(pieces)}:{value}"
        return self if text == self.text else Line.of(text, self.end or "\r\n")


def lines_of(text: str) -> list[Line]:
    """Part a text into its lines; together they are the text again."""
    return [Line(raw) for raw in _WHOLE.findall(text) if raw]


def join_lines(lines: Iterable[Line]) -> str:
    """Put a text together."""
    return "".join(line.raw for line in lines)


def escape_text(text: str) -> str:
    """Return a text as a value holds it."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def unescape_value(value: str) -> str:
    """Return the text that a value holds."""
    return unescape_backslash(value)


def split_value(value: str, separator: str) -> list[str]:
    """Part a value at its commas or semicolons, each part still as it was written."""
    found = re.finditer(rf"\\.|{separator}", value, re.DOTALL)
    ends = [one.start() for one in found if one[0] == separator]
    return [value[start:end] for start, end in zip([0, *(end + 1 for end in ends)], [*ends, None], strict=True)]


def piece_name(piece: str) -> str:
    """Return the name of a parameter in capitals; vCard 2.1 leaves out that of a TYPE, and some clients still do."""
    name, equals, _ = piece.partition("=")
    return name.strip().upper() if equals else "TYPE"


def _written(name: str, value: str) -> str:
    """Write a parameter, in quotes where it needs them."""
    return cast("bytes", cast("Any", Parameters)({name: value}).to_ical()).decode()


def _values(piece: str) -> list[str]:
    if "=" not in piece:
        return [piece]
    try:
        found: Iterable[str | list[str]] = cast("Any", Parameters).from_ical(piece).values()
    except ValueError:
        return []
    return [value for one in found for value in ([one] if isinstance(one, str) else one)]
