"""The area of calendars: its toolset, and what its tools take and show alike."""

from typing import Annotated, Literal

from pydantic import Field

from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.calendar.alarms import Reminder
from aboveboard.nextcloud.client.calendar.attendees import Attendee
from aboveboard.nextcloud.client.calendar.events import Done
from aboveboard.nextcloud.client.calendar.views import Event, EventSummary
from aboveboard.nextcloud.client.model import Model

tools = Toolset[NextcloudClient](
    "calendar", title="Calendar", icon="M4 5h16v16H4zm2 6v8h12v-8zM7 2h2v4H7zm8 0h2v4h-2z", prefix="nc_calendar_"
)

CalendarName = Annotated[str, Field(description="Name of the calendar, as list_calendars shows it.", min_length=1)]
AnyCalendar = Annotated[str, Field(description="Only this calendar; empty: all.")]
EventUid = Annotated[str, Field(description="uid of the event.", min_length=1)]
OneOccurrence = Annotated[
    str | None, Field(description="Only this occurrence of a series: its recurrence_id or start.")
]
AndFollowing = Annotated[bool, Field(description="With occurrence: that one and all that follow.")]
Limit = Annotated[int, Field(description="How many at most.", ge=1, le=500)]
Offset = Annotated[int, Field(description="How many to pass over: next_offset of the page before.", ge=0)]
Zone = Annotated[str, Field(description="Zone of times without an offset, such as Europe/Berlin; empty: yours.")]
Status = Literal["CONFIRMED", "TENTATIVE", "CANCELLED"]
Privacy = Literal["PUBLIC", "PRIVATE", "CONFIDENTIAL"]


class ChangedEvent(Event):
    """An event after a call, with what there is to say of it."""

    changed: bool | None = None
    """False where everything was so already, and nothing was written."""
    told: list[str] | None = None
    """Who hears of it from Nextcloud."""
    note: str | None = None

    @classmethod
    def of(cls, done: Done) -> "ChangedEvent":
        """Show what became of a change."""
        return cls.model_validate(
            {
                **done.event.model_dump(),
                "changed": None if done.changed else False,
                "told": done.told or None,
                "note": " ".join(done.notes) or None,
            }
        )


class EventList(Model):
    """A page of events; without `next_offset` it is the last."""

    items: list[EventSummary]
    total: int
    start: str
    end: str
    """What was looked at: from start to end, the end not included."""
    next_offset: int | None = None


SUMMARY = EventSummary(
    uid="6f1d...",
    calendar_name="personal",
    title="Stand-up",
    start="2026-03-30T09:30:00+02:00",
    end="2026-03-30T09:45:00+02:00",
    recurrence_id="2026-03-30T09:30:00+02:00",
)
_EVENT = {
    "uid": "6f1d...",
    "calendar_name": "personal",
    "title": "Stand-up",
    "start": "2026-03-30T09:30:00+02:00",
    "end": "2026-03-30T09:45:00+02:00",
    "timezone": "Europe/Berlin",
    "recurrence_rule": "FREQ=WEEKLY;BYDAY=MO",
    "etag": "9b43ff...",
}
EVENT = Event.model_validate(
    {
        **_EVENT,
        "attendees": [Attendee(email="bob@example.org", name="Bob", status="ACCEPTED")],
        "reminders": [Reminder(minutes_before=15)],
    }
)
CHANGED = ChangedEvent.model_validate({**_EVENT, "told": ["bob@example.org"]})
LIST = EventList(
    items=[SUMMARY], total=1, start="2026-03-30T00:00:00+02:00", end="2026-04-06T00:00:00+02:00", next_offset=None
)
