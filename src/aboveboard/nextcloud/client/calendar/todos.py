"""Tasks: found, created, changed, completed, deleted; whatever is not named stays as it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from typing import Any
from uuid import uuid4

from pydantic import PrivateAttr

from aboveboard.nextcloud.client.account import Account
from aboveboard.nextcloud.client.calendar.alarms import Reminder, reminders_of
from aboveboard.nextcloud.client.calendar.collections import Calendar, Collections
from aboveboard.nextcloud.client.calendar.editing import Document
from aboveboard.nextcloud.client.calendar.fields import blank, stamp
from aboveboard.nextcloud.client.calendar.objects import Objects, Stored
from aboveboard.nextcloud.client.calendar.occurrence import main_of, parse_calendar, span_of
from aboveboard.nextcloud.client.calendar.parting import begin_with, cut_series
from aboveboard.nextcloud.client.calendar.recurrence import following
from aboveboard.nextcloud.client.calendar.series import master
from aboveboard.nextcloud.client.calendar.times import read_when, show_time
from aboveboard.nextcloud.client.calendar.todo_changes import TODO, TodoChanges, apply, parents, set_done, set_status
from aboveboard.nextcloud.client.calendar.views import categories, text_of
from aboveboard.nextcloud.client.files.etags import bare, stale
from aboveboard.nextcloud.client.model import Model


class Todo(Model):
    """A task; times are in the user's zone, and what it does not have is left out."""

    uid: str
    calendar_name: str
    summary: str
    status: str = "NEEDS-ACTION"
    priority: int | None = None
    percent_complete: int | None = None
    start: str | None = None
    due: str | None = None
    completed: str | None = None
    categories: list[str] | None = None
    parent: str | None = None
    """The uid of the task that this one is a part of."""
    recurrence_rule: str | None = None
    description: str | None = None
    location: str | None = None
    url: str | None = None
    reminders: list[Reminder] | None = None
    etag: str | None = None
    _file: str = PrivateAttr("")

    @property
    def file(self) -> str:
        """The name by which its calendar keeps it; nobody needs it but the web client."""
        return self._file


@dataclass(frozen=True, kw_only=True)
class WantedTodos:
    """What tasks shall say; None does not matter."""

    status: str | None = None
    min_priority: int | None = None
    categories: Sequence[str] | None = None
    text: str | None = None

    def fits(self, todo: Todo) -> bool:
        """Tell whether a task says this; a priority of 1 is the highest, and none is the lowest."""
        known = {name.casefold() for name in todo.categories or ()}
        return (
            (self.status is None or todo.status == self.status)
            and (self.min_priority is None or 0 < (todo.priority or 0) <= self.min_priority)
            and (self.categories is None or any(name.casefold() in known for name in self.categories))
            and (self.text is None or self.text.casefold() in todo.summary.casefold())
        )


