"""The area of calendars: its toolset, and what its tools take and show alike."""

from base64 import b64encode
from typing import Annotated, Literal
from urllib.parse import quote, urlsplit

from pydantic import Field

from aboveboard.kit.gone import Gone
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.calendar.alarms import Reminder
from aboveboard.nextcloud.client.calendar.attendees import Attendee
from aboveboard.nextcloud.client.calendar.events import Done
from aboveboard.nextcloud.client.calendar.views import Event, EventSummary, ShownEvent
from aboveboard.nextcloud.client.model import Model

tools = Toolset[NextcloudClient](
    "calendar", title="Calendar", icon="M4 5h16v16H4zm2 6v8h12v-8zM7 2h2v4H7zm8 0h2v4h-2z", prefix="nc_calendar_"
)

CalendarName = Annotated[str, Field(description="Name or display name.")]
AnyCalendar = Annotated[str | None, Field(description="Left out: all.")]
EventUid = Annotated[str, Field(description="Its uid or title.")]
OneOccurrence = Annotated[str | None, Field(description="Only that with this recurrence_id.")]
AndFollowing = Annotated[bool, Field(description="And all after it.")]
Limit = Annotated[int, Field(description="At most.", ge=1, le=500)]
Offset = Annotated[int, Field(description="next_offset of the page before.", ge=0)]
Zone = Annotated[str | None, Field(description="Of times without offset; left out: yours.")]
Status = Literal["CONFIRMED", "TENTATIVE", "CANCELLED"]
Privacy = Literal["PUBLIC", "PRIVATE", "CONFIDENTIAL"]


class ChangedEvent(ShownEvent):
    """An event after a call, with what there is to say of it; get_event tells the rest."""

    timezone: str | None = None
    recurrence_id: str | None = None
    recurrence_rule: str | None = None
    etag: str | None = None
    changed: bool | None = None
    """False where everything was so already, and nothing was written."""
    told: list[str] | None = None
    """Who hears of it from Nextcloud."""
    note: str | None = None
    url: str | None = None
    """Where people open it in the Calendar app; a web address of its own is the url of get_event."""

    @classmethod
    def of(cls, done: Done) -> "ChangedEvent":
        """Show what became of a change."""
        shown = cls.model_fields.keys() - {"url"}  # its own web address has that name too
        event = {name: value for name, value in done.event.model_dump().items() if name in shown}
        said = {"changed": None if done.changed else False, "told": done.told or None}
        return cls.model_validate({**event, **said, "note": " ".join(done.notes) or None})

    @classmethod
    async def at(cls, nextcloud: NextcloudClient, done: Done) -> "ChangedEvent":
        """Show what became of an event that is still there, and where."""
        url = await event_url(nextcloud, done.event.calendar_name, done.file)
        return cls.of(done).model_copy(update={"url": url})


async def event_url(nextcloud: NextcloudClient, calendar: str, file: str) -> str:
    """Return where people open an event: the Calendar app is given its DAV address, written as the server writes it."""
    places = ("remote.php", "dav", "calendars", await nextcloud.principal(), calendar, file)
    at = "/".join([urlsplit(nextcloud.url).path, *(quote(place, safe=":@()") for place in places)])
    return f"{nextcloud.app_url('calendar')}edit/{b64encode(at.encode()).decode()}"


def task_url(nextcloud: NextcloudClient, calendar: str, file: str) -> str:
    """Return where people open a task: the Tasks app goes by the names of its calendar and of its file."""
    return f"{nextcloud.app_url('tasks')}calendars/{quote(calendar, safe='')}/tasks/{quote(file, safe='')}"


class LostEvent(ChangedEvent, Gone):
    """An event that is gone, or occurrences of one."""


class EventList(Model):
    """A page of events; without `next_offset` it is the last."""

    items: list[EventSummary]
    total: int
    start: str
    end: str
    """What was looked at: from start to end, the end not included."""
    next_offset: int | None = None
    note: str | None = None


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
LOST = LostEvent.model_validate(
    {
        "gone": "Tea",
        "to_get_back": "restore_from_trash with {...} brings it back.",
        **_EVENT,
        "start": "2026-03-30T...",
        "end": "2026-03-30T...",
    }
)
CHANGED = ChangedEvent.model_validate({**_EVENT, "told": ["bob@example.org"]})
LIST = EventList(items=[EventSummary.model_validate(_EVENT)], total=1, start="2026-03-30T...", end="2026-04-06T...")
