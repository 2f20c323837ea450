"""Spans of time that move with the clock: the past three months, the current week, the year to date."""

import calendar
from datetime import datetime, timedelta

from aboveboard.lightdash.sandbox.warehouse.functions import start_of

UNITS = {
    "milliseconds": "SECOND",
    "seconds": "SECOND",
    "minutes": "MINUTE",
    "hours": "HOUR",
    "days": "DAY",
    "weeks": "WEEK",
    "months": "MONTH",
    "quarters": "QUARTER",
    "years": "YEAR",
}
_MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
_LENGTHS = {
    "SECOND": timedelta(seconds=1),
    "MINUTE": timedelta(minutes=1),
    "HOUR": timedelta(hours=1),
    "DAY": timedelta(days=1),
    "WEEK": timedelta(weeks=1),
}


def shifted(at: datetime, count: int, unit: str) -> datetime:
    """So many units later, or earlier; the last day of a month stays within the month it lands in."""
    if unit in _LENGTHS:
        return at + count * _LENGTHS[unit]
    month = at.year * 12 + at.month - 1 + count * _MONTHS[unit]
    year, month = month // 12, month % 12 + 1
    return at.replace(year=year, month=month, day=min(at.day, calendar.monthrange(year, month)[1]))


def past(now: datetime, count: int, unit: str, *, completed: bool) -> tuple[datetime, datetime]:
    """From then until now; of whole units, from the start of the first until the start of the current."""
    end = start_of(unit, now) if completed else now
    return shifted(end, -count, unit), end


def following(now: datetime, count: int, unit: str, *, completed: bool) -> tuple[datetime, datetime]:
    """From now until then; of whole units, from the start of the next until the end of the last."""
    start = start_of(unit, shifted(now, 1, unit)) if completed else now
    return start, shifted(start, count, unit)


def current(now: datetime, unit: str) -> tuple[datetime, datetime]:
    """From the first to the last second of the unit that now lies in."""
    start = start_of(unit, now)
    return start, shifted(start, 1, unit) - timedelta(seconds=1)


def day_of(now: datetime, unit: str) -> int:
    """How many days of the unit have passed before today."""
    return (start_of("DAY", now) - start_of(unit, now)).days
