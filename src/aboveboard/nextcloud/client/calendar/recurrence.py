"""Series: when each of their occurrences takes place.

Occurrences are counted here and from the whole object: servers leave some out and refuse others.
"""

from calendar import monthrange
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice
from typing import Any, Final, cast

import recurring_ical_events
from icalendar import vRecur

from aboveboard.errors import BadInput, NotFound
from aboveboard.nextcloud.client.calendar.dense import bring_near
from aboveboard.nextcloud.client.calendar.editing import Document
from aboveboard.nextcloud.client.calendar.exceptions import Exceptions
from aboveboard.nextcloud.client.calendar.objects import Span
from aboveboard.nextcloud.client.calendar.occurrence import (
    Occurrence,
    Unreadable,
    begin_of,
    dates_of,
    lines_of,
    main_of,
    parse_calendar,
)
from aboveboard.nextcloud.client.calendar.times import YEARS, instant, moment_of, read_when, show_time
from aboveboard.nextcloud.client.content_lines import unescape_value

MOST: Final = 2000
"""Occurrences of one object that are looked at."""
_SHORT: Final = timedelta(hours=1)
"""What a series is first expanded for; then longer or shorter, for between few and many occurrences."""
_FEW, _MANY = 100, 400
_LONG: Final = timedelta(days=3660)
"""How far from its first occurrence the next one of a series is looked for."""
_CLOCKS: Final = timedelta(hours=2)
"""How much later something may begin or end than the library says, which goes by what clocks show."""
_LAST: Final = time(23, 59, 59)
_LEAP: Final = 2000
"""A year in which every month is as long as it can be."""
# Not all of the library is typed.
_RECUR = cast("Any", vRecur)


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
    document = Document(data)
    series, read = is_series(document, component), parse_calendar(data)
    start, end = (moment.astimezone(UTC).astimezone(zone) for moment in (span.start, span.end))
    early = _as_clocks_go(start - _CLOCKS)
    last = end + _CLOCKS if end.fold else end  # what clocks show by then is not all that they showed before
    with _reading(document, component):
        at = max(early, _first(read, component, zone)) if series else early
        exceptions = Exceptions(read, component, zone)
        _check_steps(read, component)
        _fit_ends(read, component, zone)
        _fit_points(read, component, zone)
        bring_near(read, component, at - exceptions.reach, zone)
        query = recurring_ical_events.of(read, components=[component])
    step, seen, later = _SHORT if series else last - early, set[date](), list[Occurrence]()
    while at < last:
        until = min(_as_clocks_go(at + step), last) if step < last - at else last
        with _reading(document, component):
            given = cast("list[Any]", query.between(at - exceptions.reach, until + exceptions.reach))
        found = [one for item in given if (one := _occurrence(item, exceptions, zone, series=series)) is not None]
        known, later, over = [*later, *found], list[Occurrence](), min(moment_of(each, zone) for each in (until, end))
        for one in sorted(known, key=lambda one: one.begins(zone)):
            key = exceptions.key(one.planned or one.start)
            within = one.ends(zone) > start or one.begins(zone) >= start
            if one.begins(zone) >= over:
                later.append(one)  # the next part may hold some that begin before it
            elif key not in seen and within:
                seen.add(key)
                yield one
        at, step = until, step * 4 if len(found) < _FEW else step / 4 if len(found) > _MANY else step


def _as_clocks_go(moment: datetime) -> datetime:
    """Return a time as clocks show it: one that they pass over is that of an hour later."""
    return moment.astimezone(UTC).astimezone(moment.tzinfo)


@contextmanager
def _reading(document: Document, component: str) -> Generator[None]:
    """Say of what others wrote that it makes no sense: the library stumbles over that in many ways."""
    try:
        yield
    except (ArithmeticError, LookupError, TypeError, ValueError):
        titles = [item.value("SUMMARY") for item in document.items(component)]
        raise Unreadable(unescape_value(next(filter(None, titles), "")) or "something without a title") from None


def _check_steps(read: Any, component: str) -> None:
    """Refuse a rule that never comes further, or to no day: the library would count for ever, or to the year 9999."""
    rules = [rule for item in read.walk(component) for rule in lines_of(item, "RRULE")]
    if any(step < 1 for rule in rules for step in rule.get("INTERVAL", [])) or any(map(_has_no_day, rules)):
        raise ValueError


def _has_no_day(rule: Any) -> bool:
    """Tell whether none of the months of a rule has any of its days: the 30th of February."""
    days = [abs(int(day)) for day in rule.get("BYMONTHDAY", [])]
    longest = max((monthrange(_LEAP, int(month))[1] for month in rule.get("BYMONTH", [])), default=31)
    return bool(days) and min(days) > longest


