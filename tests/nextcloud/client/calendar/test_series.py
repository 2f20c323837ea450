"""Series of any kind, told by several clocks and in any order: what is not changed takes place as before."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.calendar.editing import Document
from aboveboard.nextcloud.client.calendar.objects import Span
from aboveboard.nextcloud.client.calendar.occurrence import Occurrence
from aboveboard.nextcloud.client.calendar.parting import begin_with, cut_at, end_before
from aboveboard.nextcloud.client.calendar.recurrence import find_occurrence, occurrences
from aboveboard.nextcloud.client.calendar.series import leave_out, master, override
from aboveboard.nextcloud.client.calendar.times import instant, shown
from aboveboard.nextcloud.client.calendar.timing import Timing, put_timing
from aboveboard.nextcloud.client.calendar.zones import vtimezone

BERLIN: Final = "Europe/Berlin"
NEW_YORK: Final = "America/New_York"
HERE: Final = ZoneInfo(BERLIN)
CLOCKS: Final = {"day": ["day"], "none": ["none"], "UTC": ["UTC", BERLIN], BERLIN: ["UTC", BERLIN, NEW_YORK]}
"""By what a series may go, and by what the dates that it names may be told. The clocks of New York and Berlin are put
forward on different days."""
STEPS: Final = {"DAILY": timedelta(days=1), "WEEKLY": timedelta(days=7), "DAILY;INTERVAL=3": timedelta(days=3)}
DENSE: Final = {"HOURLY": timedelta(hours=1), "HOURLY;INTERVAL=2": timedelta(hours=2)}
"""Where the clock of one shows the time that another's shows for its neighbour."""
YEARS: Final = Span(datetime(2025, 1, 1, tzinfo=UTC), datetime(2028, 1, 1, tzinfo=UTC))


def told(name: str, value: date, clock: str) -> str:
    """Write a time by a clock."""
    if clock == "day":
        return f"{name};VALUE=DATE:{value:%Y%m%d}"
    if clock == "none" or not isinstance(value, datetime):
        return f"{name}:{value:%Y%m%dT%H%M%S}"
    local = value.astimezone(ZoneInfo(clock))
    return f"{name}:{local:%Y%m%dT%H%M%SZ}" if clock == "UTC" else f"{name};TZID={clock}:{local:%Y%m%dT%H%M%S}"


@dataclass
class Series:
    """A series that is put together, and when it shall take place."""

    clock: str
    start: date
    lines: list[str] = field(default_factory=list[str])
    changed: list[list[str]] = field(default_factory=list[list[str]])
    planned: list[date] = field(default_factory=list[date])

    def text(self, *, changed_first: bool) -> bytes:
        itself = [["SUMMARY:Series", told("DTSTART", self.start, self.clock), *self.lines]]
        items = [*self.changed, *itself] if changed_first else [*itself, *self.changed]
        rows = [row for item in items for row in ("BEGIN:VEVENT", "UID:x", *item, "END:VEVENT")]
        zones = vtimezone(BERLIN, 2026) + vtimezone(NEW_YORK, 2026)
        return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", zones.rstrip(), *rows, "END:VCALENDAR", ""]).encode()


def each_once(days: Sequence[date]) -> list[date]:
    """Leave out what is at the same moment: an hour that the clocks pass over is the one after it."""
    found: dict[datetime, date] = {}
    for day in days:
        found.setdefault(instant(day, HERE).astimezone(UTC), day)
    return list(found.values())


@st.composite
def drawn(draw: st.DrawFn) -> tuple[bytes, list[date]]:
    clock = draw(st.sampled_from(list(CLOCKS)))
    zone = None if clock == "none" else ZoneInfo(BERLIN if clock == "day" else clock)
    first = datetime(2026, 3, draw(st.integers(1, 28)), draw(st.sampled_from([0, 9, 23])), tzinfo=zone)
    made = Series(clock, first.date() if clock == "day" else first)
    unit, hour = timedelta(days=1), timedelta() if clock == "day" else timedelta(hours=1)
    by = st.sampled_from(CLOCKS[clock])
    made.lines.append(f"DURATION:{'P1D' if clock == 'day' else 'PT1H'}")
    _draw_rule(draw, made)
    for _ in range(draw(st.integers(0, 2))):
        extra = made.start + draw(st.integers(0, 60)) * unit + draw(st.integers(0, 9)) * hour
        made.lines.append(told("RDATE", extra, draw(by)))
        made.planned = each_once([*made.planned, extra])
    for gone in draw(st.lists(st.sampled_from(made.planned), max_size=2, unique=True)):
        if gone != made.start:
            made.lines.append(told("EXDATE", gone, draw(by)))
            made.planned.remove(gone)
    for one in draw(st.lists(st.sampled_from(made.planned), max_size=2, unique=True)):
        times = [told("DTSTART", one + 2 * hour, draw(by)), told("DTEND", one + (3 * hour or unit), draw(by))]
        made.changed.append([told("RECURRENCE-ID", one, draw(by)), *times, "SUMMARY:Changed"])
    return made.text(changed_first=draw(st.booleans())), made.planned


def _draw_rule(draw: st.DrawFn, made: Series) -> None:
    steps = STEPS if made.clock == "day" else draw(st.sampled_from([STEPS, DENSE]))
    unit, count = draw(st.sampled_from(list(steps))), draw(st.integers(2, 6))
    made.planned = each_once([made.start + steps[unit] * number for number in range(count)])
    until = told("", made.planned[-1], "UTC" if made.clock == BERLIN else made.clock).rpartition(":")[2]
    end = draw(st.sampled_from([f"COUNT={count}", f"UNTIL={until}"]))
    made.lines.append(f"RRULE:FREQ={unit};{end}")


