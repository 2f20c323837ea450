"""Many events at once."""

from typing import Annotated, Final

from pydantic import Field

from aboveboard.effects import DELETE, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.gone import Gone, shorten_text
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.calendar.bulk import Treated
from aboveboard.nextcloud.client.calendar.fields import Fields, split_words
from aboveboard.nextcloud.client.calendar.objects import Stored
from aboveboard.nextcloud.client.calendar.search import Wanted
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.tools.calendar.area import AnyCalendar, CalendarName, Status, tools

TitleContains = Annotated[str | None, Field(description="In the title.", min_length=1)]
Categories = Annotated[str | None, Field(description="One of these, by commas.", min_length=1)]
StartDate = Annotated[str | None, Field(description="Left out: ever.", min_length=1)]
EndDate = Annotated[str | None, Field(description="Included; left out: ever.", min_length=1)]
OfStatus = Annotated[Status | None, Field(description="Status.")]
LocationContains = Annotated[str | None, Field(description="In the place.", min_length=1)]
DryRun = Annotated[bool, Field(description="Only tell what would be done.")]


class TreatedEvents(Model):
    """What became of each event, or would."""

    items: list[Treated]
    matched: int
    changed: int
    failed: int
    dry_run: bool | None = None
    calendar_name: str | None = None
    title_contains: str | None = None
    status: str | None = None
    """What they were chosen by."""
    url: str | None = None
    """Where people open the Calendar app."""


class DeletedEvents(TreatedEvents, Gone):
    """What became of each event that was to be deleted; `trash_id` is what restoring takes."""


EACH = "restore_from_trash with the trash_id of each as its id brings it back; without one it is gone."
NOTHING = "Nothing was deleted."
NAMED: Final = 5
"""Titles of events that are gone which are told in one line."""
RESULT = TreatedEvents(items=[], matched=0, changed=0, failed=0)
LOST = DeletedEvents(**RESULT.model_dump(), gone="nothing", to_get_back=NOTHING)


@tools.tool("Bulk Update Events", REPLACE, example=RESULT)
async def bulk_update_events(
    nextcloud: NextcloudClient,
    calendar_name: AnyCalendar = None,
    title_contains: TitleContains = None,
    categories: Categories = None,
    start_date: StartDate = None,
    end_date: EndDate = None,
    status: OfStatus = None,
    location_contains: LocationContains = None,
    new_title: Annotated[str | None, Field(description="Title.", min_length=1)] = None,
    new_description: Annotated[str | None, Field(description="Text; empty: none.")] = None,
    new_location: Annotated[str | None, Field(description="Place; empty: none.")] = None,
    new_categories: Annotated[str | None, Field(description="All; empty: none.")] = None,
    new_priority: Annotated[int | None, Field(description="0: none.", ge=0, le=9)] = None,
    new_reminder_minutes: Annotated[int | None, Field(description="One for all.", ge=0)] = None,
    dry_run: DryRun = False,
) -> TreatedEvents:
    """Replace the same of all events that match, series as a whole; the old values are gone, attendees are told."""
    wanted = _wanted(title_contains, location_contains, categories, status)
    found = await _matching(nextcloud, calendar_name, start_date, end_date, wanted)
    fields = Fields(
        title=new_title,
        description=new_description,
        location=new_location,
        categories=None if new_categories is None else split_words(new_categories),
        priority=new_priority,
    )
    results = await nextcloud.bulk_events.update(found, fields, new_reminder_minutes, dry_run=dry_run)
    return _result(results, dry_run=dry_run).model_copy(update={"url": nextcloud.app_url("calendar")})


@tools.tool("Bulk Move Events", REPLACE, example=RESULT)
async def bulk_move_events(
    nextcloud: NextcloudClient,
    target_calendar: CalendarName,
    calendar_name: AnyCalendar = None,
    title_contains: TitleContains = None,
    categories: Categories = None,
    start_date: StartDate = None,
    end_date: EndDate = None,
    status: OfStatus = None,
    location_contains: LocationContains = None,
    dry_run: DryRun = False,
) -> TreatedEvents:
    """Move all events that match into another calendar, as they are, series as a whole; attendees are not told."""
    wanted = _wanted(title_contains, location_contains, categories, status)
    found = await _matching(nextcloud, calendar_name, start_date, end_date, wanted)
    results = await nextcloud.bulk_events.move(found, target_calendar, dry_run=dry_run)
    return _result(results, dry_run=dry_run).model_copy(update={"url": nextcloud.app_url("calendar")})


@tools.tool("Bulk Delete Events", DELETE, example=LOST)
async def bulk_delete_events(
    nextcloud: NextcloudClient,
    calendar_name: AnyCalendar = None,
    title_contains: TitleContains = None,
    categories: Categories = None,
    start_date: StartDate = None,
    end_date: EndDate = None,
    status: OfStatus = None,
    location_contains: LocationContains = None,
    dry_run: DryRun = False,
) -> DeletedEvents:
    """Delete all events that match, series as a whole; the trash bin keeps them for a while, attendees are told."""
    wanted = _wanted(title_contains, location_contains, categories, status)
    found = await _matching(nextcloud, calendar_name, start_date, end_date, wanted)
    treated = await nextcloud.bulk_events.delete(found, dry_run=dry_run)
    lost = [one.title for one in treated if one.outcome == "changed"]
    keys = await nextcloud.calendar_trash.keys() if lost else {}
    items = [one.model_copy(update={"trash_id": keys.get((one.calendar_name, one.uid))}) for one in treated]
    result = _result(items, dry_run=dry_run)
    chosen = {"calendar_name": calendar_name, "title_contains": title_contains, "status": status}
    told = {"gone": _some(lost) or "nothing", "to_get_back": EACH if lost else NOTHING}
    return DeletedEvents.model_validate({**result.model_dump(), **chosen, **told})


def _some(titles: list[str]) -> str:
    """Name the first of many; the items have all."""
    more = [f"{len(titles) - NAMED} more"] if len(titles) > NAMED else []
    return ", ".join([*map(shorten_text, titles[:NAMED]), *more])


def _wanted(title: str | None, location: str | None, categories: str | None, status: Status | None) -> Wanted:
    words = split_words(categories) if categories else None
    return Wanted(title=title, location=location, categories=words, status=status)


async def _matching(
    nextcloud: NextcloudClient, calendar: str | None, start: str | None, end: str | None, wanted: Wanted
) -> list[Stored]:
    if not (calendar or start or end or wanted.anything):
        raise BadInput("That would be every event there is.", next_step="Say which events are meant.")
    return await nextcloud.event_search.objects(calendar or "", start or "", end or "", wanted)


def _result(items: list[Treated], *, dry_run: bool) -> TreatedEvents:
    return TreatedEvents(
        items=items,
        matched=len(items),
        changed=sum(one.outcome == "changed" for one in items),
        failed=sum(one.outcome == "failed" for one in items),
        dry_run=dry_run or None,
    )
