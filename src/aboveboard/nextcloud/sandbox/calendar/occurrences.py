"""When an event or a task takes place: as the real server counts it, which knows no rule beside explicit dates."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any, cast

import icalendar
import recurring_ical_events
from icalendar import Calendar, vDDDLists

from aboveboard.nextcloud.sandbox.calendar.ics import PRODID, Component, Line

_FAR = datetime(2035, 1, 1, tzinfo=UTC)
_TIMED = {"DTSTART", "DTEND", "DUE", "RECURRENCE-ID"}
_RULES = ("RRULE", "RDATE", "EXDATE", "EXRULE")


@dataclass(frozen=True)
class Occurrence:
    """One time that something takes place; which one of a series, by when it was planned."""

    start: datetime
    end: datetime
    planned: datetime | None
    item: Any


def instant(value: date) -> datetime:
    """A moment in UTC; one without a zone is taken for UTC."""
    if not isinstance(value, datetime):
        value = datetime.combine(value, time())
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def counted(calendar: Component) -> Any:
    """The calendar with the rules that the real server heeds."""
    kept = calendar.copy()
    for item in kept.items:
        item.drop("EXRULE")
        if item.first("RDATE"):
            item.drop("RRULE")
    return Calendar.from_ical(kept.text())


def between(calendar: Component, start: datetime, end: datetime | None, kind: str = "VEVENT") -> list[Occurrence]:
    """What takes place within a range, in order; of a range without an end the next ones."""
    read = counted(calendar)
    changed = [item for item in read.walk(kind) if "RECURRENCE-ID" in item]
    series = [item for item in read.walk(kind) if "RECURRENCE-ID" not in item]
    gone = {instant(item["RECURRENCE-ID"].dt) for item in changed}.union(*(_excluded(item) for item in series))
    found = _counted_out(read, series, gone, start, end)
    for item in changed:
        found += _counted_out(read, [item], set(), start, end)
    made = [_occurrence(item, calendar) for item in found]
    return sorted((one for one in made if _overlaps(one, start, end)), key=lambda one: one.start)


def _excluded(item: Any) -> set[datetime]:
    """Take out which moments a series leaves out: like the real server, by nothing but the moment.

    The library compares what two clocks show, and leaves out what is an hour or two beside it too.
    """
    given = item.pop("EXDATE", [])
    lines = cast("list[Any]", given if isinstance(given, list) else [given])
    return {instant(value.dt) for line in lines if isinstance(line, vDDDLists) for value in cast("Any", line).dts}


def _counted_out(read: Any, items: list[Any], gone: set[datetime], start: datetime, end: datetime | None) -> list[Any]:
    """What some of the components have within a range, each by itself; of a range without an end the next three."""
    read.subcomponents = items
    if not items:
        return []
    query = recurring_ical_events.of(read, components=[items[0].name], skip_bad_series=True)
    found = cast("Iterator[Any]", query.after(start) if end is None else iter(query.between(start, end)))
    left = (item for item in found if instant(item["RECURRENCE-ID"].dt) not in gone)
    return list(islice(left, 3) if end is None else left)


def _overlaps(one: Occurrence, start: datetime, end: datetime | None) -> bool:
    if end is not None and one.start >= end:
        return False
    return one.end > start or (one.start == one.end and one.start >= start)


def _occurrence(item: Any, calendar: Component) -> Occurrence:
    # The library gives each its RECURRENCE-ID, and an event without an end the length that it has.
    recurring = any(one.first(name) for one in calendar.items for name in (*_RULES, "RECURRENCE-ID"))
    planned = instant(item["RECURRENCE-ID"].dt) if recurring and "RECURRENCE-ID" in item else None
    return Occurrence(instant(item.start), instant(item.end), planned, item)


def expand_calendar(calendar: Component, start: datetime, end: datetime) -> Component:
    """The calendar with every occurrence of a range by itself, in UTC and without rules and zones."""
    made = Component("VCALENDAR", [line.copy() for line in calendar.lines])
    made.drop("PRODID", "VERSION", "CALSCALE")
    fixed = {"VERSION": "2.0", "PRODID": PRODID, "CALSCALE": "GREGORIAN"}
    made.lines = [*(Line(name, {}, value) for name, value in fixed.items()), *made.lines]
    series = next((item for item in calendar.items if not item.first("RECURRENCE-ID")), None)
    zones = counted(calendar)
    for one in between(calendar, start, end):
        made.inner.append(_instance(one, calendar, series, zones))
    return made


def _instance(one: Occurrence, calendar: Component, series: Component | None, zones: Any) -> Component:
    moved = next((item for item in calendar.items if _planned(item, zones) == one.planned and one.planned), None)
    made = (moved or series or calendar.items[0]).copy()
    made.drop(*_RULES)
    for line in made.lines:
        if line.name in _TIMED and line.params.get("VALUE") != "DATE":
            moment = {"DTSTART": one.start, "RECURRENCE-ID": one.planned}.get(line.name, one.end)
            line.value, line.params = utc(cast("datetime", moment)), {}
    if one.planned and not made.first("RECURRENCE-ID"):
        made.set("RECURRENCE-ID", utc(one.planned))
    return made


def _planned(item: Component, zones: Any) -> datetime | None:
    """Which occurrence an override stands for."""
    line = item.first("RECURRENCE-ID")
    if line is None:
        return None
    for one in zones.walk(item.name):
        given = one.get("RECURRENCE-ID")
        if given is not None and given.to_ical().decode() == line.value:
            return instant(given.dt)
    return None


def utc(moment: datetime) -> str:
    """A moment as iCalendar writes it."""
    return f"{moment:%Y%m%dT%H%M%SZ}"


def read_utc(text: str) -> datetime:
    """A moment from the attribute of a report, which has to be written in full."""
    if not re.fullmatch(r"\d{8}T\d{6}Z", text):
        raise ValueError(text)
    return datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


def takes_place(calendar: Component, kind: str, start: datetime | None, end: datetime | None) -> bool:
    """Whether anything of an object falls into a range."""
    begin = start or datetime(1970, 1, 1, tzinfo=UTC)
    if kind == "VTODO" and not any(item.first("RRULE") for item in calendar.items):
        return any(_todo_overlaps(item, begin, end) for item in counted(calendar).walk("VTODO"))
    return bool(between(calendar, begin, end, kind))


def _todo_overlaps(todo: Any, start: datetime, end: datetime | None) -> bool:
    moments = [instant(todo[name].dt) for name in ("DTSTART", "DUE", "COMPLETED", "CREATED") if name in todo]
    if not moments:
        return True
    return max(moments) >= start and (end is None or min(moments) < end)


def busy(calendar: Component, start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime, str]]:
    """The times that an object takes up, and how certainly."""
    for one in between(calendar, start, end):
        item: icalendar.Event = one.item
        status = str(item.get("STATUS", ""))
        if status == "CANCELLED" or str(item.get("TRANSP", "")) == "TRANSPARENT":
            continue
        if not isinstance(item.start, datetime) and one.end - one.start < timedelta(days=1):
            continue
        yield max(one.start, start), min(one.end, end), "BUSY-TENTATIVE" if status == "TENTATIVE" else "BUSY"
