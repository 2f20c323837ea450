"""iCalendar texts as the real server reads and writes them: a tree of content lines, which the library takes apart."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

from icalendar import Calendar
from icalendar.parser import Contentline, Contentlines

PRODID = "-//Sabre//Sabre VObject 4.5.6//EN"
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
# Not all of the library is typed.
_CALENDAR, _LINES = cast("Any", Calendar), cast("Any", Contentlines)
_NEEDS_QUOTES = re.compile('[:;,"]')


class IcsError(Exception):
    """A text that is no iCalendar."""


@dataclass
class Line:
    """One property: its name, its parameters and its value, which stays escaped."""

    name: str
    params: dict[str, str | list[str]]
    value: str

    @classmethod
    def of(cls, text: str) -> "Line":
        """A line from its text, unfolded."""
        name, params, value = _taken_apart(text)
        return cls(name, {key: list(given) if isinstance(given, list) else given for key, given in params}, value)

    def text(self) -> str:
        """The line as the real server writes it, unfolded."""
        params, value = dict(self.params), self.value
        if self.name == "GEO":
            value = ";".join(_number(part) for part in value.split(";"))
        if self.name == "URL":
            params.setdefault("VALUE", "URI")
        if self.name.startswith("X-") and params.get("VALUE") == "URI":
            value = re.sub(r"(?<!\\),", r"\\,", value)
        return f"{self.name}{''.join(f';{key}={_quoted(given)}' for key, given in params.items())}:{value}"

    def copy(self) -> "Line":
        """The same line, to be changed."""
        return Line(self.name, dict(self.params), self.value)


@dataclass
class Component:
    """A component: its own lines, then those inside it."""

    name: str
    lines: list[Line] = field(default_factory=list[Line])
    inner: list["Component"] = field(default_factory=list["Component"])

    def first(self, name: str) -> Line | None:
        """The first line of this name."""
        return next((line for line in self.lines if line.name == name), None)

    def value(self, name: str) -> str:
        """What the first line of this name says, nothing where there is none."""
        line = self.first(name)
        return line.value if line else ""

    def every(self, name: str) -> list[Line]:
        """All lines of this name."""
        return [line for line in self.lines if line.name == name]

    def set(self, name: str, value: str) -> None:
        """Change the first line of this name, or add one."""
        line = self.first(name)
        if line:
            line.value = value
        else:
            self.lines.append(Line(name, {}, value))

    def drop(self, *names: str) -> None:
        """Take all lines of these names away."""
        self.lines = [line for line in self.lines if line.name not in names]

    def copy(self) -> "Component":
        """The same component, to be changed."""
        return Component(self.name, [line.copy() for line in self.lines], [one.copy() for one in self.inner])

    def within(self, *names: str) -> list["Component"]:
        """The components of these names directly inside."""
        return [one for one in self.inner if one.name in names]

    @property
    def items(self) -> list["Component"]:
        """The events, tasks and journals of a calendar."""
        return [one for one in self.inner if one.name not in {"VTIMEZONE"}]

    def rows(self) -> Iterator[str]:
        """Every line of the text, unfolded."""
        yield f"BEGIN:{self.name}"
        yield from (line.text() for line in self.lines)
        for one in self.inner:
            yield from one.rows()
        yield f"END:{self.name}"

    def text(self) -> bytes:
        """The text as the real server writes it, folded."""
        return "".join(f"{_folded(row)}\r\n" for row in self.rows()).encode()


def to_text(data: bytes) -> str:
    """A body as text: UTF-8, or else Latin-1, without control characters."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return _CONTROL.sub("", text)


def parse(text: str) -> Component:
    """The calendar of a text."""
    lines: list[str] = [line for line in _LINES.from_ical(text.lstrip("\ufeff")) if line]
    if not lines:
        raise IcsError("End of document reached prematurely")
    if lines[0].upper() not in {"BEGIN:VCALENDAR", "BEGIN:VCARD"}:
        raise IcsError("This parser only supports VCARD and VCALENDAR files")
    stack = [Component("")]
    for line in lines:
        name, _, value = line.partition(":")
        if name.upper() == "BEGIN":
            stack.append(Component(value.upper()))
        elif name.upper() == "END" and len(stack) > 1:
            done = stack.pop()
            stack[-1].inner.append(done)
        else:
            stack[-1].lines.append(_line(line))
    if len(stack) > 1 or not stack[0].inner:
        raise IcsError("End of document reached prematurely")
    return stack[0].inner[0]


def from_jcal(data: bytes) -> str:
    """The text of a calendar in its JSON form."""
    return _CALENDAR.from_jcal(data.decode()).to_ical(sorted=False).decode()


def to_jcal(text: str) -> str:
    """A calendar in its JSON form."""
    return json.dumps(_CALENDAR.from_ical(text).to_jcal())


def _line(text: str) -> Line:
    try:
        return Line.of(text)
    except ValueError as error:
        raise IcsError(
            f"Invalid Mimedir file. Line starting at 1 did not follow iCalendar/vCard conventions: {text}"
        ) from error


@lru_cache(maxsize=4096)
def _taken_apart(text: str) -> tuple[str, list[tuple[str, str | list[str]]], str]:
    """The parts of a line; most of what is read was read before, and the library takes its time."""
    name, params, value = cast("tuple[str, Any, str]", Contentline(text).raw_parts())
    return name.upper(), [(key.upper(), given) for key, given in _plain(params)], value


def _plain(params: Any) -> Iterator[tuple[str, str | list[str]]]:
    for key, given in params.items():
        several = isinstance(given, list | tuple)
        yield str(key), [str(one) for one in cast("list[object]", given)] if several else str(given)


def _quoted(given: str | list[str]) -> str:
    values = given if isinstance(given, list) else [given]
    return ",".join(f'"{one}"' if _NEEDS_QUOTES.search(one) else one for one in values)


def _number(text: str) -> str:
    try:
        return f"{float(text):g}"
    except ValueError:
        return text


def _folded(row: str) -> str:
    """A line in pieces of at most 75 bytes, none of which ends within a letter."""
    pieces: list[str] = []
    piece, size = "", 0
    for letter in row:
        width = len(letter.encode("utf-8", "replace"))
        if size + width > 75:
            pieces.append(piece)
            piece, size = " ", 1
        piece, size = piece + letter, size + width
    return "\r\n".join([*pieces, piece])
