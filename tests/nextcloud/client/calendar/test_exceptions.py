"""What a series says of single occurrences holds for these, and for none beside them, by whatever clock it is told."""

from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import pytest

from aboveboard.nextcloud.client.calendar.editing import Document
from aboveboard.nextcloud.client.calendar.objects import Span
from aboveboard.nextcloud.client.calendar.occurrence import Occurrence, Unreadable
from aboveboard.nextcloud.client.calendar.recurrence import find_occurrence, following, occurrences
from aboveboard.nextcloud.client.calendar.series import leave_out, override
from aboveboard.nextcloud.client.calendar.zones import vtimezone

BERLIN: Final = ZoneInfo("Europe/Berlin")
YEAR: Final = Span(datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))
AT_EIGHT: Final = "DTSTART;TZID=Europe/Berlin:20260310T080000"
HOURLY: Final = (AT_EIGHT, "RRULE:FREQ=HOURLY;COUNT=6")
LENGTH: Final = "DURATION:PT30M"
CHANGED: Final = "DTSTART;TZID=Europe/Berlin:20260310T101000"


def calendar(*items: tuple[str, ...], component: str = "VEVENT") -> bytes:
    rows = [row for item in items for row in (f"BEGIN:{component}", "UID:x", *item, f"END:{component}")]
    zones = vtimezone("Europe/Berlin", 2026) + vtimezone("America/New_York", 2026)
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", zones.rstrip(), *rows, "END:VCALENDAR", ""]).encode()


def all_of(data: bytes, component: str = "VEVENT", span: Span = YEAR) -> list[Occurrence]:
    return occurrences(data, component, span, BERLIN)


def hours(found: list[Occurrence]) -> list[str]:
    """Tell when occurrences begin, and what of them is not a series' own title."""
    return [f"{one.begins(BERLIN).astimezone(BERLIN):%H:%M} {one.item.get('SUMMARY', '')}".strip() for one in found]


@pytest.mark.parametrize(
    ("line", "gone"),
    [
        ("EXDATE;TZID=Europe/Berlin:20260310T100000", "10:00"),
        ("EXDATE:20260310T080000Z", "09:00"),
        ("EXDATE;TZID=America/New_York:20260310T050000", "10:00"),  # its summer has begun already
        ("EXDATE:20260310T110000", "11:00"),
        ("EXDATE:20260310T063000Z", "none"),
    ],
)
@pytest.mark.parametrize("component", ["VEVENT", "VTODO"])
def test_a_date_that_is_left_out_takes_no_neighbour_with_it(line: str, gone: str, component: str) -> None:
    every = [f"{hour:02}:00" for hour in range(8, 14)]
    found = all_of(calendar((*HOURLY, line), component=component), component)
    assert hours(found) == [hour for hour in every if hour != gone]


def test_of_a_series_without_a_zone_a_moment_is_left_out_by_the_clock_of_the_user() -> None:
    data = calendar(("DTSTART:20260310T080000", "RRULE:FREQ=HOURLY;COUNT=4", "EXDATE:20260310T080000Z"))
    assert hours(all_of(data)) == ["08:00", "10:00", "11:00"]


def test_a_series_without_a_zone_stays_where_it_is_when_a_moment_is_added() -> None:
    data = calendar(("DTSTART:20260310T080000", "RRULE:FREQ=HOURLY;COUNT=2", "RDATE:20260310T180000Z"))
    assert hours(all_of(data)) == ["08:00", "09:00", "19:00"]


def test_a_day_that_is_left_out_is_one_of_the_clock_of_the_series() -> None:
    late = ("DTSTART;TZID=America/New_York:20260310T180000", "RRULE:FREQ=HOURLY;COUNT=8")
    found = all_of(calendar((*late, "EXDATE;VALUE=DATE:20260311")))
    assert [one.start.day for one in found] == [10] * 6


def test_a_changed_occurrence_takes_the_place_of_its_own_and_of_no_neighbour() -> None:
    versions = [(f"SEQUENCE:{number}", f"SUMMARY:v{number}") for number in (2, 1, 2)]
    changed = [
        (
            f"RECURRENCE-ID;TZID=Europe/Berlin:20260310T{9 + at:02}0000",
            CHANGED.replace("T10", f"T{9 + at:02}"),
            *version,
        )
        for at, version in enumerate(versions)
    ]
    data = calendar(HOURLY, *changed)
    assert hours(all_of(data)) == ["08:00", "09:10 v2", "10:10 v1", "11:10 v2", "12:00", "13:00"]
    assert hours(all_of(calendar(*changed))) == ["09:10 v2", "10:10 v1", "11:10 v2"]


def test_a_changed_occurrence_that_is_left_out_too_does_not_take_place() -> None:
    changed = ("RECURRENCE-ID:20260310T090000Z", CHANGED, "SUMMARY:changed")
    data = calendar((*HOURLY, "EXDATE;TZID=Europe/Berlin:20260310T100000"), changed)
    assert hours(all_of(data)) == ["08:00", "09:00", "11:00", "12:00", "13:00"]


