"""Events found in a span of time, free times, and many events at once: all that is there, and nothing else."""

import pytest
from tests.nextcloud.calendar_texts import FLAVOURS
from tests.nextcloud.calendars import cal, no, raw
from tests.nextcloud.sessions import connected, facts, serving

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


async def test_a_span_that_begins_and_ends_within_a_day_has_what_is_in_it_and_nothing_else(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        for hour in (8, 11, 14):
            times = {"start_datetime": f"2031-07-02T{hour:02}:00:00Z", "end_datetime": f"2031-07-02T{hour:02}:30:00Z"}
            await cal(session, "create_event", calendar_name="personal", title=f"At {hour}", **times)
        span = {"start_date": "2031-07-02T09:00:00Z", "end_date": "2031-07-02T12:00:00Z"}
        found = await cal(session, "list_events", **span)
    assert [one["title"] for one in found["items"]] == ["At 11"]


async def test_a_series_of_which_there_is_more_than_is_looked_at_is_named(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        hourly = {"start_datetime": "2026-01-01T00:00:00Z", "recurrence_rule": "FREQ=HOURLY;COUNT=2500"}
        await cal(session, "create_event", calendar_name="personal", title="Tick", **hourly)
        year = await cal(session, "list_events", start_date="2026-01-01", end_date="2026-12-31", limit=1)
        week = await cal(session, "list_events", start_date="2026-01-01", end_date="2026-01-07", limit=1)
    assert year["note"] == "Only the first 2000 occurrences are here of Tick: for the others, start later."
    assert year["total"] >= 2000
    assert "note" not in week


async def test_no_time_counts_as_free_in_which_nobody_looked(sandbox: Sandbox) -> None:
    """Of a series of every five minutes only a week is looked at: what is later may be taken."""
    often = {"start_datetime": "2026-01-12T00:00:00Z", "end_datetime": "2026-01-12T00:05:00Z"}
    asked = {"duration_minutes": 60, "date_range_start": "2026-01-12", "limit": 5}
    async with connected(serving(sandbox)) as session:
        rule = {"recurrence_rule": "FREQ=MINUTELY;INTERVAL=5"}
        made = await cal(session, "create_event", calendar_name="personal", title="Tick", **often, **rule)
        month = await cal(session, "find_availability", **asked, date_range_end="2026-02-12")
        await cal(session, "delete_event", calendar_name="personal", event_uid=made["uid"])
        without = await cal(session, "find_availability", **asked, date_range_end="2026-02-12")
    assert month["items"] == []
    assert month["note"] == (
        "Of Tick only 2000 occurrences were looked at: what is later counts as taken. Start later."
    )
    assert len(without["items"]) == 5
    assert "note" not in without


@pytest.mark.parametrize(
    ("more", "days"),
    [
        ("RDATE;TZID=Europe/Berlin:20310507T100000", ["05", "07", "12", "19"]),
        ("EXRULE:FREQ=WEEKLY;INTERVAL=2", ["05", "12", "19"]),
    ],
)
async def test_a_series_with_dates_beside_its_rule_takes_the_time_of_both(
    sandbox: Sandbox, more: str, days: list[str]
) -> None:
    """Nextcloud heeds the dates alone, and finds nothing in other weeks. A rule for what is left out nobody heeds."""
    rules = f"RRULE:FREQ=WEEKLY;COUNT=3\r\n{more}\r\n"
    await raw(sandbox, "PUT", "personal/both.ics", FLAVOURS["DAVx5"].replace("SUMMARY:Tea", f"{rules}SUMMARY:Tea", 1))
    async with connected(serving(sandbox)) as session:
        for day in ("05", "07", "08", "12", "19", "26"):
            one = {"start_date": f"2031-05-{day}", "end_date": f"2031-05-{day}"}
            listed = await cal(session, "list_events", **one, title_contains="Tea")
            meant = await cal(session, "bulk_delete_events", **one, title_contains="Tea", dry_run=True)
            asked = {"duration_minutes": 15, "business_hours_only": False, "limit": 100}
            spans = {"date_range_start": one["start_date"], "date_range_end": one["end_date"]}
            free = await cal(session, "find_availability", **asked, **spans)
            there = day in days
            assert (listed["total"], meant["matched"]) == (there, there), day
            assert any("T08:" in slot["start"] for slot in free["items"]) is not there, day


async def test_of_a_series_of_every_hour_one_that_is_deleted_is_free_and_no_other(sandbox: Sandbox) -> None:
    """Bob's time is told by Nextcloud, the user's own is counted here."""
    hourly = {"start_datetime": "2031-01-18T00:00", "timezone": "Europe/Berlin"}
    day = {"date_range_start": "2031-01-18", "date_range_end": "2031-01-18", "exclude_weekends": False}
    asked = {**day, "duration_minutes": 60, "business_hours_only": False, "limit": 100}
    listed: list[list[str]] = []
    free: list[list[str]] = []
    async with connected(serving(sandbox)) as ada, connected(serving(sandbox), user="bob") as bob:
        for one, others in ((bob, {"attendees": "bob@example.org"}), (ada, {})):
            new = {"calendar_name": "personal", "title": "Watch", "recurrence_rule": "FREQ=HOURLY;COUNT=25"}
            made = await cal(one, "create_event", **new, **hourly)
            where = {"calendar_name": "personal", "event_uid": made["uid"]}
            await cal(one, "update_event", **where, occurrence="2031-01-18T12:00Z", title="Changed")
            await cal(one, "delete_event", **where, occurrence="2031-01-18T09:00Z")
            found = await cal(one, "list_events", start_date="2031-01-18T08:00Z", end_date="2031-01-18T14:00Z")
            listed.append([f"{each['start'][11:13]} {each['title']}" for each in found["items"]])
            slots = await cal(ada, "find_availability", **asked, **others)
            free.append([each["start"][11:16] for each in slots["items"]])
    assert listed == [["08 Watch", "10 Watch", "11 Watch", "12 Changed", "13 Watch"]] * 2
    assert free == [["09:00"]] * 2


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


async def test_preferred_times_are_found_wherever_they_are_in_what_is_free(sandbox: Sandbox) -> None:
    day = {"date_range_start": "2031-01-15", "date_range_end": "2031-01-15"}
    async with connected(serving(sandbox)) as session:
        asked = {**day, "duration_minutes": 90}
        found = await cal(session, "find_availability", **asked, preferred_times="13:45-16:00, 14:00-16:00")
        short = await cal(session, "find_availability", **asked, preferred_times="14:00-15:00")
    liked = [one["start"][11:16] for one in found["items"] if one.get("preferred")]
    assert liked == ["13:45", "14:00"]
    assert [one["start"][11:16] for one in found["items"]] == [*liked, "09:00", "10:30", "12:00"]
    # Hours that are too short for it rule nothing out.
    assert [one["start"][11:16] for one in short["items"]] == ["09:00", "10:30", "12:00", "13:30", "15:00"]


async def test_people_are_found_as_invitations_name_them(sandbox: Sandbox) -> None:
    asked = {"duration_minutes": 60, "date_range_start": "2026-01-15", "date_range_end": "2026-01-15", "limit": 100}
    async with connected(serving(sandbox)) as session:
        plain = await cal(session, "find_availability", **asked, attendees="bob@example.org")
        for named in ("Bob <bob@example.org>", "optional: BOB@example.org", '"B. Ob" <bob@example.org>'):
            assert await cal(session, "find_availability", **asked, attendees=named) == plain
    assert "unknown" not in plain
    assert not any(one["start"][11:16] == "11:30" for one in plain["items"])


async def test_what_others_decline_takes_the_users_time_and_what_the_user_declines_does_not(sandbox: Sandbox) -> None:
    times = {"start_datetime": "2031-05-05T10:00:00Z", "end_datetime": "2031-05-05T11:00:00Z"}
    asked = {"duration_minutes": 480, "date_range_start": "2031-05-05", "date_range_end": "2031-05-05"}
    async with connected(serving(sandbox)) as ada, connected(serving(sandbox), user="bob") as bob:
        new = {"calendar_name": "personal", "title": "Talk", **times, "attendees": "bob@example.org"}
        uid = (await cal(ada, "create_event", **new))["uid"]
        assert [(await cal(one, "find_availability", **asked))["items"] for one in (ada, bob)] == [[], []]
        await cal(bob, "respond_to_invitation", calendar_name="personal", event_uid=uid, response="declined")
        free = [len((await cal(one, "find_availability", **asked))["items"]) for one in (ada, bob)]
    assert free == [0, 1]


async def test_many_events_are_all_treated_and_a_date_that_is_none_widens_nothing(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        there = (await cal(session, "create_calendar", display_name="Many"))["name"]
        for number in range(60):
            text = FLAVOURS["DAVx5"].replace("UID:flavour", f"UID:many-{number}")
            await raw(sandbox, "PUT", f"{there}/{number}.ics", text)
        tried = await cal(session, "bulk_delete_events", calendar_name=there, title_contains="tea", dry_run=True)
        assert (tried["matched"], tried["changed"], tried["items"][0]["outcome"]) == (60, 0, "would change")
        before = facts(sandbox)
        assert "cannot be read as the date" in await no(
            session, "bulk_delete_events", calendar_name=there, start_date="last week"
        )
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
        gone = await cal(session, "bulk_delete_events", calendar_name="team", title_contains="Tea")
        assert (gone["changed"], len(gone["items"])) == (60, 60)
        assert gone["gone"].count(",") == 5
        assert gone["gone"].endswith(", 55 more")


async def test_what_is_open_on_one_side_reaches_as_far_as_the_calendar_does(sandbox: Sandbox) -> None:
    chosen = {"calendar_name": "team", "title_contains": "far", "dry_run": True}
    async with connected(serving(sandbox)) as session:
        for day in ("1961-04-12", "2026-01-13", "2096-02-29"):
            await cal(session, "create_event", calendar_name="team", title=f"Far {day}", start_datetime=day)
        for more, days in (
            ({"start_date": "2026-01-14"}, ["2096-02-29"]),
            ({"start_date": "2026-01-13"}, ["2026-01-13", "2096-02-29"]),
            ({"end_date": "2026-01-13"}, ["1961-04-12", "2026-01-13"]),
            ({"end_date": "1961-04-11"}, []),
        ):
            found = await cal(session, "bulk_delete_events", **chosen, **more)
            assert sorted(one["start"] for one in found["items"]) == days
