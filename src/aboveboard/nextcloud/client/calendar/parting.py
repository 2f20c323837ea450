"""Parting a series in two at one of its occurrences: what is before it, and what begins with it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import islice
from typing import Any, Final, cast

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.calendar.editing import Component, Document, Raw
from aboveboard.nextcloud.client.calendar.objects import Span
from aboveboard.nextcloud.client.calendar.occurrence import (
    Occurrence,
    begin_of,
    date_of,
    length_of,
    main_of,
    parse_calendar,
)
from aboveboard.nextcloud.client.calendar.recurrence import each_occurrence
from aboveboard.nextcloud.client.calendar.series import UNTIL, fitting, like, master, until_text, with_end
from aboveboard.nextcloud.client.calendar.times import YEARS, is_passed_over, moment_of, write_time
from aboveboard.nextcloud.client.content_lines import Line

_COUNT: Final = re.compile(r"COUNT=(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Cut:
    """Where a series is parted, and what its rule has on both sides, deleted occurrences included."""

    planned: date
    first: bool
    """Nothing of the series is planned before it."""
    before: int
    """How many the rule has before it; only a rule that says how many there are needs to know."""
    left: Sequence[date]
    """What the rule has there and later; of one that does not say how many there are, the first."""
    of_rule: bool
    goes_on: bool
    """The rule has something there, or later."""


def cut_series(data: bytes, component: str, one: Occurrence, zone: tzinfo) -> Cut:
    """Look at a series from one of its occurrences."""
    planned = cast("date", one.planned)
    here = moment_of(planned, zone)
    ever = [datetime(year, 1, 1, tzinfo=UTC) for year in (YEARS[0], YEARS[-1])]
    known = [
        item["RECURRENCE-ID"].dt
        for item in parse_calendar(data).walk(component)
        if item.get("RECURRENCE-ID") is not None
    ]
    earlier = (each.planned or each.start for each in each_occurrence(data, component, Span(ever[0], here), zone))
    rule = _rule_alone(data, component)
    later = each_occurrence(rule, component, Span(here, ever[1]), zone) if rule else iter(())
    counted = rule is not None and _COUNT.search(master(Document(rule), component).value("RRULE"))
    there = (each.planned or each.start for each in later if each.begins(zone) >= here)
    left = list(islice(there, None if counted else 1))
    past = each_occurrence(rule, component, Span(ever[0], here), zone) if rule and counted else iter(())
    return Cut(
        planned,
        first=not any(moment_of(each, zone) < here for each in (*known, *earlier)),
        before=sum(each.begins(zone) < here for each in past),
        left=left,
        of_rule=bool(left) and moment_of(left[0], zone) == here,
        goes_on=bool(left),
    )


def _rule_alone(data: bytes, component: str) -> bytes | None:
    """Return a series as its rule has it: no date added, left out or changed; None where there is no rule."""
    document = Document(data)
    document.calendar.drop(lambda item: item.name == component and item.first("RECURRENCE-ID") is not None)
    for item in document.items(component):
        item.remove("EXDATE", "RDATE")
    return document.data if any(item.first("RRULE") for item in document.items(component)) else None


def end_before(document: Document, component: str, cut: Cut) -> None:
    """Let a series end before one of its occurrences, which and all that follow are gone."""
    series = master(document, component)
    rule = series.first("RRULE")
    if rule is not None and cut.goes_on:  # else its own end is earlier, and stays
        series.put("RRULE", Raw(_until(rule.value, series, cut.planned)))
    for name in ("RDATE", "EXDATE"):
        _keep_dates(document, series, name, lambda value: _before(value, cut.planned))
    _drop_changed(document, component, lambda planned: not _before(planned, cut.planned))


def begin_with(document: Document, component: str, cut: Cut, uid: str) -> None:
    """Let a series begin with one of its occurrences, as a series of its own."""
    series = master(document, component)
    if cut.goes_on and not cut.of_rule:
        raise BadInput(
            "This date was added to the series beside its rule, so no series with that rule can begin there.",
            next_step="Change this one alone, or all from one on that follows the rule.",
        )
    read = main_of(parse_calendar(document.data), component)
    if isinstance(begin_of(read), datetime) != isinstance(cut.planned, datetime):
        raise BadInput(
            "This begins with a day and ends at a time, so nobody can tell how it goes on.",
            next_step="Give it other times first.",
        )
    length = _length(read)
    _keep_dates(document, series, "RDATE", lambda value: _before(cut.planned, value))
    _keep_dates(document, series, "EXDATE", lambda value: not _before(value, cut.planned))
    _drop_changed(document, component, lambda planned: _before(planned, cut.planned))
    _go_on(series, cut)
    # By the clock that the rule goes by: another shows no hour that this one passes over.
    start = cut.left[0] if cut.of_rule else _by_clock_of(read, cut.planned)
    for name, value in (("DTSTART", start), ("DTEND", start + length), ("DUE", start + length)):
        if series.first(name):
            passed = name != "DTSTART" and is_passed_over(start)
            # Nextcloud would take the start for an hour later and the end for what it is, so that all take no time.
            text, params = write_time(moment_of(start, UTC) + length) if passed else like(document, series, value)
            series.put(name, text, params)
    _fit_end(series, start)
    for item in document.items(component):
        item.put("UID", Raw(uid))


def _by_clock_of(read: Any, planned: date) -> date:
    """Tell a time by the clock that a series goes by, unless that shows it a second time, and so means another."""
    clock = getattr(begin_of(read), "tzinfo", None)
    local = planned.astimezone(clock) if clock and isinstance(planned, datetime) and planned.tzinfo else planned
    return planned if getattr(local, "fold", 0) else local


def _go_on(series: Component, cut: Cut) -> None:
    """Let the rule have what is left of it."""
    rule = series.value("RRULE")
    count = _COUNT.search(rule)
    if not cut.goes_on:
        series.remove("RRULE")
    elif count and cut.before + len(cut.left) == int(count[1]):
        series.put("RRULE", Raw(rule.replace(count[0], f"COUNT={len(cut.left)}")))
    elif count:  # a start that is none of the rule's, or an hour that clocks pass over: what counts, programs disagree
        series.put("RRULE", Raw(with_end(rule, series, cut.left[-1])))


def _fit_end(series: Component, planned: date) -> None:
    """Write the end of a rule as the start asks for: a server that takes a day for its midnight would find nothing."""
    rule = series.value("RRULE")
    end = UNTIL.search(rule)
    if end is not None and not end[3]:
        clock = planned.tzinfo if isinstance(planned, datetime) else None
        series.put("RRULE", Raw(fitting(rule, series, clock or UTC)))


def _length(item: Any) -> timedelta:
    # A task may be due, and never begin.
    return length_of(item) if item.get("DTSTART") is not None else timedelta()


def _before(value: date, other: date) -> bool:
    if isinstance(value, datetime) and isinstance(other, datetime):
        return moment_of(value, UTC) < moment_of(other, UTC)
    days = [one.date() if isinstance(one, datetime) else one for one in (value, other)]
    return days[0] < days[1]


def _until(rule: str, series: Component, planned: date) -> str:
    """Write a rule that ends before a moment: in UTC for times with a zone, as the rest of the series otherwise."""
    kept = [part for part in rule.split(";") if part.partition("=")[0].upper() not in ("UNTIL", "COUNT")]
    return ";".join([*kept, f"UNTIL={until_text(series, planned, timedelta(seconds=1))}"])


def _drop_changed(document: Document, component: str, unwanted: Callable[[date], bool]) -> None:
    """Take away the changed occurrences that were planned when it does not suit."""
    gone = [
        item
        for item, known in zip(document.items(component), parse_calendar(document.data).walk(component), strict=False)
        if known.get("RECURRENCE-ID") is not None and unwanted(known["RECURRENCE-ID"].dt)
    ]
    document.calendar.drop(lambda item: any(item is each for each in gone))


def _keep_dates(document: Document, series: Component, name: str, wanted: Callable[[date], bool]) -> None:
    """Keep those of the dates that a series names which are wanted; lines of which all are stay as they are."""
    given = main_of(parse_calendar(document.data), series.name).get(name, [])
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
