"""Series as other programs write them, changed through MCP: only what was named is gone, moved or changed."""

from typing import Any, Final

import pytest
from tests.nextcloud.calendars import cal, no, raw
from tests.nextcloud.sessions import Session, connected, facts, serving

from aboveboard.nextcloud.client.calendar.zones import vtimezone
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio
EVENT: Final[dict[str, Any]] = {"calendar_name": "personal", "event_uid": "series"}
CHANGED: Final = (
    "SUMMARY:Changed\r\nRECURRENCE-ID:20260330T160000Z\r\nDTSTART:20260330T170000Z\r\nDTEND:20260330T180000Z\r\n"
)
"""The third of the weekly ones, told in UTC."""


async def put(sandbox: Sandbox, *items: str) -> None:
    head, foot = "BEGIN:VEVENT\r\nUID:series\r\nDTSTAMP:20260101T000000Z\r\n", "END:VEVENT\r\n"
    inside = "".join(f"{head}{item}{foot}" for item in items)
    zone = vtimezone("Europe/Berlin", 2026)
    text = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Foreign//EN\r\n{zone}{inside}END:VCALENDAR\r\n"
    await raw(sandbox, "PUT", "personal/series.ics", text)


def weekly(*lines: str) -> str:
    """Write a series at six in the evening in Berlin; the clocks are put forward before its third time."""
    start = "DTSTART;TZID=Europe/Berlin:20260316T180000\r\nDTEND;TZID=Europe/Berlin:20260316T190000\r\n"
    return f"SUMMARY:Yoga\r\n{start}" + "".join(f"{line}\r\n" for line in lines)


async def seen(session: Session) -> list[str]:
    span = {"calendar_name": "personal", "start_date": "2026-03-01", "end_date": "2026-07-01"}
    found = (await cal(session, "list_events", **span, limit=100))["items"]
    return [f"{one['start'][5:16]} {one['title']}" for one in found if one["uid"] == "series"]


async def test_an_added_time_that_another_clock_tells_is_changed_and_deleted_at_its_own_time(sandbox: Sandbox) -> None:
    await put(sandbox, weekly("RRULE:FREQ=WEEKLY;COUNT=2", "RDATE:20260325T100000Z,20260326T100000Z"))
    async with connected(serving(sandbox)) as session:
        await cal(session, "update_event", **EVENT, occurrence="2026-03-25", title="Pilates")
        await cal(session, "delete_event", **EVENT, occurrence="2026-03-26")
        assert await seen(session) == ["03-16T17:00 Yoga", "03-23T17:00 Yoga", "03-25T10:00 Pilates"]


async def test_a_changed_time_that_another_clock_tells_is_the_one_that_is_deleted(sandbox: Sandbox) -> None:
    await put(sandbox, weekly("RRULE:FREQ=WEEKLY;COUNT=4"), CHANGED)
    async with connected(serving(sandbox)) as session:
        await cal(session, "delete_event", **EVENT, occurrence="2026-03-30")
        assert await seen(session) == ["03-16T17:00 Yoga", "03-23T17:00 Yoga", "04-06T16:00 Yoga"]
    assert b"EXDATE;TZID=Europe/Berlin:20260330T180000\r\n" in await raw(sandbox, "GET", "personal/series.ics")


async def test_a_series_that_stands_after_its_changed_time_keeps_what_is_before_it(sandbox: Sandbox) -> None:
    await put(sandbox, CHANGED, weekly("RRULE:FREQ=WEEKLY;COUNT=5"))
    async with connected(serving(sandbox)) as session:
        tried = await cal(
            session, "bulk_update_events", calendar_name="personal", title_contains="yoga", new_title="x", dry_run=True
        )
        assert [(one["title"], one["start"][5:16]) for one in tried["items"]] == [("Yoga", "03-16T17:00")]
        later = await cal(session, "update_event", **EVENT, occurrence="2026-04-06", and_following=True, title="Boxing")
        assert await seen(session) == ["03-16T17:00 Yoga", "03-23T17:00 Yoga", "03-30T17:00 Changed"]
        assert later["recurrence_rule"] == "FREQ=WEEKLY;COUNT=2"
        await cal(session, "delete_event", **EVENT, occurrence="2026-03-30", and_following=True)
        assert await seen(session) == ["03-16T17:00 Yoga", "03-23T17:00 Yoga"]


