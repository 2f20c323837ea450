"""Invitations: what an organizer writes reaches the attendees' calendars, and their answers come back.

Only people of this server are reached; to others mail would go, which is not sent here.
"""

import uuid
from collections.abc import Callable

from aboveboard.nextcloud.sandbox.calendar import shelf
from aboveboard.nextcloud.sandbox.calendar.free_busy import addresses, person_at
from aboveboard.nextcloud.sandbox.calendar.ics import PRODID, Component, Line, parse, to_text
from aboveboard.nextcloud.sandbox.calendar.shelf import Shelf
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.nextcloud.sandbox.wire import digest

_SMALL, _SENT, _ANSWERED = "1.0", "1.1", "2.0"
"""What becomes of a message: too small a change to write to someone about, on its way, answered."""


def tell_others(store: Store, uid: str, old: Component | None, new: Component) -> bool:
    """Tell others of what someone wrote into their calendar; whether that changed the text."""
    mine = addresses(store, uid)
    organizer = _organizer(new) or (_organizer(old) if old else "")
    if not organizer:
        return False
    if organizer.lower() in mine:
        return _organized(store, uid, organizer, old, new)
    if old is not None and mine & _attendees(new):
        return _replied(store, mine, organizer, old, new)
    return False


def deleted(store: Store, uid: str, old: Component) -> None:
    """Tell others of what someone deleted: an organizer cancels, an attendee declines."""
    mine = addresses(store, uid)
    organizer = _organizer(old)
    if organizer.lower() in mine:
        for address in _attendees(old) - mine:
            _cancel(store, address, old)
    elif organizer and mine & _attendees(old):
        _answer(store, organizer, old.items[0].value("UID"), lambda _: "DECLINED", mine)


def _organizer(calendar: Component) -> str:
    return next((line.value for item in calendar.items for line in item.every("ORGANIZER")), "")


def _attendees(calendar: Component) -> set[str]:
    return {line.value.lower() for item in calendar.items for line in item.every("ATTENDEE")}


def _organized(store: Store, uid: str, organizer: str, old: Component | None, new: Component) -> bool:
    mine = addresses(store, uid)
    before, now = _attendees(old) if old else set[str](), _attendees(new)
    for address in before - now - mine:
        _cancel(store, address, new)
    if not _organizer(new):
        return False
    changed = old is None or _significant(old) != _significant(new)
    marked = _mark(new, mine, before if not changed else set())
    for address in now - mine:
        _deliver(store, address, new)
    return marked


def _mark(calendar: Component, mine: set[str], informed: set[str]) -> bool:
    """Say in the first component what became of each message; whether that changes anything."""
    marked = False
    for line in calendar.items[0].every("ATTENDEE"):
        if line.value.lower() in mine or line.params.get("SCHEDULE-AGENT") == "CLIENT":
            continue
        asked = line.params.get("PARTSTAT", "NEEDS-ACTION") == "NEEDS-ACTION"
        status = _SENT if asked and line.value.lower() not in informed else _SMALL
        marked = marked or line.params.get("SCHEDULE-STATUS") != status
        line.params["SCHEDULE-STATUS"] = status
    return marked


def _significant(calendar: Component) -> list[list[str]]:
    names = {"DTSTART", "DTEND", "DUE", "RRULE", "RDATE", "EXDATE", "STATUS"}
    return [[line.text() for line in item.lines if line.name in names] for item in calendar.items]


def _deliver(store: Store, address: str, calendar: Component) -> None:
    """Put an invitation into someone's inbox and default calendar, in the place of an older one."""
    uid = person_at(store, address)
    if uid is None:
        return
    sent = calendar.copy()
    for item in sent.items:
        item.inner = [one for one in item.inner if one.name != "VALARM"]
        for line in item.every("ATTENDEE"):
            line.params.pop("SCHEDULE-STATUS", None)
        if not item.first("SEQUENCE"):
            item.lines.append(Line("SEQUENCE", {}, "0"))
    request = sent.copy()
    request.lines.append(Line("METHOD", {}, "REQUEST"))
    copy = Component("VCALENDAR", _head(), sent.inner)
    _keep(store, uid, copy, request)


