"""Values as results show them: raw for programs, formatted for people."""

import re
from datetime import datetime
from typing import Any

from aboveboard.lightdash.sandbox.engine.compiler import Calculation
from aboveboard.lightdash.sandbox.engine.fields import Dimension, Field, Metric

EMPTY = "∅"
_CURRENCIES = {"usd": "$", "gbp": "£", "eur": "€", "jpy": "¥"}
_DATES = {"MONTH": "%Y-%m", "YEAR": "%Y"}
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?")
_SAFE = 2**31


def raw_value(one: Field | Calculation, value: Any) -> Any:
    """A value as programs get it: counts as text, moments in ISO form, sums without the noise of floats."""
    kind = value_type(one)
    if value is None:
        return None
    if kind == "boolean":
        return bool(value)
    if kind == "timestamp":
        return iso(str(value))
    if kind == "date":
        return str(value)[:10]
    if isinstance(value, float):
        value = _plain(value)
    return str(value) if kind == "number" and _is_big(one) and isinstance(value, int) else value


def formatted_value(one: Field | Calculation, value: Any) -> str:
    """A value as people see it."""
    kind = value_type(one)
    if value is None:
        return EMPTY
    if kind == "boolean":
        return "True" if value else "False"
    if kind == "date":
        return _date(one, str(value))
    if kind == "timestamp":
        return _timestamp(one, str(value))
    if kind == "number" and isinstance(value, int | float):
        return _number(one, value)
    return str(value)


def value_type(one: Field | Calculation) -> str:
    """The type of a column's values."""
    return one.value_type if isinstance(one, Metric) else one.type


def column_type(one: Field | Calculation) -> str:
    """The type that the warehouse gives the column."""
    return one.column_type if isinstance(one, Dimension) else value_type(one)


def sql_value(value: Any, *, big: bool) -> tuple[Any, str]:
    """A value of the SQL runner, raw and formatted, which knows no fields and so formats nothing."""
    if value is None:
        return None, EMPTY
    if isinstance(value, bool):
        return value, str(value).lower()
    if isinstance(value, float):
        value = _plain(value)
    if isinstance(value, bytes):
        value = value.hex()
    if isinstance(value, int) and (big or abs(value) >= _SAFE):
        value = str(value)
    if isinstance(value, str) and _MOMENT.fullmatch(value):
        value = iso(value)
    return value, str(value)


def sql_type(values: list[Any]) -> str:
    """What kind of column holds these values."""
    first = next((value for value in values if value is not None), None)
    if isinstance(first, bool):
        return "boolean"
    if isinstance(first, int | float):
        return "number"
    found = _MOMENT.fullmatch(first) if isinstance(first, str) else None
    return ("timestamp" if found[1] else "date") if found else "string"


def iso(text: str) -> str:
    """A moment as JavaScript writes it."""
    return datetime.fromisoformat(text).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _plain(value: float) -> float:
    value = round(value, 9)
    return int(value) if value == int(value) else value


def _is_big(one: Field | Calculation) -> bool:
    return not isinstance(one, Dimension) and bool(getattr(one, "big", False))


def _date(one: Field | Calculation, text: str) -> str:
    interval = one.interval.name if isinstance(one, Dimension) and one.interval else ""
    at = datetime.fromisoformat(text)
    if interval == "QUARTER":
        return f"{at.year}-Q{(at.month + 2) // 3}"
    return at.strftime(_DATES.get(interval, "%Y-%m-%d"))


def _timestamp(one: Field | Calculation, text: str) -> str:
    interval = one.interval.name if isinstance(one, Dimension) and one.interval else ""
    pattern = {"HOUR": "%H", "MINUTE": "%H:%M", "SECOND": "%H:%M:%S"}.get(interval, "%H:%M:%S:000")
    return datetime.fromisoformat(text).strftime(f"%Y-%m-%d, {pattern} (+00:00)")


def _number(one: Field | Calculation, value: float) -> str:
    extra = one.raw if isinstance(one, Calculation) else one.extra
    places, kind = extra.get("round"), extra.get("format")
    if kind == "percent":
        return _digits(value * 100, places if isinstance(places, int) else 0, fixed=True) + "%"
    if kind in _CURRENCIES:
        sign = "-" if value < 0 else ""
        return (
            f"{sign}{_CURRENCIES[str(kind)]}{_digits(abs(value), places if isinstance(places, int) else 2, fixed=True)}"
        )
    return _digits(value, places if isinstance(places, int) else 3, fixed=isinstance(places, int))


def _digits(value: float, places: int, *, fixed: bool) -> str:
    text = f"{value:,.{places}f}"
    if not fixed and "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
