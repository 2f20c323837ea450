"""What each call of calendars, tasks and contacts costs: its requests, how many at once, and none for what is known."""

import re
from collections.abc import Sequence
from typing import Any, Final

import anyio.lowlevel
import httpx2
import pytest
from tests.nextcloud.calls import FEW, arranged
from tests.nextcloud.sessions import TOOLS, Watched, connected, serving

from aboveboard.nextcloud.client import memory
from aboveboard.nextcloud.client.calendar import collections
from aboveboard.nextcloud.client.parallel import AT_ONCE
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

_EVERY_CALENDAR: Final = ["PROPFIND", "REPORT", "REPORT", "REPORT"]
# In a span of time, each calendar is asked for series with dates of their own besides.
_EVERY_SPAN: Final = [*_EVERY_CALENDAR, "REPORT", "REPORT", "REPORT"]
_EVERY_BOOK: Final = ["PROPFIND", *["REPORT"] * 5]
_READ_AND_WRITE: Final = ["REPORT", "GET", "PUT"]
COSTS: Final[dict[str, Sequence[str]]] = {
    "nc_calendar_list_calendars": ["PROPFIND"],
    "nc_calendar_create_calendar": ["PROPFIND", "MKCALENDAR", "PROPFIND"],
    # Whether there is anything to change is not decided by what is remembered.
    "nc_calendar_update_calendar": ["PROPFIND", "PROPPATCH", "PROPFIND"],
    "nc_calendar_delete_calendar": ["DELETE", "PROPFIND"],
    "nc_calendar_share_calendar": ["PROPFIND", "POST", "PROPFIND"],
    "nc_calendar_unshare_calendar": ["PROPFIND", "POST", "PROPFIND"],
    "nc_calendar_list_events": _EVERY_SPAN,
    "nc_calendar_get_upcoming_events": _EVERY_SPAN,
    "nc_calendar_find_availability": _EVERY_SPAN,
    "nc_calendar_get_event": ["REPORT"],
    "nc_calendar_create_event": ["PUT", "PROPFIND"],  # with attendees, Nextcloud writes the text anew
    "nc_calendar_create_meeting": ["PUT"],
    "nc_calendar_update_event": _READ_AND_WRITE,
    "nc_calendar_delete_event": ["REPORT", "DELETE", "REPORT"],  # the last shows what the bin has
    # Its uid looks like no id that a program made, so it is looked for as a title first.
    "nc_calendar_respond_to_invitation": ["REPORT", *_READ_AND_WRITE, "PROPFIND"],
    "nc_calendar_bulk_update_events": ["PROPFIND", "REPORT", "REPORT", "GET", "PUT"],  # in a span
    "nc_calendar_bulk_move_events": ["PROPFIND", "REPORT", "MOVE"],
    "nc_calendar_bulk_delete_events": ["PROPFIND", "REPORT", "DELETE", "REPORT"],
    "nc_calendar_list_trash": ["PROPFIND", "REPORT"],
    "nc_calendar_restore_from_trash": ["REPORT", "MOVE"],
    "nc_calendar_list_todos": ["PROPFIND", "REPORT"],
    "nc_calendar_search_todos": _EVERY_CALENDAR,
    "nc_calendar_create_todo": ["PUT"],
    "nc_calendar_update_todo": _READ_AND_WRITE,
    "nc_calendar_complete_todo": _READ_AND_WRITE,
    "nc_calendar_delete_todo": ["REPORT", "DELETE", "REPORT"],
    "nc_contacts_list_addressbooks": ["PROPFIND"],
    "nc_contacts_create_addressbook": ["MKCOL"],
    "nc_contacts_delete_addressbook": ["PROPFIND", "DELETE"],
    "nc_contacts_list_contacts": ["REPORT"],
    "nc_contacts_search_contacts": _EVERY_BOOK,
    "nc_contacts_list_groups": _EVERY_BOOK,
    "nc_contacts_get_contact": ["PROPFIND"],
    "nc_contacts_create_contact": ["PUT"],
    "nc_contacts_update_contact": ["PROPFIND", "PUT"],
    "nc_contacts_set_groups": ["PROPFIND", "PUT"],
    "nc_contacts_delete_contact": ["PROPFIND", "DELETE"],
}
"""Of a client that knows who asks and which calendars there are, and has seen nothing of what is in them."""


