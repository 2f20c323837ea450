"""What was deleted of calendars, and how it comes back."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import ENSURE, READ
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.calendar.trash import Deleted
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.tools.calendar.area import tools


class DeletedList(Model):
    """What is in the trash bin of the calendars."""

    items: list[Deleted]


class Restored(Deleted):
    """What is back; the app that shows it is at `url`."""

    url: str | None = None


DELETED = Deleted(id="57.ics", kind="event", title="Tea", calendar_name="personal")


@tools.tool("List Calendar Trash", READ, example=DeletedList(items=[DELETED]))
async def list_trash(nextcloud: NextcloudClient) -> DeletedList:
    """List the events, tasks and calendars that were deleted and can be restored."""
    return DeletedList(items=await nextcloud.calendar_trash.list())


@tools.tool("Restore from Calendar Trash", ENSURE, example=Restored.model_validate(DELETED.model_dump()))
async def restore_from_trash(
    nextcloud: NextcloudClient,
    id: Annotated[str, Field(description="Id from list_trash, or title.")],  # noqa: A002 (what people read)
) -> Restored:
    """Bring a deleted event, task or calendar back to where it was, as it was."""
    back = await nextcloud.calendar_trash.restore(id)
    # The bin does not tell the address that it had, by which the Calendar app would open it.
    url = nextcloud.app_url("tasks" if back.kind == "task" else "calendar")
    return Restored.model_validate({**back.model_dump(), "url": url})
