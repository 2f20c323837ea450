"""Zones and series: exact across every change of the clocks, and counted as they are."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from time import process_time
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
import recurring_ical_events
from hypothesis import example, given, settings
from hypothesis import strategies as st
from icalendar import Calendar, Timezone
from tests.nextcloud.calendar_texts import FLAVOURS

from aboveboard.errors import ApiError, BadInput
from aboveboard.nextcloud.client.calendar.editing import Document, Raw
from aboveboard.nextcloud.client.calendar.objects import Span
from aboveboard.nextcloud.client.calendar.occurrence import parse_calendar
from aboveboard.nextcloud.client.calendar.parting import begin_with, cut_series, end_before
from aboveboard.nextcloud.client.calendar.recurrence import MOST, each_occurrence, find_occurrence, occurrences
from aboveboard.nextcloud.client.calendar.series import leave_out, override
from aboveboard.nextcloud.client.calendar.times import read_when, show_time, write_time
from aboveboard.nextcloud.client.calendar.zones import vtimezone

ZONES = (
    *("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Africa/Casablanca", "UTC"),
    *("Pacific/Apia", "America/Sao_Paulo", "Europe/Dublin", "Asia/Kathmandu", "America/St_Johns", "Antarctica/Troll"),
)
_ZONES = st.sampled_from(ZONES)
_MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2035, 12, 31))
BERLIN = ZoneInfo("Europe/Berlin")


def telling_hours(zone: ZoneInfo) -> list[datetime]:
    """Return every hour of two days about each change of the clocks in three years, and every fifth of all others."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    hours = [(start + timedelta(hours=hour)).astimezone(zone) for hour in range(24 * 366 * 3)]
    offsets = [one.utcoffset() for one in hours]
    changes = [at for at, (before, after) in enumerate(pairwise(offsets)) if before != after]
    near = {hour for at in changes for hour in range(max(at - 48, 0), min(at + 48, len(hours)))}
    return [hours[at] for at in sorted(near.union(range(0, len(hours), 5)))]


@pytest.mark.parametrize("name", ZONES)
def test_the_rules_that_are_written_for_a_zone_are_those_of_the_zone(name: str) -> None:
    zone = cast("Any", Timezone).from_ical(vtimezone(name, 2026)).to_tz(lookup_tzid=False)
    for local in telling_hours(ZoneInfo(name)):
        if local.replace(fold=1).utcoffset() == local.replace(fold=0).utcoffset():  # the hour is there once
            assert local.replace(tzinfo=zone).utcoffset() == local.utcoffset(), local


@given(_ZONES, _ZONES, _MOMENTS)
def test_a_time_that_is_read_and_shown_is_the_same_moment(name: str, other: str, moment: datetime) -> None:
    zone, there = ZoneInfo(name), ZoneInfo(other)
    at = moment.replace(tzinfo=UTC)
    assert datetime.fromisoformat(show_time(read_when(at.isoformat(), zone).value, there)) == at
    local = at.astimezone(zone).replace(tzinfo=None)
    try:
        read = read_when(local.isoformat(), there, name)
    except BadInput as error:  # a time that the clocks pass over cannot come out of a conversion
        raise AssertionError(local) from error
    assert not read.assumed
    assert read.value.replace(tzinfo=None) == local  # pyright: ignore[reportCallIssue]


@pytest.mark.parametrize("text", ["", "tomorrow", "2026-13-01", "2026-02-30", "20260101", "10:00", "2026-03-29T25:00"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="cannot be read as the time"):
        read_when(text, BERLIN)


@pytest.mark.parametrize("text", ["9999-12-31", "9999-12-31T23:30", "0001-01-01T00:00+14:00"])
def test_a_year_at_the_end_of_all_time_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"is too far away\. Use one from 1600 to 9900\."):
        read_when(text, BERLIN)


def test_an_hour_that_the_clocks_pass_over_is_refused() -> None:
    with pytest.raises(BadInput, match="does not exist"):
        read_when("2026-03-29T02:30", BERLIN)


