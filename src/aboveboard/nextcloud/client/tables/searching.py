"""Which rows fit: by words that occur in them, by values that columns must have."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from aboveboard.nextcloud.client.tables.columns import Column
from aboveboard.nextcloud.client.tables.rows import Row
from aboveboard.nextcloud.client.tables.sheet import Sheet
from aboveboard.nextcloud.client.tables.values import show_value, write_value


class Search:
    """What is looked for; that it can be is checked once."""

    def __init__(self, sheet: Sheet, query: str, where: Mapping[str, object]) -> None:
        self._sheet = sheet
        self._words = query.casefold().split()
        self._wanted = [self._condition(str(name), value) for name, value in where.items()]

    def _condition(self, name: str, value: object) -> tuple[Column, Any]:
        column = self._sheet.column(name)
        if value is None or value == "":
            return column, None
        return column, _plain(show_value(column, write_value(column, value)))

    def fits(self, row: Row) -> bool:
        """Tell whether a row is one of those that are looked for."""
        if not all(_has(wanted, column, row) for column, wanted in self._wanted):
            return False
        if not self._words:
            return True
        text = "\n".join(_texts(self._sheet.shown(row))).casefold()
        return all(word in text for word in self._words)


def _has(wanted: Any, column: Column, row: Row) -> bool:
    value = _plain(show_value(column, row.cells.get(column.id)))
    if wanted is None or value is None:
        return wanted is None and value in (None, [])
    if isinstance(wanted, list):  # several options or people: all that are asked for, whatever else there is
        there = cast("list[Any]", value) if isinstance(value, list) else [value]
        return all(one in there for one in cast("list[Any]", wanted))
    return value == wanted


def _plain(value: Any) -> Any:
    """Return what two equal values have in common: a link's title and a person's name say nothing."""
    if isinstance(value, list):
        return [_plain(one) for one in cast("list[Any]", value)]
    if isinstance(value, dict):
        known = cast("dict[str, Any]", value)
        return known["url"] if "url" in known else (known.get("id"), known.get("type"))
    return value


def _texts(value: Any) -> Iterator[str]:
    """Go through all that a value says, without what its parts are called."""
    if isinstance(value, list | dict):
        inner = cast("dict[str, Any]", value).values() if isinstance(value, dict) else cast("list[Any]", value)
        for one in inner:
            yield from _texts(one)
    else:
        yield str(value)
