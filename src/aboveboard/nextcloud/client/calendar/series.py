"""Changing a series: one of its occurrences, all from one on, or where all of them are."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, cast

from aboveboard.errors import ApiError, BadInput
from aboveboard.nextcloud.client.calendar.editing import Component, Document, Raw
from aboveboard.nextcloud.client.calendar.recurrence import Occurrence, date_of, is_series, parsed
from aboveboard.nextcloud.client.calendar.times import instant, utc_text, written
from aboveboard.nextcloud.client.content_lines import Line

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
            text, params = _like(series, value)
            made.put(name, text, params)
    text, params = _like(series, one.planned)
    made.replace(["RECURRENCE-ID"], [made.line("RECURRENCE-ID", text, params)])
    calendar = document.calendar
    calendar.parts.insert(calendar.parts.index(document.items(component)[-1]) + 1, made)
    return made


def find_override(document: Document, component: str, planned: date) -> Component | None:
    """Return the component of an occurrence that was changed before."""
    read = parsed(document.data)
    for item, known in zip(document.items(component), read.walk(component), strict=False):
        given = known.get("RECURRENCE-ID")
        if given is not None and _same(given.dt, planned):
            return item
    return None


def _same(one: date, other: date) -> bool:
    if isinstance(one, datetime) and isinstance(other, datetime):
        return instant(one, UTC) == instant(other, UTC)
    return one == other


def _like(series: Component, value: date) -> tuple[Raw, dict[str, str]]:
    """Write a time as the series writes its start: with the same name of the zone, or none."""
    start = series.first("DTSTART") or series.first("DUE")
    if start is None or not isinstance(value, datetime):
        return written(value)
    if start.param("TZID"):
        return Raw(f"{value:%Y%m%dT%H%M%S}"), {"TZID": start.param("TZID")}
    if start.value.endswith("Z"):
        return Raw(utc_text(value)), {}
    return Raw(f"{value:%Y%m%dT%H%M%S}"), {}


def leave_out(document: Document, component: str, one: Occurrence) -> None:
    """Delete one occurrence of a series."""
    if one.planned is None:
        raise BadInput("This takes place once only.", next_step="Delete it without naming an occurrence.")
    series = master(document, component)
    changed = find_override(document, component, one.planned)
    if changed is not None and changed is not series:
        document.calendar.parts.remove(changed)
    text, params = _like(series, one.planned)
    series.add(series.line("EXDATE", text, params))


def end_before(document: Document, component: str, one: Occurrence) -> None:
    """Let a series end before one of its occurrences, which and all that follow are gone."""
    planned = cast("date", one.planned)
    series = master(document, component)
    rule = series.first("RRULE")
    if rule is not None:
        series.put("RRULE", Raw(_until(rule.value, series, planned)))
    for name in ("RDATE", "EXDATE"):
        _keep_dates(document, series, name, lambda value: _before(value, planned))
    read = parsed(document.data)
    late = [
        item
        for item, known in zip(document.items(component), read.walk(component), strict=False)
        if known.get("RECURRENCE-ID") is not None and not _before(known["RECURRENCE-ID"].dt, planned)
    ]
    document.calendar.drop(lambda item: any(item is each for each in late))


def begin_with(document: Document, component: str, one: Occurrence, uid: str, before: int) -> None:
    """Let a series begin with one of its occurrences, as a series of its own; so many came before it."""
    planned = cast("date", one.planned)
    series = master(document, component)
    read = parsed(document.data)
    early = [
        item
        for item, known in zip(document.items(component), read.walk(component), strict=False)
        if known.get("RECURRENCE-ID") is not None and _before(known["RECURRENCE-ID"].dt, planned)
    ]
    length = _length(read, component)
    for name in ("RDATE", "EXDATE"):
        _keep_dates(document, series, name, lambda value: not _before(value, planned))
    document.calendar.drop(lambda item: any(item is each for each in early))
    rule = series.first("RRULE")
    count = re.search(r"COUNT=(\d+)", rule.value, re.IGNORECASE) if rule else None
    if rule is not None and count:
        left = max(1, int(count[1]) - before)
        series.put("RRULE", Raw(rule.value.replace(count[0], f"COUNT={left}")))
    for name, value in (("DTSTART", planned), ("DTEND", planned + length), ("DUE", planned + length)):
        if series.first(name):
            text, params = _like(series, value)
            series.put(name, text, params)
    for item in document.items(component):
        item.put("UID", Raw(uid))


def _length(read: Any, component: str) -> timedelta:
    item = next(one for one in read.walk(component) if one.get("RECURRENCE-ID") is None)
    # A task may be due, and never begin.
    return item.end - item.start if item.get("DTSTART") is not None else timedelta()


def _before(value: date, planned: date) -> bool:
    if isinstance(value, datetime) and isinstance(planned, datetime):
        return instant(value, UTC) < instant(planned, UTC)
    days = [one.date() if isinstance(one, datetime) else one for one in (value, planned)]
    return days[0] < days[1]


def _until(rule: str, series: Component, planned: date) -> str:
    """Write a rule that ends before a moment: in UTC for times with a zone, as the rest of the series otherwise."""
    kept = [part for part in rule.split(";") if part.partition("=")[0].upper() not in ("UNTIL", "COUNT")]
    return ";".join([*kept, f"UNTIL={until_text(series, planned, timedelta(seconds=1))}"])


def until_text(series: Component, last: date, less: timedelta = timedelta()) -> str:
    """Write when a series ends, in the form that its start asks for."""
    start = series.first("DTSTART") or series.first("DUE")
    if not isinstance(last, datetime):
        return f"{last - (timedelta(days=1) if less else timedelta()):%Y%m%d}"
    moment = last - less
    floating = start is not None and not start.param("TZID") and not start.value.endswith("Z")
    return f"{moment:%Y%m%dT%H%M%S}" if floating else utc_text(moment)


def _keep_dates(document: Document, series: Component, name: str, wanted: Callable[[date], bool]) -> None:
    """Keep those of the dates that a series names which are wanted; lines of which all are stay as they are."""
    read = parsed(document.data)
    known = next(one for one in read.walk(series.name) if one.get("RECURRENCE-ID") is None)
    given = known.get(name, [])
    each = cast("list[Any]", given if isinstance(given, list) else [given])
    kept: list[Line] = []
    for line, values in zip(series.lines(name), each, strict=False):
        starts = [date_of(value) for value in values.dts]
        texts = [text for text, start in zip(line.value.split(","), starts, strict=False) if wanted(start)]
        if len(texts) == len(values.dts):
            kept.append(line)
        elif texts:
            kept.append(line.with_value(",".join(texts)))
    series.replace([name], kept)


def with_end(rule: str, series: Component, last: date) -> str:
    """Return a rule that ends with a day or moment, that one included."""
    kept = [part for part in rule.split(";") if part.partition("=")[0].upper() not in ("UNTIL", "COUNT")]
    return ";".join([*kept, f"UNTIL={until_text(series, last)}"])


def shift(document: Document, component: str, by: timedelta) -> None:
    """Move all that a series names of its occurrences along with it, by the clock."""
    for item in document.items(component):
        for name in ("EXDATE", "RDATE", "RECURRENCE-ID"):
            lines = [line.with_value(_shifted(line.value, by)) for line in item.lines(name)]
            if lines:
                item.replace([name], lines)


def _shifted(value: str, by: timedelta) -> str:
    return re.sub(r"\d{8}T\d{6}|\d{8}(?!T)", lambda found: _moved(found[0], by), value)


def _moved(text: str, by: timedelta) -> str:
    form = "%Y%m%dT%H%M%S" if "T" in text else "%Y%m%d"
    return (datetime.strptime(text, form) + by).strftime(form)
