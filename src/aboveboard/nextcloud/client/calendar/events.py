"""Events: created, changed as a whole or in part, deleted, answered; whatever is not named stays as it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final
from uuid import uuid4

from aboveboard import __version__
from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.account import Account
from aboveboard.nextcloud.client.calendar.alarms import Reminder, put_reminders
from aboveboard.nextcloud.client.calendar.attendees import (
    Answer,
    answer,
    mail_of,
    organizer_of,
    put_attendees,
    read_people,
    told,
)
from aboveboard.nextcloud.client.calendar.collections import Collections
from aboveboard.nextcloud.client.calendar.editing import Component, Document, Raw, document_of
from aboveboard.nextcloud.client.calendar.fields import Fields, stamp
from aboveboard.nextcloud.client.calendar.objects import Objects, Span, Stored
from aboveboard.nextcloud.client.calendar.recurrence import (
    Occurrence,
    count_before,
    find_occurrence,
    is_series,
    occurrences,
    parsed,
    read_rule,
)
from aboveboard.nextcloud.client.calendar.series import begin_with, end_before, leave_out, master, override, with_end
from aboveboard.nextcloud.client.calendar.times import name_of, read_when, utc_text
from aboveboard.nextcloud.client.calendar.timing import Timing, put_timing
from aboveboard.nextcloud.client.calendar.views import Event, event_of
from aboveboard.nextcloud.client.files.etags import bare, stale

EVENT: Final = "VEVENT"
_TIMES: Final = ("DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "STATUS", "LOCATION", "ATTENDEE")
"""What those who take part have to hear of."""


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What is to be set of an event; None leaves it as it is."""

    fields: Fields = field(default_factory=Fields)
    timing: Timing = field(default_factory=Timing)
    rule: str | None = None
    """An empty one takes the rule away."""
    rule_end: str | None = None
    attendees: str | None = None
    reminders: Sequence[Reminder] | None = None


@dataclass(frozen=True)
class Done:
    """What became of a change: the event as it is now, who is told, and what else there is to say."""

    event: Event
    changed: bool
    told: list[str]
    notes: list[str]


@dataclass(frozen=True)
class _Me:
    zone: tzinfo
    mail: str | None
    name: str


