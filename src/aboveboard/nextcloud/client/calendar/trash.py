"""What was deleted of calendars: events, tasks, and whole calendars; and how it comes back."""

import builtins
from typing import Literal

from aboveboard.errors import Conflict, Failure, NotFound
from aboveboard.http import Nature
from aboveboard.nextcloud.client.calendar.collections import Collections
from aboveboard.nextcloud.client.calendar.occurrence import parse_calendar
from aboveboard.nextcloud.client.dav import Dav
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.client.xml import Resource, element, prop

Kind = Literal["event", "task", "calendar"]


class Deleted(Model):
    """Something in the trash bin of the calendars."""

    id: str
    """What restoring takes."""
    kind: Kind
    title: str
    calendar_name: str | None = None
    """Where it was."""
    deleted: str | None = None
    uid: str | None = None


class CalendarTrash:
    """The trash bin of one user's calendars."""

    def __init__(self, dav: Dav, calendars: Collections) -> None:
        self._dav, self._calendars = dav, calendars

    async def list(self) -> list[Deleted]:
        """List what is in the bin, calendars first."""
        gone = [
            Deleted(id=f"calendar/{one.name}", kind="calendar", title=one.display_name, deleted=one.deleted)
            for one in await self._calendars.every()
            if one.deleted
        ]
        return [*gone, *await self._objects()]

    async def holds(self, calendar: str) -> bool:
        """Tell whether the bin shows a calendar."""
        try:
            return any(one.name == calendar and one.deleted for one in await self._calendars.every())
        except Failure:
            return False

    async def keys(self) -> dict[tuple[str | None, str | None], str]:
        """Return what restoring takes of each event and task, by its calendar and uid, of which a bin has one."""
        try:
            return {(one.calendar_name, one.uid): one.id for one in await self._objects()}
        except Failure:  # what was deleted stays deleted, whatever the bin says
            return {}

    async def _objects(self) -> builtins.list[Deleted]:
        at = await self._dav.at("calendars/{user}/trashbin/objects/")
        body = element(
            "cal:calendar-query",
            [
                prop("ncc:deleted-at", "ncc:source-calendar-uri", "cal:calendar-data"),
                element("cal:filter", [element("cal:comp-filter", name="VCALENDAR")]),
            ],
        )
        found = await self._dav.report(at, body, depth=1)
        return [_deleted(one) for one in found if one.text("cal:calendar-data")]

    async def restore(self, key: str) -> Deleted:
        """Bring something back to where it was."""
        name = key.removeprefix("calendar/")
        if name != key:
            calendar = await self._calendars.restore(name)
            return Deleted(id=key, kind="calendar", title=calendar.display_name, calendar_name=calendar.name)
        entry = next((one for one in await self._objects() if one.id == key), None)
        if entry is None:
            raise NotFound(
                f"There is no {key!r} in the trash bin.", status=404, next_step="list_trash shows what there is."
            )
        source = await self._dav.at("calendars/{user}/trashbin/objects/{key}", key=key)
        target = await self._dav.at("calendars/{user}/trashbin/restore/file")
        answer = await self._dav.transfer("MOVE", source, target, headers={}, nature=Nature.ADDS)
        if answer.status == 403 and b"already exists" in answer.content:
            raise Conflict(
                f"Its calendar has something else in the place of {entry.title!r}.",
                status=403,
                next_step="Move or delete that first.",
            )
        self._dav.good(answer)
        return entry


def _deleted(one: Resource) -> Deleted:
    data = (one.text("cal:calendar-data") or "").encode()
    items = [item for item in parse_calendar(data).subcomponents if item.name != "VTIMEZONE"]
    item = min(items, key=lambda one: "RECURRENCE-ID" in one, default=None)
    return Deleted(
        id=one.place.rpartition("/")[2],
        kind="task" if item is not None and item.name == "VTODO" else "event",
        title=str(item.get("SUMMARY", "")) if item is not None else "",
        calendar_name=one.text("ncc:source-calendar-uri"),
        deleted=one.text("ncc:deleted-at"),
        uid=str(item.get("UID", "")) if item is not None else None,
    )
