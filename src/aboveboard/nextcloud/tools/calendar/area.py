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

CalendarName = Annotated[str, Field(description="As list_calendars shows it.")]
AnyCalendar = Annotated[str | None, Field(description="Left out: all.")]
EventUid = Annotated[str, Field(description="Its uid.")]
OneOccurrence = Annotated[str | None, Field(description="Only that with this recurrence_id.")]
AndFollowing = Annotated[bool, Field(description="And all after it.")]
Limit = Annotated[int, Field(description="At most.", ge=1, le=500)]
Offset = Annotated[int, Field(description="next_offset of the page before.", ge=0)]
Zone = Annotated[str | None, Field(description="Of times without offset; left out: yours.")]
Status = Literal["CONFIRMED", "TENTATIVE", "CANCELLED"]
Privacy = Literal["PUBLIC", "PRIVATE", "CONFIDENTIAL"]


class ChangedEvent(Model):
    """An event after a call, with what there is to say of it; get_event tells the rest."""

    uid: str
    calendar_name: str
    title: str
    start: str
    end: str
    all_day: bool | None = None
    timezone: str | None = None
    recurrence_id: str | None = None
    recurrence_rule: str | None = None
    etag: str | None = None
    changed: bool | None = None
    """False where everything was so already, and nothing was written."""
    told: list[str] | None = None
    """Who hears of it from Nextcloud."""
    note: str | None = None

    @classmethod
    def of(cls, done: Done) -> "ChangedEvent":
        """Show what became of a change."""
        event = {name: value for name, value in done.event.model_dump().items() if name in cls.model_fields}
        said = {"changed": None if done.changed else False, "told": done.told or None}
        return cls.model_validate({**event, **said, "note": " ".join(done.notes) or None})


class EventList(Model):
    """A page of events; without `next_offset` it is the last."""

    items: list[EventSummary]
    total: int
    start: str
    end: str
    """What was looked at: from start to end, the end not included."""
    next_offset: int | None = None


_EVENT = {
    "uid": "6f1d...",
    "calendar_name": "personal",
    "title": "Tea",
    "start": "2026-03-30T09:30:00+02:00",
    "end": "2026-03-30T10:00:00+02:00",
}
EVENT = Event.model_validate(
    {
        **_EVENT,
        "attendees": [Attendee(email="bob@example.org", status="ACCEPTED")],
        "reminders": [Reminder(minutes_before=15)],
        "etag": "9b43ff...",
    }
)
CHANGED = ChangedEvent.model_validate({**_EVENT, "told": ["bob@example.org"]})
LIST = EventList(items=[EventSummary.model_validate(_EVENT)], total=1, start="2026-03-30T...", end="2026-04-06T...")
