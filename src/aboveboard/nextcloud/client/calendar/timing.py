"""When an event takes place: its start and end, set by people and kept in the form that calendars want."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.calendar.editing import Component, Document, Raw
from aboveboard.nextcloud.client.calendar.occurrence import parse_calendar, span_of
from aboveboard.nextcloud.client.calendar.series import UNTIL, shift
from aboveboard.nextcloud.client.calendar.times import (
    YEARS,
    When,
    day_after,
    instant,
    put_time,
    read_when,
    utc_text,
    zone_name,
)

_HOUR: Final = timedelta(hours=1)
_MIDNIGHT: Final = time(23, 59, 59)
_INSTEAD: Final = {
    "VEVENT": "Change it from one occurrence on (and_following), or keep that as it is.",
    "VTODO": "Keep that as it is, or create another task.",
}
_DENSE: Final = re.compile("HOURLY|MINUTELY|SECONDLY", re.IGNORECASE)
_DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Start and end as people give them; None leaves them as they are."""

    start: str | None = None
    end: str | None = None
    all_day: bool | None = None
    zone: str = ""
    duration: timedelta | None = None
    repeats: bool = False
    """Whether this begins a series, which goes by some clock, and so by the user's where none is named."""


def put_timing(document: Document, item: Component, timing: Timing, zone: tzinfo, *, new_rule: bool = False) -> bool:
    """Set start and end; tell whether a zone had to be assumed. Where another rule comes, the old one does not matter.

    An instant goes by the clock that the event goes by already; by the user's where that is none.
    """
    if timing.start is None and timing.end is None and timing.duration is None:
        if timing.all_day is not None or timing.zone:
            raise BadInput("all_day and timezone tell how to read a time.", next_step="Give start_datetime too.")
        return False
    known = _known(document, item)
    own = known[0].tzinfo if known and isinstance(known[0], datetime) else None
    clock = own or (zone if known or timing.repeats else None)
    start = _day(read_when(timing.start, zone, timing.zone, what="start"), timing, clock) if timing.start else None
    end = _day(read_when(timing.end, zone, timing.zone, what="end"), timing, clock) if timing.end else None
    first = start.value if start else known[0] if known else None
    if first is None:
        raise BadInput("An event needs a start.", next_step="Give start_datetime.")
    last = _end(first, end, timing, known, zone)
    _check_order(first, last, zone)
    if known is not None and start is not None and item.first("RECURRENCE-ID") is None:
        follow(document, item, known[0], first, None if new_rule else zone)
    if known is None or known[0] != first or _kept_in(known[0]) != _kept_in(first):
        put_time(item, "DTSTART", first, document)
    if known is None or known[1] != last or _kept_in(known[1]) != _kept_in(last) or item.first("DURATION") is None:
        _put_end(document, item, last, known, first)
    return any(when is not None and when.assumed for when in (start, end))


def _day(when: When, timing: Timing, clock: tzinfo | None) -> When:
    """Take a time for its day where whole days are asked for, and an instant for what a clock shows then."""
    if timing.all_day and isinstance(when.value, datetime):
        return When(when.value.date())
    if timing.all_day is False and when.all_day:
        raise BadInput(f"{when.value} is a day without a time.", next_step="Give a time too, or set all_day.")
    if clock is not None and isinstance(when.value, datetime) and when.value.tzinfo is UTC:
        return When(when.value.astimezone(clock))
    return when


def _known(document: Document, item: Component) -> tuple[date, date] | None:
    if item.first("DTSTART") is None:
        return None
    for part, read in zip(document.items(item.name), parse_calendar(document.data).walk(item.name), strict=False):
        if part is item:
            return span_of(read)
    return None


def clock_of(document: Document, item: Component, zone: tzinfo) -> tzinfo:
    """Return the zone whose clock an event goes by: the user's where it names none."""
    known, line = _known(document, item), item.first("DTSTART")
    named = known[0].tzinfo if known and isinstance(known[0], datetime) and line and line.param("TZID") else None
    return named or zone