def passed_over(value: date) -> bool:
    moment = instant(value, HERE)
    return moment.astimezone(UTC).astimezone(moment.tzinfo).replace(tzinfo=None) != moment.replace(tzinfo=None)


def seen(found: Sequence[Occurrence]) -> list[tuple[datetime, datetime, str]]:
    return sorted((one.begins(HERE), one.ends(HERE), one.title) for one in found)


def all_of(data: bytes) -> list[Occurrence]:
    return occurrences(data, "VEVENT", YEARS, HERE)


def plan_of(found: Sequence[Occurrence]) -> list[datetime]:
    return sorted(instant(one.planned or one.start, HERE) for one in found)


def chosen(data: bytes, number: int) -> Occurrence:
    """Return one of the occurrences, found as people name it."""
    every = all_of(data)
    one = every[number % len(every)]
    return find_occurrence(data, "VEVENT", shown(one.planned or one.start, HERE), HERE)


_SETTINGS: Final = settings(deadline=None, max_examples=60)


@_SETTINGS
@given(drawn())
def test_each_occurrence_that_a_series_names_takes_place_once(made: tuple[bytes, list[date]]) -> None:
    assert plan_of(all_of(made[0])) == sorted(instant(one, HERE) for one in made[1])


@_SETTINGS
@given(drawn(), st.integers(0, 20))
def test_one_that_is_left_out_is_gone_and_no_other(made: tuple[bytes, list[date]], number: int) -> None:
    one, document = chosen(made[0], number), Document(made[0])
    leave_out(document, "VEVENT", one)
    others = [each for each in all_of(made[0]) if each.planned != one.planned]
    assert seen(all_of(document.data)) == seen(others)


@_SETTINGS
@given(drawn(), st.integers(0, 20))
def test_one_that_is_changed_stays_where_it_is_as_all_others_do(made: tuple[bytes, list[date]], number: int) -> None:
    one, document = chosen(made[0], number), Document(made[0])
    override(document, "VEVENT", one).put_text("SUMMARY", "New")
    others = [each for each in all_of(made[0]) if each.planned != one.planned]
    new = (one.begins(HERE), one.ends(HERE), "New")
    assert seen(all_of(document.data)) == sorted([*seen(others), new])


@_SETTINGS
@given(drawn(), st.integers(0, 20))
def test_both_parts_of_a_series_together_are_what_it_was(made: tuple[bytes, list[date]], number: int) -> None:
    one, every = chosen(made[0], number), all_of(made[0])
    cut = cut_at(made[0], "VEVENT", one, HERE)
    at = instant(cut.planned, HERE)
    before = [each for each in every if instant(each.planned or each.start, HERE) < at]
    assert cut.first == (not before)
    early, late = Document(made[0]), Document(made[0])
    end_before(early, "VEVENT", cut)
    assert seen(all_of(early.data)) == seen(before)
    assume(cut.of_rule or not cut.goes_on)  # else it is refused
    begin_with(late, "VEVENT", cut, "y")
    assert seen(all_of(late.data)) == seen([each for each in every if each not in before])


@_SETTINGS
@given(drawn(), st.integers(-3, 40), st.integers(-5, 5))
def test_a_series_that_moves_takes_its_exceptions_and_its_end_along(
    made: tuple[bytes, list[date]], days: int, hours: int
) -> None:
    document, every = Document(made[0]), all_of(made[0])
    start = made[1][0]
    clock = start.tzinfo if isinstance(start, datetime) else None
    by = timedelta(days=days, hours=hours if isinstance(start, datetime) else 0)

    def moved(value: date) -> datetime:
        local = value.astimezone(clock).replace(tzinfo=None) if isinstance(value, datetime) and clock else value
        return instant((local + by).replace(tzinfo=clock) if isinstance(local, datetime) else local + by, HERE)

    plan = [one.planned or one.start for one in every]
    # What the clocks pass over is the hour after it, before the move or after it.
    assume(not any(passed_over(each) for one in plan for each in (one, moved(one))))
    new = shown(moved(start) if isinstance(start, datetime) else start + by, HERE)
    try:
        put_timing(document, master(document, "VEVENT"), Timing(start=new), HERE)
    except BadInput:  # a floating one of which some were changed gets a zone, which their dates do not have
        assert isinstance(start, datetime)
        assert start.tzinfo is None
        return
    assert plan_of(all_of(document.data)) == sorted(map(moved, plan))


@pytest.mark.parametrize(
    ("start", "rule", "at"),
    [
        ("20260313T220000", "FREQ=DAILY;BYHOUR=1,2,3,14;COUNT=10", "2026-03-14T14:00"),  # begins when the rule does not
        ("20260317T100000", "FREQ=WEEKLY;BYDAY=MO;COUNT=3", "2026-03-23T10:00"),
        ("20260328T230000", "FREQ=HOURLY;COUNT=8", "2026-03-29T01:00"),  # the clocks pass over two o'clock
        ("20260328T230000", "FREQ=HOURLY;COUNT=8", "2026-03-29T04:00"),
    ],
)
def test_of_a_rule_that_says_how_many_none_is_lost_by_parting(start: str, rule: str, at: str) -> None:
    itself = Series(BERLIN, datetime.strptime(start, "%Y%m%dT%H%M%S").replace(tzinfo=HERE), [f"RRULE:{rule}"])
    data = itself.text(changed_first=False)
    cut = cut_at(data, "VEVENT", find_occurrence(data, "VEVENT", at, HERE), HERE)
    early, late = Document(data), Document(data)
    end_before(early, "VEVENT", cut)
    begin_with(late, "VEVENT", cut, "y")
    assert [*seen(all_of(early.data)), *seen(all_of(late.data))] == seen(all_of(data))