class Crowd(Watched):
    """Counts how many requests are under way at the same time."""

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__(httpx2.ASGITransport(sandbox.app))
        self._now, self.most = 0, 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self._now += 1
        self.most = max(self.most, self._now)
        for _ in range(50):  # until whoever else is to be sent is on its way
            await anyio.lowlevel.checkpoint()
        answer = await super().handle_async_request(request)
        self._now -= 1
        return answer

    def take(self) -> list[str]:
        """Return the methods of what arrived since this was last asked."""
        methods = [request.method for request in self.arrived]
        self.arrived.clear()
        return methods


async def test_no_call_costs_more_requests_than_it_must(sandbox: Sandbox) -> None:
    sent: dict[str, list[str]] = {}
    for tool in TOOLS:
        if tool.startswith(("nc_calendar_", "nc_contacts_")):
            async with connected(service := serving(sandbox)) as session:
                await session.ask("nc_calendar_get_event", calendar_name="personal", event_uid="seed-standup")
                arguments = await arranged(session, tool)
                await session.ask("nc_calendar_list_calendars")
                service.arrived.clear()
                await session.ask(tool, **arguments)
            sent[tool] = [request.method for request in service.arrived]
            sandbox.reset()
    assert {tool: methods for tool, methods in sent.items() if len(methods) > FEW or tool in COSTS} == COSTS


async def test_several_calendars_are_read_at_the_same_time_but_not_all_at_once(sandbox: Sandbox) -> None:
    async with connected(service := Crowd(sandbox)) as session:
        for number in range(AT_ONCE):
            await session.ask("nc_calendar_create_calendar", display_name=f"More {number}")
        assert service.most == 1
        await session.ask("nc_calendar_search_todos")
    assert service.most == AT_ONCE


async def test_several_books_are_read_at_the_same_time_but_not_all_at_once(sandbox: Sandbox) -> None:
    async with connected(service := Crowd(sandbox)) as session:
        for number in range(AT_ONCE):
            await session.ask("nc_contacts_create_addressbook", name=f"more-{number}", display_name="More")
        assert service.most == 1
        await session.ask("nc_contacts_list_groups")
    assert service.most == AT_ONCE


_DAYS: Final = {"start_date": "2026-01-12", "end_date": "2026-01-16"}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_events", _DAYS),
        ("get_upcoming_events", {}),
        ("find_availability", {"duration_minutes": 60}),
        ("search_todos", {}),
        ("list_todos", {"calendar_name": "tasks"}),
        ("bulk_delete_events", {**_DAYS, "dry_run": True}),
    ],
)
async def test_of_calendars_that_did_not_change_nothing_is_read_and_of_others_what_did(
    sandbox: Sandbox, tool: str, arguments: dict[str, Any]
) -> None:
    async with connected(service := Crowd(sandbox)) as session, connected(Watched(service)) as other:
        await session.ask(f"nc_calendar_{tool}", **arguments)
        assert "REPORT" in service.take()
        await session.ask(f"nc_calendar_{tool}", **arguments)
        assert service.take() == ["PROPFIND"]
        if "todos" in tool:
            await other.ask("nc_calendar_create_todo", calendar_name="tasks", summary="New")
        else:
            await other.ask("nc_calendar_create_event", calendar_name="team", title="New", start_datetime="2026-01-13")
        service.take()
        await session.ask(f"nc_calendar_{tool}", **arguments)
        asked = [request for request in service.arrived if request.method == "REPORT"]
        assert [b"sync-collection" in request.content for request in asked] == [True]


@pytest.mark.parametrize(("tool", "arguments"), [("list_groups", {}), ("search_contacts", {"query": "Zebedee"})])
async def test_of_books_that_did_not_change_nothing_is_read_and_of_others_what_is_asked_for(
    sandbox: Sandbox, tool: str, arguments: dict[str, Any]
) -> None:
    book, recent = "contacts", "z-app-generated--contactsinteraction--recent"  # whose token tells nothing
    async with connected(service := Crowd(sandbox)) as session, connected(Watched(service)) as other:

        async def asked() -> tuple[list[str], Any]:
            """Ask, and tell which books were read."""
            service.take()
            found = (await session.ask(f"nc_contacts_{tool}", **arguments))["items"]
            return [one.url.path.rpartition("/")[2] for one in service.arrived if one.method == "REPORT"], found

        before = await asked()
        assert len(before[0]) == 4
        assert await asked() == ([recent], before[1])
        data = {"fn": "Zebedee", "categories": ["Zebras"]}
        made = await other.ask("nc_contacts_create_contact", addressbook=book, contact_data=data)
        read, found = await asked()
        assert sorted(read) == [book, recent]
        assert len(found) == len(before[1]) + 1
        await other.ask("nc_contacts_delete_contact", addressbook=book, uid=made["uid"])
        assert (await asked())[1] == before[1]