def test_a_changed_occurrence_of_a_day_that_is_left_out_takes_place() -> None:
    changed = ("RECURRENCE-ID:20260310T090000Z", CHANGED, "SUMMARY:changed")
    assert hours(all_of(calendar((*HOURLY, "EXDATE;VALUE=DATE:20260310"), changed))) == ["10:10 changed"]


def test_of_an_occurrence_that_was_changed_twice_the_latest_version_counts() -> None:
    planned = "RECURRENCE-ID;TZID=Europe/Berlin:20260310T100000"
    first, second = (planned, CHANGED, "SEQUENCE:1", "SUMMARY:one"), (planned, CHANGED, "SEQUENCE:2", "SUMMARY:two")
    for items in ((first, second), (second, first)):
        assert "10:10 two" in hours(all_of(calendar(HOURLY, *items)))


def test_a_change_with_an_old_rule_to_what_the_series_does_not_have_any_more_is_over() -> None:
    old = ("SEQUENCE:1", "RRULE:FREQ=HOURLY;COUNT=9", CHANGED, "SUMMARY:old")
    for planned, there in (("20260310T100000", True), ("20260310T101500", False)):
        changed = (f"RECURRENCE-ID;TZID=Europe/Berlin:{planned}", *old)
        found = hours(all_of(calendar((*HOURLY, "SEQUENCE:2"), changed)))
        assert ("10:10 old" in found, len(found)) == (there, 6)


