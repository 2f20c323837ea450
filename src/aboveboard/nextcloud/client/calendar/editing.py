"""Changing an iCalendar text in place: what is not changed stays as it came, byte for byte.

A text is a tree of components and content lines; only a line that gets another value is written anew.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

from icalendar.parser import Contentline, Parameters

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.content_lines import Line, escape_text, lines_of, piece_name

_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_ABOUT_VALUE: Final = frozenset({"ALTREP", "VALUE", "TZID", "ENCODING", "FMTTYPE"})
"""Parameters that tell of the old value, and so go with it."""

# Not all of the library is typed.
_CONTENT: Final = cast("Any", Contentline)

Params: TypeAlias = Mapping[str, str]


class Raw(str):
    """A value that is written as it is, such as a rule or a date; a plain text is escaped."""

    __slots__ = ()

    def to_ical(self) -> bytes:
        """Return the value as the library wants it."""
        return self.encode()


Part: TypeAlias = "Line | Component"


class Component:
    """A component: its lines and components, in the order in which they came."""

    def __init__(self, name: str, parts: list[Part], begin: str = "", end: str = "", newline: str = "\r\n") -> None:
        self.name, self.parts, self._begin, self._end, self.newline = name, parts, begin, end, newline

    @classmethod
    def new(cls, name: str, newline: str = "\r\n") -> "Component":
        """Make an empty component."""
        return cls(name, [], f"BEGIN:{name}{newline}", f"END:{name}{newline}", newline)

    @property
    def text(self) -> str:
        """The text, unchanged where nothing was changed."""
        return "".join((self._begin, *(p.raw if isinstance(p, Line) else p.text for p in self.parts), self._end))

    def copy(self) -> "Component":
        """Return the same component, to be changed apart from this one."""
        parts: list[Part] = [part if isinstance(part, Line) else part.copy() for part in self.parts]
        return Component(self.name, parts, self._begin, self._end, self.newline)

    def lines(self, *names: str) -> list[Line]:
        """Return the lines of these names, or all of its own."""
        mine = [part for part in self.parts if isinstance(part, Line)]
        return [line for line in mine if _is(line, names)] if names else mine

    def first(self, name: str) -> Line | None:
        """Return the first line of a name."""
        return next(iter(self.lines(name)), None)

    def value(self, name: str) -> str:
        """Return what the first line of a name says, still escaped; empty where there is none."""
        line = self.first(name)
        return line.value if line else ""

    def components(self, *names: str) -> list["Component"]:
        """Return the components of these names directly inside, or all."""
        mine = [part for part in self.parts if isinstance(part, Component)]
        return [one for one in mine if one.name in names] if names else mine

    def walk(self) -> Iterator["Component"]:
        """Go through this component and all inside."""
        yield self
        for one in self.components():
            yield from one.walk()

    def line(self, name: str, value: object, params: Params | None = None) -> Line:
        """Write a line as this text writes its lines."""
        # Escaped here: the library takes the backslash of C:\New for the beginning of a line break.
        given = value if hasattr(value, "to_ical") else Raw(escape_text(str(value)))
        return Line.of(str(_CONTENT.from_parts(name, Parameters(params or {}), given, sorted=False)), self.newline)

    def put(self, name: str, value: object, params: Params | None = None) -> None:
        """Give a property a value, in its place; one that says the same already is not touched.

        Parameters that do not belong to the old value stay as they are written, those given are set.
        """
        made, old = self.line(name, value, params), self.first(name)
        if old is not None:
            gone = _ABOUT_VALUE | made.parameters.keys()
            kept = [piece for piece in old.pieces[1:] if piece_name(piece) not in gone]
            made = old.with_pieces([old.pieces[0], *kept, *made.pieces[1:]], made.value)
            if (made.value, made.parameters) == (old.value, old.parameters):
                return
        self.replace([name], [made])

    def replace(self, names: Sequence[str], made: Sequence[Part]) -> None:
        """Put parts in the place of the lines of some names: where the first one is, or after the last line."""
        places = [at for at, part in enumerate(self.parts) if _is(part, names)]
        at = places[0] if places else self._end_of_lines()
        kept = [part for place, part in enumerate(self.parts) if place not in places]
        self.parts = [*kept[:at], *made, *kept[at:]]

    def remove(self, *names: str) -> None:
        """Take all lines of these names away."""
        self.parts = [part for part in self.parts if not _is(part, names)]

    def drop(self, unwanted: Callable[["Component"], bool]) -> None:
        """Take components away."""
        self.parts = [part for part in self.parts if isinstance(part, Line) or not unwanted(part)]

    def add(self, *made: Part) -> None:
        """Add lines after the last line, and components after the last component."""
        for part in made:
            if isinstance(part, Line):
                self.parts.insert(self._end_of_lines(), part)
            else:
                self.parts.append(part)

    def _end_of_lines(self) -> int:
        """Where properties end: components follow them."""
        places = [at for at, part in enumerate(self.parts) if isinstance(part, Line)]
        return places[-1] + 1 if places else 0

    def put_text(self, name: str, text: str) -> None:
        """Give a property a text; an empty one takes the property away."""
        if not text:
            self.remove(name)
            return
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        if _CONTROL.search(plain):
            raise BadInput(f"The {name.lower()} holds control characters, which calendars cannot keep.")
        self.put(name, plain)


class Document(Component):
    """A whole text: one calendar, with whatever stands around it."""

    def __init__(self, data: bytes) -> None:
        """Take a text apart; bytes that are no UTF-8 are kept too."""
        text = data.decode("utf-8", "surrogateescape")
        newline = "\r\n" if "\r\n" in text else "\n"
        super().__init__("", _tree(lines_of(text), newline), newline=newline)

    @property
    def data(self) -> bytes:
        """The text as it is to be sent."""
        return self.text.encode("utf-8", "surrogateescape")

    @property
    def calendar(self) -> Component:
        found = self.components("VCALENDAR")
        if not found:
            raise BadInput("This is not a calendar object.")
        return found[0]

    def items(self, *names: str) -> list[Component]:
        """Return the events or tasks: the series or single one, and its changed occurrences."""
        return self.calendar.components(*names)


def document_of(text: str) -> Document:
    """Read a text that we have as one."""
    return Document(text.encode("utf-8", "surrogateescape"))


def _tree(lines: Sequence[Line], newline: str) -> list[Part]:
    stack: list[tuple[str, str, list[Part]]] = [("", "", [])]
    for line in lines:
        if line.name == "BEGIN":
            stack.append((line.value.strip().upper(), line.raw, []))
        elif line.name == "END" and len(stack) > 1 and line.value.strip().upper() == stack[-1][0]:
            name, begin, parts = stack.pop()
            stack[-1][2].append(Component(name, parts, begin, line.raw, newline))
        else:
            stack[-1][2].append(line)
    if len(stack) > 1:
        raise BadInput("This calendar object ends in the middle.")
    return stack[0][2]


def _is(part: Part, names: Sequence[str]) -> bool:
    """Tell whether a part is a line of one of these names; groups are for cards, and nothing that we know here."""
    return isinstance(part, Line) and part.name in names and not part.group
