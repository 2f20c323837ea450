"""CSV as rows of a table: its header names columns, and every value is checked before one is written."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from aboveboard.errors import BadInput, Failure
from aboveboard.nextcloud.client.tables.columns import Column
from aboveboard.nextcloud.client.tables.sheet import Sheet

MOST_ROWS: Final = 2000
_LONGEST_CELL: Final = 1_000_000
_SEPARATORS: Final = (",", ";", "\t", "|")


@dataclass(frozen=True)
class Line:
    """A line of the file that can be a row: where it begins, and its cells as the app wants them."""

    number: int
    cells: dict[int, object]


@dataclass
class CheckedFile:
    """What a file says: lines that can be rows, and what is wrong with the others."""

    columns: list[str]
    lines: list[Line] = field(default_factory=list[Line])
    problems: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])


def check_csv(sheet: Sheet, text: str, *, delimiter: str | None = None) -> CheckedFile:
    """Check a whole file against the columns of a table."""
    reader = _reader(text, delimiter)
    header = next(reader, (1, list[str]()))[1]
    columns = _columns(sheet, header)
    checked = CheckedFile([column.title for column in columns])
    for number, values in reader:
        if not any(value.strip() for value in values):
            continue
        try:
            checked.lines.append(Line(number, _cells(sheet, columns, values)))
        except Failure as failure:
            checked.problems.append((number, str(failure)))
        if len(checked.lines) + len(checked.problems) > MOST_ROWS:
            raise BadInput(f"The file has more than {MOST_ROWS} rows.", next_step="Import it in parts.")
    return checked


def _reader(text: str, delimiter: str | None) -> Iterator[tuple[int, list[str]]]:
    """Go through the lines with the number at which each begins, since a quoted value may have several."""
    csv.field_size_limit(_LONGEST_CELL)
    first = text.lstrip("\ufeff\r\n").partition("\n")[0]
    separator = delimiter or max(_SEPARATORS, key=first.count)
    reader, begin = (
        csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator, strict=True),
        1,
    )
    try:
        for values in reader:
            yield begin, values
            begin = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(f"This is not CSV: line {reader.line_num}: {error}.", next_step="Check its quotes.") from None


def _columns(sheet: Sheet, header: Sequence[str]) -> list[Column]:
    names = [name.strip() for name in header]
    if not any(names):
        raise BadInput("The file has no header.", next_step="Its first line must name columns of the table.")
    columns = [sheet.column(name) for name in names]
    twice = {repr(column.title) for column in columns if columns.count(column) > 1}
    if twice:
        raise BadInput(f"The header names {', '.join(sorted(twice))} twice.", next_step="Name each column once.")
    return columns


def _cells(sheet: Sheet, columns: Sequence[Column], values: Sequence[str]) -> dict[int, object]:
    if len(values) > len(columns):
        raise BadInput(f"It has {len(values)} values, and the header {len(columns)} columns.")
    given = zip(columns, values, strict=False)
    data = {sheet.key(column.id): _value(column, value.strip()) for column, value in given if value.strip()}
    return sheet.cells(data, whole=True)


def _value(column: Column, text: str) -> object:
    """Take several options or people apart at commas, unless all of it is one label."""
    several = column.kind == "selection-multi" or column.type == "usergroup"
    if not several or text in {option.label for option in column.options}:
        return text
    return [part.strip() for part in text.split(",") if part.strip()]