@pytest.mark.parametrize("by", ["Europe/Berlin:20260310T110000", "America/New_York:20260310T060000"])
def test_a_change_of_one_and_all_that_follow_holds_for_each_of_them(by: str) -> None:
    changed = (
        f"RECURRENCE-ID;RANGE=THISANDFUTURE;TZID={by}",
        CHANGED.replace("T10", "T11"),
        "DURATION:PT5M",
        "SUMMARY:x",
    )
    data = calendar((*HOURLY, LENGTH, "EXDATE;TZID=Europe/Berlin:20260310T120000"), changed)
    assert hours(all_of(data)) == ["08:00", "09:00", "10:00", "11:10 x", "13:10 x"]
    assert [(one.ends(BERLIN) - one.begins(BERLIN)).seconds // 60 for one in all_of(data)] == [30, 30, 30, 5, 5]
    middle = Span(datetime(2026, 3, 10, 13, 12, tzinfo=BERLIN), datetime(2026, 3, 10, 14, tzinfo=BERLIN))
    assert hours(all_of(data, span=middle)) == ["13:10 x"]


def test_a_change_of_all_that_follow_holds_for_whole_days_too() -> None:
    days = ("DTSTART;VALUE=DATE:20260310", "RRULE:FREQ=DAILY;INTERVAL=7;COUNT=4")
    data = calendar(days, ("RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20260317", "DTSTART;VALUE=DATE:20260318"))
    assert [one.start.day for one in all_of(data)] == [10, 18, 25, 1]
    day = Span(datetime(2026, 3, 25, 9, tzinfo=BERLIN), datetime(2026, 3, 25, 17, tzinfo=BERLIN))
    assert [one.start.day for one in all_of(data, span=day)] == [25]


def test_a_period_has_its_own_length_and_no_neighbour_has_it() -> None:
    periods = ("RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20260310T153000/PT8H", "RDATE;TZID=Europe/Berlin:20260310T143000")
    data = calendar((AT_EIGHT, LENGTH, *periods))
    assert [one.ends(BERLIN) - one.begins(BERLIN) for one in all_of(data)] == [
        timedelta(minutes=30),
        timedelta(minutes=30),
        timedelta(hours=8),
    ]
    middle = Span(datetime(2026, 3, 10, 22, tzinfo=BERLIN), datetime(2026, 3, 10, 23, tzinfo=BERLIN))
    assert hours(all_of(data, span=middle)) == ["15:30"]


def test_a_date_that_is_added_and_left_out_does_not_take_place() -> None:
    added = "RDATE:20260310T100000Z,20260310T110000Z"
    assert hours(all_of(calendar((AT_EIGHT, added, "EXDATE;TZID=Europe/Berlin:20260310T110000")))) == ["08:00", "12:00"]


def test_an_hour_that_the_clocks_pass_over_is_the_one_after_it_and_both_are_one() -> None:
    night = ("DTSTART;TZID=Europe/Berlin:20260329T000000", "RRULE:FREQ=HOURLY;COUNT=5")
    assert hours(all_of(calendar(night))) == ["00:00", "01:00", "03:00", "04:00"]
    assert hours(all_of(calendar((*night, "EXDATE:20260329T010000Z")))) == ["00:00", "01:00", "04:00"]
    one = find_occurrence(calendar(night), "VEVENT", "2026-03-29T03:00", BERLIN)
    assert one.begins(BERLIN) == datetime(2026, 3, 29, 1, tzinfo=UTC)


def test_each_of_two_hours_that_a_clock_shows_twice_is_left_out_and_changed_by_itself() -> None:
    night = ("DTSTART;TZID=Europe/Berlin:20261025T000000", "RRULE:FREQ=HOURLY;COUNT=4", "RDATE:20261025T010000Z")
    every = ["00:00", "01:00", "02:00", "02:00", "03:00"]
    assert hours(all_of(calendar(night))) == every
    for text, left in (("2026-10-25T02:00+02:00", 1), ("2026-10-25T02:00+01:00", 0)):
        document = Document(calendar(night))
        leave_out(document, "VEVENT", find_occurrence(document.data, "VEVENT", text, BERLIN))
        assert [one.begins(BERLIN).hour for one in all_of(document.data)][2:] == [left, 2]
        document = Document(calendar(night))
        one = find_occurrence(document.data, "VEVENT", text, BERLIN)
        override(document, "VEVENT", one).put_text("SUMMARY", "New")
        new = [each for each in all_of(document.data) if each.title == "New"]
        assert ([each.begins(BERLIN) for each in new], len(all_of(document.data))) == ([one.begins(BERLIN)], 5)


def test_one_of_several_in_a_day_is_deleted_and_the_others_stay() -> None:
    document = Document(calendar(HOURLY))
    for hour in ("10", "12"):
        leave_out(document, "VEVENT", find_occurrence(document.data, "VEVENT", f"2026-03-10T{hour}:00", BERLIN))
    assert hours(all_of(document.data)) == ["08:00", "09:00", "11:00", "13:00"]
    afternoon = Span(datetime(2026, 3, 10, 11, tzinfo=BERLIN), datetime(2026, 3, 11, tzinfo=BERLIN))
    assert hours(all_of(document.data, span=afternoon)) == ["11:00", "13:00"]


def test_a_task_of_several_times_a_day_goes_on_with_the_next_one() -> None:
    data = calendar((*HOURLY, "EXDATE;TZID=Europe/Berlin:20260310T100000"), component="VTODO")
    later = following(data, "VTODO", BERLIN)
    assert later is not None
    assert hours([later]) == ["09:00"]


@pytest.mark.parametrize(
    ("start", "until", "days"),
    [
        ("DTSTART;TZID=Europe/Berlin:20260310T080000", "20260312", [10, 11, 12]),
        ("DTSTART;TZID=America/New_York:20260310T180000", "20260312", [10, 11, 12]),
        ("DTSTART;TZID=America/New_York:20260310T180000", "20260312T180000", [10, 11, 12]),
        ("DTSTART;TZID=Australia/Sydney:20260310T080000", "20260311T210000Z", [10, 11, 12]),
        ("DTSTART;TZID=Australia/Sydney:20260310T080000", "20260311T080000", [10, 11]),
        ("DTSTART:20260310T180000Z", "20260312", [10, 11, 12]),
        ("DTSTART:20260310T180000", "20260312", [10, 11, 12]),
        ("DTSTART:20260310T180000", "20260312T170000Z", [10, 11, 12]),  # six by the user's clock
        ("DTSTART:20260310T180000", "20260312T165959Z", [10, 11]),
        ("DTSTART;VALUE=DATE:20260310", "20260312T000000Z", [10, 11, 12]),
    ],
)
def test_a_rule_ends_by_the_clock_of_its_event_however_its_end_is_written(
    start: str, until: str, days: list[int]
) -> None:
    assert [one.start.day for one in all_of(calendar((start, f"RRULE:FREQ=DAILY;UNTIL={until}")))] == days


def test_what_goes_on_while_the_clocks_are_put_forward_is_found_as_long_as_it_does() -> None:
    """From midnight to half past two, which is half past three then."""
    data = calendar(("DTSTART;TZID=Europe/Berlin:20260329T000000", "DURATION:PT150M", "RRULE:FREQ=WEEKLY;COUNT=2"))
    end = datetime(2026, 3, 29, 3, 30, tzinfo=BERLIN)
    assert hours(all_of(data, span=Span(end - timedelta(minutes=20), end))) == ["00:00"]
    assert all_of(data, span=Span(end, end + timedelta(hours=1))) == []


@pytest.mark.parametrize(
    "rule", ["FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;BYMONTH=2,4;BYMONTHDAY=31", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-30"]
)
def test_a_rule_that_never_comes_further_ends_the_reading_and_not_the_patience(rule: str) -> None:
    with pytest.raises(Unreadable, match="'Odd' takes place cannot be read"):
        all_of(calendar((AT_EIGHT, "SUMMARY:Odd", f"RRULE:{rule}")))


def test_the_last_day_of_a_leap_february_is_a_day() -> None:
    data = calendar(("DTSTART:20240229T080000Z", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=2"))
    years = Span(datetime(2024, 1, 1, tzinfo=BERLIN), datetime(2029, 1, 1, tzinfo=BERLIN))
    assert [one.start.year for one in all_of(data, span=years)] == [2024, 2028]
