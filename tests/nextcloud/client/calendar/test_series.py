"""Series of any kind, told by several clocks and in any order: what is not changed takes place as before."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.calendar.editing import Document
from aboveboard.nextcloud.client.calendar.objects import Span
from aboveboard.nextcloud.client.calendar.occurrence import Occurrence
from aboveboard.nextcloud.client.calendar.parting import begin_with, cut_series, end_before
from aboveboard.nextcloud.client.calendar.recurrence import find_occurrence, occurrences
from aboveboard.nextcloud.client.calendar.series import leave_out, master, override
from aboveboard.nextcloud.client.calendar.times import instant, moment_of, show_time
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
DAYS: Final = [date(2026, 3, day) for day in range(1, 30)] + [date(2026, 10, day) for day in range(18, 26)]
"""Some weeks before clocks are put forward, and one before they are put back."""
YEARS: Final = Span(datetime(2025, 1, 1, tzinfo=UTC), datetime(2028, 1, 1, tzinfo=UTC))


def told(name: str, value: date, clock: str) -> str:
    """Write a time by a clock."""
    if clock == "day":
        return f"{name};VALUE=DATE:{value:%Y%m%d}"
    if clock == "none" or not isinstance(value, datetime):
        return f"{name}:{value:%Y%m%dT%H%M%S}"
    local = value.astimezone(ZoneInfo(clock))
    if clock == "UTC" or local.fold:  # of an hour that is there twice, a clock tells the first
        return f"{name}:{value.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    return f"{name};TZID={clock}:{local:%Y%m%dT%H%M%S}"


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
        found.setdefault(moment_of(day, HERE), day)
    return list(found.values())


@st.composite
def drawn(draw: st.DrawFn) -> tuple[bytes, list[date]]:
    clock = draw(st.sampled_from(list(CLOCKS)))
    zone = None if clock == "none" else ZoneInfo(BERLIN if clock == "day" else clock)
    first = datetime.combine(draw(st.sampled_from(DAYS)), time(draw(st.sampled_from([0, 2, 3, 9, 23]))), zone)
    made = Series(clock, first.date() if clock == "day" else first)
    unit, hour = timedelta(days=1), timedelta() if clock == "day" else timedelta(hours=1)
    by = st.sampled_from(CLOCKS[clock])
    lasting = f"DURATION:{'P1D' if clock == 'day' else 'PT1H'}"
    made.lines.append(draw(st.sampled_from([lasting, told("DTEND", made.start + (hour or unit), clock)])))
    _draw_rule(draw, made)
    for _ in range(draw(st.integers(0, 2))):
        extra = made.start + draw(st.integers(0, 60)) * unit + draw(st.integers(0, 9)) * hour
        # Where an hour is there twice, what begins in it takes longer by one clock than by another.
        made.lines.append(told("RDATE", extra, clock if is_twice(extra) else draw(by)))
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


def is_twice(value: date) -> bool:
    local = instant(value, HERE).astimezone(HERE)
    return moment_of(local.replace(fold=0), HERE) < moment_of(local.replace(fold=1), HERE)


def seen(found: Sequence[Occurrence]) -> list[tuple[datetime, datetime, str]]:
    return sorted((one.begins(HERE), one.ends(HERE), one.title) for one in found)


def all_of(data: bytes) -> list[Occurrence]:
    return occurrences(data, "VEVENT", YEARS, HERE)


def plan_of(found: Sequence[Occurrence]) -> list[datetime]:
    return sorted(moment_of(one.planned or one.start, HERE) for one in found)


def undisturbed(data: bytes) -> bytes:
    """Return a series as if nothing of it had been deleted or changed."""
    document = Document(data)
    document.calendar.drop(lambda item: item.first("RECURRENCE-ID") is not None)
    master(document, "VEVENT").remove("EXDATE")
    return document.data


def chosen(data: bytes, number: int) -> Occurrence:
    """Return one of the occurrences, found as people name it."""
    every = all_of(data)
    one = every[number % len(every)]
    return find_occurrence(data, "VEVENT", show_time(one.planned or one.start, HERE), HERE)


_SETTINGS: Final = settings(deadline=None, max_examples=60)


@_SETTINGS
@given(drawn())
def test_each_occurrence_that_a_series_names_takes_place_once(made: tuple[bytes, list[date]]) -> None:
    assert plan_of(all_of(made[0])) == sorted(moment_of(one, HERE) for one in made[1])


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
    cut = cut_series(made[0], "VEVENT", one, HERE)
    at = moment_of(cut.planned, HERE)
    before = [each for each in every if moment_of(each.planned or each.start, HERE) < at]
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
    # What the clocks pass over is the hour after it, before the move or after it, and of what was deleted or changed,
    # nobody knows by which of the two hours it is told.
    named = [*made[1], *plan, *(one.planned or one.start for one in all_of(undisturbed(made[0])))]
    assume(not any(passed_over(each) for one in named for each in (one, moved(one))))
    assume(b"EXDATE;TZID=Europe/Berlin:20260329T02" not in made[0])
    new = show_time(moved(start) if isinstance(start, datetime) else start + by, HERE)
    try:
        put_timing(document, master(document, "VEVENT"), Timing(start=new), HERE)
    except BadInput:  # a floating one of which some were changed gets a zone, which their dates do not have
        assert isinstance(start, datetime)
        assert start.tzinfo is None
        return
    assert plan_of(all_of(document.data)) == sorted(moment_of(moved(one), HERE) for one in plan)


@pytest.mark.parametrize(
    ("start", "rule", "at"),
    [
        ("20260313T220000", "FREQ=DAILY;BYHOUR=1,2,3,14;COUNT=10", "2026-03-14T14:00"),  # begins when the rule does not
        ("20260317T100000", "FREQ=WEEKLY;BYDAY=MO;COUNT=3", "2026-03-23T10:00"),
        ("20260328T230000", "FREQ=HOURLY;COUNT=8", "2026-03-29T01:00"),  # the clocks pass over two o'clock
        ("20260328T230000", "FREQ=HOURLY;COUNT=8", "2026-03-29T04:00"),
        ("20261025T000000", "FREQ=HOURLY;COUNT=6", "2026-10-25T03:00"),  # they show two o'clock twice
        ("20260327T030000", "FREQ=DAILY;COUNT=5", "2026-03-29T03:00"),  # a second before it, the clocks show 01:59:59
    ],
)
def test_of_a_rule_that_says_how_many_none_is_lost_by_parting(start: str, rule: str, at: str) -> None:
    itself = Series(BERLIN, datetime.strptime(start, "%Y%m%dT%H%M%S").replace(tzinfo=HERE), [f"RRULE:{rule}"])
    data = itself.text(changed_first=False)
    cut = cut_series(data, "VEVENT", find_occurrence(data, "VEVENT", at, HERE), HERE)
    early, late = Document(data), Document(data)
    end_before(early, "VEVENT", cut)
    begin_with(late, "VEVENT", cut, "y")
    assert [*seen(all_of(early.data)), *seen(all_of(late.data))] == seen(all_of(data))


def changed(planned: str, start: str, end: str) -> list[str]:
    return [f"RECURRENCE-ID{planned}", f"DTSTART{start}", f"DTEND{end}", "SUMMARY:Changed"]


def test_a_series_that_begins_where_the_clocks_pass_over_keeps_its_hour_though_that_one_is_told_by_another_clock() -> (
    None
):
    itself = Series(BERLIN, datetime(2026, 3, 28, 2, tzinfo=HERE), ["DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=4"])
    itself.changed = [changed(":20260329T010000Z", ":20260329T020000Z", ":20260329T030000Z")]
    data = itself.text(changed_first=False)
    late = Document(data)
    begin_with(
        late, "VEVENT", cut_series(data, "VEVENT", find_occurrence(data, "VEVENT", "2026-03-29", HERE), HERE), "y"
    )
    assert seen(all_of(late.data)) == seen(all_of(data))[1:]


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (f";TZID={BERLIN}:20260329T020000", ":20260329T010000Z"),  # the clocks pass over it
        (":20261025T000000Z", f";TZID={BERLIN}:20261025T020000"),  # they show it twice
    ],
)
def test_one_that_takes_no_time_is_found_though_its_end_is_told_by_another_clock(start: str, end: str) -> None:
    itself = Series(BERLIN, datetime(2026, 12, 1, 9, tzinfo=HERE), ["DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=2"])
    itself.changed = [changed(":20261201T080000Z", start, end)]
    assert [one.title for one in all_of(itself.text(changed_first=False))] == ["Changed", "Series"]


def test_a_date_that_moves_to_an_hour_that_its_clock_shows_a_second_time_is_the_same_moment() -> None:
    itself = Series(BERLIN, datetime(2026, 10, 26, 7, tzinfo=HERE), ["DURATION:PT1H", "RRULE:FREQ=HOURLY;COUNT=2"])
    itself.lines.append(f"EXDATE;TZID={NEW_YORK}:20261026T020000,20261027T020000")
    document = Document(itself.text(changed_first=False))
    put_timing(document, master(document, "VEVENT"), Timing(start="2026-11-01T07:00"), HERE)
    assert "EXDATE:20261101T060000Z,20261102T060000Z" in document.data.decode()
    assert [show_time(one.start, HERE) for one in all_of(document.data)] == ["2026-11-01T08:00:00+01:00"]


def test_a_series_is_parted_within_the_hour_that_is_there_twice() -> None:
    data = Series("UTC", datetime(2026, 10, 25, tzinfo=UTC), ["RRULE:FREQ=HOURLY;COUNT=2"]).text(changed_first=False)
    cut = cut_series(data, "VEVENT", find_occurrence(data, "VEVENT", "2026-10-25T02:00:00+01:00", HERE), HERE)
    assert not cut.first
    assert cut.before == 1


def test_a_series_that_goes_on_with_an_added_date_before_clocks_are_put_forward_is_as_long_as_ever() -> None:
    itself = Series(BERLIN, datetime(2026, 3, 25, 23, tzinfo=HERE), [f"DTEND;TZID={BERLIN}:20260326T000000"])
    itself.lines += ["RRULE:FREQ=DAILY;COUNT=2", "RDATE:20260329T000000Z", "RDATE:20260329T210000Z"]
    data = itself.text(changed_first=False)
    late = Document(data)
    begin_with(
        late, "VEVENT", cut_series(data, "VEVENT", find_occurrence(data, "VEVENT", "2026-03-29T01:00", HERE), HERE), "y"
    )
    assert seen(all_of(late.data)) == seen(all_of(data))[2:]
