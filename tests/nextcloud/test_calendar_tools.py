"""Calendars through MCP: zones, series, other people, many events at once, and what it costs."""

import re
from typing import Any, Final

import httpx2
import pytest
from tests.nextcloud.calendar_texts import FLAVOURS
from tests.nextcloud.calls import arranged
from tests.nextcloud.sessions import TOOLS, Session, connected, facts, serving

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio
_STAMPS: Final = re.compile(rb"(DTSTAMP|LAST-MODIFIED|SEQUENCE):[^\r]*\r\n")

# Who asks and which calendars there are is asked once before; then: find, read as it is, write.
COSTS: Final = {
    "nc_calendar_list_calendars": ["PROPFIND"],
    "nc_calendar_create_calendar": ["PROPFIND", "MKCALENDAR", "PROPFIND"],
    "nc_calendar_update_calendar": ["PROPPATCH", "PROPFIND"],
    "nc_calendar_delete_calendar": ["DELETE"],
    "nc_calendar_share_calendar": ["POST", "PROPFIND"],
    "nc_calendar_unshare_calendar": ["POST", "PROPFIND"],
    "nc_calendar_get_event": ["REPORT"],
    "nc_calendar_create_event": ["PUT", "PROPFIND"],
    "nc_calendar_create_meeting": ["PUT"],
    "nc_calendar_update_event": ["REPORT", "GET", "PUT"],
    "nc_calendar_delete_event": ["REPORT", "GET", "DELETE"],
    "nc_calendar_respond_to_invitation": ["REPORT", "GET", "PUT", "PROPFIND"],
    "nc_calendar_list_trash": ["PROPFIND", "REPORT"],
    "nc_calendar_restore_from_trash": ["PROPFIND", "REPORT", "MOVE"],
}


async def cal(session: Session, tool: str, **arguments: Any) -> dict[str, Any]:
    return await session.ask(f"nc_calendar_{tool}", **arguments)


async def no(session: Session, tool: str, **arguments: Any) -> str:
    return await session.refusal(f"nc_calendar_{tool}", **arguments)


async def raw(sandbox: Sandbox, method: str, place: str, body: str = "", user: str = "admin") -> bytes:
    """Speak to the sandbox past our own client."""
    auth = (user, sandbox.users[user])
    transport = httpx2.ASGITransport(sandbox.app)
    async with httpx2.AsyncClient(transport=transport, auth=auth, base_url="http://sandbox") as client:
        at = f"/remote.php/dav/calendars/{user}/{place}"
        answer = await client.request(method, at, content=body.encode(), headers={"content-type": "text/calendar"})
        assert answer.status_code < 300, answer.text
        return answer.content


@pytest.mark.parametrize("tool", COSTS)
async def test_a_call_costs_these_requests(sandbox: Sandbox, tool: str) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        await session.client.list_tools()
        await cal(session, "get_upcoming_events")
        arguments = await arranged(session, tool)
        await cal(session, "list_calendars")
        service.arrived.clear()
        await session.ask(tool, **arguments)
    assert [request.method for request in service.arrived] == COSTS[tool]


