"""What is found below /remote.php/dav/calendars/, with its properties."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime

from aboveboard.nextcloud.sandbox.calendar import shelf
from aboveboard.nextcloud.sandbox.calendar.ics import Component, parse, to_text
from aboveboard.nextcloud.sandbox.calendar.purposes import privileges
from aboveboard.nextcloud.sandbox.calendar.settable import COLUMNS, PROTECTED, column
from aboveboard.nextcloud.sandbox.calendar.shelf import OWN, Shelf, View
from aboveboard.nextcloud.sandbox.dav.dialect import DavCall, DavError, Resource
from aboveboard.nextcloud.sandbox.dav.propfind import update_statuses
from aboveboard.nextcloud.sandbox.dav.xml import Element, Value, clark, make, table
from aboveboard.nextcloud.sandbox.wire import http_date

SYNC = "http://sabre.io/ns/sync/"
_ENABLED = clark("oc:calendar-enabled")
_DELETED = clark("ncc:deleted-at")


class CalendarResource(Resource):
    """A calendar, seen by someone."""

    def __init__(self, dav: DavCall, view: View, *, listed: bool = False) -> None:
        super().__init__(f"{dav.url}/{view.uid}/{view.uri}")
        self.dav, self.view, self.store, self.listed = dav, view, dav.call.store, listed

    def own(self, name: str) -> str | None:
        """A property that this person set for themselves."""
        sql = "SELECT value FROM calendar_properties WHERE calendar = ? AND uid = ? AND name = ?"
        row = self.store.one(sql, self.view.id, self.view.uid, name)
        return row["value"] if row else None

    def value(self, name: str) -> Value | None:
        """A property of the tables below, or one that a client made up."""
        read = (_SUBSCRIPTION if self.view.row["source"] else _CALENDAR).get(name)
        given = self.own(name)
        if given is not None and (read is None or self.view.access != OWN):
            return given
        return read(self) if read else super().value(name)

    def members(self) -> Iterable[Resource]:
        """What is in the calendar, as far as the caller may know."""
        rows = shelf.objects(self.store, self.view.id)
        return [one for one in (ObjectResource(self, row) for row in rows) if not one.secret]

    def patch(self, updates: Mapping[str, Element | None]) -> dict[str, int]:
        """Set properties; a receiver's are their own, and those of nobody's making are kept as well."""
        statuses = update_statuses(dict(updates), PROTECTED)
        if any(status in {403, 424} for status in statuses.values()):
            return statuses
        own = self.view.access == OWN
        columns = {COLUMNS[name]: column(name, element) for name, element in updates.items() if name in COLUMNS}
        if own and _DELETED in updates:
            columns["deleted"] = None
        if own and columns:
            self.store.update("calendars", self.view.id, **columns)
            shelf.note(self.store, self.view.id, "")
        for name, element in updates.items():
            if not (own and (name in COLUMNS or name == _DELETED)):
                self._keep(name, element)
        return statuses

    def _keep(self, name: str, element: Element | None) -> None:
        keys = (self.view.id, self.view.uid, name)
        if element is None or (name == _ENABLED and element.text == "1"):
            sql = "DELETE FROM calendar_properties WHERE calendar = ? AND uid = ? AND name = ?"
            self.store.run(sql, *keys)
        else:
            self.store.run("INSERT OR REPLACE INTO calendar_properties VALUES (?, ?, ?, ?)", *keys, element.text or "")


def _name(calendar: CalendarResource) -> str:
    view = calendar.view
    shared = "" if view.access == OWN else f" ({display_name(calendar, view.row['uid'])})"
    return f"{view.row['name'] or ''}{shared}"


def display_name(calendar: CalendarResource, uid: str) -> str:
    """How someone is called."""
    row = calendar.store.one("SELECT displayname FROM users WHERE uid = ?", uid)
    return row["displayname"] if row else uid


def _owner(calendar: CalendarResource) -> str | None:
    told = calendar.listed or calendar.view.access != OWN
    return f"principals/users/{calendar.view.row['uid']}" if told else None


def _types(calendar: CalendarResource) -> list[Element]:
    return [make("d:collection"), make("ncc:deleted-calendar" if calendar.view.row["deleted"] else "cal:calendar")]


def _invites(calendar: CalendarResource) -> list[Element]:
    if calendar.view.access != OWN:
        return []
    rows = calendar.store.all("SELECT * FROM calendar_shares WHERE calendar = ? ORDER BY who", calendar.view.id)
    return [
        make(
            "oc:user",
            [
                make("d:href", f"principal:principals/{row['kind']}/{row['who']}"),
                make("oc:common-name", display_name(calendar, row["who"])),
                make("oc:invite-accepted"),
                make("oc:access", [make(f"oc:{row['access']}")]),
            ],
        )
        for row in rows
    ]


def _transparency(calendar: CalendarResource) -> list[Element]:
    return [make("cal:transparent" if calendar.view.row["transparent"] else "cal:opaque")]


def _components(calendar: CalendarResource) -> list[Element]:
    made = [make("cal:comp") for _ in calendar.view.components]
    for comp, name in zip(made, calendar.view.components, strict=True):
        comp.set("name", name)
    return made


def _formats(_: CalendarResource) -> list[Element]:
    text, json = make("cal:calendar-data"), make("cal:calendar-data")
    text.set("content-type", "text/calendar")
    text.set("version", "2.0")
    json.set("content-type", "application/calendar+json")
    return [text, json]


def _public_url(calendar: CalendarResource) -> list[Element] | None:
    token = calendar.view.row["public"]
    at = f"{calendar.dav.call.host}/remote.php/dav/public-calendars/{token}"
    return [make("d:href", at)] if token else None


def _deleted_at(calendar: CalendarResource) -> str | None:
    return moment(calendar.view.row["deleted"]) if calendar.view.row["deleted"] else None


def moment(seconds: int) -> str:
    """A time as the bin tells it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


