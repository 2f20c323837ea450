"""Events: read, created, changed, deleted, answered."""

from datetime import timedelta
from typing import Annotated, Literal

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.gone import FOR_GOOD, UNSEEN
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.calendar.alarms import Reminder
from aboveboard.nextcloud.client.calendar.attendees import InvitationAnswer
from aboveboard.nextcloud.client.calendar.event_changes import Changes
from aboveboard.nextcloud.client.calendar.fields import Fields, split_words
from aboveboard.nextcloud.client.calendar.timing import Timing
from aboveboard.nextcloud.client.calendar.views import Event
from aboveboard.nextcloud.tools.calendar.area import (
    CHANGED,
    EVENT,
    LOST,
    AndFollowing,
    CalendarName,
    ChangedEvent,
    EventUid,
    LostEvent,
    OneOccurrence,
    Privacy,
    Status,
    Zone,
    tools,
)
from aboveboard.nextcloud.tools.gone import from_the_calendar_bin

Title = Annotated[str, Field(description="Title.", min_length=1)]
Text = Annotated[str | None, Field(description="Text.")]
Place = Annotated[str | None, Field(description="Place.")]
Attendees = Annotated[str | None, Field(description="Invited: a@b.org, Bo <bo@b.org>, optional: c@b.org.")]
Reminders = Annotated[list[Reminder] | None, Field(description="All reminders; empty: none.")]
Minutes = Annotated[int, Field(description="Reminder before the start.", ge=0)]


@tools.tool("Get Calendar Event", READ, example=EVENT)
async def get_event(
    nextcloud: NextcloudClient, calendar_name: CalendarName, event_uid: EventUid, occurrence: OneOccurrence = None
) -> Event:
    """Read an event or series, or one occurrence, with attendees, reminders and its etag; times are in your zone."""
    return await nextcloud.events.get(calendar_name, event_uid, occurrence)


@tools.tool("Create Calendar Event", ADD, example=CHANGED, core=True)
async def create_event(
    nextcloud: NextcloudClient,
    calendar_name: CalendarName,
    title: Title,
    start_datetime: Annotated[str, Field(description="2026-03-30T09:30, with offset or not; a date: all day.")],
    end_datetime: Annotated[str | None, Field(description="A date is included. Left out: an hour, a day.")] = None,
    all_day: Annotated[bool, Field(description="Take times for days.")] = False,
    description: Text = None,
    location: Place = None,
    categories: Annotated[str | None, Field(description="By commas.")] = None,
    recurring: Annotated[bool | None, Field(description="True needs a rule.")] = None,
    recurrence_rule: Annotated[str | None, Field(description="Such as FREQ=WEEKLY;BYDAY=MO.")] = None,
    recurrence_end_date: Annotated[str | None, Field(description="Last day.")] = None,
    reminder_minutes: Minutes = 15,
    reminder_email: Annotated[bool, Field(description="By mail too.")] = False,
    status: Annotated[Status, Field(description="How certain.")] = "CONFIRMED",
    priority: Annotated[int, Field(description="1 high, 9 low, 0 none.", ge=0, le=9)] = 5,
    privacy: Annotated[Privacy, Field(description="For who may only read; attendees see all.")] = "PUBLIC",
    attendees: Attendees = None,
    url: Annotated[str | None, Field(description="Web address.")] = None,
    color: Annotated[str | None, Field(description="CSS name.")] = None,
    timezone: Zone = None,
    reminders: Reminders = None,
) -> ChangedEvent:
    """Create an event or series; attendees get an invitation. A time without offset and zone is one in your zone."""
    if recurring is not None and recurring != bool(recurrence_rule):
        raise BadInput("recurring and recurrence_rule do not fit.", next_step="Give a rule with recurring, or neither.")
    fields = Fields(
        title=title,
        description=description or None,
        location=location or None,
        categories=split_words(categories or "") or None,
        status=status,
        priority=priority or None,
        privacy=None if privacy == "PUBLIC" else privacy,
        url=url or None,
        color=color or None,
    )
    timing = Timing(start=start_datetime, end=end_datetime or None, all_day=all_day or None, zone=timezone or "")
    changes = Changes(
        fields=fields,
        timing=timing,
        rule=recurrence_rule or None,
        rule_end=recurrence_end_date or None,
        attendees=attendees or None,
        reminders=_reminders(reminders, reminder_minutes, mail=reminder_email),
    )
    return await ChangedEvent.at(nextcloud, await nextcloud.events.create(calendar_name, changes))


@tools.tool("Create Meeting", ADD, example=CHANGED)
async def create_meeting(
    nextcloud: NextcloudClient,
    title: Title,
    date: Annotated[str, Field(description="Such as 2026-03-30.")],
    time: Annotated[str, Field(description="Such as 14:30.")],
    duration_minutes: Annotated[int, Field(description="How long.", ge=1, le=10_080)] = 60,
    calendar_name: CalendarName = "personal",
    attendees: Attendees = None,
    location: Place = None,
    description: Text = None,
    reminder_minutes: Minutes = 15,
    timezone: Zone = None,
) -> ChangedEvent:
    """Create an event from a day, a time and a length, and invite people to it."""
    timing = Timing(
        start=f"{date.strip()}T{time.strip()}", duration=timedelta(minutes=duration_minutes), zone=timezone or ""
    )
    fields = Fields(title=title, description=description or None, location=location or None, status="CONFIRMED")
    changes = Changes(
        fields=fields, timing=timing, attendees=attendees or None, reminders=_reminders(None, reminder_minutes)
    )
    return await ChangedEvent.at(nextcloud, await nextcloud.events.create(calendar_name, changes))


