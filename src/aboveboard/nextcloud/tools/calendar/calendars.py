"""Calendars themselves: listed, made, changed, deleted, shared."""

from typing import Annotated, Literal

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
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
    def of(cls, calendar: Calendar) -> "CalendarInfo":
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


class CalendarList(Model):
    """Calendars."""

    items: list[CalendarInfo]


CALENDAR = CalendarInfo(name="garden", display_name="Garden", takes=["events"])

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
) -> CalendarInfo:
    """Create a calendar for events and tasks."""
    made = await nextcloud.calendars.create(display_name, description=description or "", color=color)
    return CalendarInfo.of(made)


@tools.tool("Update Calendar", REPLACE, example=CALENDAR)
async def update_calendar(
    nextcloud: NextcloudClient,
    calendar_name: CalendarName,
    display_name: Annotated[str | None, Field(description="New name.")] = None,
    description: Annotated[str | None, Field(description="New description; empty: none.")] = None,
    color: Annotated[str | None, Field(description="Such as #1976D2.")] = None,
) -> CalendarInfo:
    """Replace a calendar's display name, description or colour; what is left out stays."""
    changed = await nextcloud.calendars.update(calendar_name, title=display_name, description=description, color=color)
    return CalendarInfo.of(changed)


@tools.tool("Delete Calendar", DELETE, example=CALENDAR)
async def delete_calendar(nextcloud: NextcloudClient, calendar_name: CalendarName) -> CalendarInfo:
    """Delete a calendar with all that is in it; one's own is kept in the trash bin for 30 days.

    One that someone else shares is only taken off your list.
    """
    return CalendarInfo.of(await nextcloud.calendars.delete(calendar_name))


# Whoever may write may be given less, which takes something away: so it is no ENSURE.
@tools.tool("Share Calendar", REPLACE, example=CALENDAR)
async def share_calendar(
    nextcloud: NextcloudClient,
    calendar_name: CalendarName,
    share_with: ShareWith,
    share_type: ShareType = "user",
    permissions: Annotated[Literal["read", "write"], Field(description="What they may do.")] = "read",
) -> CalendarInfo:
    """Let a person or group see a calendar, or change what they may do with it."""
    return CalendarInfo.of(await nextcloud.calendars.share(calendar_name, share_with, share_type, permissions))


@tools.tool("Unshare Calendar", DELETE, example=CALENDAR)
async def unshare_calendar(
    nextcloud: NextcloudClient, calendar_name: CalendarName, share_with: ShareWith, share_type: ShareType = "user"
) -> CalendarInfo:
    """Take a calendar away from a person or group it is shared with; for you it stays."""
    return CalendarInfo.of(await nextcloud.calendars.share(calendar_name, share_with, share_type, None))