@pytest.mark.parametrize(("tool", "arguments"), [("nc_calendar_list_events", _DAYS), ("nc_contacts_list_groups", {})])
async def test_what_is_known_of_calendars_and_books_is_read_again_when_it_is_old(
    sandbox: Sandbox, tool: str, arguments: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "AGE", -1.0)  # old at once
    async with connected(service := Crowd(sandbox)) as session:
        await session.ask(tool, **arguments)
        first = service.take()
        await session.ask(tool, **arguments)
    assert service.take().count("REPORT") == first.count("REPORT")


@pytest.mark.parametrize(("age", "asked"), [(60.0, ["PUT"]), (-1.0, ["PROPFIND", "PUT"])])
async def test_which_calendars_there_are_is_asked_again_when_that_is_old(
    sandbox: Sandbox, age: float, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collections, "AGE", age)
    async with connected(service := Crowd(sandbox)) as session:
        for _ in range(2):
            service.take()
            await session.ask("nc_calendar_create_todo", calendar_name="tasks", summary="New")
    assert service.take() == asked


class Behind(Crowd):
    """A server that tells of changes up to a state before the one that it has, as one does that cuts long answers."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = await super().handle_async_request(request)
        if b"sync-collection" not in request.content:
            return answer
        content = re.sub(rb"<d:response>.*</d:response>", b"", await answer.aread(), flags=re.DOTALL)
        content = re.sub(rb"(sync/)\d+(</d:sync-token>)", rb"\g<1>0\2", content)
        return httpx2.Response(answer.status_code, headers={"content-type": "application/xml"}, content=content)


async def test_a_server_that_does_not_tell_all_that_changed_is_asked_for_everything(sandbox: Sandbox) -> None:
    async with connected(service := Behind(sandbox)) as session, connected(Watched(service)) as other:
        before = (await session.ask("nc_calendar_list_events", **_DAYS))["total"]
        await other.ask("nc_calendar_create_event", calendar_name="team", title="New", start_datetime="2026-01-13")
        service.take()
        found = await session.ask("nc_calendar_list_events", **_DAYS)
        assert service.take().count("REPORT") == 3  # what changed, then all of the days, and what has dates
    assert found["total"] == before + 1


async def test_many_events_cost_what_each_must_and_a_try_costs_nothing_more(sandbox: Sandbox) -> None:
    async with connected(service := Crowd(sandbox)) as session:
        for number in range(3):
            await session.ask(
                "nc_calendar_create_event", calendar_name="team", title=f"Many {number}", start_datetime="2031-05-05"
            )
        chosen: dict[str, Any] = {"calendar_name": "team", "title_contains": "many"}
        service.take()
        new = {"new_location": "Here"}
        await session.ask("nc_calendar_bulk_update_events", **chosen, **new, dry_run=True)
        assert service.take() == ["PROPFIND", "REPORT"]
        await session.ask("nc_calendar_bulk_update_events", **chosen, **new)
        assert service.take() == ["PROPFIND", *["GET", "PUT"] * 3]
        await session.ask("nc_calendar_bulk_update_events", **chosen, **new)
        assert service.take() == ["PROPFIND", "REPORT", *["GET"] * 3]  # it is so already: nothing is written


async def test_whoever_is_asked_after_is_asked_after_with_one_request(sandbox: Sandbox) -> None:
    people = "bob@example.org, carol@example.org, dora@example.org"
    async with connected(service := Crowd(sandbox)) as session:
        await session.ask("nc_calendar_find_availability", duration_minutes=60)
        service.take()
        await session.ask("nc_calendar_find_availability", duration_minutes=60, attendees=people)
        assert service.take() == ["POST", "PROPFIND"]