def series(rule: str) -> bytes:
    """Make a series at half past nine in Berlin, from the Monday before the clocks change."""
    text = (
        FLAVOURS["DAVx5"].replace("20310505T100000", "20260323T093000").replace("DURATION", f"RRULE:{rule}\r\nDURATION")
    )
    return text.encode()


_RULES = st.builds(
    "FREQ={};INTERVAL={};COUNT={}".format, st.sampled_from(["DAILY", "WEEKLY"]), st.integers(1, 3), st.integers(2, 12)
)
_YEAR = Span(datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 6, 1, tzinfo=UTC))


def starts(data: bytes) -> list[datetime]:
    return [one.begins(BERLIN).astimezone(BERLIN) for one in occurrences(data, "VEVENT", _YEAR, BERLIN)]


@settings(deadline=None, max_examples=50)
@given(_RULES)
def test_a_series_goes_by_the_clock_when_the_clocks_change(rule: str) -> None:
    found = starts(series(rule))
    assert len(found) == int(rule.rpartition("=")[2])
    assert {one.strftime("%H:%M") for one in found} == {"09:30"}


def in_zone(name: str, where: str = "{zone}{event}") -> bytes:
    """Make an event at half past nine in a zone whose rules say that it is three and a half hours behind."""
    zone = f"""BEGIN:VTIMEZONE\nTZID:{name}\nBEGIN:STANDARD\nDTSTART:19700101T000000
TZOFFSETFROM:-0330\nTZOFFSETTO:-0330\nEND:STANDARD\nEND:VTIMEZONE\n"""
    event = f"BEGIN:VEVENT\nUID:x\nDTSTART;TZID={name}:20260323T093000\nDURATION:PT1H\nEND:VEVENT\n"
    return f"BEGIN:VCALENDAR\nVERSION:2.0\n{where.format(zone=zone, event=event)}END:VCALENDAR\n".encode()


@pytest.mark.parametrize("where", ["{zone}{event}", "{event}{zone}"])
@pytest.mark.parametrize(("name", "hour"), [("Our own time", 13), ("Europe/Berlin", 8)])
def test_the_rules_of_a_zone_are_heeded_where_its_name_is_not_known(name: str, hour: int, where: str) -> None:
    [start] = starts(in_zone(name, where))
    assert start.astimezone(UTC) == datetime(2026, 3, 23, hour, 0 if hour == 13 else 30, tzinfo=UTC)


def test_zones_that_never_end_keep_nobody_busy() -> None:
    endless = in_zone("Europe/Berlin", "BEGIN:VTIMEZONE\nTZID:UTC\n" * 8000)
    before = process_time()
    with pytest.raises(ApiError, match="cannot be read"):
        parse_calendar(endless)
    assert process_time() - before < 3  # each looked through to the end, they would take minutes


def expanded(text: bytes, span: Span) -> list[datetime]:
    """Return when a series takes place by the library alone, counted from its very start.

    An hour that the clocks pass over is the one after it, which an hourly series has too. The library compares times of
    one zone by what its clocks show; here it is moments that lie in the span, so it is asked for more than that.
    """
    query, day = recurring_ical_events.of(cast("Any", Calendar).from_ical(text)), timedelta(days=1)
    found = cast("list[Any]", query.between(span.start - day, span.end + day))
    begun = {item.start.astimezone(UTC): item.end - item.start for item in found}
    first, last = span.start.astimezone(UTC), span.end.astimezone(UTC)
    return sorted(at for at, lasting in begun.items() if at < last and at + lasting > first)


def moments(text: bytes, span: Span) -> list[datetime]:
    return [one.begins(BERLIN).astimezone(UTC) for one in occurrences(text, "VEVENT", span, BERLIN)]


@settings(deadline=None, max_examples=25)
@example("HOURLY", 100, 0, 3)  # one goes on where a part ends
@given(
    st.sampled_from(
        ["MINUTELY;INTERVAL=47", "HOURLY", "DAILY", "WEEKLY;BYDAY=MO,SU", "MONTHLY;BYMONTHDAY=-1", "YEARLY"]
    ),
    st.integers(1, 800),
    st.integers(-400, 400),
    st.integers(1, 400),
)
def test_a_series_that_is_expanded_part_by_part_has_each_occurrence_once(
    rule: str, count: int, after: int, days: int
) -> None:
    text = series(f"FREQ={rule};COUNT={count}")
    start = datetime(2026, 3, 23, 12, tzinfo=BERLIN) + timedelta(days=after)
    span = Span(start, start + timedelta(days=days))
    assert moments(text, span) == expanded(text, span)


