"""Series: when each of their occurrences takes place.

Occurrences are counted here and from the whole object: servers leave some out and refuse others.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from itertools import islice
from typing import Any, Final, cast

import recurring_ical_events
from icalendar import Calendar, vRecur

from aboveboard.errors import ApiError, BadInput, NotFound
from aboveboard.nextcloud.client.calendar.dense import bring_near
from aboveboard.nextcloud.client.calendar.editing import Document
from aboveboard.nextcloud.client.calendar.objects import Span
from aboveboard.nextcloud.client.calendar.times import instant, read_when, shown

MOST: Final = 2000
"""Occurrences of one object that are looked at."""
_SHORT: Final = timedelta(hours=1)
"""What a series is first expanded for; then longer or shorter, for between few and many occurrences."""
_FEW, _MANY = 100, 400
_LONG: Final = timedelta(days=3660)
"""How far from its first occurrence the next one of a series is looked for."""
# Not all of the libraries is typed.
_CALENDAR, _RECUR = cast("Any", Calendar), cast("Any", vRecur)


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
        return instant(self.start, zone)

    def ends(self, zone: tzinfo) -> datetime:
        """Return when it ends."""
        return instant(self.end, zone)


def parsed(data: bytes) -> Any:
    """Read a text with the library."""
    try:
        return _CALENDAR.from_ical(data.decode("utf-8", "replace"))
    except (ValueError, IndexError, KeyError):
        raise ApiError("Nextcloud has a calendar object here that cannot be read.") from None


def is_series(document: Document, component: str) -> bool:
    """Tell whether something takes place more than once."""
    return any(item.lines("RRULE", "RDATE", "RECURRENCE-ID") for item in document.items(component))


def occurrences(data: bytes, component: str, span: Span, zone: tzinfo) -> list[Occurrence]:
    """Return what takes place within a span, in order, the first of them; without a zone, times are the user's."""
    return list(islice(each_occurrence(data, component, span, zone), MOST))


def each_occurrence(data: bytes, component: str, span: Span, zone: tzinfo) -> Iterator[Occurrence]:
    """Go through what takes place within a span, in order: of a series that never ends, without an end.

    A series is expanded a part at a time: a short one first, since nobody knows how often it takes place.
    """
    series, read = is_series(Document(data), component), parsed(data)
    start, end = span.start.astimezone(zone), span.end.astimezone(zone)
    at = max(start, _first(read, component, zone)) if series else start
    bring_near(read, component, at, zone)
    query = recurring_ical_events.of(read, components=[component], skip_bad_series=True)
    step, seen = _SHORT if series else end - start, set[date]()
    while at < end:
        until = at + step if step < end - at else end
        found = [_occurrence(item, series=series) for item in cast("list[Any]", query.between(at, until))]
        for one in sorted(found, key=lambda one: one.begins(zone)):
            key, within = one.planned or one.start, one.ends(zone) > start or one.begins(zone) >= start
            if key not in seen and within and one.begins(zone) < end:
                seen.add(key)
                yield one
        at, step = until, step * 4 if len(found) < _FEW else step / 4 if len(found) > _MANY else step


def _first(read: Any, component: str, zone: tzinfo) -> datetime:
    """Return the moment before which nothing of a series takes place."""
    items = [item for item in read.walk(component) if item.get("DTSTART") or item.get("DUE")]
    days = [begin_of(item) for item in items] + [day for item in items for day in dates_of(item, "RDATE")]
    return min((instant(day, zone) for day in days), default=datetime.max.replace(tzinfo=zone))


def _occurrence(item: Any, *, series: bool) -> Occurrence:
    return Occurrence(item.start, item.end, item, item["RECURRENCE-ID"].dt if series else None)


def find_occurrence(data: bytes, component: str, text: str, zone: tzinfo) -> Occurrence:
    """Return the occurrence that a person means: by when it was planned, or by when it begins now."""
    wanted = read_when(text, zone, what="occurrence")
    moment = wanted.instant(zone)
    around = Span(moment - timedelta(days=1), moment + timedelta(days=2))
    near = occurrences(data, component, around, zone)
    for read in (_planned, _begins):
        for one in near:
            value = read(one)
            if value is not None and _is_meant(value, wanted.value, zone):
                return one
    for one in _moved(data, component, wanted.value, zone):
        if one.planned is not None and _is_meant(one.planned, wanted.value, zone):
            return one
    here = ", ".join(shown(one.planned or one.start, zone) for one in near[:5])
    raise NotFound(
        f"Nothing of this series takes place at {text!r}." + (f" Around then: {here}." if here else ""),
        status=404,
        next_step="Use the recurrence_id that list_events shows.",
    )


def _planned(one: Occurrence) -> date | None:
    return one.planned


def _begins(one: Occurrence) -> date | None:
    return one.start


def _moved(data: bytes, component: str, wanted: date, zone: tzinfo) -> Iterator[Occurrence]:
    """Go through what takes place where an occurrence was moved to, however far that is."""
    for item in parsed(data).walk(component):
        planned = item.get("RECURRENCE-ID")
        if planned is not None and _is_meant(planned.dt, wanted, zone):
            begins = instant(begin_of(item), zone)
            yield from occurrences(data, component, Span(begins, begins + timedelta(seconds=1)), zone)


def _is_meant(value: date, wanted: date, zone: tzinfo) -> bool:
    if not isinstance(wanted, datetime):  # a day: the occurrence of that day
        day = value.astimezone(zone).date() if isinstance(value, datetime) and value.tzinfo else value
        return (day.date() if isinstance(day, datetime) else day) == wanted
    return isinstance(value, datetime) and instant(value, zone) == instant(wanted, zone)


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


def dates_of(item: Any, name: str) -> list[date]:
    """Return the dates that a series names, of however many lines; of a period its start."""
    given = item.get(name, [])
    lines = cast("list[Any]", given if isinstance(given, list) else [given])
    return [date_of(value) for line in lines for value in line.dts]


def date_of(value: Any) -> date:
    """Return a date that a series names; of a period its start."""
    given = value.dt
    return cast("date", given[0] if isinstance(given, tuple) else given)


def following(data: bytes, component: str, zone: tzinfo) -> Occurrence | None:
    """Return the occurrence of a series after its first one, if there is any."""
    begin = instant(begin_of(main_of(parsed(data), component)), zone)
    found = occurrences(data, component, Span(begin, begin + _LONG), zone)
    later = [one for one in found if one.planned is not None and instant(one.planned, zone) > begin]
    return min(later, key=lambda one: instant(cast("date", one.planned), zone), default=None)


def read_rule(text: str) -> str:
    """Check a rule that a person gave; one that cannot be read is refused."""
    rule = text.strip().removeprefix("RRULE:")
    try:
        read = _RECUR.from_ical(rule)
    except (ValueError, KeyError, IndexError) as error:
        raise BadInput(f"{text!r} is no rule: {error}.", next_step="Use one such as FREQ=WEEKLY;BYDAY=MO.") from None
    counts = [*read.get("COUNT", []), *read.get("INTERVAL", [])]
    if not read.get("FREQ") or any(number < 1 for number in counts):
        raise BadInput(f"{text!r} is no rule.", next_step="Use one such as FREQ=WEEKLY;BYDAY=MO;COUNT=10.")
    return rule