async def test_calendars_that_did_not_change_are_not_read_again(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        first = await cal(session, "list_events", start_date="2026-01-12", end_date="2026-01-16")
        service.arrived.clear()
        assert await cal(session, "list_events", start_date="2026-01-12", end_date="2026-01-16") == first
        assert [request.method for request in service.arrived] == ["PROPFIND"]
        await raw(sandbox, "DELETE", "personal/seed-dentist.ics")
        service.arrived.clear()
        less = await cal(session, "list_events", start_date="2026-01-12", end_date="2026-01-16")
        # Of the one calendar that changed, only what changed is asked for.
        assert [request.method for request in service.arrived] == ["PROPFIND", "REPORT"]
        assert b"sync-collection" in service.arrived[1].content
    assert first["total"] - less["total"] == 1


async def test_a_time_is_an_instant_or_belongs_to_a_zone_and_an_assumed_one_is_told(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        make: dict[str, Any] = {"calendar_name": "personal", "title": "Tea", "reminders": []}
        fixed = await cal(session, "create_event", **make, start_datetime="2031-03-30T09:30:00+05:30")
        zoned = await cal(session, "create_event", **make, start_datetime="2031-03-30T09:30", timezone="Europe/Berlin")
        mine = await cal(session, "create_event", **make, start_datetime="2031-03-30T09:30")
        days = await cal(session, "create_event", **make, start_datetime="2031-03-30", end_datetime="2031-04-01")
        texts = [
            (await raw(sandbox, "GET", f"personal/{one['uid']}.ics")).decode() for one in (fixed, zoned, mine, days)
        ]
    assert fixed["start"] == "2031-03-30T04:00:00+00:00"
    assert "DTSTART:20310330T040000Z" in texts[0]
    assert zoned["start"] == "2031-03-30T07:30:00+00:00"
    assert "DTSTART;TZID=Europe/Berlin:20310330T093000" in texts[1]
    assert "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU" in texts[1]
    assert "note" not in zoned
    assert mine["note"] == "Times without a zone are taken in UTC, your zone in Nextcloud."
    assert (days["start"], days["end"], days["all_day"]) == ("2031-03-30", "2031-04-01", True)
    assert "DTEND;VALUE=DATE:20310402" in texts[3]


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_an_update_leaves_everything_else_of_each_flavour_as_it_was(sandbox: Sandbox, flavour: str) -> None:
    text = FLAVOURS[flavour]
    await raw(sandbox, "PUT", "personal/flavour.ics", text)
    async with connected(serving(sandbox)) as session:
        event = {"calendar_name": "personal", "event_uid": "flavour"}
        shown = await cal(session, "get_event", **event)
        changed = await cal(session, "update_event", **event, title="Coffee")
        again = await cal(session, "update_event", **event, title="Coffee")
    assert shown["start"] == "2031-05-05T08:00:00+00:00"
    assert (changed["title"], again["changed"]) == ("Coffee", False)
    now = await raw(sandbox, "GET", "personal/flavour.ics")
    assert _STAMPS.sub(b"", now) == _STAMPS.sub(b"", text.encode().replace(b":Tea\r\n", b":Coffee\r\n", 1))


async def test_one_occurrence_all_from_one_on_and_all_are_changed_and_deleted(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        made = await cal(
            session,
            "create_event",
            calendar_name="personal",
            title="Yoga",
            start_datetime="2031-03-24T18:00",
            timezone="Europe/Berlin",
            recurrence_rule="FREQ=WEEKLY;COUNT=6",
        )
        event = {"calendar_name": "personal", "event_uid": made["uid"]}

        async def seen() -> list[str]:
            found = await cal(
                session, "list_events", calendar_name="personal", start_date="2031-03-01", end_date="2031-06-01"
            )
            return [f"{one['start'][5:16]} {one['title']}" for one in found["items"] if one["title"] != "Stand-up"]

        days = ["03-24T17:00", "03-31T16:00", "04-07T16:00", "04-14T16:00", "04-21T16:00", "04-28T16:00"]
        assert await seen() == [f"{day} Yoga" for day in days]
        await cal(
            session,
            "update_event",
            **event,
            occurrence="2031-04-07",
            title="Pilates",
            start_datetime="2031-04-07T17:00:00Z",
        )
        await cal(session, "delete_event", **event, occurrence="2031-03-31T18:00:00+02:00")
        assert await seen() == ["03-24T17:00 Yoga", "04-07T17:00 Pilates", *(f"{day} Yoga" for day in days[3:])]
        split = await cal(session, "update_event", **event, occurrence="2031-04-21", and_following=True, title="Boxing")
        assert "series of its own" in split["note"]
        assert await seen() == [
            "03-24T17:00 Yoga",
            "04-07T17:00 Pilates",
            "04-14T16:00 Yoga",
            *(f"{day} Boxing" for day in days[4:]),
        ]
        await cal(session, "delete_event", **event, occurrence="2031-04-07T16:00:00Z", and_following=True)
        assert await seen() == ["03-24T17:00 Yoga", *(f"{day} Boxing" for day in days[4:])]
        assert "Nothing of this series" in await no(session, "delete_event", **event, occurrence="2031-04-07")
        assert "needs an occurrence" in await no(session, "delete_event", **event, and_following=True)


async def test_an_organizers_change_keeps_what_others_answered_and_tells_them(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as ada, connected(serving(sandbox), user="bob") as bob:
        made = await cal(
            ada, "create_meeting", title="Plan", date="2031-05-06", time="14:00", attendees="Bob <bob@example.org>"
        )
        assert made["told"] == ["bob@example.org"]
        event = {"calendar_name": "personal", "event_uid": made["uid"]}
        answered = await cal(bob, "respond_to_invitation", **event, response="accepted")
        assert answered["told"] == ["ada@example.org"]
        assert (await cal(bob, "respond_to_invitation", **event, response="accepted"))["changed"] is False
        moved = await cal(ada, "update_event", **event, location="Room 1")
        assert moved["told"] == ["bob@example.org"]
        for session in (ada, bob):
            [attendee] = (await cal(session, "get_event", **event))["attendees"]
            assert attendee == {"email": "bob@example.org", "name": "Bob", "status": "ACCEPTED"}
        own = await cal(bob, "update_event", **event, title="Mine")
        assert "your copy alone" in own["note"]
        await cal(ada, "delete_event", **event)
        assert (await cal(bob, "get_event", **event))["status"] == "CANCELLED"


async def test_free_times_know_of_both_calendars_and_say_why(sandbox: Sandbox) -> None:
    asked = {"duration_minutes": 60, "date_range_start": "2026-01-15", "date_range_end": "2026-01-16", "limit": 100}
    async with connected(serving(sandbox)) as session:
        alone = await cal(session, "find_availability", **asked)
        both = await cal(session, "find_availability", **asked, attendees="Bob, stranger@example.net")
        early = await cal(session, "find_availability", **asked, preferred_times="15:00-17:00")
    # Bob has lunch on Thursdays from 11:00 to 12:30 UTC, and a workshop to which Ada is invited on Friday at 9.
    assert "2026-01-15T11:00:00+00:00" in [one["start"] for one in alone["items"]]
    starts = [one["start"] for one in both["items"]]
    assert not [one for one in starts if "2026-01-15T10:15" <= one < "2026-01-15T12:30"]
    assert not [one for one in starts if "2026-01-16T08:00" < one < "2026-01-16T11:00"]
    assert both["unknown"] == ["stranger@example.net"]
    assert both["items"][0]["why"] == (
        "Free from 09:00 to 11:00: you by your calendars (Personal, Contact birthdays, Team), bob@example.org by what"
        " Nextcloud tells; nothing is known of stranger@example.net."
    )
    assert early["items"][0]["start"] == "2026-01-15T15:00:00+00:00"
    assert early["items"][0]["preferred"] is True


async def test_many_events_are_all_treated_and_a_date_that_is_none_widens_nothing(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        there = (await cal(session, "create_calendar", display_name="Many"))["name"]
        for number in range(60):
            text = FLAVOURS["DAVx5"].replace("UID:flavour", f"UID:many-{number}")
            await raw(sandbox, "PUT", f"{there}/{number}.ics", text)
        tried = await cal(session, "bulk_delete_events", calendar_name=there, title_contains="tea", dry_run=True)
        assert (tried["matched"], tried["changed"], tried["items"][0]["outcome"]) == (60, 0, "would change")
        before = facts(sandbox)
        assert "is no date" in await no(session, "bulk_delete_events", calendar_name=there, start_date="last week")
        assert facts(sandbox) == before
        moved = await cal(session, "bulk_move_events", calendar_name=there, target_calendar="team")
        assert (moved["matched"], moved["changed"], moved["failed"]) == (60, 60, 0)
        assert (await raw(sandbox, "GET", "team/7.ics")) == FLAVOURS["DAVx5"].replace(
            "UID:flavour", "UID:many-7"
        ).encode()
        page = await cal(
            session, "list_events", start_date="2031-05-05", end_date="2031-05-05", limit=50, title_contains="Tea"
        )
        assert (len(page["items"]), page["total"], page["next_offset"]) == (50, 60, 50)


async def test_what_was_deleted_comes_back_as_it_was(sandbox: Sandbox) -> None:
    before = facts(sandbox)
    async with connected(serving(sandbox)) as session:
        await cal(session, "delete_event", calendar_name="personal", event_uid="seed-dentist")
        await cal(session, "delete_calendar", calendar_name="tasks")
        binned = (await cal(session, "list_trash"))["items"]
        assert [(one["kind"], one["title"]) for one in binned] == [("calendar", "Tasks"), ("event", "Dentist")]
        for one in binned:
            await cal(session, "restore_from_trash", id=one["id"])
        assert "There is no" in await no(session, "restore_from_trash", id=binned[1]["id"])
    assert facts(sandbox) == before


async def test_what_cannot_be_is_refused_with_a_reason(sandbox: Sandbox) -> None:
    event = {"calendar_name": "personal", "event_uid": "seed-standup"}
    async with connected(serving(sandbox)) as session, connected(serving(sandbox), user="bob") as bob:
        before = facts(sandbox)
        new = {"title": "Tea", "start_datetime": "2031-05-05T10:00"}
        shared = (await cal(bob, "list_calendars"))["items"][-1]
        assert shared["read_only"] is True
        assert "can only be read" in await no(bob, "create_event", calendar_name=shared["name"], **new)
        assert "takes no events" in await no(session, "create_event", calendar_name="tasks", **new)
        assert "did you mean 'personal'" in await no(session, "create_event", calendar_name="persnal", **new)
        assert "no zone 'Europe/Berln'" in await no(
            session, "create_event", calendar_name="personal", **new, timezone="Europe/Berln"
        )
        assert "is no rule" in await no(session, "update_event", **event, recurrence_rule="FREQ=SOMETIMES")
        assert "no occurrence on that day" in await no(
            session, "update_event", **event, start_datetime="2026-01-06T09:30"
        )
        assert "There is nothing to change" in await no(session, "update_event", **event)
        assert "exactly one of" in await no(session, "update_event", **event, reminders=[{"action": "DISPLAY"}])
        assert facts(sandbox) == before


def test_no_tool_of_calendars_keeps_the_mixed_names_of_old() -> None:
    names = {name for name in TOOLS if name.startswith("nc_calendar_")}
    assert not names & {"nc_calendar_manage_calendar", "nc_calendar_bulk_operations"}
    assert names >= COSTS.keys()
