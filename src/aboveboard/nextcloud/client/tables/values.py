"""Values of cells: checked against their column before anything is sent, and shown as people write them.

The app itself turns what does not fit into nothing and answers as if all were well: numbers and dates that are none,
options that are not there; limits it does not look at. So what is wrong is said here.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, Final, cast

from aboveboard.errors import BadInput, explain_unknown
from aboveboard.nextcloud.client.tables.columns import Column, Option

PEOPLE: Final = {"user": 0, "group": 1, "team": 2}
_WORDS_OF_PEOPLE: Final = {number: word for word, number in PEOPLE.items()}
_TRUE, _FALSE = frozenset(("true", "yes", "1")), frozenset(("false", "no", "0"))
_SCHEMES: Final = ("https://", "http://")


def write_value(column: Column, value: object) -> object:
    """Return a value as the app wants it; None empties the cell, where the app can do that."""
    if value is None or value == "":
        return _emptied(column)
    check = _CHECKS.get(column.kind) or _CHECKS.get(column.type)
    if check is None:
        raise _wrong(column, f"is of the type {column.kind}, which this server does not know", "Write it in the web.")
    return check(column, value)


def show_value(column: Column, value: Any) -> Any:
    """Return a value as people write it, and may give it back."""
    if value is None or value == "":
        return None
    if column.type == "selection":
        return _shown_selection(column, value)
    if column.kind == "text-link":
        return _shown_link(value)
    if column.type == "usergroup" and isinstance(value, list):
        return [_shown_person(one) for one in cast("list[Mapping[str, Any]]", value)]
    return value


def _emptied(column: Column) -> object:
    if column.mandatory:
        raise _wrong(column, "must not be empty", "Give it a value.")
    if column.type == "number":
        raise _wrong(column, "cannot be emptied: Nextcloud would put 0", "Give 0 if that is meant.")
    if column.kind == "selection-check":
        raise _wrong(column, "is a checkbox", "Give true or false.")
    return [] if column.kind == "selection-multi" or column.type == "usergroup" else None


def _text(column: Column, value: object) -> object:
    if not isinstance(value, str):
        raise _wrong(column, f"takes a text, and not {_named(value)}")
    longest = column.text_max_length
    if longest and len(value) > longest:
        raise _wrong(column, f"takes {longest} characters, and this has {len(value)}")
    return value


def _link(column: Column, value: object) -> object:
    given = _parts(value, "url")
    target, title = given.get("url"), given.get("title")
    if not (isinstance(target, str) and target.startswith(_SCHEMES) and isinstance(title, str | None)):
        raise _wrong(column, "takes a link", 'Give a URL such as https://example.org, or {"title": ..., "url": ...}.')
    # Naming a provider would fail where the column does not list it; a column may list none.
    return json.dumps({"title": title or target, "value": target}, ensure_ascii=False)


def _number(column: Column, value: object) -> object:
    number = _read_number(column, value)
    low, high, decimals = column.number_min, column.number_max, column.number_decimals or 0
    if (low is not None and number < low) or (high is not None and number > high):
        raise _wrong(column, f"takes numbers{_limits(low, high)}, and not {number:g}")
    if round(number, decimals) != number:
        kept = f"{decimals} decimals" if decimals else "whole numbers only"
        raise _wrong(column, f"keeps {kept}: Nextcloud would round {number!r}", "Round it as it is meant.")
    return number


def _scale(most: int) -> Callable[[Column, object], object]:
    def check(column: Column, value: object) -> object:
        number = _read_number(column, value)
        if number != int(number) or not 0 <= number <= most:
            raise _wrong(column, f"takes whole numbers from 0 to {most}, and not {number:g}")
        return int(number)

    return check


def _read_number(column: Column, value: object) -> float | int:
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise _wrong(column, f"takes a number, and not {_named(value)}")
    return int(number) if number.is_integer() else number


def _limits(low: float | None, high: float | None) -> str:
    return (f" from {low:g}" if low is not None else "") + (f" to {high:g}" if high is not None else "")


def _check(column: Column, value: object) -> object:
    word = str(value).strip().lower()
    if word not in _TRUE | _FALSE:
        raise _wrong(column, f"is a checkbox, and {_named(value)} is neither true nor false")
    return "true" if word in _TRUE else "false"


def _one(column: Column, value: object) -> object:
    return chosen(column, value).id


def _several(column: Column, value: object) -> object:
    each: Sequence[object] = cast("list[object]", value) if isinstance(value, list) else [value]
    return list(dict.fromkeys(chosen(column, one).id for one in each))


def chosen(column: Column, value: object) -> Option:
    """Find an option by its label, or by its number where no label is the same."""
    options = column.options
    found = [option for option in options if option.label == value]
    if not found and not isinstance(value, bool):
        found = [option for option in options if str(option.id) == str(value)]
    if len(found) > 1:
        numbers = ", ".join(str(option.id) for option in found)
        raise _wrong(column, f"has several options {value!r}", f"Choose by number: {numbers}.")
    if not found:
        raise BadInput(
            explain_unknown("option", str(value), [option.label for option in options], of=f"Column {column.title!r}")
        )
    return found[0]


def _datetime(column: Column, value: object) -> object:
    return _minute(column, value, datetime.fromisoformat, "2026-01-31 18:30").strftime("%Y-%m-%d %H:%M")


def _date(column: Column, value: object) -> object:
    return _read_moment(column, value, date.fromisoformat, "2026-01-31").strftime("%Y-%m-%d")


def _time(column: Column, value: object) -> object:
    return _minute(column, value, time.fromisoformat, "18:30").strftime("%H:%M")


def _minute(column: Column, value: object, parse: Callable[[str], Any], example: str) -> Any:
    moment = _read_moment(column, value, parse, example)
    if moment.tzinfo is not None or moment.second or moment.microsecond:
        raise _wrong(column, "keeps neither seconds nor a time zone", f"Give the local time alone, such as {example}.")
    return moment


def _read_moment(column: Column, value: object, parse: Callable[[str], Any], example: str) -> Any:
    try:
        return parse(str(value).strip())
    except ValueError:
        raise _wrong(column, f"cannot take {_named(value)}", f"Write it as {example}.") from None


def _people(column: Column, value: object) -> object:
    each: Sequence[object] = cast("list[object]", value) if isinstance(value, list) else [value]
    people = [_person(column, one) for one in each]
    if len(people) > 1 and not column.usergroup_multiple_items:
        raise _wrong(column, f"takes one person, and these are {len(people)}")
    return people


def _person(column: Column, value: object) -> dict[str, object]:
    given = _parts(value, "id")
    name, kind = given.get("id"), given.get("type")
    number = PEOPLE.get("user" if kind is None else str(kind))
    if not (isinstance(name, str) and name) or number is None:
        raise _wrong(column, "takes people", 'Give user ids, or {"id": "team", "type": "group"}.')
    allowed = (column.usergroup_select_users, column.usergroup_select_groups, column.usergroup_select_teams)
    if any(allowed) and not allowed[number]:
        raise _wrong(column, f"takes no {_WORDS_OF_PEOPLE[number]}s")
    return {"id": name, "type": number}


_CHECKS: Final[Mapping[str, Callable[[Column, object], object]]] = {
    "text": _text,
    "text-link": _link,
    "number": _number,
    "number-stars": _scale(5),
    "number-progress": _scale(100),
    "selection": _one,
    "selection-multi": _several,
    "selection-check": _check,
    "datetime": _datetime,
    "datetime-date": _date,
    "datetime-time": _time,
    "usergroup": _people,
}


def _shown_selection(column: Column, value: Any) -> Any:
    if column.kind == "selection-check":
        return str(value).lower() == "true"
    labels = {str(option.id): option.label for option in column.options}
    if isinstance(value, list):
        return [labels.get(str(one), one) for one in cast("list[Any]", value)]
    return labels.get(str(value), value)


def _shown_link(value: Any) -> Any:
    try:
        link = json.loads(value)
        return {"title": str(link["title"]), "url": str(link["value"])}
    except (ValueError, TypeError, KeyError):
        return value  # older ones are plain texts


def _shown_person(person: Mapping[str, Any]) -> dict[str, Any]:
    kind = _WORDS_OF_PEOPLE.get(person.get("type", 0), person.get("type"))
    found = {"id": person.get("id"), "type": kind, "name": person.get("displayName")}
    return {key: value for key, value in found.items() if value is not None}


def _parts(value: object, name: str) -> Mapping[str, object]:
    """Take an object as it is, and anything else for the part of one that has this name."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {name: value}


def _named(value: object) -> str:
    return f"{str(value)[:60]!r}" if isinstance(value, str | int | float) else f"a {type(value).__name__}"


def _wrong(column: Column, problem: str, next_step: str | None = None) -> BadInput:
    return BadInput(f"Column {column.title!r} {problem}.", next_step=next_step)
