"""Finding events, and finding time."""

from datetime import timedelta
from typing import Annotated

from pydantic import Field

from aboveboard.effects import READ
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.calendar.availability import Person, Slot, SlotLimits, slots
from aboveboard.nextcloud.client.calendar.fields import split_words
from aboveboard.nextcloud.client.calendar.objects import Span
from aboveboard.nextcloud.client.calendar.recurrence import MOST
from aboveboard.nextcloud.client.calendar.search import Wanted
from aboveboard.nextcloud.client.calendar.views import summary_of
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.tools.calendar.area import LIST, AnyCalendar, EventList, Limit, Offset, Status, tools


class FreeTime(Model):
    """A time that suits, and why."""

    start: str
    end: str
    why: str
    preferred: bool | None = None


class FreeTimes(Model):
    """Times that suit, the preferred ones first, then the earliest."""

    items: list[FreeTime]
    start: str
    end: str
    """What was looked at."""
    unknown: list[str] | None = None
    """People of whom nothing is known: they may be taken."""
    note: str | None = None


FREE = FreeTimes(
    items=[
        FreeTime(
            start="2026-03-30T10:00:00+02:00", end="2026-03-30T11:00:00+02:00", why="Free from 09:45 to 14:00: ..."
        )
    ],
    start="2026-03-30T...",
    end="2026-04-04T...",
)


@tools.tool("List Calendar Events", READ, example=LIST, core=True)
async def list_events(
    nextcloud: NextcloudClient,
    calendar_name: AnyCalendar = None,
    start_date: Annotated[str | None, Field(description="Date or time; left out: today.")] = None,
    end_date: Annotated[str | None, Field(description="Date, included, or time; left out: 31 days.")] = None,
    limit: Limit = 50,
    min_attendees: Annotated[int | None, Field(description="So many.", ge=0)] = None,
    min_duration_minutes: Annotated[int | None, Field(description="So long.", ge=0)] = None,
    categories: Annotated[str | None, Field(description="One of these, by commas.")] = None,
    status: Annotated[Status | None, Field(description="Status.")] = None,
    title_contains: Annotated[str | None, Field(description="In the title.")] = None,
    location_contains: Annotated[str | None, Field(description="In the place.")] = None,
    search_all_calendars: Annotated[bool, Field(description="Whatever calendar_name is.")] = False,
    offset: Offset = 0,
) -> EventList:
    """List what takes place in a span of time, in order, every occurrence of a series by itself; times in your zone."""
    span = await nextcloud.event_search.span(start_date or "", end_date or "")
    wanted = Wanted(
        title=title_contains,
        location=location_contains,
        categories=split_words(categories) if categories else None,
        status=status,
        min_attendees=min_attendees,
        min_minutes=min_duration_minutes,
    )
    return await _listed(nextcloud, "" if search_all_calendars else calendar_name or "", span, wanted, limit, offset)


@tools.tool("Get Upcoming Events", READ, example=LIST)
async def get_upcoming_events(
    nextcloud: NextcloudClient,
    calendar_name: AnyCalendar = None,
    days_ahead: Annotated[int, Field(description="From now.", ge=1, le=366)] = 7,
    limit: Limit = 10,
) -> EventList:
    """List what takes place from now on, the next first; times are in your zone."""
    now = await nextcloud.account.now()
    span = Span(now, now + timedelta(days=days_ahead))
    return await _listed(nextcloud, calendar_name or "", span, Wanted(), limit, 0)


async def _listed(
    nextcloud: NextcloudClient, calendar: str, span: Span, wanted: Wanted, limit: int, offset: int
) -> EventList:
    zone = await nextcloud.event_search.zone()
    found = await nextcloud.event_search.find(calendar, span, wanted)
    page = found.items[offset : offset + limit]
    return EventList(
        items=[summary_of(one.occurrence, one.stored, zone) for one in page],
        total=len(found.items),
        start=span.start.astimezone(zone).isoformat(timespec="seconds"),
        end=span.end.astimezone(zone).isoformat(timespec="seconds"),
        next_offset=offset + limit if len(found.items) > offset + limit else None,
        note=_notes(_cut(found.cut), _unread(found.unread, "not here")),
    )