@settings(deadline=None, max_examples=25)
@example("SECONDLY;INTERVAL=97;BYDAY=SU", 79, 60)  # it ends within the hour after the one that the clocks pass over
@example("SECONDLY;INTERVAL=97;BYDAY=SU", 139, 1)  # and here it begins there
@example("SECONDLY;INTERVAL=97;BYDAY=SU", 80, 58)  # it ends within that hour itself
@given(
    st.sampled_from(
        [
            *("SECONDLY;INTERVAL=97;BYDAY=SU", "MINUTELY;INTERVAL=7;BYHOUR=2,9", "HOURLY;INTERVAL=5;BYDAY=MO,SU"),
            *("HOURLY;BYMINUTE=0,45", "HOURLY;INTERVAL=7;BYHOUR=9,10;COUNT=9", "MINUTELY;INTERVAL=31;COUNT=300"),
            *("MINUTELY;INTERVAL=31;UNTIL=20260329T030000Z", "HOURLY;BYMINUTE=0,15,30,45;BYSETPOS=-1"),
        ]
    ),
    st.integers(0, 24 * 12),
    st.integers(1, 60),
)
def test_a_series_that_is_counted_from_near_by_has_the_occurrences_that_it_has(
    rule: str, after: int, for_: int
) -> None:
    text = series(f"FREQ={rule}")
    start = datetime(2026, 3, 23, 8, 15, tzinfo=BERLIN) + timedelta(hours=after)
    span = Span(start, start + timedelta(hours=for_))
    assert moments(text, span) == expanded(text, span)[:MOST]


def test_what_the_clocks_pass_over_takes_place_an_hour_later_and_is_as_long_as_ever() -> None:
    text = series("FREQ=DAILY").replace(b"20260323T093000", b"20260323T023000")
    day = datetime(2026, 3, 29, tzinfo=BERLIN)
    [one] = occurrences(text, "VEVENT", Span(day, day + timedelta(days=1)), BERLIN)
    assert [show_time(at, BERLIN) for at in (one.start, one.end)] == [
        "2026-03-29T03:30:00+02:00",
        "2026-03-29T04:30:00+02:00",
    ]
    planned = find_occurrence(text, "VEVENT", "2026-03-29T02:30:00+01:00", BERLIN)
    assert planned.begins(BERLIN) == one.begins(BERLIN)


_AT_TEN = "DTSTART;TZID=Europe/Berlin:20260301T220000"
_AT_NIGHT = "DTSTART;TZID=Europe/Berlin:20260301T023000"


def daily(told: str) -> bytes:
    event = f"BEGIN:VEVENT\nUID:x\n{told}\nRRULE:FREQ=DAILY\nEND:VEVENT"
    return f"BEGIN:VCALENDAR\nVERSION:2.0\n{event}\nEND:VCALENDAR\n".replace("\n", "\r\n").encode()


def since(text: bytes, day: str) -> bytes:
    """Return a series as it goes on from one of its days."""
    late = Document(text)
    begin_with(
        late, "VEVENT", cut_series(text, "VEVENT", find_occurrence(text, "VEVENT", day, BERLIN), BERLIN), "other"
    )
    return late.data


@pytest.mark.parametrize(
    "told", ["DURATION:PT8H", "DTEND;TZID=Europe/Berlin:20260302T060000", "DTEND:20260302T050000Z", "DURATION:P1DT8H"]
)
def test_what_recurs_ends_by_the_clock_where_clocks_change_as_nextcloud_has_it(told: str) -> None:
    text = daily(f"{_AT_TEN}\n{told}")
    for day in ("2026-03-28", "2026-10-24"):
        one = find_occurrence(text, "VEVENT", f"{day}T22:00", BERLIN)
        assert one.ends(BERLIN).astimezone(BERLIN).time() == time(6)
        last = Span(one.ends(BERLIN) - timedelta(seconds=1), one.ends(BERLIN))
        assert one.planned in [each.planned for each in occurrences(text, "VEVENT", last, BERLIN)]


