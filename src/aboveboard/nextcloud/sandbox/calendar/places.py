"""The tree below /remote.php/dav/calendars/: homes, what is in them, and how calendars come and go."""

import sqlite3
from collections.abc import Iterable

from aboveboard.nextcloud.sandbox.calendar import shelf
from aboveboard.nextcloud.sandbox.calendar.ics import Component, parse, to_text
from aboveboard.nextcloud.sandbox.calendar.purposes import Place
from aboveboard.nextcloud.sandbox.calendar.resources import CalendarResource, ObjectResource, find_home, moment
from aboveboard.nextcloud.sandbox.calendar.settable import new_values
from aboveboard.nextcloud.sandbox.calendar.shelf import Shelf, View
from aboveboard.nextcloud.sandbox.dav.dialect import (
    Branch,
    DavCall,
    DavError,
    Resource,
    bad_request,
    not_allowed,
    not_found,
)
from aboveboard.nextcloud.sandbox.dav.xml import Element, Value, XmlError, children, clark, make
from aboveboard.nextcloud.sandbox.dav.xml import parse as parse_xml
from aboveboard.nextcloud.sandbox.wire import http_date
from aboveboard.sandbox.wire import Response

FEATURES = (
    "1, 3, extended-mkcol, access-control, calendarserver-principal-property-search, oc-resource-sharing,"
    " calendar-access, calendar-proxy, calendar-auto-schedule, calendar-availability, nc-calendar-trashbin,"
    " nc-calendar-webcal-cache, calendarserver-subscribed, oc-calendar-publishing, calendarserver-sharing, nc-paginate,"
    " nextcloud-checksum-update, nc-calendar-search, nc-enable-birthday-calendar, 2"
)
_LONGEST = 255
_SPECIAL = ("inbox", "outbox", "trashbin")


class Message(Resource):
    """An invitation or an answer in the inbox."""

    collection = False
    content_type = "text/calendar; charset=utf-8"

    def __init__(self, path: str, row: sqlite3.Row) -> None:
        super().__init__(f"{path}/{row['uri']}")
        self.row, self.data = row, row["data"]

    def value(self, name: str) -> Value | None:
        """Its version and its type."""
        known = {
            clark("d:getetag"): f'"{self.row["etag"]}"',
            clark("d:getcontenttype"): self.content_type,
            clark("d:getlastmodified"): http_date(self.row["modified"]),
        }
        return known.get(name) or super().value(name)


class Binned(Resource):
    """A deleted object."""

    collection = False

    def __init__(self, path: str, row: sqlite3.Row) -> None:
        super().__init__(f"{path}/{row['id']}.ics")
        self.row, self.data = row, row["data"]
        self.content_type = f"text/calendar; charset=utf-8; component={row['component'].lower()}"

    def value(self, name: str) -> Value | None:
        """When it was deleted, and from where."""
        known = {
            clark("d:getetag"): f'"{self.row["etag"]}"',
            clark("ncc:deleted-at"): moment(self.row["deleted"]),
            clark("ncc:calendar-uri"): self.row["calendar_uri"],
            clark("ncc:source-calendar-uri"): self.row["calendar_uri"],
            clark("cal:calendar-data"): to_text(self.data).replace("\r\n", "\n"),
            clark("d:getcontenttype"): self.content_type,
        }
        return known.get(name) or super().value(name)

    @property
    def tree(self) -> Component:
        """What it says, for queries."""
        return parse(to_text(self.data))


class Bin(Resource):
    """All deleted objects; they are found by a query and not by a listing."""

    def __init__(self, dav: DavCall, uid: str) -> None:
        super().__init__(f"{dav.url}/{uid}/trashbin/objects")
        self.store, self.uid = dav.call.store, uid

    def items(self) -> list[Binned]:
        """What is in the bin."""
        rows = self.store.all(
            "SELECT o.*, c.uri AS calendar_uri FROM calendar_objects o JOIN calendars c ON c.id = o.calendar"
            " WHERE c.uid = ? AND o.deleted IS NOT NULL AND c.deleted IS NULL ORDER BY o.calendar, o.id",
            self.uid,
        )
        return [Binned(self.path, row) for row in rows]

    def members(self) -> Iterable[Resource]:
        """No list."""
        raise DavError(501, "NotImplemented")


def _home(dav: DavCall, mine: Shelf) -> Place:
    base = f"{dav.url}/{mine.uid}"

    def inside() -> Iterable[Resource]:
        yield from (CalendarResource(dav, view, listed=True) for view in mine.views())
        yield from (_special(dav, mine, name) for name in _SPECIAL)
        yield from (CalendarResource(dav, view, listed=True) for view in mine.subscriptions())

    return Place(base, "home", inside=inside)