def _head() -> list[Line]:
    return [Line("VERSION", {}, "2.0"), Line("PRODID", {}, PRODID), Line("CALSCALE", {}, "GREGORIAN")]


def _cancel(store: Store, address: str, calendar: Component) -> None:
    uid = person_at(store, address)
    there = _copy_of(store, uid, calendar.items[0].value("UID")) if uid else None
    if uid is None or there is None:
        return
    copy = parse(to_text(there["data"]))
    sequence = int(calendar.items[0].value("SEQUENCE") or "0") + 1
    for item in copy.items:
        item.set("STATUS", "CANCELLED")
        item.set("SEQUENCE", str(sequence))
    notice = copy.copy()
    notice.lines.append(Line("METHOD", {}, "CANCEL"))
    _keep(store, uid, copy, notice)


def _copy_of(store: Store, uid: str, event: str) -> "shelf.sqlite3.Row | None":
    for view in Shelf(store, uid).views():
        if view.access == shelf.OWN and not view.row["deleted"]:
            sql = "SELECT * FROM calendar_objects WHERE calendar = ? AND uid = ? AND deleted IS NULL"
            row = store.one(sql, view.id, event)
            if row:
                return row
    return None


def _keep(store: Store, uid: str, copy: Component, message: Component) -> None:
    event, component = copy.items[0].value("UID"), copy.items[0].name
    there = _copy_of(store, uid, event)
    made = f"sabredav-{uuid.UUID(store.secret())}.ics"
    name = there["uri"] if there else made
    data = message.text()
    values = {"data": data, "etag": digest(data.decode()), "modified": store.now()}
    store.insert("calendar_inbox", uid=uid, uri=made, **values)
    default = Shelf(store, uid).view("personal")
    calendar = there["calendar"] if there else default.id if default else None
    if calendar is not None and not _binned(store, calendar, event):
        shelf.write(store, calendar, name, copy.text(), event, component)


def _binned(store: Store, calendar: int, event: str) -> bool:
    sql = "SELECT 1 FROM calendar_objects WHERE calendar = ? AND uid = ? AND deleted IS NOT NULL"
    return store.one(sql, calendar, event) is not None


def _replied(store: Store, mine: set[str], organizer: str, old: Component, new: Component) -> bool:
    """Pass an attendee's answer on, where it is another than before."""
    answers = _answers(new, mine)
    if answers == _answers(old, mine):
        return False
    first = next(iter(answers.values()), "NEEDS-ACTION")
    _answer(store, organizer, new.items[0].value("UID"), lambda planned: answers.get(planned, first), mine)
    for line in new.items[0].every("ORGANIZER"):
        line.params["SCHEDULE-STATUS"] = _SENT
    return True


def _answers(calendar: Component, mine: set[str]) -> dict[str, str]:
    return {
        item.value("RECURRENCE-ID"): str(line.params.get("PARTSTAT", "NEEDS-ACTION"))
        for item in calendar.items
        for line in item.every("ATTENDEE")
        if line.value.lower() in mine
    }


def _answer(store: Store, organizer: str, event: str, answer: Callable[[str], str], mine: set[str]) -> None:
    """Write an attendee's answer into the organizer's copy."""
    uid = person_at(store, organizer)
    there = _copy_of(store, uid, event) if uid else None
    if uid is None or there is None:
        return
    copy = parse(to_text(there["data"]))
    _mark(copy, addresses(store, uid), _attendees(copy))
    for item in copy.items:
        for line in item.every("ATTENDEE"):
            if line.value.lower() in mine:
                line.params["PARTSTAT"] = answer(item.value("RECURRENCE-ID"))
                line.params.pop("RSVP", None)
                line.params["SCHEDULE-STATUS"] = _ANSWERED
    shelf.write(store, there["calendar"], there["uri"], copy.text(), event, there["component"])