@pytest.mark.parametrize("told", ["DURATION:PT45M", "DTEND;TZID=Europe/Berlin:20260301T031500"])
def test_a_series_that_is_parted_where_clocks_pass_over_is_as_long_as_ever(told: str) -> None:
    text = daily(f"{_AT_NIGHT}\n{told}")
    start = datetime(2026, 3, 29, tzinfo=BERLIN)
    for each in (text, since(text, "2026-03-29")):
        found = occurrences(each, "VEVENT", Span(start, start + timedelta(days=3)), BERLIN)
        assert [one.ends(BERLIN) - one.begins(BERLIN) for one in found] == [timedelta(minutes=45)] * 3
    assert told.startswith("DURATION") or "DTEND:20260329T021500Z" in since(text, "2026-03-29").decode()


@pytest.mark.parametrize("told", ["DTSTART:20260329T023000", "DTSTART;TZID=Europe/Berlin:20260329T023000"])
@pytest.mark.parametrize("rule", ["", "RRULE:FREQ=DAILY;COUNT=2\n"])
def test_what_is_told_to_begin_where_clocks_pass_over_is_as_long_as_they_say(told: str, rule: str) -> None:
    end = told.replace("DTSTART", "DTEND").replace("023000", "033000")
    text = daily(f"{told}\n{end}").replace(b"RRULE:FREQ=DAILY\r\n", rule.replace("\n", "\r\n").encode())
    one = occurrences(text, "VEVENT", _YEAR, BERLIN)[0]
    assert [show_time(at, BERLIN) for at in (one.start, one.end)] == [
        "2026-03-29T03:30:00+02:00",
        "2026-03-29T04:30:00+02:00",
    ]


@pytest.mark.parametrize("told", [_AT_NIGHT.replace("0230", "0245"), "DTSTART:20260301T004500Z"])
@pytest.mark.parametrize("rule", ["FREQ=DAILY", "FREQ=MINUTELY;INTERVAL=1440"])
def test_a_span_that_ends_in_the_hour_that_is_there_twice_has_all_of_that_hour_before_it(told: str, rule: str) -> None:
    text = daily(told).replace(b"FREQ=DAILY", rule.encode())
    end = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    for length in (timedelta(hours=1), timedelta(days=200)):
        found = occurrences(text, "VEVENT", Span(end - length, end), BERLIN)
        assert show_time(found[-1].start, BERLIN) == "2026-10-25T02:45:00+02:00"


def test_one_that_was_moved_to_where_the_clocks_pass_over_is_found_though_the_series_begins_an_hour_before() -> None:
    begun = "DTSTART;TZID=Europe/Berlin:20260329T010000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=2"
    moved = "RECURRENCE-ID:20260329T230000Z\nDTSTART;TZID=Europe/Berlin:20260329T020000\nDTEND:20260329T010000Z"
    events = "\n".join(f"BEGIN:VEVENT\nUID:x\n{one}\nEND:VEVENT" for one in (begun, moved))
    found = starts(f"BEGIN:VCALENDAR\nVERSION:2.0\n{events}\nEND:VCALENDAR\n".replace("\n", "\r\n").encode())
    assert [show_time(one, BERLIN) for one in found] == ["2026-03-29T01:00:00+01:00", "2026-03-29T03:00:00+02:00"]


def test_a_series_of_every_minute_since_many_years_is_expanded_at_once() -> None:
    old = series("FREQ=MINUTELY").replace(b"20260323T093000", b"20060323T093000")
    span = Span(datetime(2026, 3, 23, 12, tzinfo=UTC), datetime(2026, 4, 23, tzinfo=UTC))
    before = process_time()
    found = occurrences(old, "VEVENT", span, BERLIN)
    assert process_time() - before < 5  # counted from its start, ten million minutes take half a minute
    assert len(found) == MOST