def _special(dav: DavCall, mine: Shelf, name: str) -> Place:
    path = f"{dav.url}/{mine.uid}/{name}"
    if name == "inbox":
        rows = mine.store.all("SELECT * FROM calendar_inbox WHERE uid = ? ORDER BY id", mine.uid)
        return Place(path, "inbox", "cal:schedule-inbox", inside=lambda: [Message(path, row) for row in rows])
    if name == "outbox":
        return Place(path, "outbox", "cal:schedule-outbox")
    return Place(path, "all", "ncc:trash-bin", inside=lambda: [Bin(dav, mine.uid), Resource(f"{path}/restore")])


def _find(dav: DavCall) -> Resource:
    if len(dav.path) < 2:
        return _home(dav, find_home(dav)) if dav.path else Resource(dav.url)
    mine = find_home(dav)
    if dav.path[1] in _SPECIAL:
        return _find_special(dav, mine)
    view = find_view(dav, mine)
    calendar = CalendarResource(dav, view)
    if len(dav.path) == 2:
        return calendar
    row = shelf.find_object(dav.call.store, view.id, dav.path[2]) if len(dav.path) == 3 else None
    if row is None or ObjectResource(calendar, row).secret:
        raise not_found("Calendar object not found")
    return ObjectResource(calendar, row)


def find_view(dav: DavCall, mine: Shelf) -> View:
    """The calendar that a path is in."""
    view = mine.view(dav.path[1])
    if view is None:
        raise not_found(f"Node with name '{dav.path[1]}' could not be found")
    return view


def _find_special(dav: DavCall, mine: Shelf) -> Resource:
    place = _special(dav, mine, dav.path[1])
    if len(dav.path) == 2:
        return place
    if dav.path[1] == "inbox":
        found = [one for one in place.members() if one.path.rpartition("/")[2] == dav.path[2]]
        if found:
            return found[0]
        raise not_found(f"Node with name '{dav.path[2]}' could not be found")
    if dav.path[1] == "trashbin" and dav.path[2] == "objects":
        return _find_binned(dav, Bin(dav, mine.uid))
    if dav.path[1:] == ("trashbin", "restore"):
        return Resource("/".join((dav.url, *dav.path)))
    raise not_found(f"Node with name '{dav.path[2]}' could not be found")


def _find_binned(dav: DavCall, bin_: Bin) -> Resource:
    if len(dav.path) == 3:
        return bin_
    for item in bin_.items():
        if item.path.rpartition("/")[2] == dav.path[3]:
            return item
    raise not_found()


branch = Branch("calendars", _find, features=FEATURES, prefixes=("cal", "cs"))


@branch.on("MKCALENDAR", "MKCOL")
def make_calendar(dav: DavCall) -> Response:
    """A new calendar or subscription, under a name that nothing has, not even in the bin."""
    props = _given(dav)
    wanted = {str(child.tag) for prop in props if prop.tag == clark("d:resourcetype") for child in children(prop)}
    if dav.call.method == "MKCOL" and not wanted & {clark("cal:calendar"), clark("cs:subscribed")}:
        message = "You can only create calendars and subscriptions in this collection"
        raise DavError(403, "InvalidResourceType", message, details=[make("d:valid-resourcetype")])
    if len(dav.path) != 2:
        dav.at(branch, dav.path[:-1]).find()
    mine = find_home(dav.at(branch, dav.path[:1]))
    uri = dav.path[1]
    if uri in _SPECIAL or mine.view(uri):
        raise not_allowed("The resource you tried to create already exists")
    if len(uri) > _LONGEST:
        raise DavError(500, "OCP\\Calendar\\Exceptions\\CalendarException", "URI too long. Calendar not created")
    mine.create(uri, **new_values(props))
    return Response(201)


def _given(dav: DavCall) -> list[Element]:
    if not dav.call.body.strip():
        return []
    try:
        root = parse_xml(dav.call.body)
    except XmlError as error:
        raise bad_request(str(error)) from error
    return [prop for holder in root.iterfind(f"{clark('d:set')}/{clark('d:prop')}") for prop in children(holder)]


def delete_calendar(dav: DavCall, calendar: CalendarResource) -> Response:
    """One's own goes to the bin, or for good; a received one is given back."""
    view, store = calendar.view, dav.call.store
    if view.access != shelf.OWN:
        store.run("DELETE FROM calendar_shares WHERE calendar = ? AND who = ?", view.id, view.uid)
    elif dav.call.header("x-nc-caldav-no-trashbin") or view.row["uri"] == "contact_birthdays" or view.row["source"]:
        store.run("DELETE FROM calendars WHERE id = ?", view.id)
    elif view.row["deleted"] is None:
        store.update("calendars", view.id, deleted=store.now())
    return Response(204)
