"""What others see and do of one's calendars and events, as it was recorded, and what the tools say of it."""

from typing import Any, Final

import httpx2
import pytest
from tests.nextcloud.calendars import cal, no, raw
from tests.nextcloud.sessions import Session, connected, facts, serving

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio
TALK: Final[dict[str, Any]] = {
    "title": "Talk",
    "start_datetime": "2031-05-05T10:00:00Z",
    "end_datetime": "2031-05-05T11:00:00Z",
    "description": "Salaries",
    "privacy": "CONFIDENTIAL",
    "reminder_minutes": 30,
}


async def shared_with_bob(ada: Session, bob: Session, permissions: str) -> str:
    """Share the calendar of the team with Bob, and return what he knows it by."""
    await cal(ada, "share_calendar", calendar_name="team", share_with="bob", permissions=permissions)
    return next(one["name"] for one in (await cal(bob, "list_calendars"))["items"] if one["name"].startswith("team"))


async def test_an_attendee_sees_all_that_is_confidential_without_the_organizers_reminders(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as ada, connected(serving(sandbox), user="bob") as bob:
        made = await cal(ada, "create_event", calendar_name="personal", **TALK, attendees="bob@example.org")
        copy = await cal(bob, "get_event", calendar_name="personal", event_uid=made["uid"])
        kept = await cal(
            ada, "update_event", calendar_name="personal", event_uid=made["uid"], etag=made["etag"], url=""
        )
    assert (copy["description"], copy["privacy"], "reminders" in copy) == ("Salaries", "CONFIDENTIAL", False)
    assert kept["changed"] is False  # what was told to be its version is, though Nextcloud wrote the text anew


async def test_a_change_to_a_state_that_is_over_is_refused_and_what_others_wrote_stays(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as ada:
        made = await cal(ada, "create_event", calendar_name="team", **TALK)
        event = {"calendar_name": "team", "event_uid": made["uid"]}
        await cal(ada, "update_event", **event, etag=made["etag"], title="Theirs")
        said = await no(ada, "update_event", **event, etag=made["etag"], title="Ours")
        kept = await cal(ada, "get_event", **event)
    assert "is not what the etag says: it changed" in said
    assert kept["title"] == "Theirs"


async def test_an_event_that_moves_to_another_calendar_stays_with_its_attendees_who_are_not_told(
    sandbox: Sandbox,
) -> None:
    async with connected(serving(sandbox)) as ada, connected(serving(sandbox), user="bob") as bob:
        made = await cal(ada, "create_event", calendar_name="personal", **TALK, attendees="bob@example.org")
        chosen = {"calendar_name": "personal", "title_contains": "Talk"}
        moved = await cal(ada, "bulk_move_events", **chosen, target_calendar="team")
        copy = await cal(bob, "get_event", calendar_name="personal", event_uid=made["uid"])
    assert [(one["outcome"], "told" in one) for one in moved["items"]] == [("changed", False)]
    assert copy["status"] == "CONFIRMED"


async def test_who_may_only_read_a_calendar_sees_no_reminders_and_changes_only_what_is_their_own(
    sandbox: Sandbox,
) -> None:
    async with connected(serving(sandbox)) as ada, connected(serving(sandbox), user="bob") as bob:
        event = {**TALK, "privacy": "PUBLIC"}
        uid = (await cal(ada, "create_event", calendar_name="team", **event))["uid"]
        hers = next(one for one in (await cal(ada, "list_calendars"))["items"] if one["name"] == "team")
        his = await shared_with_bob(ada, bob, "read")
        shown = await cal(bob, "get_event", calendar_name=his, event_uid=uid)
        assert (shown["description"], "reminders" in shown) == ("Salaries", False)
        before = facts(sandbox)
        assert "can only be read" in await no(bob, "create_event", calendar_name=his, **event)
        assert "can only be read" in await no(bob, "update_event", calendar_name=his, event_uid=uid, title="Mine")
        assert facts(sandbox) == before
        assert (await cal(bob, "update_calendar", calendar_name=his, color="#AA3300"))["color"] == "#AA3300"
        now = next(one for one in (await cal(ada, "list_calendars"))["items"] if one["name"] == "team")
    assert now.get("color") == hers.get("color")


async def test_what_somebody_else_changed_back_a_moment_ago_is_changed_again(sandbox: Sandbox) -> None:
    """Which calendars there are is remembered for a minute, in which others write too."""
    async with connected(serving(sandbox)) as ada, connected(serving(sandbox)) as elsewhere:
        for session in (ada, elsewhere, ada):
            name = "Crew" if session is ada else "Team"
            done = await cal(session, "update_calendar", calendar_name="team", display_name=name)
            assert done["display_name"] == name
            assert facts(sandbox)["calendars/admin/team/name"] == name
        for session in (ada, elsewhere, ada):
            given = "write" if session is ada else "read"
            await cal(session, "share_calendar", calendar_name="team", share_with="bob", permissions=given)
            shares = [one for key, one in facts(sandbox).items() if key.endswith("/users/bob/access")]
            assert shares == [{"write": "read-write", "read": "read"}[given]]


async def test_who_may_write_a_calendar_takes_its_events_away_and_can_bring_them_back(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as ada, connected(serving(sandbox), user="bob") as bob:
        uid = (await cal(ada, "create_event", calendar_name="team", **TALK))["uid"]
        his = await shared_with_bob(ada, bob, "write")
        text = await raw(sandbox, "GET", f"team/{uid}.ics")
        assert (await cal(bob, "get_event", calendar_name=his, event_uid=uid))["description"] == "Salaries"
        moved = await cal(bob, "bulk_move_events", calendar_name=his, title_contains="Talk", target_calendar="personal")
        assert [(one["calendar_name"], one["outcome"]) for one in moved["items"]] == [(his, "changed")]
        assert "has no event" in await no(ada, "get_event", calendar_name="team", event_uid=uid)
        await cal(bob, "bulk_move_events", calendar_name="personal", title_contains="Talk", target_calendar=his)
    assert await raw(sandbox, "GET", f"team/{uid}.ics") == text


async def free(session: Session) -> bool:
    day = {"date_range_start": "2031-05-05", "date_range_end": "2031-05-05"}
    found = await cal(session, "find_availability", duration_minutes=30, **day, limit=100)
    return any("T10:" in one["start"] for one in found["items"])


async def test_what_is_cancelled_or_leaves_one_free_takes_no_time_and_a_calendar_that_does_neither(
    sandbox: Sandbox,
) -> None:
    """Nextcloud's own report counts a calendar that leaves its owner free; who asks for themselves does not."""
    async with connected(serving(sandbox)) as ada:
        event = {
            "calendar_name": "personal",
            "event_uid": (await cal(ada, "create_event", calendar_name="personal", **TALK))["uid"],
        }
        assert await free(ada) is False
        await cal(ada, "update_event", **event, status="CANCELLED")
        assert await free(ada) is True
        await cal(ada, "update_event", **event, status="CONFIRMED")
        place = f"personal/{event['event_uid']}.ics"
        opaque = (await raw(sandbox, "GET", place)).decode()
        await raw(sandbox, "PUT", place, opaque.replace("END:VEVENT", "TRANSP:TRANSPARENT\r\nEND:VEVENT"))
        assert await free(ada) is True
        await raw(sandbox, "PUT", place, opaque)
        assert await free(ada) is False
        await transparent(sandbox, "personal")
        assert await free(ada) is True


async def transparent(sandbox: Sandbox, calendar: str) -> None:
    """Say of a calendar that what is in it leaves its owner free."""
    value = "<c:schedule-calendar-transp><c:transparent/></c:schedule-calendar-transp>"
    spaces = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"'
    body = f"<d:propertyupdate {spaces}><d:set><d:prop>{value}</d:prop></d:set></d:propertyupdate>"
    transport, auth = httpx2.ASGITransport(sandbox.app), (sandbox.username, sandbox.token)
    async with httpx2.AsyncClient(transport=transport, auth=auth, base_url="http://sandbox") as client:
        at = f"/remote.php/dav/calendars/admin/{calendar}"
        answer = await client.request("PROPPATCH", at, content=body, headers={"content-type": "application/xml"})
    assert answer.status_code == 207