_SUBSCRIPTION: dict[str, Callable[[CalendarResource], Value | None]] = table(
    {
        "d:displayname": lambda calendar: calendar.view.row["name"] or "",
        "d:resourcetype": lambda _: [make("d:collection"), make("cs:subscribed")],
        "ical:calendar-color": lambda calendar: calendar.view.row["color"] or "",
        "ical:calendar-order": lambda calendar: str(calendar.view.row["ord"] or 0),
        "cal:supported-calendar-component-set": lambda calendar: _components(calendar)[::-1],
        "cs:getctag": lambda _: "1",
        "d:current-user-privilege-set": lambda _: privileges("all"),
        "cs:source": lambda calendar: [make("d:href", calendar.view.row["source"])],
    }
)
_CALENDAR: dict[str, Callable[[CalendarResource], Value | None]] = table(
    {
        "d:displayname": _name,
        "d:resourcetype": _types,
        "cal:calendar-description": lambda calendar: calendar.view.row["description"],
        "cal:calendar-timezone": lambda calendar: calendar.view.row["timezone"],
        "ical:calendar-color": lambda calendar: calendar.view.row["color"],
        "ical:calendar-order": lambda calendar: str(calendar.view.row["ord"] or 0),
        "cal:supported-calendar-component-set": _components,
        "cal:supported-calendar-data": _formats,
        "cal:max-resource-size": lambda _: "10000000",
        "cs:getctag": lambda calendar: f"{SYNC}{calendar.view.row['token']}",
        "d:sync-token": lambda calendar: f"{SYNC}{calendar.view.row['token']}",
        "oc:owner-principal": _owner,
        "oc:read-only": lambda calendar: "1" if calendar.view.access == shelf.READ else None,
        "oc:invite": _invites,
        "cal:schedule-calendar-transp": _transparency,
        "d:current-user-privilege-set": lambda calendar: privileges("owner" if calendar.view.writable else "reader"),
        "d:owner": lambda calendar: [make("d:href", _principal(calendar))],
        "ncc:owner-displayname": lambda calendar: display_name(calendar, calendar.view.row["uid"]),
        "ncc:deleted-at": _deleted_at,
        "cs:publish-url": _public_url,
    }
)


def _principal(calendar: CalendarResource) -> str:
    return f"{calendar.dav.call.root}/remote.php/dav/principals/users/{calendar.view.row['uid']}/"


class ObjectResource(Resource):
    """An event, task or journal."""

    collection = False

    def __init__(self, calendar: CalendarResource, row: sqlite3.Row) -> None:
        super().__init__(f"{calendar.path}/{row['uri']}")
        self.calendar, self.row = calendar, row

    @property
    def tree(self) -> Component:
        """What it says, for queries."""
        return parse(to_text(self.data))

    @property
    def secret(self) -> bool:
        """Whether a receiver of the calendar does not see it."""
        return self.calendar.view.access != OWN and _class(self.row) == "PRIVATE"

    @property
    def data(self) -> bytes:
        """The text: a reader gets it without alarms, and of what is confidential no more than when it is."""
        if self.calendar.view.access == OWN:
            return self.row["data"]
        tree = parse(to_text(self.row["data"]))
        if self.calendar.view.access == shelf.READ:
            for item in tree.items:
                _veil(item, hidden=_class(self.row) == "CONFIDENTIAL")
        return tree.text()

    @property
    def content_type(self) -> str:
        """The type with the component in it."""
        return f"text/calendar; charset=utf-8; component={self.row['component'].lower()}"

    def value(self, name: str) -> Value | None:
        """A property of the table below."""
        read = OBJECT.get(name)
        return read(self) if read else super().value(name)

    def patch(self, updates: Mapping[str, Element | None]) -> dict[str, int]:
        """Say that it is done, and keep nothing."""
        return {name: 204 if element is None else 200 for name, element in updates.items()}


_UNVEILED = {
    *("UID", "CREATED", "DTSTART", "DTEND", "DURATION", "SUMMARY", "CLASS", "RRULE", "EXDATE", "RDATE"),
    "RECURRENCE-ID",
}


def _veil(item: Component, *, hidden: bool) -> None:
    item.inner = [one for one in item.inner if one.name != "VALARM"]
    if hidden:
        item.lines = [line for line in item.lines if line.name in _UNVEILED]
        item.set("SUMMARY", "Busy")


def _class(row: sqlite3.Row) -> str:
    items = parse(to_text(row["data"])).items
    return items[0].value("CLASS").upper() if items else ""


OBJECT: dict[str, Callable[[ObjectResource], Value | None]] = table(
    {
        "d:getetag": lambda one: f'"{one.row["etag"]}"',
        "d:getcontenttype": lambda one: one.content_type,
        "d:getlastmodified": lambda one: http_date(one.row["modified"]),
        "d:getcontentlength": lambda one: str(len(one.data)),
        "cal:calendar-data": lambda one: to_text(one.data).replace("\r\n", "\n"),
    }
)


def find_home(dav: DavCall) -> Shelf:
    """The calendars of the person whose home a path is in: only one's own can be seen."""
    uid = dav.path[0]
    if uid != dav.call.uid:
        if dav.call.store.one("SELECT 1 FROM users WHERE uid = ?", uid) is None:
            raise DavError(404, "NotFound", f"Principal with name {uid} not found")
        missing = f"{'Calendar' if len(dav.path) == 2 else 'Node'} with name '{dav.path[-1]}'"
        raise DavError(404, "NotFound", f"{missing} could not be found")
    return Shelf(dav.call.store, uid)