async def test_a_series_in_the_bin_is_called_as_it_is_and_not_as_its_changed_time(sandbox: Sandbox) -> None:
    await put(sandbox, CHANGED, weekly("RRULE:FREQ=WEEKLY;COUNT=5"))
    async with connected(serving(sandbox)) as session:
        await cal(session, "delete_event", **EVENT)
        assert [one["title"] for one in (await cal(session, "list_trash"))["items"]] == ["Yoga"]


async def test_a_rule_that_is_over_goes_on_no_longer_when_what_was_added_later_is_deleted(sandbox: Sandbox) -> None:
    await put(sandbox, weekly("RRULE:FREQ=WEEKLY;COUNT=2", "RDATE:20260510T100000Z"))
    async with connected(serving(sandbox)) as session:
        await cal(session, "delete_event", **EVENT, occurrence="2026-05-10", and_following=True)
        assert await seen(session) == ["03-16T17:00 Yoga", "03-23T17:00 Yoga"]


async def test_no_series_begins_with_a_time_that_its_rule_does_not_have(sandbox: Sandbox) -> None:
    await put(sandbox, weekly("RRULE:FREQ=WEEKLY;COUNT=4", "RDATE:20260325T100000Z"))
    async with connected(serving(sandbox)) as session:
        before = facts(sandbox)
        asked = {"occurrence": "2026-03-25", "and_following": True, "title": "Boxing"}
        assert "was added to the series beside its rule" in await no(session, "update_event", **EVENT, **asked)
        assert facts(sandbox) == before


async def test_a_series_that_moves_takes_along_what_is_left_out_by_another_clock(sandbox: Sandbox) -> None:
    await put(sandbox, weekly("RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE:20260323T170000Z"))
    async with connected(serving(sandbox)) as session:
        await cal(session, "update_event", **EVENT, start_datetime="2026-03-23T18:00:00+01:00")
        assert await seen(session) == ["03-23T17:00 Yoga", "04-06T16:00 Yoga"]


async def test_a_series_of_whole_days_that_moves_has_as_many_as_before(sandbox: Sandbox) -> None:
    await put(sandbox, "SUMMARY:Yoga\r\nDTSTART;VALUE=DATE:20260316\r\nRRULE:FREQ=WEEKLY;UNTIL=20260330\r\n")
    async with connected(serving(sandbox)) as session:
        moved = await cal(session, "update_event", **EVENT, start_datetime="2026-03-17")
        assert moved["recurrence_rule"] == "FREQ=WEEKLY;UNTIL=20260331"
        assert await seen(session) == ["03-17 Yoga", "03-24 Yoga", "03-31 Yoga"]
        timed = await cal(session, "update_event", **EVENT, start_datetime="2026-03-17T10:00", timezone="Europe/Berlin")
        assert timed["recurrence_rule"] == "FREQ=WEEKLY;UNTIL=20260331T215959Z"
        whole = await cal(session, "update_event", **EVENT, start_datetime="2026-03-17")
        assert whole["recurrence_rule"] == "FREQ=WEEKLY;UNTIL=20260331"
        assert await seen(session) == ["03-17 Yoga", "03-24 Yoga", "03-31 Yoga"]


async def test_a_series_without_a_zone_that_gets_an_instant_goes_by_the_clock_of_its_reader(sandbox: Sandbox) -> None:
    await put(
        sandbox,
        "SUMMARY:Yoga\r\nDTSTART:20260316T180000\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;UNTIL=20260330T180000\r\n",
    )
    async with connected(serving(sandbox)) as session:
        moved = await cal(session, "update_event", **EVENT, start_datetime="2026-03-16T19:00:00Z")
        assert moved["recurrence_rule"] == "FREQ=WEEKLY;UNTIL=20260330T190000Z"
        assert await seen(session) == ["03-16T19:00 Yoga", "03-23T19:00 Yoga", "03-30T19:00 Yoga"]


