"""The same calendar client against the sandbox, Radicale and sabre/dav."""

from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from tests.nextcloud.client.groupware import KINDS, groupware
from tests.nextcloud.client.servers import Server

from aboveboard.effects import RUN, under
from aboveboard.errors import Conflict, NotFound
from aboveboard.nextcloud.client.calendar.events import Changes
from aboveboard.nextcloud.client.calendar.fields import Fields
from aboveboard.nextcloud.client.calendar.objects import Span
from aboveboard.nextcloud.client.calendar.search import Wanted
from aboveboard.nextcloud.client.calendar.timing import Timing

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


async def test_what_changed_is_seen_and_what_did_not_is_not_asked_for(server: Server) -> None:
    client = server.connect()
    with under(RUN):
        made = await client.calendars.create(f"Plans {uuid4().hex}")
        objects = client.calendar_objects

        async def days() -> list[int]:
            calendars = [one for one in await client.calendars.list() if one.name == made.name]
            found = await objects.within(calendars, "VEVENT", SPAN)
            return sorted(int(one.document().items("VEVENT")[0].value("DTSTART")[6:8]) for one in found)

        assert await days() == []
        first = await objects.create(made.name, "one", event("one", 10))
        await objects.create(made.name, "two", event("two", 11))
        assert await days() == [10, 11]
        await objects.write(first, event("one", 20))
        assert await days() == [11, 20]
        await objects.delete(await objects.find(made.name, "two", "VEVENT"))
        assert await days() == [20]
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
            for one in found
        ]
        assert titles == [("2026-03-23T08:30:00+00:00", "Yoga"), ("2026-03-30T07:30:00+00:00", "Pilates")]
        await client.calendars.delete(made.name)
    await client.aclose()