def test_a_series_that_says_how_many_there_are_is_parted_where_it_is_however_many_came_before() -> None:
    text = series("FREQ=DAILY;COUNT=2600")
    one = find_occurrence(text, "VEVENT", "2031-12-01", BERLIN)
    late = Document(text)
    begin_with(late, "VEVENT", cut_series(text, "VEVENT", one, BERLIN), "other")
    before = (date(2031, 12, 1) - date(2026, 3, 23)).days
    assert before > MOST
    assert f"COUNT={2600 - before}" in late.data.decode()


def test_an_occurrence_that_was_moved_far_away_is_found_by_when_it_was_planned() -> None:
    text = series("FREQ=DAILY")
    document = Document(text)
    item = override(document, "VEVENT", find_occurrence(text, "VEVENT", "2035-06-01", BERLIN))
    item.put("DTSTART", Raw("20360101T093000"), {"TZID": "Europe/Berlin"})
    found = find_occurrence(document.data, "VEVENT", "2035-06-01T09:30:00+02:00", BERLIN)
    assert found.begins(BERLIN) == datetime(2036, 1, 1, 9, 30, tzinfo=BERLIN)


@settings(deadline=None, max_examples=50)
@given(_RULES, st.data())
def test_what_is_left_out_is_gone_and_all_others_stay(rule: str, data: st.DataObject) -> None:
    text = series(rule)
    every = starts(text)
    gone = data.draw(st.lists(st.sampled_from(every), unique=True, max_size=len(every) - 1))
    document = Document(text)
    for one in gone:
        leave_out(document, "VEVENT", find_occurrence(text, "VEVENT", one.isoformat(), BERLIN))
    assert starts(document.data) == [one for one in every if one not in gone]


@settings(deadline=None, max_examples=50)
@given(_RULES, st.data())
def test_a_series_that_is_parted_in_two_takes_place_as_before(rule: str, data: st.DataObject) -> None:
    text = series(rule)
    every = starts(text)
    first = data.draw(st.sampled_from(every[1:]))
    one = find_occurrence(text, "VEVENT", first.isoformat(), BERLIN)
    early, late = Document(text), Document(text)
    cut = cut_series(text, "VEVENT", one, BERLIN)
    end_before(early, "VEVENT", cut)
    begin_with(late, "VEVENT", cut, "other")
    assert starts(early.data) == [each for each in every if each < first]
    assert starts(late.data) == [each for each in every if each >= first]


def test_a_series_without_an_end_is_looked_at_as_far_as_it_must_be() -> None:
    ever = Span(datetime(1600, 1, 1, tzinfo=UTC), datetime(9900, 1, 1, tzinfo=UTC))
    first = next(each_occurrence(series("FREQ=MINUTELY"), "VEVENT", ever, BERLIN))
    assert first.start == datetime(2026, 3, 23, 9, 30, tzinfo=BERLIN)
    assert len(occurrences(series("FREQ=DAILY"), "VEVENT", ever, BERLIN)) == MOST


@pytest.mark.parametrize("name", ZONES)
def test_a_change_of_the_clocks_is_told_by_the_clock_before_it(name: str) -> None:
    zone = ZoneInfo(name)
    for part in cast("Any", Timezone).from_ical(vtimezone(name, 2026)).subcomponents:
        before, after = part["TZOFFSETFROM"].td, part["TZOFFSETTO"].td
        moment = (part["DTSTART"].dt - before).replace(tzinfo=UTC)
        assert (moment - timedelta(seconds=1)).astimezone(zone).utcoffset() == before or before == after
        assert moment.astimezone(zone).utcoffset() == after


def test_a_moment_of_the_hour_that_is_there_twice_is_kept_as_that_moment() -> None:
    moment = datetime(2026, 10, 25, 1, 15, tzinfo=UTC)
    assert write_time(moment.astimezone(BERLIN)) == ("20261025T011500Z", {})
    assert write_time((moment - timedelta(hours=1)).astimezone(BERLIN)) == (
        "20261025T021500",
        {"TZID": "Europe/Berlin"},
    )
