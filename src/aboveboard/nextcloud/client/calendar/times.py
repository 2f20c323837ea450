"""Times as people give and read them, and as calendars keep them.

A time with an offset or Z is an instant. One without belongs to the zone that is given with it, or else to the user's.
A bare date is a whole day. What ends a whole day is the day after for a calendar, and the day itself for people.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, TypeVar
from zoneinfo import ZoneInfo

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.calendar.editing import Component, Document, Raw, document_of
from aboveboard.nextcloud.client.calendar.zones import vtimezone, zone_of

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_TIME: Final = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}\S*")
YEARS: Final = range(1600, 9901)
"""Years that people can give: at the ends of what a computer counts there is no day before, or none after."""
_FORM: Final = "Use a date such as 2026-03-29, or a time such as 2026-03-29T14:30, with an offset or Z if you like."
T = TypeVar("T", bound=date)


@dataclass(frozen=True)
class When:
    """A day, or a moment in the zone that it is kept in; `assumed` says that nobody named that zone."""

    value: date
    assumed: bool = False

    @property
    def all_day(self) -> bool:
        """Tell whether it is a whole day."""
        return not isinstance(self.value, datetime)

    def instant(self, zone: tzinfo) -> datetime:
        """Return the moment; a day begins where the user is."""
        return instant(self.value, zone)


def instant(value: date, zone: tzinfo) -> datetime:
    """Return the moment of a date or time; one without a zone is the user's."""
    moment = value if isinstance(value, datetime) else datetime.combine(value, time())
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment


def moment_of(value: date, zone: tzinfo) -> datetime:
    """Return the moment in UTC, to be compared: by clocks, two of the hour that is there twice are never the same."""
    return instant(value, zone).astimezone(UTC)


def read_when(text: str, zone: tzinfo, named: str = "", *, what: str = "time") -> When:
    """Read what a person gave; what cannot be read is refused, and never taken for nothing."""
    given = text.strip()
    try:
        if _DATE.fullmatch(given):
            return When(_near(date.fromisoformat(given)))
        moment = _near(datetime.fromisoformat(given if _TIME.fullmatch(given) else ""))
    except ValueError:
        raise BadInput(f"{text!r} cannot be read as the {what}.", next_step=_FORM) from None
    if moment.tzinfo is not None:
        return When(moment.astimezone(UTC))
    if named:
        return When(_existing(moment.replace(tzinfo=zone_of(named)), text))
    return When(_existing(moment.replace(tzinfo=zone), text), assumed=True)


def _near(value: T) -> T:
    if value.year not in YEARS:
        raise BadInput(f"The year {value.year} is too far away.", next_step=f"Use one from {YEARS[0]} to {YEARS[-1]}.")
    return value


def is_passed_over(value: date) -> bool:
    """Tell whether the clock that a time is told by never shows it, since it is put forward then."""
    if not isinstance(value, datetime) or value.tzinfo is None:
        return False
    return value.astimezone(UTC).astimezone(value.tzinfo).replace(tzinfo=None) != value.replace(tzinfo=None)


def _existing(moment: datetime, text: str) -> datetime:
    """Refuse a time that clocks pass over when they are put forward."""
    if is_passed_over(moment):
        raise BadInput(
            f"{text!r} does not exist in {moment.tzinfo}: the clocks are put forward then.",
            next_step="Choose another time, or give an offset.",
        )
    return moment


def write_time(value: date) -> tuple[Raw, dict[str, str]]:
    """Return a time as a calendar keeps it, and the parameters that go with it."""
    if not isinstance(value, datetime):
        return Raw(f"{value:%Y%m%d}"), {"VALUE": "DATE"}
    if value.tzinfo is None:
        return Raw(f"{value:%Y%m%dT%H%M%S}"), {}
    name = zone_name(value)
    if name is None or value.fold:  # a clock that is put back shows this a second time, and the first is meant by it
        return Raw(utc_text(value)), {}
    return Raw(f"{value:%Y%m%dT%H%M%S}"), {"TZID": name}


def utc_text(moment: datetime) -> str:
    """Return a moment as calendars write it in UTC."""
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def zone_name(value: datetime) -> str | None:
    """Return the name of the zone of a time; None for UTC and for a mere offset."""
    key = getattr(value.tzinfo, "key", None)
    return None if key in (None, "UTC", "Etc/UTC") else str(key)


def put_time(item: Component, name: str, value: date, document: Document) -> None:
    """Give a property a time; the rules of its zone are added where the text does not have them."""
    text, params = write_time(value)
    item.put(name, text, params)
    if "TZID" in params:
        ensure_zone(document, params["TZID"], value)


def ensure_zone(document: Document, name: str, value: date) -> None:
    """Make sure that a text tells the rules of a zone."""
    calendar = document.calendar
    if any(zone.value("TZID") == name for zone in calendar.components("VTIMEZONE")):
        return
    made = document_of(vtimezone(name, value.year).replace("\r\n", document.newline)).components()
    first = next((at for at, part in enumerate(calendar.parts) if isinstance(part, Component)), len(calendar.parts))
    calendar.parts[first:first] = made


def show_time(value: date, zone: tzinfo) -> str:
    """Return a time as people read it: in the user's zone, with its offset; a day as a date."""
    if not isinstance(value, datetime):
        return value.isoformat()
    return moment_of(value, zone).astimezone(zone).isoformat()


def last_day(end: date, start: date) -> date:
    """Return the last day of something that takes whole days; calendars name the day after it."""
    return max(start, end - timedelta(days=1))


def day_after(value: date) -> date:
    """Return the day that a calendar ends whole days with."""
    return value + timedelta(days=1)


def name_of(zone: tzinfo) -> str:
    """Return how a zone is called."""
    return zone.key if isinstance(zone, ZoneInfo) else "UTC"
