"""One time that something takes place, and what the library reads of it."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, Final, cast

from icalendar import Calendar, vDDDLists

from aboveboard.errors import ApiError, BadInput
from aboveboard.nextcloud.client.calendar.times import moment_of
from aboveboard.nextcloud.client.calendar.zones import known_zones

# Not all of the library is typed.
_CALENDAR = cast("Any", Calendar)
# Up to where the next one begins: of many that never end, none is read twice.
_ZONE: Final = re.compile(
    r"^BEGIN:VTIMEZONE\r?\n(?:(?!BEGIN:VTIMEZONE|END:VTIMEZONE)[^\n]*+\n)*END:VTIMEZONE\r?(?:\n|\Z)", re.MULTILINE
)
_ZONE_NAME: Final = re.compile(r"^TZID:([^\r\n]+)\r?\n(?![ \t])", re.MULTILINE)


class Unreadable(ApiError):
    """Something that others wrote, of which nobody can tell when it takes place."""

    def __init__(self, title: str) -> None:
        super().__init__(
            f"When {title!r} takes place cannot be read: its times or its rule make no sense.",
            next_step="Mend it in Nextcloud, or give it other times or another rule.",
        )
        self.title = title


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


def parse_calendar(data: bytes) -> Any:
    """Read a text with the library, without the rules of zones that it knows by name: these it would not heed."""
    try:
        return _CALENDAR.from_ical(_ZONE.sub(_unless_known, data.decode("utf-8", "replace")))
    except (ValueError, IndexError, KeyError):
        raise ApiError("Nextcloud has a calendar object here that cannot be read.") from None


def _unless_known(rules: re.Match[str]) -> str:
    name = _ZONE_NAME.search(rules[0])
    return "" if name and name[1] in known_zones() else rules[0]


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


def span_of(item: Any) -> tuple[date, date]:
    """Return when something begins and ends, also where it says so twice, or names a day for a time."""
    try:
        return item.start, item.end
    except ValueError:
        start, end = begin_of(item), item.get("DTEND") or item.get("DUE")
        last = _from(start, item) if end is None else cast("date", end.dt)
    if isinstance(start, datetime) and not isinstance(last, datetime):
        last = max(start, datetime.combine(last, time(), start.tzinfo))
    elif isinstance(last, datetime) and not isinstance(start, datetime):
        last = last.date()
    return start, last


def _from(start: date, item: Any) -> date:
    """Return the end of what tells its length; one of whole days ends with a day."""
    length = item["DURATION"].dt if item.get("DURATION") is not None else timedelta()
    return start + length if isinstance(start, datetime) else start + max(length, timedelta(days=1))


def length_of(item: Any) -> timedelta:
    """Return how long something takes."""
    start, end = span_of(item)
    return end - start


def dates_of(item: Any, name: str) -> list[date]:
    """Return the dates that a series names, of however many lines; of a period its start."""
    return [date_of(value) for value in values_of(item, name)]


def values_of(item: Any, name: str) -> list[Any]:
    """Return the dates and periods that a series names; a line that cannot be read names none."""
    return [value for line in lines_of(item, name) if isinstance(line, vDDDLists) for value in cast("Any", line).dts]


def lines_of(item: Any, name: str) -> list[Any]:
    """Return a property that may be there several times, as the library read it."""
    given = item.get(name, [])
    return cast("list[Any]", given if isinstance(given, list) else [given])


def date_of(value: Any) -> date:
    """Return a date that a series names; of a period its start."""
    given = value.dt
    return cast("date", given[0] if isinstance(given, tuple) else given)
