"""Whether an object fits the filter of a query; a text always matches by containing another, whatever is asked for."""

from datetime import datetime

from aboveboard.nextcloud.sandbox.calendar.ics import Component
from aboveboard.nextcloud.sandbox.calendar.occurrences import read_utc, takes_place
from aboveboard.nextcloud.sandbox.dav.dialect import DavError, bad_request
from aboveboard.nextcloud.sandbox.dav.xml import Element, clark

_COMPONENT, _PROPERTY = clark("cal:comp-filter"), clark("cal:prop-filter")
_RANGE, _MISSING = clark("cal:time-range"), clark("cal:is-not-defined")


def matches(calendar: Component, wanted: Element) -> bool:
    """Whether a calendar fits a filter."""
    for outer in wanted.iterfind(_COMPONENT):
        for inner in outer.iterfind(_COMPONENT):
            if not _fits(calendar, inner):
                return False
    return True


def _fits(calendar: Component, wanted: Element) -> bool:
    kind = wanted.get("name") or ""
    items = calendar.within(kind)
    if wanted.find(_MISSING) is not None:
        return not items
    if not items:
        return False
    span = wanted.find(_RANGE)
    if span is not None and not _in_range(calendar, kind, span):
        return False
    return any(_item_fits(item, wanted) for item in items)


def _in_range(calendar: Component, kind: str, span: Element) -> bool:
    start, end = (_moment(span.get(name)) for name in ("start", "end"))
    if start and end and end <= start:
        raise bad_request("The end-date must be larger than the start-date")
    return takes_place(calendar, kind, start, end)


def _moment(text: str | None) -> datetime | None:
    try:
        return read_utc(text) if text else None
    except ValueError as error:
        message = f"The supplied iCalendar datetime value is incorrect: {error}"
        raise DavError(500, "Sabre\\VObject\\InvalidDataException", message) from error


def _item_fits(item: Component, wanted: Element) -> bool:
    for inner in wanted.iterfind(_COMPONENT):
        there = bool(item.within(inner.get("name") or ""))
        if there == (inner.find(_MISSING) is not None):
            return False
    return all(_property_fits(item, prop) for prop in wanted.iterfind(_PROPERTY))


def _property_fits(item: Component, wanted: Element) -> bool:
    lines = item.every((wanted.get("name") or "").upper())
    if wanted.find(_MISSING) is not None:
        return not lines
    text = wanted.find(clark("cal:text-match"))
    if text is None:
        return bool(lines)
    needle, negated = (text.text or "").lower(), text.get("negate-condition") == "yes"
    return any((needle in line.value.lower()) != negated for line in lines)


def text_of(calendar: Component, name: str) -> str:
    """What the lines of a name say."""
    return "\n".join(line.value for item in calendar.items for line in item.every(name))