def _end(first: date, end: When | None, timing: Timing, known: tuple[date, date] | None, zone: tzinfo) -> date:
    whole = not isinstance(first, datetime)
    if end is not None:
        if end.all_day != whole:
            raise BadInput("Start and end must both be days, or both be times.")
        return day_after(end.value) if whole else end.value
    if timing.duration is not None:
        return first + timing.duration
    if known is not None and isinstance(known[0], datetime) != whole:
        # The same length as before, by the clock where clocks change in between.
        return first + _length(known, zone)
    return first + (timedelta(days=1) if whole else _HOUR)


def _length(known: tuple[date, date], zone: tzinfo) -> timedelta:
    start, end = known
    if isinstance(start, datetime) and start.tzinfo and zone_name(start) is None:
        return instant(end, zone) - instant(start, zone)
    return _plain(end) - _plain(start)


def _plain(value: date) -> datetime:
    return value.replace(tzinfo=None) if isinstance(value, datetime) else datetime(value.year, value.month, value.day)


def _check_order(first: date, last: date, zone: tzinfo) -> None:
    if instant(last, zone) < instant(first, zone) or (not isinstance(first, datetime) and last <= first):
        raise BadInput("The end is before the start.", next_step="Give an end that is later.")


def _kept_in(value: date) -> str | None:
    if not isinstance(value, datetime):
        return "day"
    return zone_name(value) or ("UTC" if value.tzinfo else None)


def _put_end(document: Document, item: Component, last: date, known: tuple[date, date] | None, first: date) -> None:
    if item.first("DURATION") is not None and known is not None:
        if _plain(known[1]) - _plain(known[0]) == _plain(last) - _plain(first):
            return
        item.remove("DURATION")
    put_time(item, "DTEND", last, document)


def follow(document: Document, item: Component, old: date, new: date, zone: tzinfo | None) -> None:
    """Let all that a series names of its occurrences move with its start, or say why it cannot.

    Without a zone its rule, and the end of that, is left alone: another one is about to come.
    """
    if old == new and _kept_in(old) == _kept_in(new):
        return
    if zone is not None:
        _check_rule(item, old, new)
        _move_end(item, old, new, zone)
    items = document.items(item.name)
    if not any(one.lines("EXDATE", "RDATE", "RECURRENCE-ID") for one in items):
        return
    if _kept_in(old) != _kept_in(new):
        of_a_kind = isinstance(old, datetime) == isinstance(new, datetime)
        become = "move to another zone" if of_a_kind else "change between times and whole days"
        raise BadInput(
            f"Some occurrences of this series were changed or deleted, so it cannot {become}.",
            next_step=_INSTEAD[item.name],
        )
    clock = old.tzinfo if isinstance(old, datetime) else None
    shift(document, item.name, _plain(new) - _plain(old), clock)


def _move_end(item: Component, old: date, new: date, zone: tzinfo) -> None:
    """Let a series end where it ended by the clock: the end of a day stays that, a day or a moment moves along."""
    rule = item.value("RRULE")
    end = UNTIL.search(rule)
    if end is None:
        return
    last = datetime.strptime(end[1] + (end[2] or "T235959"), "%Y%m%dT%H%M%S")
    if last.year not in YEARS:  # some write so that it never ends
        return
    if end[3]:
        last = last.replace(tzinfo=UTC).astimezone(instant(old, zone).tzinfo).replace(tzinfo=None)
    days = timedelta(days=(_plain(new).date() - _plain(old).date()).days)
    if not isinstance(new, datetime):
        moved = f"{last + days:%Y%m%d}"
    else:
        by = _plain(new) - _plain(old)
        if not _DENSE.search(rule):  # of several a day the last one is a moment, and no day
            by = days if end[2] is None else timedelta() if last.time() == _MIDNIGHT else by
        moved = utc_text((last + by).replace(tzinfo=instant(new, zone).tzinfo))
    item.put("RRULE", Raw(rule.replace(end[0], moved)))


def _check_rule(item: Component, old: date, new: date) -> None:
    rule = dict(part.split("=", 1) for part in item.value("RRULE").upper().split(";") if "=" in part)
    days = rule.get("BYDAY", "").split(",") if rule.get("FREQ") == "WEEKLY" else [""]
    if old.weekday() != new.weekday() and days != [""] and _DAYS[new.weekday()] not in days:
        raise BadInput(
            f"The rule {item.value('RRULE')!r} has no occurrence on that day of the week.",
            next_step="Give recurrence_rule too.",
        )
