"""What a series says of single occurrences: which are left out, changed, or of a length of their own.

The library knows an occurrence by two clocks, its own and and takes the one for the other: where a series takes
place several times a day, neighbours of such an occurrence go with it. So what is said of single ones is taken out of
what the library reads, and goes by moments here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, Final, cast

import recurring_ical_events
from icalendar import vDDDLists

from aboveboard.nextcloud.client.calendar.occurrence import (
    Occurrence,
    begin_of,
    date_of,
    dates_of,
    length_of,
    values_of,
)
from aboveboard.nextcloud.client.calendar.times import moment_of

_RULES: Final = ("RRULE", "RDATE", "EXDATE")
_ALONE: Final = "\0"
"""What the name of a changed occurrence begins with while the library counts, so that it is no part of the series."""
# Not all of the library is typed.
_LISTS: Final = cast("Any", vDDDLists)


@dataclass(frozen=True)
class _Onward:
    """A change that holds for all that follow an occurrence too (RANGE=THISANDFUTURE)."""

    since: datetime
    item: Any
    later: timedelta
    """How much later than planned they begin."""
    length: timedelta


class Exceptions:
    """What a series says of single occurrences, each known by the moment or the day that it is planned for."""

    def __init__(self, read: Any, component: str, zone: tzinfo) -> None:
        """Take it out of a series as the library read it."""
        items = [item for item in read.walk(component) if item.get("DTSTART") or item.get("DUE")]
        changed = [item for item in items if item.get("RECURRENCE-ID") is not None]
        series = max((item for item in items if item.get("RECURRENCE-ID") is None), key=_version, default=None)
        start = begin_of(items[0] if series is None else series) if items else None
        self._clock = (start.tzinfo if isinstance(start, datetime) else None) or zone
        self._whole = not isinstance(start, datetime)
        self._gone, self._days, self._lengths = set[date](), set[date](), dict[date, timedelta]()
        self._changed = self._latest(changed)
        self._onward = [one for item in self._changed.values() if (one := self._following(item)) is not None]
        if series is not None:
            self._take_dates(series)
            self._forget_old(read, series)
        for number, item in enumerate(changed):
            _stand_alone(item, number)

    @property
    def reach(self) -> timedelta:
        """How far an occurrence may be from where the rule has it, or be longer than it says."""
        far = [*(abs(one.later) + one.length for one in self._onward), *self._lengths.values()]
        return max(far, default=timedelta())

    def applied(self, one: Occurrence, planned: date) -> Occurrence | None:
        """Return an occurrence as it takes place; None where it does not, or stands for itself elsewhere."""
        key, name = self.key(planned), str(one.item.get("UID", ""))
        if name.startswith(_ALONE):
            one.item["UID"] = name.rpartition(_ALONE)[2]
            shown = self._changed.get(key)
            return one if shown is not None and name == str(shown["UID"]) and key not in self._gone else None
        if key in self._gone or key in self._changed or self._day(planned) in self._days:
            return None
        if key in self._lengths:
            return replace(one, end=one.start + self._lengths[key])
        moment = moment_of(planned, self._clock)
        since = max((each for each in self._onward if each.since < moment), key=lambda each: each.since, default=None)
        if since is None:
            return one
        start = one.start + since.later
        return replace(one, start=start, end=start + since.length, item=since.item)

    def key(self, planned: date) -> date:
        """Return what tells an occurrence from all others, by whatever clock it is told."""
        moment = moment_of(planned, self._clock)
        if not self._whole:
            return moment
        # Some programs write midnight where they mean the day.
        values = [planned, moment] if isinstance(planned, datetime) else []
        return next((value.date() for value in values if value.time() == time()), moment if values else planned)

    def _day(self, planned: date) -> date | None:
        if not isinstance(planned, datetime):
            return None
        return (planned.astimezone(self._clock) if planned.tzinfo else planned).date()

    def _take_dates(self, series: Any) -> None:
        for day in dates_of(series, "EXDATE"):
            whole_day = not self._whole and not isinstance(day, datetime)
            (self._days if whole_day else self._gone).add(day if whole_day else self.key(day))
        added = values_of(series, "RDATE")
        for day, value in ((date_of(value), value.dt) for value in added):
            if isinstance(value, tuple):
                end = cast("tuple[Any, Any]", value)[1]
                self._lengths[self.key(day)] = end if isinstance(end, timedelta) else end - day
        floating = not self._whole and cast("datetime", begin_of(series)).tzinfo is None
        series.pop("EXDATE", None)
        if added:
            series["RDATE"] = [_LISTS([self._like_start(date_of(value), floating=floating)]) for value in added]

    def _like_start(self, day: date, *, floating: bool) -> date:
        """Tell a date without a zone where the start has none: the library would give the whole series that zone."""
        if floating and isinstance(day, datetime) and day.tzinfo is not None:
            return day.astimezone(self._clock).replace(tzinfo=None)
        return day

    def _latest(self, changed: Sequence[Any]) -> dict[date, Any]:
        """Return the changed occurrences; of one that was changed several times the latest version."""
        found: dict[date, Any] = {}
        for item in changed:
            known = found.setdefault(self.key(item["RECURRENCE-ID"].dt), item)
            if _version(item) > _version(known):
                found[self.key(item["RECURRENCE-ID"].dt)] = item
        return found

    def _following(self, item: Any) -> _Onward | None:
        planned, start = item["RECURRENCE-ID"], begin_of(item)
        of_a_kind = isinstance(planned.dt, datetime) == isinstance(start, datetime)
        if str(planned.params.get("RANGE", "")).upper() != "THISANDFUTURE" or not of_a_kind:
            return None
        since = moment_of(planned.dt, self._clock)
        twin = item.copy()
        twin.subcomponents = list(item.subcomponents)
        return _Onward(since, twin, moment_of(start, self._clock) - since, length_of(item))

    def _forget_old(self, read: Any, series: Any) -> None:
        """Forget changes of an older version with a rule of their own, to what the series does not have any more."""
        alone = read.copy()
        alone.subcomponents = [series]
        for key, item in list(self._changed.items()):
            if any(name in item for name in _RULES) and _version(item) < _version(series):
                moment = moment_of(item["RECURRENCE-ID"].dt, self._clock)
                query = recurring_ical_events.of(alone, components=[item.name], skip_bad_series=True)
                there = cast("list[Any]", query.between(moment, moment + timedelta(seconds=1)))
                if not any(self.key(one["RECURRENCE-ID"].dt) == key for one in there):
                    del self._changed[key]


def _version(item: Any) -> int:
    given = item.get("SEQUENCE")
    return given if isinstance(given, int) else -1


def _stand_alone(item: Any, number: int) -> None:
    for name in _RULES:
        item.pop(name, None)
    item["UID"] = f"{_ALONE}{number}{_ALONE}{item.get('UID', '')}"