def _fit_ends(read: Any, component: str, zone: tzinfo) -> None:
    """Tell the end of a rule as its start is told, a day with its last second: else the library takes it for UTC."""
    for item in read.walk(component):
        start = begin_of(item) if item.get("DTSTART") or item.get("DUE") else None
        rules = [rule for rule in lines_of(item, "RRULE") if rule.get("UNTIL")]
        for rule in rules if isinstance(start, datetime) else []:
            clock = cast("datetime", start).tzinfo
            rule["UNTIL"] = [_like(day, clock, zone) for day in rule["UNTIL"]]


def _like(day: date, clock: tzinfo | None, zone: tzinfo) -> datetime:
    moment = day if isinstance(day, datetime) else datetime.combine(day, _LAST)
    moment = min(moment, datetime(YEARS[-1], 1, 1, tzinfo=moment.tzinfo))  # some write so that it never ends
    if clock is None:
        return moment.astimezone(zone).replace(tzinfo=None) if moment.tzinfo else moment
    return moment_of(moment, clock)


def _fit_points(read: Any, component: str, zone: tzinfo) -> None:
    """Tell the end of what takes no time as its start is told: where clocks change, two of them never agree."""
    for item in read.walk(component):
        start, end = item.get("DTSTART"), item.get("DTEND") or item.get("DUE")
        times = [instant(told.dt, zone) for told in (start, end) if told is not None]
        if len({each.tzinfo for each in times}) > 1 and len({each.astimezone(UTC) for each in times}) == 1:
            end.dt = start.dt


def _first(read: Any, component: str, zone: tzinfo) -> datetime:
    """Return the moment before which nothing of a series takes place."""
    items = [item for item in read.walk(component) if item.get("DTSTART") or item.get("DUE")]
    days = [begin_of(item) for item in items] + [day for item in items for day in dates_of(item, "RDATE")]
    return min((instant(day, zone) for day in days), default=datetime.max.replace(tzinfo=zone))


def _occurrence(item: Any, exceptions: Exceptions, zone: tzinfo, *, series: bool) -> Occurrence | None:
    planned, start, end = item["RECURRENCE-ID"].dt, _as_it_begins(item.start, zone), item.end
    # An end that is told by another clock is a moment of its own.
    if getattr(end, "tzinfo", None) is getattr(start, "tzinfo", None):
        end += start - item.start
    return exceptions.applied(Occurrence(start, end, item, planned if series else None), planned)


def _as_it_begins(start: date, zone: tzinfo) -> date:
    """Return when something begins: where its clock passes over the time that is planned, it is later, and as long."""
    if not isinstance(start, datetime):
        return start
    moment = _as_clocks_go(instant(start, zone))
    return moment if start.tzinfo is not None else moment.replace(tzinfo=None)


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
    here = ", ".join(show_time(one.planned or one.start, zone) for one in near[:5])
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
    for item in parse_calendar(data).walk(component):
        planned = item.get("RECURRENCE-ID")
        if planned is not None and _is_meant(planned.dt, wanted, zone):
            begins = instant(begin_of(item), zone)
            yield from occurrences(data, component, Span(begins, begins + timedelta(seconds=1)), zone)


def _is_meant(value: date, wanted: date, zone: tzinfo) -> bool:
    if not isinstance(wanted, datetime):  # a day: the occurrence of that day
        day = value.astimezone(zone).date() if isinstance(value, datetime) and value.tzinfo else value
        return (day.date() if isinstance(day, datetime) else day) == wanted
    return isinstance(value, datetime) and moment_of(value, zone) == moment_of(wanted, zone)


def following(data: bytes, component: str, zone: tzinfo) -> Occurrence | None:
    """Return the occurrence of a series after its first one, if there is any."""
    begin = moment_of(begin_of(main_of(parse_calendar(data), component)), zone)
    found = occurrences(data, component, Span(begin, begin + _LONG), zone)
    later = [one for one in found if one.planned is not None and moment_of(one.planned, zone) > begin]
    return min(later, key=lambda one: moment_of(cast("date", one.planned), zone), default=None)


def read_rule(text: str) -> str:
    """Check a rule that a person gave; one that cannot be read is refused."""
    rule = text.strip().removeprefix("RRULE:")
    try:
        read = _RECUR.from_ical(rule)
    except (ValueError, KeyError, IndexError) as error:
        raise BadInput(f"{text!r} is not a rule: {error}.", next_step="Use one such as FREQ=WEEKLY;BYDAY=MO.") from None
    counts = [*read.get("COUNT", []), *read.get("INTERVAL", [])]
    if not read.get("FREQ") or any(number < 1 for number in counts) or _has_no_day(read):
        raise BadInput(f"{text!r} is not a rule.", next_step="Use one such as FREQ=WEEKLY;BYDAY=MO;COUNT=10.")
    return rule
