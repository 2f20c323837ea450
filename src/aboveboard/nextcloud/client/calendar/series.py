"""Changing a series: one of its occurrences, all from one on, or where all of them are."""

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, Final, cast

from aboveboard.errors import ApiError, BadInput
from aboveboard.nextcloud.client.calendar.editing import Component, Document, Raw
from aboveboard.nextcloud.client.calendar.occurrence import Occurrence, begin_of, main_of, parse_calendar
from aboveboard.nextcloud.client.calendar.recurrence import is_series
from aboveboard.nextcloud.client.calendar.times import YEARS, moment_of, utc_text, write_time
from aboveboard.nextcloud.client.calendar.zones import zone_of
from aboveboard.nextcloud.client.content_lines import Line, piece_name

_MOMENT: Final = re.compile(r"\d{8}T\d{6}Z?|\d{8}(?!T)")
UNTIL: Final = re.compile(r"(?<=UNTIL=)(\d{8})(T\d{6})?(Z?)", re.IGNORECASE)
"""When a rule ends: the day, a time of it, and whether that is one in UTC."""
_TIMES: Final = ("DTSTART", "DTEND", "DUE")
_SERIES: Final = ("RRULE", "RDATE", "EXDATE", "EXRULE")


def master(document: Document, component: str) -> Component:
    """Return the series itself, or the single one."""
    items = document.items(component)
    if not items:
        raise ApiError("Nextcloud has a calendar object here without anything in it.")
    return next((item for item in items if not item.first("RECURRENCE-ID")), items[0])


def override(document: Document, component: str, one: Occurrence) -> Component:
    """Return the component of one occurrence, to be changed; it is made as a copy of the series where there is none."""
    series = master(document, component)
    if one.planned is None or not is_series(document, component):
        return series
    found = find_override(document, component, one.planned)
    if found is not None:
        return found
    made = series.copy()
    made.remove(*_SERIES)
    for name, value in (("DTSTART", one.start), ("DTEND", one.end), ("DUE", one.end)):
        if made.first(name):
            text, params = like(document, series, value)
            made.put(name, text, params)
    text, params = like(document, series, one.planned)
    made.replace(["RECURRENCE-ID"], [made.line("RECURRENCE-ID", text, params)])
    calendar = document.calendar
    calendar.parts.insert(calendar.parts.index(document.items(component)[-1]) + 1, made)
    return made


def find_override(document: Document, component: str, planned: date) -> Component | None:
    """Return the component of an occurrence that was changed before."""
    read = parse_calendar(document.data)
    for item, known in zip(document.items(component), read.walk(component), strict=False):
        given = known.get("RECURRENCE-ID")
        if given is not None and _same(given.dt, planned):
            return item
    return None


def _same(one: date, other: date) -> bool:
    if isinstance(one, datetime) and isinstance(other, datetime):
        return moment_of(one, UTC) == moment_of(other, UTC)
    return one == other


def like(document: Document, series: Component, value: date) -> tuple[Raw, dict[str, str]]:
    """Write a time as the series writes its start: by the same clock, and with the same name of the zone, or none."""
    start = series.first("DTSTART") or series.first("DUE")
    if start is None or not isinstance(value, datetime):
        return write_time(value)
    if start.value.endswith("Z"):
        return Raw(utc_text(value)), {}
    zone = start.param("TZID")
    # What others added to a series or changed in it may be told by another clock.
    clock = cast("datetime", begin_of(main_of(parse_calendar(document.data), series.name))).tzinfo if zone else None
    local = value.astimezone(clock) if clock and value.tzinfo else value
    if zone and local.fold:
        return write_time(local)
    return Raw(f"{local:%Y%m%dT%H%M%S}"), {"TZID": zone} if zone else {}


def leave_out(document: Document, component: str, one: Occurrence) -> None:
    """Delete one occurrence of a series."""
    if one.planned is None:
        raise BadInput("This takes place once only.", next_step="Delete it without naming an occurrence.")
    series = master(document, component)
    changed = find_override(document, component, one.planned)
    if changed is not None:
        document.calendar.drop(lambda item: item is changed)
    if changed is series:  # whoever is invited to some occurrences only has these, and no series
        return
    text, params = like(document, series, one.planned)
    series.add(series.line("EXDATE", text, params))


