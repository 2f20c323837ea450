"""Events as people read them: in their own zone, with the last of whole days as the end."""

from datetime import date, datetime, tzinfo
from typing import Any, cast

from aboveboard.nextcloud.client.calendar.alarms import Reminder, reminders_of
from aboveboard.nextcloud.client.calendar.attendees import Attendee, attendees_of
from aboveboard.nextcloud.client.calendar.objects import Stored
from aboveboard.nextcloud.client.calendar.occurrence import Occurrence
from aboveboard.nextcloud.client.calendar.times import last_day, show_time, zone_name
from aboveboard.nextcloud.client.model import Model


class ShownEvent(Model):
    """What all that is shown of an event begins with: which it is, and when."""

    uid: str
    calendar_name: str
    title: str
    start: str
    """In the user's zone; of whole days the first."""
    end: str
    """Of whole days the last."""
    all_day: bool | None = None


class EventSummary(ShownEvent):
    """An event, or one occurrence of a series, in a list."""

    recurrence_id: str | None = None
    """Which occurrence of a series it is."""
    location: str | None = None
    status: str | None = None
    categories: list[str] | None = None
    attendees: int | None = None
    """How many there are."""


class Event(ShownEvent):
    """An event with all that people set."""

    timezone: str | None = None
    """The zone that it is kept in, where it has one."""
    recurrence_id: str | None = None
    recurrence_rule: str | None = None
    description: str | None = None
    location: str | None = None
    status: str | None = None
    priority: int | None = None
    privacy: str | None = None
    categories: list[str] | None = None
    url: str | None = None
    color: str | None = None
    organizer: str | None = None
    attendees: list[Attendee] | None = None
    reminders: list[Reminder] | None = None
    etag: str | None = None


def summary_of(one: Occurrence, stored: Stored, zone: tzinfo) -> EventSummary:
    """Return an occurrence as a list shows it."""
    item = one.item
    return EventSummary(
        **_times(one, zone),
        uid=str(item.get("UID", "")),
        calendar_name=stored.calendar,
        title=text_of(item, "SUMMARY") or "",
        location=text_of(item, "LOCATION"),
        status=text_of(item, "STATUS"),
        categories=categories(item) or None,
        attendees=len(attendees_of(item)) or None,
    )


def event_of(one: Occurrence, stored: Stored, zone: tzinfo) -> Event:
    """Return an event with all that it has."""
    item = one.item
    start, priority = item.get("DTSTART"), item.get("PRIORITY")
    value = start.dt if start is not None else one.start
    rule = item.get("RRULE")
    return Event(
        **_times(one, zone),
        uid=str(item.get("UID", "")),
        calendar_name=stored.calendar,
        title=text_of(item, "SUMMARY") or "",
        timezone=zone_name(value) if isinstance(value, datetime) else None,
        recurrence_rule=rule.to_ical().decode() if hasattr(rule, "to_ical") else None,
        description=text_of(item, "DESCRIPTION"),
        location=text_of(item, "LOCATION"),
        status=text_of(item, "STATUS"),
        priority=int(priority) if isinstance(priority, int) and priority else None,
        privacy=text_of(item, "CLASS"),
        categories=categories(item) or None,
        url=text_of(item, "URL"),
        color=text_of(item, "COLOR"),
        organizer=(text_of(item, "ORGANIZER") or "").lower().removeprefix("mailto:") or None,
        attendees=attendees_of(item) or None,
        reminders=reminders_of(item, zone) or None,
        etag=stored.etag,
    )


def _times(one: Occurrence, zone: tzinfo) -> dict[str, Any]:
    whole = not isinstance(one.start, datetime)
    end: date = last_day(one.end, one.start) if whole else one.end
    return {
        "start": show_time(one.start, zone),
        "end": show_time(end, zone),
        "all_day": True if whole else None,
        "recurrence_id": None if one.planned is None else show_time(one.planned, zone),
    }


def text_of(item: Any, name: str) -> str | None:
    """Return a text of an event or task as the library read it."""
    given = item.get(name)
    # Of a property that may be there once only, the first counts.
    value = cast("list[object]", given)[0] if isinstance(given, list) else given
    return None if value is None else str(value) or None


def categories(item: Any) -> list[str]:
    """Return the categories of an event as the library read it."""
    given = item.get("CATEGORIES", [])
    lines = cast("list[Any]", given if isinstance(given, list) else [given])
    return [str(one) for line in lines for one in getattr(line, "cats", [])]
