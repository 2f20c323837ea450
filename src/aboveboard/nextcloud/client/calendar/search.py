"""Finding events: in a span of time, by what they say, in several calendars at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from itertools import islice
from typing import Any, Final

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.account import Account
from aboveboard.nextcloud.client.calendar.attendees import attendees_of
from aboveboard.nextcloud.client.calendar.collections import Calendar, Collections
from aboveboard.nextcloud.client.calendar.event_changes import EVENT
from aboveboard.nextcloud.client.calendar.objects import Objects, Span, Stored
from aboveboard.nextcloud.client.calendar.occurrence import Occurrence, Unreadable, parse_calendar, span_of
from aboveboard.nextcloud.client.calendar.recurrence import MOST, each_occurrence, occurrences
from aboveboard.nextcloud.client.calendar.times import YEARS, instant, read_when
from aboveboard.nextcloud.client.calendar.views import categories

DAYS: Final = 31
"""How far ahead is looked where nobody says how far."""
LONGEST: Final = 366 * 5
"""Days that one list may span."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What events shall say; None does not matter."""

    title: str | None = None
    location: str | None = None
    categories: Sequence[str] | None = None
    status: str | None = None
    min_attendees: int | None = None
    min_minutes: int | None = None

    @property
    def anything(self) -> bool:
        """Tell whether it matters at all what events say."""
        return any(value is not None for value in vars(self).values())

    def fits(self, item: Any, length: timedelta) -> bool:
        """Tell whether an event, as the library read it, says this."""
        return (
            _contains(item, "SUMMARY", self.title)
            and _contains(item, "LOCATION", self.location)
            and (self.status is None or str(item.get("STATUS", "")).upper() == self.status.upper())
            and (self.categories is None or _shares(categories(item), self.categories))
            and (self.min_attendees is None or len(attendees_of(item)) >= self.min_attendees)
            and (self.min_minutes is None or length >= timedelta(minutes=self.min_minutes))
        )


@dataclass(frozen=True)
class Found:
    """An occurrence, and the object that it is of."""

    occurrence: Occurrence
    stored: Stored


@dataclass(frozen=True)
class FoundEvents:
    """Occurrences in order, the series of which there are more than were looked at, and what cannot be read."""

    items: list[Found]
    cut: list[str]
    unread: list[str]


class EventSearch:
    """Search over one user's events."""

    def __init__(self, account: Account, calendars: Collections, objects: Objects) -> None:
        self._account, self._calendars, self._objects = account, calendars, objects

    async def zone(self) -> tzinfo:
        """Tell the user's zone."""
        return await self._account.zone()

    async def span(self, start: str, end: str, days: int = DAYS) -> Span:
        """Read from when to when people mean; without a start from today on, and an end that is a day is included."""
        zone = await self._account.zone()
        now = await self._account.now()
        first = _day(start, zone) if start else _midnight(now.date(), zone)
        until = _day_after(end, zone) if end else first + timedelta(days=days)
        if until <= first:
            raise BadInput("The end is before the start.", next_step="Give an end_date that is later.")
        if until - first > timedelta(days=LONGEST):
            raise BadInput(f"That is more than {LONGEST} days.", next_step="Give dates that are closer to each other.")
        return Span(first, until)

    async def calendars(self, name: str) -> list[Calendar]:
        """Return the calendar of a name, or all that take events."""
        here = await self._calendars.list(EVENT)
        if not name:
            return here
        wanted = (await self._calendars.get(name)).name
        return [one for one in here if one.name == wanted]

    async def find(self, name: str, span: Span, wanted: Wanted) -> FoundEvents:
        """Find what takes place in a span, each occurrence by itself, in order."""
        zone = await self._account.zone()
        stored = await self._objects.within(await self.calendars(name), EVENT, span)
        found: list[Found] = []
        cut: list[str] = []
        unread: list[str] = []
        for each in stored:
            try:
                here = occurrences(each.data, EVENT, span, zone)
            except Unreadable as one:
                unread.append(one.title)
                continue
            fitting = [one for one in here if wanted.fits(one.item, one.ends(zone) - one.begins(zone))]
            found += [Found(one, each) for one in fitting]
            if len(here) == MOST and fitting:
                cut.append(fitting[-1].title)
        found.sort(key=lambda one: (one.occurrence.begins(zone), one.occurrence.ends(zone)))
        return FoundEvents(found, cut, unread)

    async def objects(self, name: str, start: str, end: str, wanted: Wanted) -> list[Stored]:
        """Find whole events and series: those of which something fits, in a span if one is given, and ever if not.

        Where one side of the span is open, all is read: servers do not look as far as a calendar goes.
        """
        zone = await self._account.zone()
        span = await self.span(start, end) if start and end else None
        stored = await self._objects.within(await self.calendars(name), EVENT, span)
        first = _day(start, zone) if start else _midnight(date(YEARS[0], 1, 1), zone)
        last = _day_after(end, zone) if end else _midnight(date(YEARS[-1], 12, 31), zone)
        return [one for one in stored if self._fits(one, span or Span(first, last), wanted, zone)]

    def _fits(self, one: Stored, span: Span, wanted: Wanted, zone: tzinfo) -> bool:
        items = parse_calendar(one.data).walk(EVENT)
        if not any(wanted.fits(item, _length(item, zone)) for item in items):
            return False
        found = islice(each_occurrence(one.data, EVENT, span, zone), MOST)
        return any(wanted.fits(each.item, each.ends(zone) - each.begins(zone)) for each in found)


def _length(item: Any, zone: tzinfo) -> timedelta:
    start, end = span_of(item)
    return instant(end, zone) - instant(start, zone)


def _day(text: str, zone: tzinfo) -> datetime:
    return read_when(text, zone, what="date").instant(zone)


def _day_after(text: str, zone: tzinfo) -> datetime:
    """Read an end that is included if it is a day."""
    last = read_when(text, zone, what="date")
    return _midnight(last.value + timedelta(days=1), zone) if last.all_day else last.instant(zone)


def _midnight(day: date, zone: tzinfo) -> datetime:
    return instant(day.date() if isinstance(day, datetime) else day, zone)


def _contains(item: Any, name: str, text: str | None) -> bool:
    return text is None or text.casefold() in str(item.get(name, "")).casefold()


def _shares(mine: Sequence[str], wanted: Sequence[str]) -> bool:
    return bool({one.casefold() for one in mine} & {one.casefold() for one in wanted})
