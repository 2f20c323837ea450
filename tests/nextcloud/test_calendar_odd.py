"""Events that make little sense, as programs write them: each is told as far as it goes, and hides no other."""

from typing import Final

import pytest
from tests.nextcloud.calendars import cal, no, raw
from tests.nextcloud.sessions import Session, connected, serving

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

START: Final = "DTSTART:20310118T080000Z"
SPAN: Final = {"start_date": "2031-01-18", "end_date": "2031-01-19"}


async def put(sandbox: Sandbox, name: str, *lines: str) -> None:
    rows = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//odd//EN", "BEGIN:VEVENT", f"UID:{name}", f"SUMMARY:{name}"]
    text = "\r\n".join([*rows, "DTSTAMP:20260101T000000Z", *lines, "END:VEVENT", "END:VCALENDAR", ""])
    await raw(sandbox, "PUT", f"personal/{name}.ics", text)


async def listed(session: Session) -> list[str]:
    return [f"{one['start'][8:13]} {one['title']}" for one in (await cal(session, "list_events", **SPAN))["items"]]


async def test_a_rule_that_makes_no_sense_is_named_and_hides_nothing_else(sandbox: Sandbox) -> None:
    free = {"duration_minutes": 60, "date_range_start": "2031-01-18", "date_range_end": "2031-01-19"}
    async with connected(serving(sandbox)) as session:
        await put(sandbox, "Good", START)
        await put(sandbox, "Odd", START, "RRULE:FREQ=DAILY;INTERVAL=0;COUNT=3")
        found = await cal(session, "list_events", **SPAN)
        times = await cal(session, "find_availability", **free, exclude_weekends=False)
        many = await no(session, "bulk_delete_events", **SPAN)
        one = await no(session, "delete_event", calendar_name="personal", event_uid="Odd", occurrence="2031-01-18")
        mended = {"calendar_name": "personal", "event_uid": "Odd", "recurrence_rule": "FREQ=DAILY;COUNT=2"}
        await cal(session, "update_event", **mended)
        after = await listed(session)
    assert [each["title"] for each in found["items"]] == ["Good"]
    assert found["note"] == "When Odd takes place cannot be read: it is not here."
    assert times["note"] == "When Odd takes place cannot be read: it is not counted."
    assert all(text.startswith("When 'Odd' takes place cannot be read") for text in (many, one))
    assert after == ["18T08 Good", "18T08 Odd", "19T08 Odd"]


@pytest.mark.parametrize(
    ("lines", "end"),
    [
        ((START, "DTEND:20310118T090000Z", "DURATION:PT1H"), "2031-01-18T09:00:00+00:00"),
        ((START, "DTEND;VALUE=DATE:20310119"), "2031-01-19T00:00:00+00:00"),
        (("DTSTART;VALUE=DATE:20310118", "DURATION:PT24H"), "2031-01-18"),
        (("DTSTART;VALUE=DATE:20310118", "DURATION:PT90M"), "2031-01-18"),
        (("DTSTART;VALUE=DATE:20310118", "DTEND:20310119T000000Z"), "2031-01-18"),
    ],
)
async def test_an_end_that_does_not_fit_its_start_is_read_changed_and_deleted(
    sandbox: Sandbox, lines: tuple[str, ...], end: str
) -> None:
    where = {"calendar_name": "personal", "event_uid": "Odd"}
    async with connected(serving(sandbox)) as session:
        await put(sandbox, "Odd", *lines)
        read = await cal(session, "get_event", **where)
        meant = await cal(session, "bulk_update_events", **SPAN, new_location="Here", dry_run=True)
        await cal(session, "update_event", **where, title="New")
        text = (await raw(sandbox, "GET", "personal/Odd.ics")).decode()
        moved = await cal(session, "update_event", **where, start_datetime="2031-01-20T10:00:00Z")
        await cal(session, "delete_event", **where)
    assert (read["end"], meant["matched"]) == (end, 1)
    assert all(f"{line}\r\n" in text for line in (*lines, "SUMMARY:New"))
    assert moved["start"] == "2031-01-20T10:00:00+00:00"


@pytest.mark.parametrize("end", ["99991231T235959Z", "99991231T235959", "99991231"])
@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Tokyo"])
async def test_a_series_that_ends_when_time_does_is_listed_and_moved(sandbox: Sandbox, end: str, zone: str) -> None:
    rows = (f"DTSTART;TZID={zone}:20310118T120000", f"RRULE:FREQ=DAILY;UNTIL={end}", f"RDATE:{end[:8]}T235959Z")
    async with connected(serving(sandbox)) as session:
        await put(sandbox, "Ever", *rows)
        assert len(await listed(session)) == 2
        moved = {"start_datetime": "2031-01-18T13:00", "timezone": zone}
        await cal(session, "update_event", calendar_name="personal", event_uid="Ever", **moved)
        text = (await raw(sandbox, "GET", "personal/Ever.ics")).decode()
        assert len(await listed(session)) == 2
    assert rows[1] in text


@pytest.mark.parametrize("line", ["EXDATE:", "EXDATE:soon", "RDATE:"])
async def test_a_date_that_is_none_leaves_the_others(sandbox: Sandbox, line: str) -> None:
    async with connected(serving(sandbox)) as session:
        await put(sandbox, "Odd", START, "RRULE:FREQ=DAILY;COUNT=2", line)
        assert await listed(session) == ["18T08 Odd", "19T08 Odd"]
