"""The same done to many events: each is tried, and what became of each is told."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Literal

from aboveboard.errors import BadInput, Failure
from aboveboard.nextcloud.client.account import Account
from aboveboard.nextcloud.client.calendar.alarms import Reminder, put_reminders
from aboveboard.nextcloud.client.calendar.attendees import notified_attendees
from aboveboard.nextcloud.client.calendar.collections import Collections
from aboveboard.nextcloud.client.calendar.event_changes import EVENT, significant
from aboveboard.nextcloud.client.calendar.fields import Fields, stamp
from aboveboard.nextcloud.client.calendar.objects import Objects, Stored
from aboveboard.nextcloud.client.calendar.occurrence import begin_of, main_of, parse_calendar
from aboveboard.nextcloud.client.calendar.recurrence import is_series
from aboveboard.nextcloud.client.calendar.series import master
from aboveboard.nextcloud.client.calendar.times import show_time
from aboveboard.nextcloud.client.model import Model

Outcome = Literal["would change", "changed", "unchanged", "failed"]


class Treated(Model):
    """What became of one event, or would."""

    uid: str
    calendar_name: str
    title: str
    start: str
    outcome: Outcome
    recurring: bool | None = None
    """A whole series."""
    told: list[str] | None = None
    error: str | None = None
    trash_id: str | None = None
    """What restoring takes, of one that was deleted."""


class Bulk:
    """Changes to many events of one user."""

    def __init__(self, account: Account, calendars: Collections, objects: Objects) -> None:
        self._account, self._calendars, self._objects = account, calendars, objects

    async def update(
        self, found: Sequence[Stored], fields: Fields, reminder: int | None, *, dry_run: bool
    ) -> list[Treated]:
        """Set the same fields of many events; an event that has them already is not touched."""
        if fields == Fields() and reminder is None:
            raise BadInput("There is nothing to change.", next_step="Give at least one new_... value.")
        me = await self._account.profile()
        zone = await self._account.zone()

        async def change(one: Stored) -> Outcome:
            stored = one if dry_run else await self._objects.read(one)
            document = stored.document()
            item = master(document, EVENT)
            before = item.text
            fields.apply(item)
            if reminder is not None:
                put_reminders(item, [Reminder(minutes_before=reminder)], zone, me.email)
            if document.data == stored.data:
                return "unchanged"
            if dry_run:
                return "would change"
            heard = notified_attendees(document.items(EVENT), (me.email or "").lower() or None)
            stamp(item, datetime.now(UTC), significant=bool(heard) and significant(before, item))
            await self._objects.write(stored, document.data)
            return "changed"

        return await self._each(found, change, organizer_tells=True)

    async def move(self, found: Sequence[Stored], target: str, *, dry_run: bool) -> list[Treated]:
        """Move many events into another calendar, as they are; those that are there already stay."""
        to = await self._calendars.to_write(target, EVENT)

        async def change(one: Stored) -> Outcome:
            if one.calendar == to.name:
                return "unchanged"
            if not dry_run:
                await self._objects.move(one, to.name)
            return "would change" if dry_run else "changed"

        return await self._each(found, change, organizer_tells=False)

    async def delete(self, found: Sequence[Stored], *, dry_run: bool) -> list[Treated]:
        """Delete many events, which go to the bin."""

        async def change(one: Stored) -> Outcome:
            if not dry_run:
                await self._objects.delete(one)
            return "would change" if dry_run else "changed"

        return await self._each(found, change, organizer_tells=True)

    async def _each(
        self, found: Sequence[Stored], change: Callable[[Stored], Awaitable[Outcome]], *, organizer_tells: bool
    ) -> list[Treated]:
        """Treat one after the other, in an order that does not change; a failure does not stop the rest."""
        mine = ((await self._account.profile()).email or "").lower() or None
        zone = await self._account.zone()
        results: list[Treated] = []
        for one in found:
            document = one.document()
            item = main_of(parse_calendar(one.data), EVENT)
            outcome, error = "failed", None
            try:
                outcome = await change(one)
            except Failure as failure:
                error = str(failure)
            heard = (
                notified_attendees(document.items(EVENT), mine)
                if organizer_tells and outcome in ("changed", "would change")
                else []
            )
            results.append(
                Treated(
                    uid=str(item.get("UID", "")),
                    calendar_name=one.calendar,
                    title=str(item.get("SUMMARY", "")),
                    start=show_time(begin_of(item), zone),
                    outcome=outcome,
                    recurring=is_series(document, EVENT) or None,
                    told=heard or None,
                    error=error,
                )
            )
        return results
