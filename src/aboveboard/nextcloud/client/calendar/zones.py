"""Zones: whose name it is, and how a text tells its rules (VTIMEZONE) to those who do not know the name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from aboveboard.errors import BadInput, explain_unknown

YEARS: Final = 12
"""How far ahead the changes of a zone are looked at to find its rule."""
_DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@cache
def known_zones() -> frozenset[str]:
    """Return the names of all zones of which this machine knows the rules."""
    return frozenset(available_timezones())


def zone_of(name: str) -> ZoneInfo:
    """Return the zone of a name, which may be one of Microsoft's."""
    try:
        return ZoneInfo(WINDOWS_TO_OLSON.get(name, name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        problem = explain_unknown("zone", name, sorted(known_zones()), of="The world")
        raise BadInput(problem, next_step="Use a name such as Europe/Berlin.") from None


@dataclass(frozen=True)
class Change:
    """When the clocks of a zone change, in UTC, and by how much."""

    at: datetime
    before: timedelta
    after: timedelta
    name: str

    @property
    def local(self) -> datetime:
        """The moment by the clock that is put forward or back, as a VTIMEZONE has it."""
        return (self.at + self.before).replace(tzinfo=None)

    @property
    def kind(self) -> tuple[timedelta, timedelta, str]:
        """What changes of one rule have in common."""
        return self.before, self.after, self.name


@lru_cache(maxsize=64)
def vtimezone(name: str, year: int) -> str:
    """Write the rules of a zone that hold from a year on, one line after another."""
    zone = zone_of(name)
    start = datetime(year - 1, 1, 1, tzinfo=UTC)
    changes = list(_changes(zone, start, datetime(year + YEARS, 1, 1, tzinfo=UTC)))
    rows = ["BEGIN:VTIMEZONE", f"TZID:{name}"]
    offset = start.astimezone(zone)
    # What holds before the first change, or for ever where there is none.
    first = Change(start, _offset(offset), _offset(offset), offset.tzname() or name)
    rows += _observance(first, [])
    groups: dict[object, list[Change]] = {}
    for change in changes:
        groups.setdefault(change.kind, []).append(change)
    for group in groups.values():
        rows += _observance(group[0], group[1:])
    return "\r\n".join([*rows, "END:VTIMEZONE", ""])


def _observance(first: Change, more: Sequence[Change]) -> list[str]:
    kind = "DAYLIGHT" if first.after > first.before else "STANDARD"
    rows = [f"BEGIN:{kind}", f"DTSTART:{first.local:%Y%m%dT%H%M%S}"]
    if more:
        rule = _rule([first, *more])
        rows += [rule] if rule else [f"RDATE:{one.local:%Y%m%dT%H%M%S}" for one in more]
    rows += [f"TZOFFSETFROM:{_signed(first.before)}", f"TZOFFSETTO:{_signed(first.after)}", f"TZNAME:{first.name}"]
    return [*rows, f"END:{kind}"]


def _rule(changes: Sequence[Change]) -> str | None:
    """Find the yearly rule that changes follow, if they do: so many a Sunday of a month, or its last."""
    moments = [change.local for change in changes]
    years = [moment.year for moment in moments]
    alike = {(moment.month, moment.weekday(), moment.time()) for moment in moments}
    if years != list(range(years[0], years[0] + len(years))) or len(alike) != 1 or len(years) < YEARS - 1:
        return None
    [(month, day, _)] = alike
    weeks = {(moment.day - 1) // 7 + 1 for moment in moments}
    last = all((moment + timedelta(days=7)).month != month for moment in moments)
    if last or len(weeks) == 1:
        return f"RRULE:FREQ=YEARLY;BYMONTH={month};BYDAY={-1 if last else weeks.pop()}{_DAYS[day]}"
    return None


def _changes(zone: ZoneInfo, start: datetime, end: datetime) -> Iterator[Change]:
    step = timedelta(days=7)
    at = start
    while at < end:
        after = min(at + step, end)
        if _state(zone, at) != _state(zone, after):
            moment = _moment(zone, at, after)
            before, now = (moment - timedelta(seconds=1)).astimezone(zone), moment.astimezone(zone)
            yield Change(moment, _offset(before), _offset(now), now.tzname() or "")
        at = after


def _moment(zone: ZoneInfo, before: datetime, after: datetime) -> datetime:
    """Find the second at which a zone changes."""
    low, high = int(before.timestamp()), int(after.timestamp())
    state = _state(zone, before)
    while high - low > 1:
        middle = (low + high) // 2
        if _state(zone, datetime.fromtimestamp(middle, UTC)) == state:
            low = middle
        else:
            high = middle
    return datetime.fromtimestamp(high, UTC)


def _state(zone: ZoneInfo, at: datetime) -> tuple[timedelta, str | None, timedelta | None]:
    local = at.astimezone(zone)
    return _offset(local), local.tzname(), local.dst()


def _offset(local: datetime) -> timedelta:
    return local.utcoffset() or timedelta()


def _signed(offset: timedelta) -> str:
    seconds = int(offset.total_seconds())
    sign, rest = ("-", -seconds) if seconds < 0 else ("+", seconds)
    hours, minutes, odd = rest // 3600, rest // 60 % 60, rest % 60
    return f"{sign}{hours:02}{minutes:02}{f'{odd:02}' if odd else ''}"
