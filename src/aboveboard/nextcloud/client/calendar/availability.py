"""When people are free: the user by their own calendars, others by what their Nextcloud tells of them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, Final, cast
from uuid import uuid4

from aboveboard.errors import ApiError, BadInput, NotFound
from aboveboard.http import Nature
from aboveboard.nextcloud.client.account import Account
from aboveboard.nextcloud.client.calendar.attendees import MAIL, attendees_of
from aboveboard.nextcloud.client.calendar.collections import Collections
from aboveboard.nextcloud.client.calendar.editing import Component, Raw
from aboveboard.nextcloud.client.calendar.event_changes import EVENT
from aboveboard.nextcloud.client.calendar.objects import Objects, Span
from aboveboard.nextcloud.client.calendar.occurrence import Unreadable, parse_calendar
from aboveboard.nextcloud.client.calendar.recurrence import MOST, occurrences
from aboveboard.nextcloud.client.calendar.times import instant, utc_text
from aboveboard.nextcloud.client.dav import Dav
from aboveboard.nextcloud.client.parallel import each
from aboveboard.nextcloud.client.sharing.shares import Shares
from aboveboard.nextcloud.client.xml import name as xml_name
from aboveboard.nextcloud.client.xml import parse_xml as parsed_xml

WORK: Final = (time(9), time(17))
STEP: Final = timedelta(minutes=15)
"""What a slot begins at a multiple of."""
_WORDS: Final = {"morning": "09:00-12:00", "afternoon": "13:00-17:00", "evening": "17:00-21:00"}
_HOURS: Final = re.compile(r"(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})")
_ICS: Final = {"Content-Type": "text/calendar; charset=utf-8"}


@dataclass(frozen=True)
class Person:
    """Someone whose time counts: taken at some times, or of whom nothing is known."""

    address: str
    taken: list[Span] | None


@dataclass(frozen=True)
class Mine:
    """When the user is taken, by which calendars, and of which series only the beginning was looked at.

    From where such a one was not looked at any more, all counts as taken.
    """

    taken: list[Span]
    calendars: list[str]
    cut: list[str]
    unread: list[str]
    """What takes place nobody knows when."""


@dataclass(frozen=True)
class Slot:
    """A time that suits everyone of whom something is known, and between what it lies."""

    start: datetime
    end: datetime
    gap: Span
    preferred: bool


@dataclass(frozen=True, kw_only=True)
class SlotLimits:
    """What a slot shall be like."""

    duration: timedelta
    work_hours: bool = True
    weekends: bool = False
    preferred: str = ""


class Availability:
    """When one user, and others with them, are free."""

    def __init__(self, dav: Dav, account: Account, calendars: Collections, objects: Objects, shares: Shares) -> None:
        self._dav, self._account, self._calendars, self._objects, self._shares = (
            dav,
            account,
            calendars,
            objects,
            shares,
        )

    async def mine(self, span: Span) -> Mine:
        """Tell when the user is taken, and by which calendars: their own that count."""
        zone = await self._account.zone()
        mail = ((await self._account.profile()).email or "").lower()
        counted = [one for one in await self._calendars.list(EVENT) if one.owner is None and not one.transparent]
        taken: list[Span] = []
        cut: list[str] = []
        unread: list[str] = []
        for stored in await self._objects.within(counted, EVENT, span):
            try:
                here = occurrences(stored.data, EVENT, span, zone)
            except Unreadable as one:
                unread.append(one.title)
                continue
            busy = [one for one in here if _takes_time(one.item, mail)]
            taken += [Span(one.begins(zone), one.ends(zone)) for one in busy]
            if len(here) == MOST and busy:
                taken.append(Span(here[-1].begins(zone), span.end))
                cut.append(busy[-1].title)
        return Mine(taken, [one.display_name for one in counted], cut, unread)

    async def others(self, people: Sequence[str], span: Span) -> list[Person]:
        """Tell when others are taken, with one request for all of them."""
        addresses = await each(people, self._address)
        if not addresses:
            return []
        mail = (await self._account.profile()).email
        me = f"mailto:{mail}" if mail else f"/remote.php/dav/principals/users/{await self._dav.principal()}/"
        at = await self._dav.at("calendars/{user}/outbox/")
        content = _request(me, addresses, span)
        answer = await self._dav.request("POST", at, content=content, headers=_ICS, nature=Nature.READS)
        if answer.status >= 400:
            raise self._dav.error(answer)
        told: dict[str, list[Span] | None] = {}
        for one in parsed_xml(answer.content).iterfind(xml_name("cal:response")):
            recipient = one.findtext(f"{xml_name('cal:recipient')}/{xml_name('d:href')}") or ""
            data = one.findtext(xml_name("cal:calendar-data"))
            told[recipient.lower().removeprefix("mailto:")] = None if data is None else _taken(data)
        return [Person(one, told.get(one)) for one in addresses]

    async def _address(self, person: str) -> str:
        """Return the mail address of someone who is known by it, with a name or not, by their id, or by their name."""
        if mail := MAIL.search(person):
            return mail[0].lower()
        for user in (person, *await self._ids(person)):
            try:
                at = await self._dav.at("principals/users/{person}/", person=user)
                found = await self._dav.stat(at, "cal:calendar-user-address-set")
            except (NotFound, BadInput):
                continue
            holder = found.found.get(xml_name("cal:calendar-user-address-set"))
            links = [] if holder is None else [link.text or "" for link in holder]
            mails = [link.removeprefix("mailto:") for link in links if link.startswith("mailto:")]
            if mails:
                return mails[0].lower()
        raise NotFound(
            f"Nextcloud tells no mail address of {person!r}.", status=404, next_step="Give the mail address itself."
        )

    async def _ids(self, person: str) -> list[str]:
        found = await self._shares.recipients(person, limit=5)
        return [one.id for one in found if one.type == "user"]


def slots(taken: Iterable[Span], span: Span, wishes: SlotLimits, zone: tzinfo) -> Iterator[Slot]:
    """Go through the times that are free, in order."""
    if wishes.duration <= timedelta():
        raise BadInput("A slot needs a length.")
    hours = preferred_hours(wishes.preferred)
    busy = sorted(taken, key=lambda one: one.start)
    for window in _windows(span, wishes, zone):
        for gap in _gaps(window, busy):
            liked = (part for one in hours if (part := _within(gap, one, zone)) is not None)
            found = {times for part in liked for times in _times(part, wishes, zone)}
            others = {times for times in _times(gap, wishes, zone) if not any(_overlap(times, one) for one in found)}
            for times in sorted(found | others):
                yield Slot(*times, gap, preferred=times in found)


def _times(part: Span, wishes: SlotLimits, zone: tzinfo) -> Iterator[tuple[datetime, datetime]]:
    start = _rounded(part.start, zone)
    while start + wishes.duration <= part.end:
        yield start.astimezone(zone), (start + wishes.duration).astimezone(zone)
        start += max(wishes.duration, STEP * 2)


def _within(gap: Span, hours: tuple[time, time], zone: tzinfo) -> Span | None:
    """Return what of a gap lies in preferred hours of its day."""
    day = gap.start.astimezone(zone).date()
    first, last = (_utc(datetime.combine(day, one, zone)) for one in hours)
    start, end = max(gap.start, first), min(gap.end, last)
    return Span(start, end) if start < end else None


def _overlap(one: tuple[datetime, datetime], other: tuple[datetime, datetime]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def preferred_hours(text: str) -> list[tuple[time, time]]:
    """Read times of day that people like: "09:00-12:00, 14:00-16:00", or "morning"."""
    words = filter(None, (part.strip().lower() for part in text.split(",")))
    return [_hours(one) for one in words]


def _hours(text: str) -> tuple[time, time]:
    match = _HOURS.fullmatch(_WORDS.get(text, text))
    numbers = [int(part) for part in match.groups()] if match else []
    try:
        first_hour, first_minute, last_hour, last_minute = numbers
        return time(first_hour, first_minute), time(last_hour, last_minute)
    except ValueError:
        raise BadInput(f"{text!r} is not a time of day.", next_step="Use one such as 09:00-12:00.") from None


def _windows(span: Span, wishes: SlotLimits, zone: tzinfo) -> Iterator[Span]:
    """Go through the days, or what of them counts as work."""
    day: date = span.start.astimezone(zone).date()
    while datetime.combine(day, time(), zone) < span.end:
        if wishes.weekends or day.weekday() < 5:
            first, last = WORK if wishes.work_hours else (time(), time())
            start = datetime.combine(day, first, zone)
            end = datetime.combine(day if wishes.work_hours else day + timedelta(days=1), last, zone)
            # Compared in UTC: by the clock of one zone a day may seem to have an hour more or less.
            start, end = max(_utc(start), _utc(span.start)), min(_utc(end), _utc(span.end))
            if start < end:
                yield Span(start, end)
        day += timedelta(days=1)


def _gaps(window: Span, busy: Sequence[Span]) -> Iterator[Span]:
    start = window.start
    for one in busy:
        first, last = _utc(one.start), _utc(one.end)
        if last <= start or first >= window.end:
            continue
        if first > start:
            yield Span(start, first)
        start = max(start, last)
    if start < window.end:
        yield Span(start, window.end)


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


def _rounded(moment: datetime, zone: tzinfo) -> datetime:
    local = moment.astimezone(zone)
    over = timedelta(minutes=local.minute % 15, seconds=local.second, microseconds=local.microsecond)
    return _utc(moment) + (STEP - over if over else timedelta())


def _takes_time(item: Any, mail: str) -> bool:
    if str(item.get("STATUS", "")).upper() == "CANCELLED" or str(item.get("TRANSP", "")).upper() == "TRANSPARENT":
        return False
    return not any(one.email == mail and one.status == "DECLINED" for one in attendees_of(item))


def _request(me: str, addresses: Sequence[str], span: Span) -> bytes:
    calendar, asked = Component.new("VCALENDAR"), Component.new("VFREEBUSY")
    for name, value in (("VERSION", "2.0"), ("PRODID", "-//aboveboard//EN"), ("METHOD", "REQUEST")):
        calendar.add(calendar.line(name, Raw(value)))
    rows = {
        "UID": str(uuid4()),
        "DTSTAMP": utc_text(datetime.now(UTC)),
        "DTSTART": utc_text(span.start),
        "DTEND": utc_text(span.end),
        "ORGANIZER": me,
    }
    asked.add(*(asked.line(name, Raw(value)) for name, value in rows.items()))
    asked.add(*(asked.line("ATTENDEE", Raw(f"mailto:{one}")) for one in addresses))
    calendar.add(asked)
    return calendar.text.encode()


def _taken(data: str) -> list[Span]:
    found: list[Span] = []
    for answer in parse_calendar(data.encode()).walk("VFREEBUSY"):
        given = answer.get("FREEBUSY", [])
        for one in cast("list[Any]", given if isinstance(given, list) else [given]):
            if str(one.params.get("FBTYPE", "BUSY")).upper() != "FREE":
                found += [_period(period) for period in getattr(one, "dts", [one])]
    return found


def _period(period: Any) -> Span:
    start, end = period.dt if hasattr(period, "dt") else (period.start, period.end)
    try:
        last = start + end if isinstance(end, timedelta) else end
        return Span(instant(start, UTC), instant(last, UTC))
    except TypeError:
        raise ApiError("Nextcloud tells times here that cannot be read.") from None
