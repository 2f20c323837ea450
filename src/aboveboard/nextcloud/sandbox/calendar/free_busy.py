"""When people are taken: a calendar's own report, and what the outbox tells of others."""

from collections.abc import Iterable
from datetime import UTC, datetime

from lxml import etree

from aboveboard.nextcloud.sandbox.calendar import shelf
from aboveboard.nextcloud.sandbox.calendar.ics import PRODID, Component, IcsError, Line, parse, to_text
from aboveboard.nextcloud.sandbox.calendar.occurrences import busy, read_utc, utc
from aboveboard.nextcloud.sandbox.calendar.shelf import Shelf
from aboveboard.nextcloud.sandbox.dav.dialect import DavCall, bad_request, forbidden
from aboveboard.nextcloud.sandbox.dav.xml import Element, clark, make
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.sandbox.wire import Response


def taken(store: Store, calendars: Iterable[int], start: datetime, end: datetime) -> Component:
    """The answer: a VFREEBUSY with what is in some calendars."""
    times: list[tuple[datetime, datetime, str]] = []
    for calendar in calendars:
        for row in shelf.objects(store, calendar):
            if row["component"] == "VEVENT":
                times += busy(parse(to_text(row["data"])), start, end)
    stamp = utc(datetime.fromtimestamp(store.now(), UTC))
    answer = Component("VFREEBUSY", [Line("DTSTART", {}, utc(start)), Line("DTEND", {}, utc(end))])
    answer.lines.append(Line("DTSTAMP", {}, stamp))
    for begin, finish, kind in sorted(set(times)):
        params: dict[str, str | list[str]] = {} if kind == "BUSY" else {"FBTYPE": kind}
        answer.lines.append(Line("FREEBUSY", params, f"{utc(begin)}/{utc(finish)}"))
    return answer


def wrapped(answer: Component, *, method: str = "") -> bytes:
    """The calendar around an answer."""
    lines = [Line("VERSION", {}, "2.0"), Line("PRODID", {}, PRODID), Line("CALSCALE", {}, "GREGORIAN")]
    if method:
        lines.append(Line("METHOD", {}, method))
    return Component("VCALENDAR", lines, [answer]).text()


def ask(dav: DavCall) -> Response:
    """What a request to the outbox gets: one answer for each person, those of elsewhere being unknown."""
    try:
        request = parse(to_text(dav.call.body)).items[0]
    except (IcsError, IndexError) as error:
        message = f"The request body must be a valid iCalendar object. Parse error: {error}"
        raise bad_request(message) from error
    organizer = request.value("ORGANIZER")
    if organizer.lower() not in addresses(dav.call.store, dav.call.uid):
        raise forbidden("The organizer in the request did not match any of the addresses for the owner of this inbox")
    start, end = read_utc(request.value("DTSTART")), read_utc(request.value("DTEND"))
    made = [_answer(dav.call.store, line.value, request, start, end) for line in request.every("ATTENDEE")]
    root = etree.Element(clark("cal:schedule-response"), nsmap={"cal": clark("cal:x")[1:-2], "d": "DAV:"})
    root.extend(made)
    etree.indent(root, "  ")
    body = b'<?xml version="1.0" encoding="utf-8"?>\n' + etree.tostring(root, encoding="utf-8") + b"\n"
    return Response(200, {"content-type": "application/xml"}, body)


def addresses(store: Store, uid: str) -> set[str]:
    """How someone is called in invitations."""
    row = store.one("SELECT email FROM users WHERE uid = ?", uid)
    return {f"mailto:{row['email']}".lower()} if row and row["email"] else set()


def person_at(store: Store, address: str) -> str | None:
    """Whose address it is."""
    mail = address.lower().removeprefix("mailto:")
    row = store.one("SELECT uid FROM users WHERE email != '' AND lower(email) = ?", mail)
    return row["uid"] if row else None


def _answer(store: Store, address: str, request: Component, start: datetime, end: datetime) -> Element:
    recipient = make("cal:recipient", [make("d:href", address)])
    uid = person_at(store, address)
    if uid is None:
        return make("cal:response", [recipient, make("cal:request-status", "3.7;Could not find principal")])
    calendars = [view.id for view in Shelf(store, uid).views() if _counts(view)]
    answer = taken(store, calendars, start, end)
    answer.lines += [
        Line("ATTENDEE", {}, address),
        Line("UID", {}, request.value("UID")),
        Line("ORGANIZER", {}, request.value("ORGANIZER")),
    ]
    data = make("cal:calendar-data", wrapped(answer, method="REPLY").decode().replace("\r\n", "\n"))
    return make("cal:response", [recipient, make("cal:request-status", "2.0;Success"), data])


def _counts(view: shelf.View) -> bool:
    return view.access == shelf.OWN and not view.row["transparent"] and not view.row["deleted"]
