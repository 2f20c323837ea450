"""What is in calendars: events and tasks as the texts that they are, found, read, written, moved and deleted.

A report tells texts without their line ends, so whatever is to be changed is read anew, byte for byte.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias

from aboveboard.errors import ApiError, BadInput, Conflict, NotFound
from aboveboard.http import Nature, Path, Response
from aboveboard.nextcloud.client.calendar.collections import Calendar
from aboveboard.nextcloud.client.calendar.editing import Document, document_of
from aboveboard.nextcloud.client.calendar.times import utc_text
from aboveboard.nextcloud.client.changes import changes_between
from aboveboard.nextcloud.client.dav import Dav
from aboveboard.nextcloud.client.files.etags import bare, quote_etag, stale
from aboveboard.nextcloud.client.memory import Memory, RememberedAnswer
from aboveboard.nextcloud.client.parallel import each
from aboveboard.nextcloud.client.xml import Element, Resource, element, prop

_ICS: Final = {"Content-Type": "text/calendar; charset=utf-8"}
_DATES: Final = "RDATE"


@dataclass(frozen=True)
class Stored:
    """An object in a calendar."""

    calendar: str
    name: str
    etag: str | None
    data: bytes

    def document(self) -> Document:
        """Read the text, to change it."""
        return Document(self.data)


@dataclass(frozen=True)
class Span:
    """From when to when, the end not included."""

    start: datetime
    end: datetime

    def days(self) -> "Span":
        """Return the whole days around it, in UTC."""
        start, end = (one.astimezone(UTC) for one in (self.start, self.end))
        return Span(_midnight(start), _midnight(end + timedelta(days=1) - timedelta(microseconds=1)))


Found: TypeAlias = dict[str, Stored]


class Objects:
    """The objects in one user's calendars."""

    def __init__(self, dav: Dav, memory: Memory[Found]) -> None:
        self._dav, self._memory = dav, memory

    async def within(self, calendars: Sequence[Calendar], component: str, span: Span | None) -> list[Stored]:
        """Find what may take place in a span, in several calendars at once; those that did not change are not asked.

        More may be found than takes place then: servers differ in how they count, so the texts decide. Whole days are
        asked for, so that what is remembered serves what begins "now" too.
        """
        span = span and span.days()
        found = await each(calendars, lambda one: self._current(one, component, span))
        return [one for several in found for one in several]

    async def _current(self, calendar: Calendar, component: str, span: Span | None) -> list[Stored]:
        key = (calendar.name, component, span)
        known = self._memory.get(key)
        if known is not None and calendar.tag is not None and known.tag == calendar.tag:
            return list(known.found.values())
        found = await self._changed(calendar, component, known) if known else None
        if found is None:
            found = _by_name(await self.query(calendar.name, component, span=span))
            if span is not None:
                found |= await self._dated(calendar, component)
        self._keep(key, calendar, found)
        return list(found.values())

    async def _dated(self, calendar: Calendar, component: str) -> Found:
        """Find the series that name dates, whenever they take place: Nextcloud heeds no rule beside such dates."""
        key = (calendar.name, component, _DATES)
        known = self._memory.get(key)
        if known is not None and known.tag == calendar.tag:
            return known.found
        dates = element("cal:prop-filter", name=_DATES)
        found = _by_name(await self.query(calendar.name, component, properties=[dates]))
        self._keep(key, calendar, found)
        return found

    def _keep(self, key: object, calendar: Calendar, found: Found) -> None:
        if calendar.tag is not None:
            self._memory.keep(key, calendar.tag, calendar.token, found)

    async def _changed(self, calendar: Calendar, component: str, known: RememberedAnswer[Found]) -> Found | None:
        """Bring what is known up to date; None where the server cannot tell what changed since."""
        changed = await self.between(calendar.name, component, known.token, calendar.token)
        if changed is None:
            return None
        news = {**known.found, **changed}
        return {uri: one for uri, one in news.items() if one is not None}

    async def between(
        self, calendar: str, component: str, known: str | None, current: str | None
    ) -> dict[str, Stored | None] | None:
        """Tell what changed between two tokens, None for what is gone; in all None where the server cannot tell."""
        at = await self._at(calendar)
        changed = await changes_between(self._dav, at, known, current, "d:getetag", "cal:calendar-data")
        if changed is None:
            return None
        return {one.place.rpartition("/")[2]: _found(one, calendar, component) for one in changed}

    async def query(
        self, calendar: str, component: str, *, span: Span | None = None, properties: Sequence[Element] = ()
    ) -> list[Stored]:
        """Ask one calendar for what may take place in a span, and fits filters."""
        wanted = list(properties)
        if span is not None:
            wanted.insert(0, element("cal:time-range", start=utc_text(span.start), end=utc_text(span.end)))
        inner = element("cal:comp-filter", wanted, name=component)
        body = element(
            "cal:calendar-query",
            [
                prop("d:getetag", "cal:calendar-data"),
                element("cal:filter", [element("cal:comp-filter", [inner], name="VCALENDAR")]),
            ],
        )
        found = await self._dav.report(await self._at(calendar), body, depth=1)
        return [_stored(one, calendar) for one in found if one.text("cal:calendar-data")]

    async def with_uid(self, calendar: str, uid: str, component: str) -> Stored | None:
        """Look for an object by its UID, as reports tell it."""
        match = element("cal:text-match", uid, collation="i;octet")
        found = await self.query(calendar, component, properties=[element("cal:prop-filter", [match], name="UID")])
        # Nextcloud finds all whose UID contains this one.
        every = (one for one in found if any(item.value("UID") == uid for item in one.document().items(component)))
        return next(every, None)

    async def find(self, calendar: str, uid: str, component: str) -> Stored:
        """Return an object by its UID."""
        found = await self.with_uid(calendar, uid, component)
        if found is not None:
            return found
        kind = "task" if component == "VTODO" else "event"
        raise NotFound(
            f"The calendar {calendar!r} has no {kind} {uid!r}.",
            status=404,
            next_step="A list tool shows the ids of what there is.",
        )

    async def read(self, one: Stored) -> Stored:
        """Read an object as it is, byte for byte."""
        answer = self._dav.good(await self._dav.get(await self._at(one.calendar, one.name)))
        return Stored(one.calendar, one.name, bare(answer.headers.get("etag")), answer.content)

    async def exact(self, calendar: str, uid: str, component: str) -> Stored:
        """Find an object by its UID and read it as it is."""
        return await self.read(await self.find(calendar, uid, component))

    async def create(self, calendar: str, uid: str, data: bytes) -> Stored:
        """Store a new object."""
        self._memory.forget()
        file = f"{uid}.ics"
        at = await self._at(calendar, file)
        answer = await self._dav.put(at, data, {**_ICS, "If-None-Match": "*"}, nature=Nature.ADDS)
        await self._check(answer, calendar, uid)
        return Stored(calendar, file, await self._etag(answer, at), data)

    async def write(self, one: Stored, data: bytes) -> Stored:
        """Store another text in the place of one that was read, unless someone else did so meanwhile."""
        self._memory.forget()
        at = await self._at(one.calendar, one.name)
        headers = {**_ICS, **({"If-Match": quote_etag(one.etag)} if one.etag else {})}
        answer = await self._dav.put(at, data, headers, nature=Nature.REPLACES)
        if answer.status == 412:
            raise stale("What you change", bare(answer.headers.get("etag")))
        await self._check(answer, one.calendar, "")
        return Stored(one.calendar, one.name, await self._etag(answer, at), data)

    async def delete(self, one: Stored) -> None:
        """Delete an object that was found, which goes to the bin."""
        self._memory.forget()
        headers = {"If-Match": quote_etag(one.etag)} if one.etag else {}
        answer = await self._dav.delete(await self._at(one.calendar, one.name), headers)
        if answer.status == 412:
            raise stale("What you delete", bare(answer.headers.get("etag")))
        if answer.status == 403 and b"moved into the trashbin" in answer.content:
            raise Conflict(
                f"The trash bin of the calendar {one.calendar!r} has something of the same name. Nothing was deleted.",
                status=409,
                next_step="restore_from_trash brings that back; only Nextcloud's own pages empty the bin.",
            )
        self._dav.good(answer)

    async def move(self, one: Stored, calendar: str) -> Stored:
        """Move an object into another calendar, as it is; nobody who takes part is told."""
        self._memory.forget()
        source, target = await self._at(one.calendar, one.name), await self._at(calendar, one.name)
        answer = await self._dav.transfer("MOVE", source, target, headers={"Overwrite": "F"}, nature=Nature.REPLACES)
        if answer.status == 412:
            raise Conflict(
                f"{calendar!r} has something of that name already.", status=412, next_step="It stays where it is."
            )
        await self._check(answer, calendar, "")
        return Stored(calendar, one.name, one.etag, one.data)

    async def _at(self, calendar: str, file: str | None = None) -> Path:
        if file is None:
            return await self._dav.at("calendars/{user}/{calendar}/", calendar=calendar)
        return await self._dav.at("calendars/{user}/{calendar}/{file}", calendar=calendar, file=file)

    async def _etag(self, answer: Response, at: Path) -> str | None:
        """Return the version of what was written; without one the server changed the text, and is asked."""
        told = bare(answer.headers.get("etag"))
        return told or bare((await self._dav.stat(at, "d:getetag")).text("d:getetag"))

    async def _check(self, answer: Response, calendar: str, uid: str) -> None:
        """Say why an object was not stored."""
        text = answer.content
        if (answer.status == 400 and b"uid already exists" in text) or (answer.status == 412 and uid):
            raise Conflict(
                f"The calendar {calendar!r} has this already, or its trash bin does. Nothing was written.",
                status=409,
                next_step="list_trash shows what is in the bin.",
            )
        if answer.status >= 500 and b"UNIQUE constraint" in text:
            raise Conflict(
                f"What has this id is in the trash bin of the calendar {calendar!r}. Nothing was written.",
                status=409,
                next_step="restore_from_trash brings it back.",
            )
        if answer.status == 415:
            raise ApiError(f"{self._dav.error(answer)} Nothing was written.", status=415)
        if answer.status >= 500 and b"InvalidDataException" in text:
            raise BadInput(f"{self._dav.error(answer)} Nothing was written.")
        self._dav.good(answer)


def _by_name(found: Sequence[Stored]) -> Found:
    return {one.name: one for one in found}


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _found(one: Resource, calendar: str, component: str) -> Stored | None:
    there = one.status != 404 and f"BEGIN:{component}" in (one.text("cal:calendar-data") or "")
    return _stored(one, calendar) if there else None


def _stored(one: Resource, calendar: str) -> Stored:
    text = one.text("cal:calendar-data") or ""
    return Stored(calendar, one.place.rpartition("/")[2], bare(one.text("d:getetag")), document_of(text).data)
