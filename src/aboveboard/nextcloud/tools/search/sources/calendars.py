"""Events and tasks, as documents to search."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.calendar.objects import Stored
from aboveboard.nextcloud.tools.search.sources.gathered import Gathered, GatheredSource
from aboveboard.search.entries import Entry

_WORDS: Final = ("DESCRIPTION", "LOCATION", "COMMENT")
_PEOPLE: Final = ("ORGANIZER", "ATTENDEE")
_TIMES: Final = {"DTSTART": "Starts", "DTEND": "Ends", "DUE": "Due", "COMPLETED": "Completed"}


class _CalendarSource(GatheredSource):
    """The objects of one kind in one person's calendars, those that others share with them included."""

    component: str
    app: str

    async def gather(self, keys: Collection[str] | None = None) -> Sequence[Gathered]:
        """List all objects; of calendars that did not change, the client knows them."""
        calendars = await self._nextcloud.calendars.list(self.component)
        names = {one.name: one.display_name for one in calendars}
        found = await self._nextcloud.calendar_objects.within(calendars, self.component, None)
        return [_gathered(one, self.component, names[one.calendar]) for one in found]

    def link(self, entry: Entry) -> str:
        """Return where people open calendars."""
        return f"{self._nextcloud.url}/index.php/apps/{self.app}/"


class EventSource(_CalendarSource):
    """The events of one person."""

    name, component, app = "event", "VEVENT", "calendar"


class TaskSource(_CalendarSource):
    """The tasks of one person."""

    name, component, app = "task", "VTODO", "tasks"


def calendar_sources(nextcloud: NextcloudClient) -> tuple[EventSource, TaskSource]:
    """Return what is in a person's calendars."""
    return EventSource(nextcloud), TaskSource(nextcloud)


def _gathered(stored: Stored, component: str, calendar: str) -> Gathered:
    items = list(_items(stored.data, component))
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
    yield "\n".join(f"{word}: {_time(item[name].dt)}" for name, word in _TIMES.items() if hasattr(item.get(name), "dt"))
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
