"""What is in the trash bin of the calendars still has its id and its name: whoever runs into it is told so."""

from typing import Final

import pytest
from tests.nextcloud.calendar_texts import FLAVOURS
from tests.nextcloud.client.people import person
from tests.nextcloud.sessions import connected, facts, serving
from tests.nextcloud.test_calendar_tools import cal, no, raw

from aboveboard.effects import RUN, under
from aboveboard.errors import Conflict
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

TEXT: Final = FLAVOURS["DAVx5"]


async def test_an_event_whose_id_is_in_the_bin_is_not_made_again_and_the_answer_says_why(sandbox: Sandbox) -> None:
    await raw(sandbox, "PUT", "team/one.ics", TEXT)
    await raw(sandbox, "DELETE", "team/one.ics")
    before = facts(sandbox)
    ada = person(sandbox)
    with under(RUN), pytest.raises(Conflict, match=r"is in the trash bin of the calendar 'team'\. Nothing"):
        await ada.calendar_objects.create("team", "flavour", TEXT.encode())
    await ada.aclose()
    assert facts(sandbox) == before


async def test_an_event_whose_id_is_in_the_bin_of_the_other_calendar_stays_where_it_is(sandbox: Sandbox) -> None:
    await raw(sandbox, "PUT", "team/one.ics", TEXT)
    await raw(sandbox, "DELETE", "team/one.ics")
    await raw(sandbox, "PUT", "personal/two.ics", TEXT)
    async with connected(serving(sandbox)) as session:
        chosen = {"calendar_name": "personal", "title_contains": "Tea"}
        moved = await cal(session, "bulk_move_events", **chosen, target_calendar="team")
        [entry] = [one for one in (await cal(session, "list_trash"))["items"] if one["uid"] == "flavour"]
        await cal(session, "restore_from_trash", id=entry["id"])
    [told] = moved["items"]
    assert told["outcome"] == "failed"
    assert "has this already, or its trash bin does. Nothing was written." in told["error"]
    assert await raw(sandbox, "GET", "personal/two.ics") == TEXT.encode()
    assert await raw(sandbox, "GET", "team/one.ics") == TEXT.encode()


async def test_no_event_is_moved_over_another_of_its_name(sandbox: Sandbox) -> None:
    """Nextcloud would throw the other away."""
    other = TEXT.replace("UID:flavour", "UID:other").replace("SUMMARY:Tea", "SUMMARY:Other")
    await raw(sandbox, "PUT", "team/one.ics", other)
    await raw(sandbox, "PUT", "personal/one.ics", TEXT)
    async with connected(serving(sandbox)) as session:
        before = facts(sandbox)
        chosen = {"calendar_name": "personal", "title_contains": "Tea"}
        [told] = (await cal(session, "bulk_move_events", **chosen, target_calendar="team"))["items"]
    assert told["outcome"] == "failed"
    assert told["error"] == "'team' has something of that name already. It stays where it is."
    assert facts(sandbox) == before


async def test_an_event_whose_name_is_in_the_bin_is_not_deleted_and_the_answer_says_why(sandbox: Sandbox) -> None:
    await raw(sandbox, "PUT", "team/one.ics", TEXT)
    await raw(sandbox, "DELETE", "team/one.ics")
    await raw(sandbox, "PUT", "team/one.ics", TEXT.replace("UID:flavour", "UID:other"))
    async with connected(serving(sandbox)) as session:
        before = facts(sandbox)
        refused = await no(session, "delete_event", calendar_name="team", event_uid="other")
        assert "has something of the same name. Nothing was deleted." in refused
        [entry] = [one for one in (await cal(session, "list_trash"))["items"] if one["uid"] == "flavour"]
        assert "has something else in the place of" in await no(session, "restore_from_trash", id=entry["id"])
    assert facts(sandbox) == before


async def test_a_calendar_in_the_bin_is_none_to_use_and_its_name_serves_again_beside_it(sandbox: Sandbox) -> None:
    new = {"title": "Tea", "start_datetime": "2031-05-05"}
    async with connected(serving(sandbox)) as session:
        first = (await cal(session, "create_calendar", display_name="Garden"))["name"]
        await cal(session, "create_event", calendar_name=first, **new)
        await cal(session, "delete_calendar", calendar_name=first)
        assert first not in [one["name"] for one in (await cal(session, "list_calendars"))["items"]]
        for tool, more in (("create_event", new), ("delete_calendar", {}), ("update_calendar", {"display_name": "x"})):
            assert f"has no calendar {first!r}" in await no(session, tool, calendar_name=first, **more)
        day = {"start_date": "2031-05-05", "end_date": "2031-05-05", "title_contains": "Tea"}
        assert (await cal(session, "list_events", **day))["total"] == 0
        second = (await cal(session, "create_calendar", display_name="Garden"))["name"]
        assert second != first
        await cal(session, "restore_from_trash", id=f"calendar/{first}")
        names = [one["name"] for one in (await cal(session, "list_calendars"))["items"]]
        assert {first, second} <= set(names)
        assert "Several calendars are called 'Garden'" in await no(
            session, "create_event", calendar_name="Garden", **new
        )
        assert (await cal(session, "list_events", calendar_name=first, start_date="2031-05-05"))["total"] == 1


async def test_a_contact_that_was_deleted_can_be_made_again_with_its_id(sandbox: Sandbox) -> None:
    given = {"addressbook": "contacts", "uid": "again"}
    async with connected(serving(sandbox)) as session:
        for name in ("Mo", "Jo"):
            await session.ask("nc_contacts_create_contact", **given, contact_data={"fn": name})
            taken = await session.refusal("nc_contacts_create_contact", **given, contact_data={"fn": "Other"})
            assert "has a contact 'again' already" in taken
            assert (await session.ask("nc_contacts_get_contact", **given))["fn"] == name
            await session.ask("nc_contacts_delete_contact", **given)
