"""The same calendar client against the sandbox, Radicale and sabre/dav."""

from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from tests.nextcloud.calendar_texts import ODD_TASK
from tests.nextcloud.client.groupware import KINDS, groupware
from tests.nextcloud.client.servers import Server

from aboveboard.effects import RUN, under
from aboveboard.errors import Conflict, NotFound
from aboveboard.nextcloud.client.calendar.event_changes import Changes
from aboveboard.nextcloud.client.calendar.fields import Fields
from aboveboard.nextcloud.client.calendar.objects import Span
from aboveboard.nextcloud.client.calendar.search import Wanted
from aboveboard.nextcloud.client.calendar.timing import Timing
from aboveboard.nextcloud.client.calendar.todo_changes import TodoChanges
from aboveboard.nextcloud.client.calendar.todos import WantedTodos

pytestmark = pytest.mark.anyio
SPAN = Span(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC))


@pytest.fixture(params=KINDS, scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with groupware(request.param) as made:
        yield made


def event(uid: str, day: int, more: str = "") -> bytes:
    lines = [
        *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Someone//EN", "BEGIN:VEVENT", f"UID:{uid}"),
        *("DTSTAMP:20260101T000000Z", f"DTSTART:202603{day:02}T100000Z", f"DTEND:202603{day:02}T110000Z"),
        *("SUMMARY:Tea", 'X-KEPT;X-WHY="a;b":as it was', *more.split(), "END:VEVENT", "END:VCALENDAR", ""),
    ]
    return "\r\n".join(lines).encode()


def _lines(data: bytes) -> list[bytes]:
    """What a text says; Radicale sorts the lines of what it stores."""
    return sorted(data.replace(b'X-WHY="a;b"', b"").replace(b"X-WHY=a;b", b"").splitlines())


async def test_a_calendar_comes_and_goes(server: Server) -> None:
    client = server.connect()
    with under(RUN):
        title = f"Büro & Garten {uuid4().hex[:6]}"
        made = await client.calendars.create(title, description="Both", color="#1976D2")
        assert (made.display_name, made.description, made.color) == (title, "Both", "#1976D2")
        assert made.writable
        assert made.takes("VTODO")
        changed = await client.calendars.update(made.name, title="Other", description="Neither")
        assert (changed.display_name, changed.description, changed.color) == ("Other", "Neither", "#1976D2")
        assert (await client.calendars.get("other")).name == made.name
        assert not (await client.calendars.update(made.name, description="")).description
        await client.calendars.delete(made.name)
        with pytest.raises(NotFound, match="has no calendar"):
            await client.calendars.get(made.name)
    await client.aclose()


async def test_objects_are_stored_found_changed_moved_and_deleted(server: Server) -> None:
    client = server.connect()
    with under(RUN):
        here, there = [await client.calendars.create(f"Plans {uuid4().hex}") for _ in range(2)]
        objects = client.calendar_objects
        uid = str(uuid4())
        made = await objects.create(here.name, uid, event(uid, 10))
        assert made.etag
        await objects.create(here.name, f"{uid}-more", event(f"{uid}-more", 11))
        with pytest.raises(Conflict):
            await objects.create(here.name, uid, event(uid, 12))
        found = await objects.exact(here.name, uid, "VEVENT")
        assert (_lines(found.data), found.etag) == (_lines(event(uid, 10)), made.etag)
        document = found.document()
        document.items("VEVENT")[0].put_text("SUMMARY", "Coffee")
        changed = await objects.write(found, document.data)
        written = (await objects.read(changed)).data
        assert _lines(written) == _lines(event(uid, 10).replace(b"Tea", b"Coffee"))
        with pytest.raises(Conflict):
            await objects.write(found, event(uid, 13))
        with pytest.raises(Conflict):
            await objects.delete(found)
        moved = await objects.move(changed, there.name)
        with pytest.raises(NotFound):
            await objects.find(here.name, uid, "VEVENT")
        assert b"Coffee" in (await objects.read(moved)).data
        await objects.delete(await objects.find(there.name, uid, "VEVENT"))
        with pytest.raises(NotFound):
            await objects.find(there.name, uid, "VEVENT")
        for calendar in (here, there):
            await client.calendars.delete(calendar.name)
    await client.aclose()


async def test_what_others_changed_is_seen_and_what_did_not_change_is_not_asked_for(server: Server) -> None:
    client, other = server.connect(), server.connect()
    with under(RUN):
        made = await other.calendars.create(f"Plans {uuid4().hex}")

        async def days() -> list[int]:
            calendars = [one for one in await client.calendars.list() if one.name == made.name]
            found = await client.calendar_objects.within(calendars, "VEVENT", SPAN)
            return sorted(int(one.document().items("VEVENT")[0].value("DTSTART")[6:8]) for one in found)

        assert await days() == []
        first = await other.calendar_objects.create(made.name, "one", event("one", 10))
        await other.calendar_objects.create(made.name, "two", event("two", 11))
        assert await days() == [10, 11]
        await other.calendar_objects.write(first, event("one", 20))
        assert await days() == [11, 20]
        await other.calendar_objects.delete(await other.calendar_objects.find(made.name, "two", "VEVENT"))
        assert await days() == await days() == [20]
        await other.calendars.delete(made.name)
    await client.aclose()
    await other.aclose()


async def test_events_and_tasks_of_one_calendar_are_not_taken_for_each_other(server: Server) -> None:
    client = server.connect()
    with under(RUN):
        made = await client.calendars.create(f"Plans {uuid4().hex}")
        await client.calendar_objects.create(made.name, "tea", event("tea", 10))
        await client.calendar_objects.create(made.name, "odd-task", ODD_TASK.encode())
        calendars = [one for one in await client.calendars.list() if one.name == made.name]
        for _ in range(2):  # the second time they are remembered
            for component, name in (("VEVENT", "tea.ics"), ("VTODO", "odd-task.ics")):
                found = await client.calendar_objects.within(calendars, component, None)
                assert [one.name for one in found] == [name]
        await client.calendars.delete(made.name)
    await client.aclose()


async def test_events_are_made_and_changed_in_part_everywhere(server: Server) -> None:
    client = server.connect()
    with under(RUN):
        made = await client.calendars.create(f"Plans {uuid4().hex}")
        timing = Timing(start="2026-03-23T09:30", zone="Europe/Berlin")
        done = await client.events.create(
            made.name, Changes(fields=Fields(title="Yoga"), timing=timing, rule="FREQ=WEEKLY;COUNT=3")
        )
        uid = done.event.uid
        await client.events.update(made.name, uid, Changes(fields=Fields(title="Pilates")), occurrence="2026-03-30")
        await client.events.delete(made.name, uid, occurrence="2026-04-06")
        again = await client.events.update(made.name, uid, Changes(fields=Fields(title="Yoga")))
        assert not again.changed
        found = await client.event_search.find(made.name, Span(SPAN.start, SPAN.end.replace(month=5)), Wanted())
        titles = [
            (one.occurrence.begins(UTC).astimezone(UTC).isoformat(), str(one.occurrence.item["SUMMARY"]))
            for one in found.items
        ]
        assert titles == [("2026-03-23T08:30:00+00:00", "Yoga"), ("2026-03-30T07:30:00+00:00", "Pilates")]
        await client.calendars.delete(made.name)
    await client.aclose()


async def test_a_series_that_names_dates_beside_its_rule_is_found_in_each_week_everywhere(server: Server) -> None:
    """The server asks its texts for such dates: sabre/dav, on which Nextcloud stands, would find it by these alone."""
    client = server.connect()
    with under(RUN):
        made = await client.calendars.create(f"Plans {uuid4().hex}")
        both = event("both", 2, "RRULE:FREQ=WEEKLY;COUNT=4 RDATE:20260304T100000Z")
        await client.calendar_objects.create(made.name, "both", both)
        days: list[int] = []
        for day in (2, 4, 9, 10, 16, 23):
            span = Span(datetime(2026, 3, day, tzinfo=UTC), datetime(2026, 3, day + 1, tzinfo=UTC))
            found = await client.event_search.find(made.name, span, Wanted())
            days += [one.occurrence.begins(UTC).day for one in found.items]
        await client.calendars.delete(made.name)
    await client.aclose()
    assert days == [2, 4, 9, 16, 23]


async def test_tasks_are_made_changed_completed_and_deleted_everywhere(server: Server) -> None:
    client = server.connect()
    with under(RUN):
        made = await client.calendars.create(f"Chores {uuid4().hex}")
        fields = Fields(title="Water; the, beans", categories=["A, b", "C"], priority=1)
        changes = TodoChanges(
            fields=fields, start="2031-03-29T08:00", due="2031-03-29T09:00", rule="FREQ=DAILY;COUNT=2"
        )
        water, assumed = await client.todos.create(made.name, changes)
        assert (water.summary, water.categories, assumed) == ("Water; the, beans", ["A, b", "C"], True)
        part, _ = await client.todos.create(made.name, TodoChanges(fields=Fields(title="Can"), parent=water.uid))
        later, _ = await client.todos.complete(made.name, water.uid)  # the clocks are put forward that night
        assert (later.status, (later.due or "")[:16]) == ("NEEDS-ACTION", "2031-03-30T09:00")
        done, _ = await client.todos.complete(made.name, water.uid)
        assert (done.status, done.percent_complete) == ("COMPLETED", 100)
        found = await client.todos.find(made.name, WantedTodos(text="can"))
        assert [(one.uid, one.parent) for one in found] == [(part.uid, water.uid)]
        again, changed, _ = await client.todos.update(made.name, part.uid, TodoChanges(fields=Fields(title="Can")))
        assert (again.etag, changed) == (found[0].etag, False)
        with pytest.raises(Conflict, match="Nothing was written"):
            await client.todos.update(made.name, part.uid, TodoChanges(percent=50), etag="another")
        await client.todos.delete(made.name, water.uid)
        assert [one.uid for one in await client.todos.find(None, WantedTodos()) if one.calendar_name == made.name] == [
            part.uid
        ]
        await client.calendars.delete(made.name)
    await client.aclose()


async def test_a_task_of_another_client_keeps_all_that_it_has_everywhere(server: Server) -> None:
    client = server.connect()
    with under(RUN):
        made = await client.calendars.create(f"Chores {uuid4().hex}")
        await client.calendar_objects.create(made.name, "odd-task", ODD_TASK.encode())
        before = await client.calendar_objects.exact(made.name, "odd-task", "VTODO")
        changes = TodoChanges(fields=Fields(title="Other", priority=0), due="2031-05-20", percent=60)
        todo, changed, _ = await client.todos.update(made.name, "odd-task", changes)
        assert (todo.summary, todo.priority, todo.due, todo.percent_complete, changed) == (
            *("Other", None, "2031-05-20", 60),
            True,
        )
        now = (await client.calendar_objects.exact(made.name, "odd-task", "VTODO")).data
        named = (b"SUMMARY", b"PRIORITY", b"DUE", b"PERCENT-COMPLETE", b"DTSTAMP", b"LAST-MODIFIED")
        assert [line for line in now.splitlines() if not line.startswith(named)] == [
            line for line in before.data.splitlines() if not line.startswith(named)
        ]
        await client.calendars.delete(made.name)
    await client.aclose()


async def test_of_several_a_day_one_that_is_deleted_is_gone_and_no_other(server: Server) -> None:
    client = server.connect()
    with under(RUN):
        calendar = await client.calendars.create(f"Hours {uuid4().hex}")
        uid = str(uuid4())
        await client.calendar_objects.create(calendar.name, uid, event(uid, 10, "RRULE:FREQ=HOURLY;COUNT=5"))
        await client.events.delete(calendar.name, uid, occurrence="2026-03-10T12:00:00Z")
        day = Span(datetime(2026, 3, 10, 11, tzinfo=UTC), datetime(2026, 3, 11, tzinfo=UTC))
        found = await client.event_search.find(calendar.name, day, Wanted())
    assert [one.occurrence.begins(UTC).hour for one in found.items] == [11, 13, 14]
    await client.aclose()
