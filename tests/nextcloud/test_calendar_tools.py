"""Calendars through MCP: zones, series, other people, many events at once, and what it costs."""

import re
from typing import Any, Final

import pytest
from tests.nextcloud.calendar_texts import FLAVOURS
from tests.nextcloud.calendars import cal, no, raw
from tests.nextcloud.sessions import TOOLS, connected, facts, serving

from aboveboard.kit.gone import GONE_BEFORE
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio
_STAMPS: Final = re.compile(rb"(DTSTAMP|LAST-MODIFIED|SEQUENCE):[^\r]*\r\n")


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


async def test_a_series_ends_with_its_last_day_by_its_own_clock_wherever_it_moves(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        made = await cal(
            session,
            "create_event",
            calendar_name="team",
            title="Late",
            start_datetime="2031-03-17T20:00",
            timezone="America/Los_Angeles",
            recurrence_rule="FREQ=WEEKLY;BYDAY=MO",
            recurrence_end_date="2031-04-07",
        )
        event = {"calendar_name": "team", "event_uid": made["uid"]}
        span = {"calendar_name": "team", "start_date": "2031-03-01", "end_date": "2031-05-30"}
        there = await cal(session, "list_events", **span)
        early = await cal(session, "update_event", **event, start_datetime="2031-03-17T08:00", timezone="Asia/Tokyo")
        back = await cal(
            session, "update_event", **event, start_datetime="2031-03-17T22:00", timezone="Pacific/Honolulu"
        )
        moved = await cal(session, "list_events", **span)
    starts = [one["start"] for one in there["items"] if one["title"] == "Late"]
    assert starts[-1] == "2031-04-08T03:00:00+00:00", "the last Monday evening in Los Angeles counts"
    assert len(starts) == 4
    assert made["recurrence_rule"] == "FREQ=WEEKLY;UNTIL=20310408T065959Z;BYDAY=MO"
    assert early["recurrence_rule"] == "FREQ=WEEKLY;UNTIL=20310407T145959Z;BYDAY=MO"
    assert back["recurrence_rule"] == "FREQ=WEEKLY;UNTIL=20310408T095959Z;BYDAY=MO"
    assert [one["start"] for one in moved["items"] if one["title"] == "Late"][-1] == "2031-04-08T08:00:00+00:00"


async def test_a_series_that_ends_at_its_last_start_ends_there_when_it_moves(sandbox: Sandbox) -> None:
    text = FLAVOURS["DAVx5"].replace("SUMMARY:Tea", "RRULE:FREQ=DAILY;UNTIL=20310507T080000Z\r\nSUMMARY:Tea", 1)
    await raw(sandbox, "PUT", "personal/flavour.ics", text)
    async with connected(serving(sandbox)) as session:
        event = {"calendar_name": "personal", "event_uid": "flavour"}
        moved = await cal(session, "update_event", **event, start_datetime="2031-05-05T10:30:00Z")
    assert moved["recurrence_rule"].endswith("UNTIL=20310507T103000Z")


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
        whole = await no(session, "update_event", **event, start_datetime="2031-03-24")
        assert "changed or deleted, so it cannot change between times and whole days" in whole
        moved = await no(session, "update_event", **event, start_datetime="2031-03-24T18:00", timezone="Asia/Tokyo")
        assert "changed or deleted, so it cannot move to another zone" in moved
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


async def test_a_change_of_time_or_place_is_counted_so_that_attendees_hear_of_it(sandbox: Sandbox) -> None:
    changes: list[tuple[dict[str, Any], int]] = [
        ({"description": "Bring tea"}, 0),
        ({"location": "Room 1"}, 1),
        ({"status": "TENTATIVE"}, 1),
        ({"start_datetime": "2031-05-05T11:00:00Z", "end_datetime": "2031-05-05T12:00:00Z"}, 1),
        ({"categories": "Work"}, 0),
    ]
    async with connected(serving(sandbox)) as session:
        times = {"start_datetime": "2031-05-05T10:00:00Z", "end_datetime": "2031-05-05T11:00:00Z"}
        new = {"calendar_name": "personal", "title": "Talk", **times}
        for people, counts in (("bob@example.org", 1), ("", 0)):
            uid = (await cal(session, "create_event", **new, attendees=people))["uid"]
            for change, more in changes:
                before = await sequence(sandbox, uid)
                await cal(session, "update_event", calendar_name="personal", event_uid=uid, **change)
                assert await sequence(sandbox, uid) - before == more * counts, change


async def sequence(sandbox: Sandbox, uid: str) -> int:
    found = re.search(rb"SEQUENCE:(\d+)", await raw(sandbox, "GET", f"personal/{uid}.ics"))
    return int(found[1]) if found else 0


async def test_all_that_people_set_of_an_event_is_set_returned_and_cleared(sandbox: Sandbox) -> None:
    given = {"location": "Room 1", "url": "https://example.org/a?b=1", "color": "tomato", "privacy": "CONFIDENTIAL"}
    given |= {"priority": 2, "status": "TENTATIVE", "description": "Long; text, with \\ all"}
    alarms = [{"action": "EMAIL", "minutes_before": 30}, {"trigger": "PT5M"}, {"trigger_at": "2031-05-04T10:00:00Z"}]
    people = "Bob <bob@example.org>, optional: Carol <carol@example.net>, chair: dan@example.net"
    async with connected(serving(sandbox)) as session:
        make = {"calendar_name": "personal", "title": "All", "start_datetime": "2031-05-05T10:00:00Z"}
        more = {"attendees": people, "reminders": alarms, "categories": "A, B"}
        event = {
            "calendar_name": "personal",
            "event_uid": (await cal(session, "create_event", **make, **given, **more))["uid"],
        }
        shown = await cal(session, "get_event", **event)
        assert {name: shown[name] for name in given} == given
        assert (shown["categories"], len(shown["reminders"])) == (["A", "B"], 3)
        assert {one["email"]: one.get("role") for one in shown["attendees"]} == {
            "bob@example.org": None,
            "carol@example.net": "OPT-PARTICIPANT",
            "dan@example.net": "CHAIR",
        }
        same = await cal(session, "update_event", **event, attendees=people)
        assert same["changed"] is False
        await cal(session, "update_event", **event, attendees="bob@example.org, required: carol@example.net")
        two = (await cal(session, "get_event", **event))["attendees"]
        assert [(one["email"], one.get("role")) for one in two] == [
            ("bob@example.org", None),
            ("carol@example.net", None),
        ]
        empty = {name: "" for name in given if name != "priority"} | {"priority": 0}
        await cal(session, "update_event", **event, **empty, attendees="", reminders=[], categories="")
        bare = await cal(session, "get_event", **event)
    assert not bare.keys() & {*given, "categories", "attendees", "organizer", "reminders"}


async def test_an_empty_description_of_a_calendar_is_none_and_an_empty_colour_is_refused(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        made = await cal(session, "create_calendar", display_name="Garden", description="Beds", color="#AA3300")
        bare = await cal(session, "update_calendar", calendar_name=made["name"], description="")
        assert "is not a colour" in await no(session, "update_calendar", calendar_name=made["name"], color="")
        again = await cal(session, "update_calendar", calendar_name=made["name"], description="")
    assert (made["description"], "description" in bare, bare["color"]) == ("Beds", False, "#AA3300")
    assert again == bare


async def test_a_group_that_is_called_like_a_person_has_no_part_in_what_the_person_sees(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        shared = {"calendar_name": "personal", "share_with": "bob"}
        await cal(session, "share_calendar", **shared, permissions="write")
        group = await cal(session, "unshare_calendar", **shared, share_type="group")
        assert group["to_get_back"] == GONE_BEFORE
        assert [one["id"] for one in group["shared_with"]] == ["bob"]
        person = await cal(session, "unshare_calendar", **shared)
    assert '"permissions": "write"' in person["to_get_back"]


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
        for rule in ("FREQ=SOMETIMES", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"):
            assert "is not a rule" in await no(session, "update_event", **event, recurrence_rule=rule)
        assert "no occurrence on that day" in await no(
            session, "update_event", **event, start_datetime="2026-01-06T09:30"
        )
        assert "There is nothing to change" in await no(session, "update_event", **event)
        assert "exactly one of" in await no(session, "update_event", **event, reminders=[{"action": "DISPLAY"}])
        for nobody in ("optional:", "bob@example.org, optional: "):  # it must not mean that all are uninvited
            assert "Nobody is named as optional" in await no(session, "update_event", **event, attendees=nobody)
        assert facts(sandbox) == before


def test_no_tool_of_calendars_keeps_the_mixed_names_of_old() -> None:
    assert not TOOLS.keys() & {"nc_calendar_manage_calendar", "nc_calendar_bulk_operations"}