def _notes(*notes: str | None) -> str | None:
    return " ".join(filter(None, notes)) or None


def _unread(titles: list[str], what: str) -> str | None:
    return f"When {', '.join(titles)} takes place cannot be read: it is {what}." if titles else None


def _cut(titles: list[str]) -> str | None:
    if not titles:
        return None
    return f"Only the first {MOST} occurrences are here of {', '.join(titles)}: for the others, start later."


@tools.tool("Find Availability", READ, example=FREE, core=True)
async def find_availability(
    nextcloud: NextcloudClient,
    duration_minutes: Annotated[int, Field(description="How long.", ge=5, le=1440)],
    attendees: Annotated[str | None, Field(description="Others: addresses, ids or names, by commas.")] = None,
    date_range_start: Annotated[str | None, Field(description="Date or time; left out: now.")] = None,
    date_range_end: Annotated[str | None, Field(description="Date, included; left out: 7 days.")] = None,
    business_hours_only: Annotated[bool, Field(description="9 to 17 in your zone.")] = True,
    exclude_weekends: Annotated[bool, Field(description="Monday to Friday.")] = True,
    preferred_times: Annotated[
        str | None, Field(description="First these: 09:00-12:00, morning, afternoon, evening.")
    ] = None,
    limit: Annotated[int, Field(description="At most.", ge=1, le=100)] = 10,
) -> FreeTimes:
    """Find times when you and others are free, each with the reason; of strangers nothing is known."""
    search, zone = nextcloud.event_search, await nextcloud.event_search.zone()
    wishes = SlotLimits(
        duration=timedelta(minutes=duration_minutes),
        work_hours=business_hours_only,
        weekends=not exclude_weekends,
        preferred=preferred_times or "",
    )
    span = await search.span(date_range_start or "", date_range_end or "", 7)
    if not date_range_start:
        span = Span(max(span.start, await nextcloud.account.now()), span.end)
    others = await nextcloud.availability.others(split_words(attendees or ""), span)
    mine = await nextcloud.availability.mine(span)
    taken = [*mine.taken, *(one for person in others for one in person.taken or ())]
    free = sorted(slots(taken, span, wishes, zone), key=lambda one: (not one.preferred, one.start))
    why = _why(mine.calendars, others)
    return FreeTimes(
        items=[_shown(one, why) for one in free[:limit]],
        start=span.start.astimezone(zone).isoformat(timespec="seconds"),
        end=span.end.astimezone(zone).isoformat(timespec="seconds"),
        unknown=[person.address for person in others if person.taken is None] or None,
        note=_notes(_no_further(mine.cut), _unread(mine.unread, "not counted")),
    )


def _no_further(titles: list[str]) -> str | None:
    if not titles:
        return None
    return f"Of {', '.join(titles)} only {MOST} occurrences were looked at: what is later counts as taken. Start later."


def _why(calendars: list[str], others: list[Person]) -> str:
    known = [person.address for person in others if person.taken is not None]
    unknown = [person.address for person in others if person.taken is None]
    told = f", {', '.join(known)} by what Nextcloud tells" if known else ""
    doubt = f"; nothing is known of {', '.join(unknown)}" if unknown else ""
    return f"you by your calendars ({', '.join(calendars)}){told}{doubt}."


def _shown(slot: Slot, why: str) -> FreeTime:
    zone = slot.start.tzinfo
    first, last = slot.gap.start.astimezone(zone), slot.gap.end.astimezone(zone)
    return FreeTime(
        start=slot.start.isoformat(),
        end=slot.end.isoformat(),
        why=f"Free from {first:%H:%M} to {last:%H:%M}: {why}",
        preferred=slot.preferred or None,
    )
