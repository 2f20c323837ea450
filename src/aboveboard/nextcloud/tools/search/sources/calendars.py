"""Events and tasks, as documents to search."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.calendar.collections import Calendar
from aboveboard.nextcloud.client.calendar.objects import Stored
from aboveboard.nextcloud.client.calendar.times import last_day
from aboveboard.nextcloud.tools.calendar.area import event_url, task_url
from aboveboard.nextcloud.tools.search.sources.gathered import Gathered
from aboveboard.nextcloud.tools.search.sources.shelves import Changes, Shelf, ShelfSource
from aboveboard.search.entries import Entry

_WORDS: Final = ("DESCRIPTION", "LOCATION", "COMMENT")
_PEOPLE: Final = ("ORGANIZER", "ATTENDEE")
_TIMES: Final = {"DTSTART": "Starts", "DTEND": "Ends", "DUE": "Due", "COMPLETED": "Completed"}

_OF_DECK: Final = "app-generated--deck--"
"""How calendars begin that Deck makes of its boards; their tasks are cards, which are documents already."""


class _CalendarSource(ShelfSource):
    """The objects of one kind in one person's calendars, those that others share with them included."""

    component: str

    def __init__(self, nextcloud: NextcloudClient) -> None:
        super().__init__(nextcloud)
        self._calendars: Mapping[str, Calendar] = {}

    async def shelves(self) -> Sequence[Shelf]:
        """List the calendars."""
        listed = await self._nextcloud.calendars.list(self.component)
        self._calendars = {one.name: one for one in listed if not one.name.startswith(_OF_DECK)}
        return [Shelf(one.name, one.display_name, one.token) for one in self._calendars.values()]

    async def whole(self, shelf: Shelf, *, brief: bool) -> Sequence[Gathered]:
        """List all objects of a calendar; where it did not change, the client knows them."""
        del brief
        calendar = self._calendars[shelf.name]
        found = await self._nextcloud.calendar_objects.within([calendar], self.component, None)
        return [_gathered(one, self.component, shelf.title) for one in found if not self._is_secret(one)]

    async def since(self, shelf: Shelf, tag: str) -> Changes | None:
        """Ask the calendar what changed."""
        changed = await self._nextcloud.calendar_objects.between(shelf.name, self.component, tag, shelf.tag)
        if changed is None:
            return None
        there = {name: one for name, one in changed.items() if one is not None and not self._is_secret(one)}
        found = [_gathered(one, self.component, shelf.title) for one in there.values()]
        return Changes(found, {f"{shelf.name}/{name}" for name in changed if name not in there})

    def _is_secret(self, one: Stored) -> bool:
        """Tell whether all that Nextcloud shows of it is that someone is busy: what it said before is not to be found.

        So it is with what is confidential in a calendar that someone else lets one read.
        """
        calendar = self._calendars[one.calendar]
        lent = calendar.owner is not None and not calendar.writable
        return lent and any(item.value("CLASS").upper() == "CONFIDENTIAL" for item in one.document().items())


class EventSource(_CalendarSource):
    """The events of one person."""

    name, component = "event", "VEVENT"

    async def link(self, entry: Entry) -> str:
        """Return where people open the event."""
        calendar, _, file = entry.key.partition("/")
        return await event_url(self._nextcloud, calendar, file)


class TaskSource(_CalendarSource):
    """The tasks of one person."""

    name, component = "task", "VTODO"

    async def link(self, entry: Entry) -> str:
        """Return where people open the task."""
        calendar, _, file = entry.key.partition("/")
        return task_url(self._nextcloud, calendar, file)


def calendar_sources(nextcloud: NextcloudClient) -> tuple[EventSource, TaskSource]:
    """Return what is in a person's calendars."""
    return EventSource(nextcloud), TaskSource(nextcloud)


def _gathered(stored: Stored, component: str, calendar: str) -> Gathered:
    items = sorted(_items(stored.data, component), key=lambda item: "RECURRENCE-ID" in item)  # the series itself first
    first: Mapping[str, Any] = items[0] if items else {}
    said = [part for item in items for part in _parts(item)]
    modified = getattr(first.get("LAST-MODIFIED") or first.get("DTSTAMP"), "dt", None)
    return Gathered.of(
        f"{stored.calendar}/{stored.name}",
        str(first.get("SUMMARY") or stored.name),
        list(dict.fromkeys(said)),
        place=calendar,
        modified=int(_moment(modified).timestamp()) if isinstance(modified, date) else None,
    )


def _items(data: bytes, component: str) -> Iterator[Any]:
    from icalendar import Calendar

    try:
        parsed: Any = Calendar.from_ical(data)
        yield from parsed.walk(component)
    except (ValueError, KeyError, IndexError):
        return  # what is no calendar has nothing to say


def _parts(item: Any) -> Iterator[str]:
    """Tell what an event or a task says, a change of one of its days included."""
    yield str(item.get("SUMMARY") or "")
    times = {name: item[name].dt for name in _TIMES if hasattr(item.get(name), "dt")}
    whole = [value for name, value in times.items() if name in ("DTSTART", "DTEND") and not isinstance(value, datetime)]
    if len(whole) == 2:  # a calendar ends days with the one after them
        times["DTEND"] = last_day(times["DTEND"], times["DTSTART"])
    yield "\n".join(f"{_TIMES[name]}: {_time(value)}" for name, value in times.items())
    for name in _WORDS:
        yield from (str(one) for one in _several(item.get(name)))
    for name in _PEOPLE:
        yield ", ".join(_person(one) for one in _several(item.get(name)))
    yield ", ".join(str(word) for one in _several(item.get("CATEGORIES")) for word in getattr(one, "cats", ()))


def _several(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownArgumentType]


def _person(value: Any) -> str:
    name = getattr(value, "params", {}).get("CN", "")
    return f"{name} {str(value).removeprefix('mailto:')}".strip()


def _time(value: Any) -> str:
    return f"{value:%Y-%m-%d %H:%M}" if isinstance(value, datetime) else str(value)


def _moment(value: date) -> datetime:
    if not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return value if value.tzinfo else value.replace(tzinfo=UTC)