@tools.tool("Update Calendar Event", REPLACE, example=CHANGED)
async def update_event(
    nextcloud: NextcloudClient,
    calendar_name: CalendarName,
    event_uid: EventUid,
    title: Annotated[str | None, Field(description="Title.", min_length=1)] = None,
    start_datetime: Annotated[str | None, Field(description="Start; the length stays.")] = None,
    end_datetime: Annotated[str | None, Field(description="End; a date is included.")] = None,
    all_day: Annotated[bool | None, Field(description="Take the times for days.")] = None,
    description: Text = None,
    location: Place = None,
    categories: Annotated[str | None, Field(description="All, by commas.")] = None,
    recurring: Annotated[bool | None, Field(description="False: no series.")] = None,
    recurrence_rule: Annotated[str | None, Field(description="Rule.")] = None,
    recurrence_end_date: Annotated[str | None, Field(description="Last day.")] = None,
    reminder_minutes: Annotated[int | None, Field(description="One reminder for all.", ge=0)] = None,
    reminder_email: Annotated[bool | None, Field(description="By mail too.")] = None,
    status: Annotated[Literal["CONFIRMED", "TENTATIVE", "CANCELLED", ""] | None, Field(description="Status.")] = None,
    priority: Annotated[int | None, Field(description="0: none.", ge=0, le=9)] = None,
    privacy: Annotated[Literal["PUBLIC", "PRIVATE", "CONFIDENTIAL", ""] | None, Field(description="Privacy.")] = None,
    attendees: Annotated[str | None, Field(description="All: a@b.org, optional: c@b.org.")] = None,
    url: Annotated[str | None, Field(description="Web address.")] = None,
    color: Annotated[str | None, Field(description="CSS name.")] = None,
    timezone: Zone = None,
    reminders: Reminders = None,
    occurrence: OneOccurrence = None,
    and_following: AndFollowing = False,
    etag: Annotated[str | None, Field(description="Only if it is this one still.")] = None,
) -> ChangedEvent:
    """Replace what is given of an event, an empty text taking it away; the rest stays, and attendees are told."""
    _need_occurrence(occurrence, and_following=and_following)
    fields = Fields(
        title=title,
        description=description,
        location=location,
        categories=None if categories is None else split_words(categories),
        status=status,
        priority=priority,
        privacy=privacy,
        url=url,
        color=color,
    )
    given = None if reminder_minutes is None and reminders is None else reminder_minutes
    changes = Changes(
        fields=fields,
        timing=Timing(start=start_datetime, end=end_datetime, all_day=all_day, zone=timezone or ""),
        rule="" if recurring is False else recurrence_rule,
        rule_end=recurrence_end_date,
        attendees=attendees,
        reminders=None
        if reminder_minutes is None and reminders is None
        else _reminders(reminders, given or 0, mail=bool(reminder_email)),
    )
    if changes == Changes():
        raise BadInput("There is nothing to change.", next_step="Give at least one new value.")
    done = await nextcloud.events.update(
        calendar_name, event_uid, changes, occurrence=occurrence, following=and_following, etag=etag or None
    )
    return await ChangedEvent.at(nextcloud, done)


@tools.tool("Delete Calendar Event", DELETE, example=LOST)
async def delete_event(
    nextcloud: NextcloudClient,
    calendar_name: CalendarName,
    event_uid: EventUid,
    occurrence: OneOccurrence = None,
    and_following: AndFollowing = False,
) -> LostEvent:
    """Delete an event or series, which the trash bin keeps for a while, or occurrences of one, which are gone.

    Attendees are told that it is cancelled; of someone else's event the organizer is told that you decline.
    """
    _need_occurrence(occurrence, and_following=and_following)
    done = await nextcloud.events.delete(calendar_name, event_uid, occurrence=occurrence, following=and_following)
    back = await from_the_calendar_bin(nextcloud, done.event.calendar_name, event_uid, others=bool(done.told))
    if occurrence is not None:  # what is left out of a series is in no bin
        back = FOR_GOOD if back == UNSEEN else back
    shown = ChangedEvent.of(done).model_dump()
    return LostEvent.model_validate({**shown, "gone": done.event.title, "to_get_back": back})


@tools.tool("Respond to Invitation", REPLACE, example=CHANGED)
async def respond_to_invitation(
    nextcloud: NextcloudClient,
    calendar_name: CalendarName,
    event_uid: EventUid,
    response: Annotated[InvitationAnswer, Field(description="Your answer.")],
    occurrence: OneOccurrence = None,
) -> ChangedEvent:
    """Answer an invitation; the answer before is gone, and the organizer is told."""
    return await ChangedEvent.at(
        nextcloud, await nextcloud.events.respond(calendar_name, event_uid, response, occurrence)
    )


def _need_occurrence(occurrence: str | None, *, and_following: bool) -> None:
    if and_following and occurrence is None:
        raise BadInput("and_following needs an occurrence to begin with.", next_step="Give occurrence too.")


def _reminders(given: list[Reminder] | None, minutes: int, *, mail: bool = False) -> list[Reminder]:
    if given is not None:
        return given
    made = [Reminder(minutes_before=minutes)]
    return [*made, Reminder(action="EMAIL", minutes_before=minutes)] if mail else made