async def test_who_has_some_times_of_a_series_only_loses_the_one_that_is_deleted(sandbox: Sandbox) -> None:
    """Whoever is invited to one time has no series of it."""
    other = CHANGED.replace("20260330", "20260406")
    await put(sandbox, CHANGED, other)
    async with connected(serving(sandbox)) as session:
        asked = {"occurrence": "2026-03-30", "and_following": True, "title": "Boxing"}
        assert "some occurrences of this series only" in await no(session, "update_event", **EVENT, **asked)
        await cal(session, "delete_event", **EVENT, occurrence="2026-03-30")
        assert await seen(session) == ["04-06T17:00 Changed"]
        await cal(session, "delete_event", **EVENT, occurrence="2026-04-06")
        assert "has no event" in await no(session, "get_event", **EVENT)


@pytest.mark.parametrize(
    ("start", "rule", "kept", "last"),
    [
        ("2026-03-16T20:00", "UNTIL=20260406", "UNTIL=20260407T065959Z", "2026-04-07T03:00:00+00:00"),
        ("2026-03-16T20:00", "UNTIL=20260406T200000", "UNTIL=20260407T030000Z", "2026-04-07T03:00:00+00:00"),
        ("2026-03-16T20:00", "UNTIL=20260406T200000Z", "UNTIL=20260406T200000Z", "2026-03-31T03:00:00+00:00"),
        ("2026-03-16", "UNTIL=20260406T235959Z", "UNTIL=20260406", "2026-04-06"),
    ],
)
async def test_a_rule_ends_when_it_says_by_the_clock_of_its_series(
    sandbox: Sandbox, start: str, rule: str, kept: str, last: str
) -> None:
    """A day that is told to a series of times, or a time to one of days, is not what calendars know."""
    new = {"calendar_name": "team", "title": "Late", "start_datetime": start}
    zone = {"timezone": "America/Los_Angeles"} if "T" in start else {}
    async with connected(serving(sandbox)) as session:
        made = await cal(session, "create_event", **new, **zone, recurrence_rule=f"FREQ=WEEKLY;{rule}")
        event = {"calendar_name": "team", "event_uid": made["uid"]}
        again = await cal(session, "update_event", **event, recurrence_rule=f"FREQ=WEEKLY;{rule}")
        span = {"calendar_name": "team", "start_date": "2026-03-01", "end_date": "2026-05-01"}
        found = [one for one in (await cal(session, "list_events", **span))["items"] if one["uid"] == made["uid"]]
    assert (made["recurrence_rule"], again["changed"], found[-1]["start"]) == (f"FREQ=WEEKLY;{kept}", False, last)


async def test_a_series_moves_to_another_day_of_the_week_with_the_rule_that_is_asked_for(sandbox: Sandbox) -> None:
    await put(sandbox, weekly("RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3"))
    tuesday = {"start_datetime": "2026-03-17T18:00:00+01:00"}
    async with connected(serving(sandbox)) as session:
        assert "Give recurrence_rule too" in await no(session, "update_event", **EVENT, **tuesday)
        await cal(session, "update_event", **EVENT, **tuesday, recurrence_rule="FREQ=WEEKLY;BYDAY=TU;COUNT=2")
        assert await seen(session) == ["03-17T17:00 Yoga", "03-24T17:00 Yoga"]


async def test_a_change_of_place_in_many_events_is_counted_so_that_attendees_hear_of_it(sandbox: Sandbox) -> None:
    new = {"calendar_name": "team", "title": "Talk", "start_datetime": "2031-05-05T10:00:00Z"}
    many = {"calendar_name": "team", "title_contains": "Talk"}
    async with connected(serving(sandbox)) as session:
        made = await cal(session, "create_event", **new, attendees="bob@example.org")
        place = f"team/{made['uid']}.ics"
        await cal(session, "bulk_update_events", **many, new_description="Bring tea")
        assert b"SEQUENCE" not in await raw(sandbox, "GET", place)
        await cal(session, "bulk_update_events", **many, new_location="Room 1")
        assert b"SEQUENCE:1\r\n" in await raw(sandbox, "GET", place)


