"""Events: created, changed as a whole or in part, deleted, answered; whatever is not named stays as it is."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from uuid import uuid4

from aboveboard.errors import ApiError, BadInput, Failure, NetworkError
from aboveboard.nextcloud.client.account import Account
from aboveboard.nextcloud.client.calendar.attendees import (
    InvitationAnswer,
    answer_invitation,
    is_invited,
    mail_of,
    notified_attendees,
    organizer_of,
)
from aboveboard.nextcloud.client.calendar.collections import Collections
from aboveboard.nextcloud.client.calendar.editing import Component, Document
from aboveboard.nextcloud.client.calendar.event_changes import EVENT, Changes, Me, apply, significant
from aboveboard.nextcloud.client.calendar.fields import blank, stamp
from aboveboard.nextcloud.client.calendar.objects import Objects, Stored
from aboveboard.nextcloud.client.calendar.occurrence import Occurrence, begin_of, main_of, parse_calendar, span_of
from aboveboard.nextcloud.client.calendar.parting import Cut, begin_with, cut_series, end_before
from aboveboard.nextcloud.client.calendar.recurrence import find_occurrence, is_series
from aboveboard.nextcloud.client.calendar.series import leave_out, master, override
from aboveboard.nextcloud.client.calendar.times import moment_of
from aboveboard.nextcloud.client.calendar.views import Event, event_of
from aboveboard.nextcloud.client.files.etags import bare, stale


@dataclass(frozen=True)
class Done:
    """What became of a change: the event as it is now, who is told, and what else there is to say."""

    event: Event
    file: str
    """What it is called in addresses."""
    changed: bool
    told: list[str]
    notes: list[str]


class Events:
    """The events of one user."""

    def __init__(self, account: Account, calendars: Collections, objects: Objects) -> None:
        self._account, self._calendars, self._objects = account, calendars, objects

    async def me(self) -> Me:
        """Tell who asks, and in which zone."""
        user = await self._account.profile()
        return Me(await self._account.zone(), (user.email or "").lower() or None, user.name)

    async def get(self, calendar: str, uid: str, occurrence: str | None = None) -> Event:
        """Return an event, or one occurrence of a series."""
        me = await self.me()
        found = await self._objects.find((await self._calendars.get(calendar)).name, uid, EVENT)
        return _event(found, occurrence, me)

    async def create(self, calendar: str, changes: Changes) -> Done:
        """Create an event, and invite those who are to take part."""
        me = await self.me()
        target = await self._calendars.to_write(calendar, EVENT)
        uid, notes = str(uuid4()), list[str]()
        document = blank(uid, EVENT)
        item = document.items(EVENT)[0]
        changes = replace(changes, timing=replace(changes.timing, repeats=bool(changes.rule)))
        apply(document, item, changes, me, notes)
        made = await self._objects.create(target.name, uid, document.data)
        return Done(
            _event(made, None, me), made.name, changed=True, told=notified_attendees([item], me.mail), notes=notes
        )

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
        first: Cut | None = None
        if occurrence is not None and following:
            cut = _cut(stored, occurrence, me)
            if cut is not None and not cut.first:
                return await self._split(stored, cut, changes, me)
            occurrence, first = None, cut
        notes = list[str]()

        def change(document: Document) -> Component:
            item = master(document, EVENT)
            if occurrence is not None:
                if changes.rule or changes.rule_end:
                    raise BadInput("One occurrence has no rule of its own.", next_step="Leave occurrence out.")
                item = override(document, EVENT, find_occurrence(stored.data, EVENT, occurrence, me.zone))
            elif first is not None and changes.timing.start:
                _begin_there(document, first, uid, me.zone)
            apply(document, item, changes, me, notes)
            return item

        return await self._write(stored, change, me, occurrence, notes)

    async def delete(self, calendar: str, uid: str, *, occurrence: str | None = None, following: bool = False) -> Done:
        """Delete an event, one occurrence, or that one and all that follow."""
        me = await self.me()
        stored = await self._to_change(calendar, uid, None, whole=occurrence is None)
        document = stored.document()
        gone = _shown(stored.data, occurrence, me.zone)
        heard = notified_attendees(document.items(EVENT), me.mail)
        notes = list[str]()
        if _attends(document, me):
            heard = [organizer_of(document.items(EVENT)) or ""]
            notes.append("The organizer is told that you decline.")
        event = event_of(gone, stored, me.zone)
        if occurrence is not None and is_series(document, EVENT):
            if not following:
                leave_out(document, EVENT, gone)
            elif (cut := cut_series(stored.data, EVENT, gone, me.zone)).first:
                occurrence = None
            else:
                end_before(document, EVENT, cut)
        if occurrence is not None and is_series(document, EVENT):
            stamp(master(document, EVENT), datetime.now(UTC), significant=bool(heard))
            await self._objects.write(stored, document.data)
        else:
            await self._objects.delete(stored)
        return Done(event, stored.name, changed=True, told=heard, notes=notes)

    async def respond(self, calendar: str, uid: str, response: InvitationAnswer, occurrence: str | None = None) -> Done:
        """Answer an invitation; the organizer hears of it."""
        me = await self.me()
        if me.mail is None:
            raise BadInput("Your Nextcloud account has no mail address, so nobody can have invited you.")
        stored = await self._to_change(calendar, uid, None)
        mine = me.mail

        def change(document: Document) -> Component | None:
            if occurrence is None:
                items = document.items(EVENT)
                # Not everybody has to be invited to each occurrence.
                for item in [one for one in items if is_invited(one, mine)] or items:
                    answer_invitation(item, mine, response)
            else:
                one = find_occurrence(stored.data, EVENT, occurrence, me.zone)
                answer_invitation(override(document, EVENT, one), mine, response)
            return None

        done = await self._write(stored, change, me, occurrence, [])
        organizer = organizer_of(stored.document().items(EVENT))
        heard = [organizer] if done.changed and organizer and organizer != mine else []
        return replace(done, told=heard, notes=[])

    async def _to_change(self, calendar: str, uid: str, etag: str | None, *, whole: bool = False) -> Stored:
        """Find an event that is to be changed, byte for byte, or to be gone as a whole."""
        target = await self._calendars.to_write(calendar, EVENT)
        found = await self._objects.find(target.name, uid, EVENT)
        stored = found if whole else await self._objects.read(found)
        if etag and bare(etag) != stored.etag:
            raise stale("The event", stored.etag)
        return stored

    async def _write(
        self,
        stored: Stored,
        change: Callable[[Document], Component | None],
        me: Me,
        occurrence: str | None,
        notes: list[str],
    ) -> Done:
        """Change a text and store it, unless it says the same as before; what is stamped is what was changed."""
        document = stored.document()
        before = {id(item): item.text for item in document.items(EVENT)}
        old = document.data
        item = change(document)
        if document.data == old:
            return Done(_event(stored, occurrence, me), stored.name, changed=False, told=[], notes=notes)
        heard = notified_attendees([*stored.document().items(EVENT), *document.items(EVENT)], me.mail)
        if item is not None:
            matters = bool(heard) and significant(before.get(id(item), ""), item)
            stamp(item, datetime.now(UTC), significant=matters)
            if _attends(document, me):
                notes.append(
                    f"{organizer_of(document.items(EVENT))} organizes this: your change is in your copy alone."
                )
        written = await self._objects.write(stored, document.data)
        return Done(_event(written, occurrence, me), written.name, changed=True, told=heard, notes=notes)

    async def _split(self, stored: Stored, cut: Cut, changes: Changes, me: Me) -> Done:
        """Part a series in two."""
        uid, notes = str(uuid4()), list[str]()
        late, early = stored.document(), stored.document()
        begin_with(late, EVENT, cut, uid)
        item = master(late, EVENT)
        apply(late, item, changes, me, notes)
        end_before(early, EVENT, cut)
        heard = notified_attendees(stored.document().items(EVENT), me.mail)
        for each in (item, master(early, EVENT)):
            stamp(each, datetime.now(UTC), significant=bool(heard))
        made = await self._objects.create(stored.calendar, uid, late.data)
        try:
            await self._objects.write(stored, early.data)
        except Failure as failed:
            # Otherwise the occurrences would be there twice. Where the answer was lost, the series may have been cut
            # short all the same: then what follows is in the new one alone, and must stay.
            if isinstance(failed, ApiError) and 400 <= failed.status < 500:
                await self._objects.delete(made)
                raise
            twice = f"What follows is a series of its own now, {uid}, and may be in the old one too."
            raise NetworkError(f"{failed} {twice}") from None
        notes.append(f"What follows is a series of its own now: {uid}.")
        return Done(_event(made, None, me), made.name, changed=True, told=heard, notes=notes)


def _cut(stored: Stored, occurrence: str, me: Me) -> Cut | None:
    """Tell where a series is to be parted; None for what takes place once."""
    one = find_occurrence(stored.data, EVENT, occurrence, me.zone)
    if master(stored.document(), EVENT).first("RECURRENCE-ID") is not None:
        raise BadInput("You have some occurrences of this series only.", next_step="Change each of them by itself.")
    return None if one.planned is None else cut_series(stored.data, EVENT, one, me.zone)


def _begin_there(document: Document, cut: Cut, uid: str, zone: tzinfo) -> None:
    """Let a series begin with the first occurrence that was not deleted: its new time is that one's."""
    begins = begin_of(main_of(parse_calendar(document.data), EVENT))
    if moment_of(begins, zone) != moment_of(cut.planned, zone):
        begin_with(document, EVENT, cut, uid)


def _shown(data: bytes, occurrence: str | None, zone: tzinfo) -> Occurrence:
    """Return the occurrence that is meant, or the event itself."""
    if occurrence is not None:
        return find_occurrence(data, EVENT, occurrence, zone)
    item = main_of(parse_calendar(data), EVENT)
    return Occurrence(*span_of(item), item)


def _event(stored: Stored, occurrence: str | None, me: Me) -> Event:
    return event_of(_shown(stored.data, occurrence, me.zone), stored, me.zone)


def _attends(document: Document, me: Me) -> bool:
    """Tell whether the user takes part in what someone else organizes."""
    items = document.items(EVENT)
    invited = {mail_of(line) for item in items for line in item.lines("ATTENDEE")}
    return me.mail in invited and organizer_of(items) not in (None, me.mail)