class Events:
    """The events of one user."""

    def __init__(self, account: Account, calendars: Collections, objects: Objects) -> None:
        self._account, self._calendars, self._objects = account, calendars, objects

    async def me(self) -> _Me:
        """Tell who asks, and in which zone."""
        user = await self._account.profile()
        return _Me(await self._account.zone(), (user.email or "").lower() or None, user.name)

    async def get(self, calendar: str, uid: str, occurrence: str | None = None) -> Event:
        """Return an event, or one occurrence of a series."""
        me = await self.me()
        found = await self._objects.find((await self._calendars.get(calendar)).name, uid, EVENT)
        return event_of(_shown(found.data, occurrence, me.zone), found, me.zone)

    async def create(self, calendar: str, changes: Changes) -> Done:
        """Create an event, and invite those who are to take part."""
        me = await self.me()
        target = await self._calendars.to_write(calendar, EVENT)
        uid, notes = str(uuid4()), list[str]()
        document = blank(uid, EVENT)
        item = document.items(EVENT)[0]
        changes = replace(changes, timing=replace(changes.timing, repeats=bool(changes.rule)))
        self._apply(document, item, changes, me, notes)
        made = await self._objects.create(target.name, uid, document.data)
        event = event_of(_shown(made.data, None, me.zone), made, me.zone)
        return Done(event, changed=True, told=told([item], me.mail), notes=notes)

    async def update(
        self,
        calendar: str,
        uid: str,
        changes: Changes,
        *,
        occurrence: str | None = None,
        following: bool = False,
        etag: str | None = None,
    ) -> Done:
        """Change an event: all of it, one occurrence, or that one and all that follow."""
        me = await self.me()
        stored = await self._to_change(calendar, uid, etag)
        if occurrence is not None and following:
            split = await self._split(stored, occurrence, changes, me)
            if split is not None:
                return split
            occurrence = None
        notes = list[str]()

        def change(document: Document) -> Component:
            item = master(document, EVENT)
            if occurrence is not None:
                if changes.rule or changes.rule_end:
                    raise BadInput("One occurrence has no rule of its own.", next_step="Leave occurrence out.")
                item = override(document, EVENT, find_occurrence(stored.data, EVENT, occurrence, me.zone))
            self._apply(document, item, changes, me, notes)
            return item

        return await self._write(stored, change, me, occurrence, notes)

    async def delete(self, calendar: str, uid: str, *, occurrence: str | None = None, following: bool = False) -> Done:
        """Delete an event, one occurrence, or that one and all that follow."""
        me = await self.me()
        stored = await self._to_change(calendar, uid, None)
        document = stored.document()
        gone = _shown(stored.data, occurrence, me.zone)
        heard = told(document.items(EVENT), me.mail)
        notes = list[str]()
        if _attends(document, me):
            heard = [organizer_of(document.items(EVENT)) or ""]
            notes.append("The organizer is told that you decline.")
        event = event_of(gone, stored, me.zone)
        if occurrence is not None and is_series(document, EVENT):
            if not following:
                leave_out(document, EVENT, gone)
            elif self._before(stored.data, gone, me.zone):
                end_before(document, EVENT, gone)
            else:
                occurrence = None
        if occurrence is not None and is_series(document, EVENT):
            stamp(master(document, EVENT), datetime.now(UTC), significant=bool(heard))
            await self._objects.write(stored, document.data)
        else:
            await self._objects.delete(stored)
        return Done(event, changed=True, told=heard, notes=notes)

    async def respond(self, calendar: str, uid: str, response: Answer, occurrence: str | None = None) -> Done:
        """Answer an invitation; the organizer hears of it."""
        me = await self.me()
        if me.mail is None:
            raise BadInput("Your Nextcloud account has no mail address, so nobody can have invited you.")
        stored = await self._to_change(calendar, uid, None)
        mine = me.mail

        def change(document: Document) -> Component | None:
            if occurrence is None:
                for item in document.items(EVENT):
                    answer(item, mine, response)
            else:
                one = find_occurrence(stored.data, EVENT, occurrence, me.zone)
                answer(override(document, EVENT, one), mine, response)
            return None

        done = await self._write(stored, change, me, occurrence, [])
        organizer = organizer_of(stored.document().items(EVENT))
        heard = [organizer] if done.changed and organizer and organizer != mine else []
        return Done(done.event, done.changed, heard, [])

    async def _to_change(self, calendar: str, uid: str, etag: str | None) -> Stored:
        target = await self._calendars.to_write(calendar, EVENT)
        stored = await self._objects.exact(target.name, uid, EVENT)
        if etag and bare(etag) != stored.etag:
            raise stale("The event", stored.etag)
        return stored

    def _apply(self, document: Document, item: Component, changes: Changes, me: _Me, notes: list[str]) -> None:
        if put_timing(document, item, changes.timing, me.zone):
            notes.append(f"Times without a zone are taken in {name_of(me.zone)}, your zone in Nextcloud.")
        changes.fields.apply(item)
        _put_rule(item, changes, me.zone)
        if changes.attendees is not None:
            put_attendees(item, read_people(changes.attendees), me.mail, me.name)
        if changes.reminders is not None:
            put_reminders(item, list(changes.reminders), me.zone, me.mail)

    async def _write(
        self,
        stored: Stored,
        change: Callable[[Document], Component | None],
        me: _Me,
        occurrence: str | None,
        notes: list[str],
    ) -> Done:
        """Change a text and store it, unless it says the same as before; what is stamped is what was changed."""
        document = stored.document()
        before = {id(item): item.text for item in document.items(EVENT)}
        old = document.data
        item = change(document)
        if document.data == old:
            event = event_of(_shown(stored.data, occurrence, me.zone), stored, me.zone)
            return Done(event, changed=False, told=[], notes=notes)
        heard = told([*stored.document().items(EVENT), *document.items(EVENT)], me.mail)
        if item is not None:
            significant = bool(heard) and _significant(before.get(id(item), ""), item)
            stamp(item, datetime.now(UTC), significant=significant)
            if _attends(document, me):
                notes.append(
                    f"{organizer_of(document.items(EVENT))} organizes this: your change is in your copy alone."
                )
        written = await self._objects.write(stored, document.data)
        event = event_of(_shown(written.data, occurrence, me.zone), written, me.zone)
        return Done(event, changed=True, told=heard, notes=notes)

    async def _split(self, stored: Stored, occurrence: str, changes: Changes, me: _Me) -> Done | None:
        """Part a series in two; None where the occurrence is the first, so that the whole series is meant."""
        one = find_occurrence(stored.data, EVENT, occurrence, me.zone)
        if one.planned is None or not self._before(stored.data, one, me.zone):
            return None
        uid, notes = str(uuid4()), list[str]()
        late, early = stored.document(), stored.document()
        begin_with(late, EVENT, one, uid, count_before(stored.data, EVENT, one, me.zone))
        item = master(late, EVENT)
        self._apply(late, item, changes, me, notes)
        end_before(early, EVENT, one)
        heard = told(stored.document().items(EVENT), me.mail)
        for each in (item, master(early, EVENT)):
            stamp(each, datetime.now(UTC), significant=bool(heard))
        made = await self._objects.create(stored.calendar, uid, late.data)
        try:
            await self._objects.write(stored, early.data)
        except Exception:
            # Otherwise the occurrences would be there twice.
            await self._objects.delete(made)
            raise
        notes.append(f"What follows is a series of its own now: {uid}.")
        event = event_of(_shown(made.data, None, me.zone), made, me.zone)
        return Done(event, changed=True, told=heard, notes=notes)

    def _before(self, data: bytes, one: Occurrence, zone: tzinfo) -> bool:
        """Tell whether anything of a series takes place before an occurrence."""
        first = parsed(data).walk(EVENT)[0].start
        start = datetime(first.year, first.month, first.day, tzinfo=zone) - timedelta(days=2)
        found = occurrences(data, EVENT, Span(start, one.begins(zone) + timedelta(seconds=1)), zone)
        return any(each.planned != one.planned for each in found)