class Todos:
    """The tasks of one user."""

    def __init__(self, account: Account, calendars: Collections, objects: Objects) -> None:
        self._account, self._calendars, self._objects = account, calendars, objects

    async def find(self, calendar: str | None, wanted: WantedTodos) -> list[Todo]:
        """Find tasks in a calendar, or in all that take tasks: what is due first comes first."""
        zone = await self._account.zone()
        here = await self._calendars.list(TODO)
        if calendar is not None:
            name = (await self._calendars.get(calendar)).name
            here = [one for one in here if one.name == name] or [await self._none_here(calendar)]
        found = [todo_of(one, zone) for one in await self._objects.within(here, TODO, None)]
        return sorted((one for one in found if wanted.fits(one)), key=_order)

    async def create(self, calendar: str, changes: TodoChanges) -> tuple[Todo, bool]:
        """Create a task; tell whether a zone had to be assumed."""
        target = await self._calendars.to_write(calendar, TODO)
        zone, mail = await self._me()
        uid = str(uuid4())
        document = blank(uid, TODO)
        assumed = apply(document, changes, zone, mail)
        return todo_of(await self._objects.create(target.name, uid, document.data), zone), assumed

    async def update(
        self, calendar: str, uid: str, changes: TodoChanges, *, etag: str | None = None
    ) -> tuple[Todo, bool, bool]:
        """Change a task; tell whether it is not as it was, and whether a zone had to be assumed."""
        zone, mail = await self._me()
        assumed = False

        def change(document: Document) -> None:
            nonlocal assumed
            assumed = apply(document, changes, zone, mail)

        todo, changed = await self._change(calendar, uid, change, etag)
        return todo, changed, assumed

    async def complete(
        self, calendar: str, uid: str, *, completed: str | None = None, etag: str | None = None
    ) -> tuple[Todo, bool]:
        """Complete a task; one that repeats moves on to its next time, if there is one."""
        zone, _ = await self._me()
        moment = read_when(completed, zone, what="time").instant(zone) if completed else datetime.now(UTC)

        def change(document: Document) -> None:
            item = master(document, TODO)
            later = following(document.data, TODO, zone) if item.lines("RRULE", "RDATE") else None
            if later is None:
                set_done(item, moment)
                return
            begin_with(document, TODO, cut_series(document.data, TODO, later, zone), uid)
            set_status(item, "NEEDS-ACTION")

        return await self._change(calendar, uid, change, etag)

    async def delete(self, calendar: str, uid: str) -> Todo:
        """Delete a task, which goes to the bin, and return what it was; what is a part of it stays."""
        zone, _ = await self._me()
        target = await self._calendars.to_write(calendar, TODO)
        stored = await self._objects.find(target.name, uid, TODO)
        await self._objects.delete(stored)
        return todo_of(stored, zone)

    async def _change(
        self, calendar: str, uid: str, change: Callable[[Document], None], etag: str | None
    ) -> tuple[Todo, bool]:
        zone, _ = await self._me()
        target = await self._calendars.to_write(calendar, TODO)
        stored = await self._objects.exact(target.name, uid, TODO)
        if etag and bare(etag) != stored.etag:
            raise stale("The task", stored.etag)
        document = stored.document()
        change(document)
        if document.data == stored.data:
            return todo_of(stored, zone), False
        stamp(master(document, TODO), datetime.now(UTC), significant=False)
        return todo_of(await self._objects.write(stored, document.data), zone), True

    async def _me(self) -> tuple[tzinfo, str | None]:
        return await self._account.zone(), (await self._account.profile()).email

    async def _none_here(self, calendar: str) -> Calendar:
        """Say why there are no tasks in a calendar."""
        return await self._calendars.to_write(calendar, TODO)


def todo_of(stored: Stored, zone: tzinfo) -> Todo:
    """Return a task as people read it."""
    item = main_of(parse_calendar(stored.data), TODO)
    rule = item.get("RRULE")
    component = master(stored.document(), TODO)
    todo = Todo(
        uid=str(item.get("UID", "")),
        calendar_name=stored.calendar,
        summary=text_of(item, "SUMMARY") or "",
        status=(text_of(item, "STATUS") or "NEEDS-ACTION").upper(),
        priority=_number(item, "PRIORITY"),
        percent_complete=_number(item, "PERCENT-COMPLETE"),
        start=_time(item, "DTSTART", zone),
        due=_time(item, "DUE", zone) or _due(item, zone),
        completed=_time(item, "COMPLETED", zone),
        categories=categories(item) or None,
        parent=next((line.value for line in parents(component)), None),
        recurrence_rule=rule.to_ical().decode() if hasattr(rule, "to_ical") else None,
        description=text_of(item, "DESCRIPTION"),
        location=text_of(item, "LOCATION"),
        url=text_of(item, "URL"),
        reminders=reminders_of(item, zone) or None,
        etag=stored.etag,
    )
    todo._file = stored.name  # pyright: ignore[reportPrivateUsage]
    return todo


def _number(item: Any, name: str) -> int | None:
    given = item.get(name)
    return int(given) if isinstance(given, int) and given else None


def _time(item: Any, name: str, zone: tzinfo) -> str | None:
    given = item.get(name)
    value = getattr(given, "dt", None)
    return show_time(value, zone) if isinstance(value, date) else None


def _due(item: Any, zone: tzinfo) -> str | None:
    """Return when a task is due that tells how long it takes."""
    told = item.get("DTSTART") is not None and item.get("DURATION") is not None
    return show_time(span_of(item)[1], zone) if told else None


def _order(todo: Todo) -> tuple[bool, str, int, str]:
    return todo.due is None, todo.due or "", todo.priority or 10, todo.summary
