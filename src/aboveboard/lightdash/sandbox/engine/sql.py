"""SQL in which values stay apart from text: bound when it runs, written out only when people are to read it."""

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Value:
    """Something that came with a request, and so never becomes part of a statement's text."""

    value: object


@dataclass(frozen=True)
class Quiet:
    """Text that SQLite needs and Postgres would not, and so is not shown."""

    text: str


@dataclass(frozen=True)
class Sql:
    """A piece of a statement."""

    parts: tuple[str | Value | Quiet, ...] = ()

    def __add__(self, other: "Sql | str") -> "Sql":
        return Sql(self.parts + (other.parts if isinstance(other, Sql) else (other,)))

    def __radd__(self, other: str) -> "Sql":
        return Sql((other, *self.parts))

    @property
    def text(self) -> str:
        """The statement with a mark for each value."""
        return "".join("?" if isinstance(part, Value) else _text(part) for part in self.parts)

    @property
    def values(self) -> list[object]:
        """The values of the marks, in order."""
        return [part.value for part in self.parts if isinstance(part, Value)]

    @property
    def shown(self) -> str:
        """The statement with its values in it, for people."""
        shown = (part for part in self.parts if not isinstance(part, Quiet))
        return "".join(part if isinstance(part, str) else literal(part.value) for part in shown)


def _text(part: str | Quiet) -> str:
    return part.text if isinstance(part, Quiet) else part


def quiet(text: str) -> Sql:
    """Text that runs and is not shown."""
    return Sql((Quiet(text),))


def bind_value(value: object) -> Sql:
    """A value in a statement."""
    return Sql((Value(value),))


def join_sql(separator: str, pieces: Iterable[Sql]) -> Sql:
    """Pieces with something between them."""
    result = Sql()
    for number, piece in enumerate(pieces):
        result = result + separator + piece if number else piece
    return result


def quote_name(name: str) -> str:
    """A name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: object) -> str:
    """A value as SQL writes it."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return repr(value)
    return "'" + str(value).replace("'", "''") + "'"
