"""What may be stored: the checks and repairs of the real server, in its words."""

import re
from dataclasses import dataclass
from datetime import datetime

from aboveboard.nextcloud.sandbox.calendar.ics import PRODID, Component, IcsError, Line, from_jcal, parse, to_text
from aboveboard.nextcloud.sandbox.dav.dialect import DavError
from aboveboard.nextcloud.sandbox.dav.xml import make

_DATES = {"DTSTART", "DTEND", "DUE", "RECURRENCE-ID", "COMPLETED"}
_DATE = re.compile(r"\d{8}(T\d{6}Z?)?")
_FREQUENCIES = {"SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"}
_ONCE = {"CLASS", "DTSTART", "DTEND", "DUE", "SUMMARY", "LOCATION", "STATUS", "PRIORITY", "TRANSP", "UID", "URL"}


@dataclass(frozen=True)
class Checked:
    """An object that may be stored, and whether it is other than what was sent."""

    data: bytes
    calendar: Component
    repaired: bool

    @property
    def component(self) -> str:
        """What kind of thing it is."""
        return self.calendar.items[0].name

    @property
    def uid(self) -> str:
        """The id that it has everywhere."""
        return self.calendar.items[0].value("UID")


def check(data: bytes, content_type: str, components: list[str], new_uid: str, now: int) -> Checked:
    """What a calendar with these components would store of a body."""
    text, repaired = _text(data, content_type)
    try:
        calendar = parse(text)
    except IcsError as error:
        raise _unsupported(f"This resource only supports valid iCalendar 2.0 data. Parse error: {error}") from error
    if calendar.name != "VCALENDAR":
        raise _unsupported("This collection can only support iCalendar objects.")
    if not any(one.name in components for one in calendar.items):
        raise DavError(
            403,
            "Sabre\\CalDAV\\Exception\\InvalidComponentType",
            f"iCalendar objects must at least have a component of type {', '.join(components)}",
            details=[make("cal:supported-calendar-component")],
        )
    _validate(calendar)
    if _repair(calendar, new_uid, now):
        repaired = True
    _check_rules(calendar)
    return Checked(calendar.text() if repaired else data, calendar, repaired)


def _text(data: bytes, content_type: str) -> tuple[str, bool]:
    if "json" in content_type:
        return from_jcal(data), True
    text = to_text(data)
    return text, text.encode() != data


def _unsupported(message: str) -> DavError:
    return DavError(415, "UnsupportedMediaType", message)


def _invalid(message: str) -> DavError:
    return _unsupported(f"Validation error in iCalendar: {message}")


def _validate(calendar: Component) -> None:
    if calendar.first("METHOD"):
        raise _invalid("A calendar object on a CalDAV server MUST NOT have a METHOD property.")
    for item in calendar.items:
        for line in item.lines:
            _validate_date(line)
        _validate_item(item)
    if len({item.value("UID") for item in calendar.items if item.first("UID")}) > 1:
        raise _invalid("A calendar object on a CalDAV server may only have components with the same UID.")
    masters = [item for item in calendar.items if not item.first("RECURRENCE-ID")]
    if len(masters) > 1:
        uid = masters[0].value("UID")
        raise _invalid(f"More than one master object was found for the object with UID {uid}")


def _validate_date(line: Line) -> None:
    if line.name in _DATES and not _DATE.fullmatch(line.value):
        raise _invalid(f"The supplied value ({line.value}) is not a correct DATE-TIME")


def _validate_item(item: Component) -> None:
    if item.name == "VEVENT" and not item.first("DTSTART"):
        raise _invalid("DTSTART MUST appear exactly once in a VEVENT component")
    for name in _ONCE:
        if len(item.every(name)) > 1:
            raise _invalid(f"{name} MUST NOT appear more than once in a {item.name} component")
    start, due = item.value("DTSTART"), item.value("DUE")
    if item.name == "VTODO" and start and due and due < start:
        raise _invalid("DUE must occur after DTSTART")
    for alarm in item.within("VALARM"):
        if not alarm.first("TRIGGER"):
            raise _invalid("TRIGGER MUST appear exactly once in a VALARM component")


def _repair(calendar: Component, new_uid: str, now: int) -> bool:
    """Add what must be there and is not; whether anything was missing."""
    found = False
    if not calendar.first("PRODID"):
        calendar.lines.append(Line("PRODID", {}, PRODID))
        found = True
    stamp = f"{datetime.fromtimestamp(now).astimezone():%Y%m%dT%H%M%SZ}"
    for item in calendar.items:
        for name, value in (("UID", new_uid), ("DTSTAMP", stamp)):
            if not item.first(name):
                item.lines.append(Line(name, {}, value))
                found = True
    return found


def _check_rules(calendar: Component) -> None:
    """What makes the real server's own code fail."""
    for item in calendar.items:
        for rule in item.every("RRULE"):
            frequency = re.search(r"FREQ=([^;]*)", rule.value)
            if frequency and frequency[1].upper() not in _FREQUENCIES:
                raise _broken(f"Unknown value for FREQ={frequency[1]}")
        for line in item.every("RDATE"):
            if line.params.get("VALUE") == "PERIOD":
                raise _broken(f"The supplied iCalendar datetime value is incorrect: {line.value}")


def _broken(message: str) -> DavError:
    return DavError(500, "Sabre\\VObject\\InvalidDataException", message)
