"""One time that something takes place, and what the library reads of it."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, cast

from icalendar import Calendar

from aboveboard.errors import ApiError, BadInput
from aboveboard.nextcloud.client.calendar.times import moment_of

# Not all of the library is typed.
_CALENDAR = cast("Any", Calendar)


@dataclass(frozen=True)
class Occurrence:
    """One time that something takes place; `planned` tells which one of a series it is."""

    start: date
    end: date
    item: Any
    planned: date | None = None

    @property
    def title(self) -> str:
        """What people know it by."""
        return str(self.item.get("SUMMARY", "")) or "something without a title"

    def begins(self, zone: tzinfo) -> datetime:
        """Return when it begins; a day begins where the user is."""
        return moment_of(self.start, zone)

    def ends(self, zone: tzinfo) -> datetime:
        """Return when it ends."""
        return moment_of(self.end, zone)


def parsed(data: bytes) -> Any:
    """Read a text with the library."""
    try:
        return _CALENDAR.from_ical(data.decode("utf-8", "replace"))
    except (ValueError, IndexError, KeyError):
        raise ApiError("Nextcloud has a calendar object here that cannot be read.") from None


def main_of(read: Any, component: str) -> Any:
    """Return the series itself or the single one, as the library read it, wherever in the text it stands.

    Whoever is invited to some occurrences only has these, and no series.
    """
    items = read.walk(component)
    return next((one for one in items if one.get("RECURRENCE-ID") is None), items[0])


def begin_of(item: Any) -> date:
    """Return when something begins, as the library read it; a task that only is due begins then."""
    given = item.get("DTSTART") or item.get("DUE")
    if given is None:
        raise BadInput("This has neither a start nor a due date.")
    return cast("date", given.dt)


def length_of(item: Any) -> timedelta | None:
    """Return how long something takes; None where its times cannot be read."""
    try:
        return cast("timedelta", item.end - item.start)
    except ValueError:
        return None


def dates_of(item: Any, name: str) -> list[date]:
    """Return the dates that a series names, of however many lines; of a period its start."""
    return [date_of(value) for line in lines_of(item, name) for value in line.dts]


def lines_of(item: Any, name: str) -> list[Any]:
    """Return a property that may be there several times, as the library read it."""
    given = item.get(name, [])
    return cast("list[Any]", given if isinstance(given, list) else [given])


def date_of(value: Any) -> date:
    """Return a date that a series names; of a period its start."""
    given = value.dt
    return cast("date", given[0] if isinstance(given, tuple) else given)
