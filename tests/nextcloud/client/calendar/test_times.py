"""Zones and series: exact across every change of the clocks, and counted as they are."""

from datetime import UTC, datetime, timedelta
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Timezone
from tests.nextcloud.calendar_texts import FLAVOURS

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.calendar.editing import Document
from aboveboard.nextcloud.client.calendar.objects import Span
from aboveboard.nextcloud.client.calendar.recurrence import count_before, find_occurrence, occurrences
from aboveboard.nextcloud.client.calendar.series import begin_with, end_before, leave_out
from aboveboard.nextcloud.client.calendar.times import read_when, shown
from aboveboard.nextcloud.client.calendar.zones import vtimezone

ZONES = (
    *("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Africa/Casablanca", "UTC"),
    *("Pacific/Apia", "America/Sao_Paulo", "Europe/Dublin", "Asia/Kathmandu", "America/St_Johns", "Antarctica/Troll"),
)
_ZONES = st.sampled_from(ZONES)
_MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2035, 12, 31))
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize("name", ZONES)
def test_the_rules_that_are_written_for_a_zone_are_those_of_the_zone(name: str) -> None:
    zone = cast("Any", Timezone).from_ical(vtimezone(name, 2026)).to_tz(lookup_tzid=False)
    for hour in range(0, 24 * 366 * 3):
        local = (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hour)).astimezone(ZoneInfo(name))
        if local.replace(fold=1).utcoffset() == local.replace(fold=0).utcoffset():  # the hour is there once
            assert local.replace(tzinfo=zone).utcoffset() == local.utcoffset(), local


@given(_ZONES, _ZONES, _MOMENTS)
def test_a_time_that_is_read_and_shown_is_the_same_moment(name: str, other: str, moment: datetime) -> None:
    zone, there = ZoneInfo(name), ZoneInfo(other)
    at = moment.replace(tzinfo=UTC)
    assert datetime.fromisoformat(shown(read_when(at.isoformat(), zone).value, there)) == at
    local = at.astimezone(zone).replace(tzinfo=None)
    try:
        read = read_when(local.isoformat(), there, name)
    except BadInput as error:  # a time that the clocks pass over cannot come out of a conversion
        raise AssertionError(local) from error
    assert not read.assumed
    assert read.value.replace(tzinfo=None) == local  # pyright: ignore[reportCallIssue]


@pytest.mark.parametrize("text", ["", "tomorrow", "2026-13-01", "2026-02-30", "20260101", "10:00", "2026-03-29T25:00"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is no time"):
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
    return [one.begins(BERLIN) for one in occurrences(data, "VEVENT", _YEAR, BERLIN)]


@settings(deadline=None, max_examples=50)
@given(_RULES)
def test_a_series_goes_by_the_clock_when_the_clocks_change(rule: str) -> None:
    found = starts(series(rule))
    assert len(found) == int(rule.rpartition("=")[2])
    assert {one.strftime("%H:%M") for one in found} == {"09:30"}


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
    end_before(early, "VEVENT", one)
    begin_with(late, "VEVENT", one, "other", count_before(text, "VEVENT", one, BERLIN))
    assert starts(early.data) == [each for each in every if each < first]
    assert starts(late.data) == [each for each in every if each >= first]


@pytest.mark.parametrize("name", ZONES)
def test_a_change_of_the_clocks_is_told_by_the_clock_before_it(name: str) -> None:
    zone = ZoneInfo(name)
    for part in cast("Any", Timezone).from_ical(vtimezone(name, 2026)).subcomponents:
        before, after = part["TZOFFSETFROM"].td, part["TZOFFSETTO"].td
        moment = (part["DTSTART"].dt - before).replace(tzinfo=UTC)
        assert (moment - timedelta(seconds=1)).astimezone(zone).utcoffset() == before or before == after
        assert moment.astimezone(zone).utcoffset() == after