async def test_an_occurrence_that_has_another_title_moves_with_its_series_and_one_of_another_time_stays(
    sandbox: Sandbox,
) -> None:
    await put(sandbox, weekly("RRULE:FREQ=WEEKLY;COUNT=4"), CHANGED)
    async with connected(serving(sandbox)) as session:
        await cal(session, "update_event", **EVENT, occurrence="2026-03-23", title="Outside", location="Park")
        await cal(session, "update_event", **EVENT, start_datetime="2026-03-17T20:30", timezone="Europe/Berlin")
        assert await seen(session) == [
            *("03-17T19:30 Yoga", "03-24T19:30 Outside", "03-30T17:00 Changed", "04-07T18:30 Yoga"),
        ]
        outside = await cal(session, "get_event", **EVENT, occurrence="2026-03-24")
        later = {"occurrence": "2026-03-24", "and_following": True, "start_datetime": "2026-03-25T20:30"}
        await cal(session, "update_event", **EVENT, **later, timezone="Europe/Berlin")
        span = {"start_date": "2026-03-01", "end_date": "2026-05-01", "limit": 100}
        found = (await cal(session, "list_events", **span, location_contains="Park"))["items"]
    assert (outside["end"], outside["location"]) == ("2026-03-24T20:30:00+00:00", "Park")
    assert [one["start"] for one in found] == ["2026-03-25T19:30:00+00:00"]


async def test_a_whole_day_that_has_another_title_moves_with_its_series(sandbox: Sandbox) -> None:
    days = "SUMMARY:Yoga\r\nDTSTART;VALUE=DATE:20260316\r\nDTEND;VALUE=DATE:20260318\r\nRRULE:FREQ=WEEKLY;COUNT=2\r\n"
    named = "SUMMARY:Far\r\nRECURRENCE-ID;VALUE=DATE:20260323\r\nDTSTART;VALUE=DATE:20260323\r\n"
    await put(sandbox, days, f"{named}DTEND;VALUE=DATE:20260326\r\n")
    async with connected(serving(sandbox)) as session:
        await cal(session, "update_event", **EVENT, start_datetime="2026-03-18", end_datetime="2026-03-19")
        assert await seen(session) == ["03-18 Yoga", "03-25 Far"]
        assert (await cal(session, "get_event", **EVENT, occurrence="2026-03-25"))["end"] == "2026-03-27"


async def test_who_is_not_invited_to_one_occurrence_answers_for_the_others(sandbox: Sandbox) -> None:
    people = "ORGANIZER:mailto:bob@example.org\r\nATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ada@example.org\r\n"
    others = f"{CHANGED}ORGANIZER:mailto:bob@example.org\r\nATTENDEE:mailto:carol@example.net\r\n"
    await put(sandbox, f"{weekly('RRULE:FREQ=WEEKLY;COUNT=4')}{people}", others)
    async with connected(serving(sandbox)) as session:
        await cal(session, "respond_to_invitation", **EVENT, response="accepted")
    text = (await raw(sandbox, "GET", "personal/series.ics")).decode()
    assert text.count("PARTSTAT=ACCEPTED") == 1


@pytest.mark.parametrize("end", ["COUNT=4", "UNTIL=20260406T160000Z"])
async def test_where_the_first_was_deleted_all_that_follow_move_by_what_the_named_one_moves(
    sandbox: Sandbox, end: str
) -> None:
    await put(sandbox, weekly(f"RRULE:FREQ=WEEKLY;{end}", "EXDATE;TZID=Europe/Berlin:20260316T180000"), CHANGED)
    later = {"occurrence": "2026-03-23", "and_following": True, "start_datetime": "2026-03-23T20:00"}
    async with connected(serving(sandbox)) as session:
        await cal(session, "update_event", **EVENT, **later, timezone="Europe/Berlin")
        assert await seen(session) == ["03-23T19:00 Yoga", "03-30T17:00 Changed", "04-06T18:00 Yoga"]


@pytest.mark.parametrize("end", ["20260316T210000Z", "20260316T225959Z"])
async def test_a_series_of_every_hour_that_moves_has_as_many_as_before(sandbox: Sandbox, end: str) -> None:
    await put(sandbox, weekly(f"RRULE:FREQ=HOURLY;UNTIL={end}"))
    async with connected(serving(sandbox)) as session:
        before = len(await seen(session))
        await cal(session, "update_event", **EVENT, start_datetime="2026-03-16T21:30", timezone="Europe/Berlin")
        assert (before, len(await seen(session))) == (5 if end.endswith("210000Z") else 6, before)
