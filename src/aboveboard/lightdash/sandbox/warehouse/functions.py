"""Functions of Postgres that SQLite lacks, so that compiled queries and people's SQL run as they would there."""

import sqlite3
import statistics
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

_FORMATS: dict[str, Callable[[datetime], str]] = {
    "FMDay": lambda at: f"{at:%A}",
    "FMMonth": lambda at: f"{at:%B}",
    '"Q"Q': lambda at: f"Q{_quarter(at)}",
    "YYYY-MM": lambda at: f"{at:%Y-%m}",
    "YYYY-MM-DD": lambda at: f"{at:%Y-%m-%d}",
}
_PARTS: dict[str, Callable[[datetime], int]] = {
    "YEAR": lambda at: at.year,
    "QUARTER": lambda at: _quarter(at),
    "MONTH": lambda at: at.month,
    "WEEK": lambda at: at.isocalendar().week,
    "DAY": lambda at: at.day,
    "DOY": lambda at: at.timetuple().tm_yday,
    "DOW": lambda at: at.isoweekday() % 7,
    "ISODOW": lambda at: at.isoweekday(),
    "HOUR": lambda at: at.hour,
    "MINUTE": lambda at: at.minute,
}
_STARTS: dict[str, Callable[[datetime], datetime]] = {
    "YEAR": lambda at: datetime(at.year, 1, 1),
    "QUARTER": lambda at: datetime(at.year, 3 * _quarter(at) - 2, 1),
    "MONTH": lambda at: datetime(at.year, at.month, 1),
    "WEEK": lambda at: datetime(at.year, at.month, at.day) - timedelta(days=at.weekday()),
    "DAY": lambda at: datetime(at.year, at.month, at.day),
    "HOUR": lambda at: at.replace(minute=0, second=0, microsecond=0),
    "MINUTE": lambda at: at.replace(second=0, microsecond=0),
    "SECOND": lambda at: at.replace(microsecond=0),
}


def register(db: sqlite3.Connection, clock: Callable[[], datetime]) -> None:
    """Add the functions to a connection; the sandbox's clock tells what time it is."""
    sqlite3.register_converter("BOOLEAN", lambda raw: raw == b"1")
    db.create_function("date_trunc", 2, truncate, deterministic=True)
    db.create_function("date_part", 2, part, deterministic=True)
    db.create_function("to_char", 2, to_char, deterministic=True)
    # SQLite's own know ASCII only.
    db.create_function("upper", 1, _upper, deterministic=True)
    db.create_function("lower", 1, _lower, deterministic=True)
    db.create_function("pg_sleep", 1, _sleep, deterministic=True)
    db.create_function("now", 0, lambda: _written(clock().replace(tzinfo=None)))
    db.create_function("current_timestamp", 0, lambda: _written(clock().replace(tzinfo=None)))
    db.create_function("current_date", 0, lambda: clock().date().isoformat())
    db.create_aggregate("median", 1, _Median)


def start_of(unit: str, at: datetime) -> datetime:
    """The first moment of the year, quarter, month, week (from Monday), day ... that a moment lies in."""
    return _STARTS[unit](at)


def truncate(unit: str, value: str | None) -> str | None:
    """DATE_TRUNC: the start of the unit that a date or a timestamp lies in."""
    if value is None:
        return None
    unit, start = unit.upper(), start_of(unit.upper(), datetime.fromisoformat(value))
    # A whole day or more reads as a date, which is what it is compared with.
    return _written(start) if unit in {"HOUR", "MINUTE", "SECOND"} else start.date().isoformat()


def part(unit: str, value: str | None) -> int | None:
    """DATE_PART: one number of a date or a timestamp."""
    return None if value is None else _PARTS[unit.upper()](datetime.fromisoformat(value))


def to_char(value: str | None, pattern: str) -> str | None:
    """TO_CHAR, for the patterns that time intervals need."""
    return None if value is None else _FORMATS[pattern](datetime.fromisoformat(value))


class _Median:
    def __init__(self) -> None:
        self._values: list[float] = []

    def step(self, value: float | None) -> None:
        if value is not None:
            self._values.append(value)

    def finalize(self) -> Any:
        return statistics.median(self._values) if self._values else None


def _upper(text: object) -> str | None:
    return None if text is None else str(text).upper()


def _lower(text: object) -> str | None:
    return None if text is None else str(text).lower()


def _sleep(_seconds: float) -> None:
    """Nothing: how long a query takes is decided by its text, not by a real clock."""


def _quarter(at: date) -> int:
    return (at.month + 2) // 3


def _written(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S")
