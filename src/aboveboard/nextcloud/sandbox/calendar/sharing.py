"""Who else sees a calendar: people it is shared with, and everyone once it is published."""

from aboveboard.nextcloud.sandbox.calendar import free_busy
from aboveboard.nextcloud.sandbox.calendar.places import branch
from aboveboard.nextcloud.sandbox.calendar.resources import CalendarResource, find_home
from aboveboard.nextcloud.sandbox.calendar.shelf import OWN, READ, WRITE, Shelf
from aboveboard.nextcloud.sandbox.dav.dialect import DavCall, DavError, not_found
from aboveboard.nextcloud.sandbox.dav.xml import Element, XmlError, clark, parse
from aboveboard.sandbox.wire import Response


@branch.on("POST")
def act(dav: DavCall) -> Response:
    """Share, publish, ask when others are free, or bring the birthdays back."""
    if dav.path == (dav.call.uid, "outbox"):
        return free_busy.ask(dav)
    try:
        root = parse(dav.call.body)
    except XmlError:
        raise _unknown() from None
    if root.tag == clark("ncc:enable-birthday-calendar"):
        return _enable_birthdays(dav)
    found = dav.find()
    handler = _HANDLERS.get(str(root.tag))
    if handler is None or not isinstance(found, CalendarResource):
        raise _unknown()
    return handler(found, root)


def _unknown() -> DavError:
    message = "There was no plugin in the system that was willing to handle this POST method."
    return DavError(501, "NotImplemented", message)


def _enable_birthdays(dav: DavCall) -> Response:
    mine: Shelf = find_home(dav)
    if mine.view("contact_birthdays") is None:
        add_birthdays(mine)
    return Response(204)


def add_birthdays(mine: Shelf) -> None:
    """The calendar that follows from the address book."""
    mine.create("contact_birthdays", name="Contact birthdays", color="#E9D859", components="VEVENT")


def _share(calendar: CalendarResource, root: Element) -> Response:
    """Give people the calendar, or take it back; whom nobody knows is passed over."""
    if calendar.view.access != OWN:
        raise not_found(f"Calendar with name '{calendar.view.uri}' could not be found")
    for one in root.iterfind(clark("oc:set")):
        access = WRITE if one.find(clark("oc:read-write")) is not None else READ
        for kind, who in _sharee(calendar, one):
            sql = "INSERT OR REPLACE INTO calendar_shares VALUES (?, ?, ?, ?)"
            calendar.store.run(sql, calendar.view.id, kind, who, access)
    for one in root.iterfind(clark("oc:remove")):
        for kind, who in _sharee(calendar, one):
            sql = "DELETE FROM calendar_shares WHERE calendar = ? AND kind = ? AND who = ?"
            calendar.store.run(sql, calendar.view.id, kind, who)
    return Response(200)


def _sharee(calendar: CalendarResource, one: Element) -> list[tuple[str, str]]:
    """Whom an address means, if there is such a person or group beside the owner."""
    href = (one.findtext(clark("d:href")) or "").strip()
    kind, _, who = href.removeprefix("principal:principals/").partition("/")
    known = {"users": "SELECT 1 FROM users WHERE uid = ?", "groups": "SELECT 1 FROM groups WHERE gid = ?"}.get(kind)
    there = known is not None and calendar.store.one(known, who) is not None
    return [(kind, who)] if there and (kind, who) != ("users", calendar.view.uid) else []


def _publish(calendar: CalendarResource, _: Element) -> Response:
    token = calendar.view.row["public"] or calendar.store.secret(16)
    calendar.store.update("calendars", calendar.view.id, public=token)
    return Response(202)


def _unpublish(calendar: CalendarResource, _: Element) -> Response:
    calendar.store.update("calendars", calendar.view.id, public=None)
    return Response(200)


_HANDLERS = {
    clark("oc:share"): _share,
    clark("cs:publish-calendar"): _publish,
    clark("cs:unpublish-calendar"): _unpublish,
}