def _put_rule(item: Component, changes: Changes, zone: tzinfo) -> None:
    if changes.rule == "":
        item.remove("RRULE")
        return
    if changes.rule is None and not changes.rule_end:
        return
    rule = read_rule(changes.rule) if changes.rule else item.value("RRULE")
    if not rule:
        raise BadInput("There is no rule that could end.", next_step="Give recurrence_rule too.")
    if changes.rule_end:
        last = read_when(changes.rule_end, zone, what="end")
        start = item.first("DTSTART")
        whole = start is not None and start.param("VALUE") == "DATE"
        if whole or not last.all_day:
            end: date = last.value
        else:  # the whole of the last day
            end = last.instant(zone) + timedelta(days=1, seconds=-1)
        rule = with_end(rule, item, end)
    item.put("RRULE", Raw(rule))


def blank(uid: str, component: str) -> Document:
    """Begin an event or a task."""
    now = utc_text(datetime.now(UTC))
    rows = [
        *("BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//aboveboard//{__version__}//EN", "CALSCALE:GREGORIAN"),
        *(f"BEGIN:{component}", f"UID:{uid}", f"DTSTAMP:{now}", f"CREATED:{now}", f"LAST-MODIFIED:{now}"),
        *(f"END:{component}", "END:VCALENDAR", ""),
    ]
    return document_of("\r\n".join(rows))


def _shown(data: bytes, occurrence: str | None, zone: tzinfo) -> Occurrence:
    """Return the occurrence that is meant, or the event itself."""
    if occurrence is not None:
        return find_occurrence(data, EVENT, occurrence, zone)
    items = parsed(data).walk(EVENT)
    item = next((one for one in items if one.get("RECURRENCE-ID") is None), items[0])
    return Occurrence(item.start, item.end, item)


def _significant(before: str, item: Component) -> bool:
    old = document_of(before).components() if before else []
    lines = [line.content for line in old[0].lines(*_TIMES)] if old else []
    return lines != [line.content for line in item.lines(*_TIMES)]


def _attends(document: Document, me: _Me) -> bool:
    """Tell whether the user takes part in what someone else organizes."""
    items = document.items(EVENT)
    invited = {mail_of(line) for item in items for line in item.lines("ATTENDEE")}
    return me.mail in invited and organizer_of(items) not in (None, me.mail)
