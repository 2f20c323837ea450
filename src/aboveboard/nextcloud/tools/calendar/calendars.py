"""Calendars themselves: listed, made, changed, deleted, shared."""

from typing import Annotated, Literal, Self

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.kit.gone import GONE_BEFORE, UNSEEN, Gone, by_calling
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.calendar.collections import Calendar, Sharee
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.tools.calendar.area import CalendarName, tools

_KINDS = {"VEVENT": "events", "VTODO": "tasks", "VJOURNAL": "journals"}


class CalendarInfo(Model):
    """A calendar."""

    name: str
    display_name: str
    takes: list[str]
    color: str | None = None
    description: str | None = None
    read_only: bool | None = None
    owner: str | None = None
    """Whose it is, if not yours."""
    transparent: bool | None = None
    """What is in it leaves you free."""
    shared_with: list[Sharee] | None = None

    @classmethod
    def of(cls, calendar: Calendar) -> Self:
        """Show a calendar."""
        return cls(
            name=calendar.name,
            display_name=calendar.display_name,
            takes=[_KINDS.get(one, one) for one in calendar.components] or ["events", "tasks"],
            color=calendar.color,
            description=calendar.description,
            read_only=None if calendar.writable else True,
            owner=calendar.owner,
            transparent=calendar.transparent or None,
            shared_with=list(calendar.shared_with) or None,
        )


class ChangedCalendar(CalendarInfo):
    """A calendar after a call; the Calendar app is at `url`."""

    url: str | None = None

    @classmethod
    def after(cls, nextcloud: NextcloudClient, calendar: Calendar) -> Self:
        """Show a calendar that was written."""
        return cls.model_validate({**cls.of(calendar).model_dump(), "url": nextcloud.app_url("calendar")})


class LostCalendar(ChangedCalendar, Gone):
    """A calendar that is gone, or someone's sight of it."""


class CalendarList(Model):
    """Calendars."""

    items: list[CalendarInfo]


CALENDAR = ChangedCalendar(name="garden", display_name="Garden", takes=["events"])
_CALENDAR = CALENDAR.model_dump()
LOST = LostCalendar(**_CALENDAR, gone="Garden", to_get_back="restore_from_trash with {...} brings it back.")
UNSHARED = LostCalendar(
    **_CALENDAR, gone="the share of Garden with bob", to_get_back="share_calendar with {...} brings it back."
)

Title = Annotated[str, Field(description="What people call it.")]
Color = Annotated[str, Field(description="Such as #1976D2.")]
ShareWith = Annotated[str, Field(description="Id of a person or group.")]
ShareType = Annotated[Literal["user", "group"], Field(description="What share_with is.")]


@tools.tool("List Calendars", READ, example=CalendarList(items=[CALENDAR]))
async def list_calendars(nextcloud: NextcloudClient) -> CalendarList:
    """List the user's calendars, those that others share among them."""
    return CalendarList(items=[CalendarInfo.of(one) for one in await nextcloud.calendars.list()])


@tools.tool("Create Calendar", ADD, example=CALENDAR)
async def create_calendar(
    nextcloud: NextcloudClient,
    display_name: Title,
    description: Annotated[str | None, Field(description="What it is for.")] = None,
    color: Color = "#1976D2",
) -> ChangedCalendar:
    """Create a calendar for events and tasks."""
    made = await nextcloud.calendars.create(display_name, description=description or "", color=color)
    return ChangedCalendar.after(nextcloud, made)


@tools.tool("Update Calendar", REPLACE, example=CALENDAR)
async def update_calendar(
    nextcloud: NextcloudClient,
    calendar_name: CalendarName,
    display_name: Annotated[str | None, Field(description="New name.")] = None,
    description: Annotated[str | None, Field(description="New description; empty: none.")] = None,
    color: Annotated[str | None, Field(description="Such as #1976D2.")] = None,
) -> ChangedCalendar:
    """Replace a calendar's display name, description or colour; what is left out stays."""
    changed = await nextcloud.calendars.update(calendar_name, title=display_name, description=description, color=color)
    return ChangedCalendar.after(nextcloud, changed)


@tools.tool("Delete Calendar", DELETE, example=LOST)
async def delete_calendar(nextcloud: NextcloudClient, calendar_name: CalendarName) -> LostCalendar:
    """Delete a calendar with all that is in it; one's own is kept in the trash bin for 30 days.

    One that someone else shares is only taken off your list.
    """
    gone = await nextcloud.calendars.delete(calendar_name)
    if gone.owner:
        back = f"Only {gone.owner}, whose it is, can share it again."
    elif await nextcloud.calendar_trash.holds(gone.name):
        back = by_calling("restore_from_trash", "brings it back, for a while", id=f"calendar/{gone.name}")
    else:
        back = UNSEEN
    return _lost(CalendarInfo.of(gone), gone.display_name, back)


# Whoever may write may be given less, which takes something away: so it is no ENSURE.
@tools.tool("Share Calendar", REPLACE, example=CALENDAR)
async def share_calendar(
    nextcloud: NextcloudClient,
    calendar_name: CalendarName,
    share_with: ShareWith,
    share_type: ShareType = "user",
    permissions: Annotated[Literal["read", "write"], Field(description="What they may do.")] = "read",
) -> ChangedCalendar:
    """Let a person or group see a calendar, or change what they may do with it."""
    shared = await nextcloud.calendars.share(calendar_name, share_with, share_type, permissions)
    return ChangedCalendar.after(nextcloud, shared)


@tools.tool("Unshare Calendar", DELETE, example=UNSHARED)
async def unshare_calendar(
    nextcloud: NextcloudClient, calendar_name: CalendarName, share_with: ShareWith, share_type: ShareType = "user"
) -> LostCalendar:
    """Take a calendar away from a person or group it is shared with; for you it stays."""
    before = (await nextcloud.calendars.get(calendar_name)).access_of(share_with, share_type)
    calendar = await nextcloud.calendars.share(calendar_name, share_with, share_type, None)
    share = {"calendar_name": calendar.name, "share_with": share_with, "share_type": share_type, "permissions": before}
    back = by_calling("share_calendar", **share) if before else GONE_BEFORE
    return _lost(
        ChangedCalendar.after(nextcloud, calendar), f"the share of {calendar.display_name} with {share_with}", back
    )


def _lost(shown: CalendarInfo, gone: str, back: str) -> LostCalendar:
    return LostCalendar.model_validate({**shown.model_dump(), "gone": gone, "to_get_back": back})