def until_text(series: Component, last: date, less: timedelta = timedelta()) -> str:
    """Write when a series ends, in the form that its start asks for."""
    start = series.first("DTSTART") or series.first("DUE")
    if not isinstance(last, datetime):
        return f"{last - (timedelta(days=1) if less else timedelta()):%Y%m%d}"
    floating = start is not None and not start.param("TZID") and not start.value.endswith("Z")
    # A second before the clocks were put forward is none of those that they passed over.
    return f"{last - less:%Y%m%dT%H%M%S}" if floating else utc_text(moment_of(last, UTC) - less)


def with_end(rule: str, series: Component, last: date) -> str:
    """Return a rule that ends with a day or moment, that one included."""
    kept = [part for part in rule.split(";") if part.partition("=")[0].upper() not in ("UNTIL", "COUNT")]
    return ";".join([*kept, f"UNTIL={until_text(series, last)}"])


def fitting(rule: str, series: Component, clock: tzinfo) -> str:
    """Return a rule with its end in the form that the start asks for; a day counts as a whole, by the series' clock.

    People and programs give any form, and calendars take one that does not fit for an end before the last occurrence.
    """
    end = UNTIL.search(rule)
    if end is None:
        return rule
    start = series.first("DTSTART") or series.first("DUE")
    last = datetime.strptime(end[1] + (end[2] or "T235959"), "%Y%m%dT%H%M%S")
    if last.year not in YEARS:  # some write so that it never ends
        return rule
    if start is not None and start.param("VALUE") == "DATE":
        return rule.replace(end[0], until_text(series, last.date()))
    return rule.replace(end[0], until_text(series, last.replace(tzinfo=UTC if end[3] else clock)))


def shift(document: Document, component: str, by: timedelta, clock: tzinfo | None) -> None:
    """Move all that a series names of its occurrences along with it, by the clock that it goes by.

    An occurrence that was put elsewhere stays there; one of which something else was changed moves with the others.
    """
    series = master(document, component)
    start = series.first("DTSTART") or series.first("DUE")
    named = start.param("TZID") if start else ""
    for item, known in zip(document.items(component), parse_calendar(document.data).walk(component), strict=False):
        for name in ("EXDATE", "RDATE", "RECURRENCE-ID", *(_TIMES if _in_place(known) else ())):
            lines = [_shifted(line, by, clock, named) for line in item.lines(name)]
            if lines:
                item.replace([name], lines)


def _in_place(known: Any) -> bool:
    """Tell whether a changed occurrence begins when it was planned for."""
    planned = known.get("RECURRENCE-ID")
    return planned is not None and _same(planned.dt, begin_of(known))


def _shifted(line: Line, by: timedelta, clock: tzinfo | None, named: str) -> Line:
    own = clock if line.param("TZID") in ("", named) else _zone(line.param("TZID")) or clock

    def moved(found: re.Match[str]) -> datetime:
        return _moved(found[0], by, clock, UTC if found[0].endswith("Z") else own)

    if any(moved(found).fold for found in _MOMENT.finditer(line.value)):  # a clock shows this a second time
        pieces = [piece for piece in line.pieces if piece_name(piece) != "TZID"]
        return line.with_pieces(pieces, _MOMENT.sub(lambda found: utc_text(moved(found)), line.value))
    return line.with_value(_MOMENT.sub(lambda found: moved(found).strftime(_form(found[0])), line.value))


def _zone(name: str) -> tzinfo | None:
    try:
        return zone_of(name)
    except BadInput:  # a name that only this text knows
        return None


def _moved(text: str, by: timedelta, clock: tzinfo | None, own: tzinfo | None) -> datetime:
    """Move a moment by a clock, though it is told by another: the two may be put forward on different days."""
    moment = datetime.strptime(text, _form(text))
    if moment.year not in YEARS:  # some write so that it never ends
        return moment
    if "T" in text and clock is not None and own is not None:
        local = moment.replace(tzinfo=own).astimezone(clock).replace(tzinfo=None) + by
        return local.replace(tzinfo=clock).astimezone(own)
    return moment + by


def _form(text: str) -> str:
    return ("%Y%m%dT%H%M%S" if "T" in text else "%Y%m%d") + ("Z" if text.endswith("Z") else "")
