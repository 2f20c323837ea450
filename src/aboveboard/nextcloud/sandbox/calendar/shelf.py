"""Whose calendars there are, and everything that is written into them: objects, changes, the bin."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from aboveboard.nextcloud.sandbox.dav.dialect import DavError, bad_request, forbidden
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.nextcloud.sandbox.wire import digest

OWN, WRITE, READ = "owner", "read-write", "read"


@dataclass(frozen=True)
class View:
    """A calendar as someone sees it in their home."""

    row: sqlite3.Row
    uid: str
    uri: str
    access: str

    @property
    def id(self) -> int:
        """The number of the calendar."""
        return self.row["id"]

    @property
    def components(self) -> list[str]:
        return self.row["components"].split(",")

    @property
    def writable(self) -> bool:
        """Whether the viewer may change what is in it; birthdays come from the address book."""
        return self.access != READ and self.row["uri"] != "contact_birthdays" and not self.row["source"]


class Shelf:
    """The calendars of one person."""

    def __init__(self, store: Store, uid: str) -> None:
        self.store, self.uid = store, uid

    def views(self) -> list[View]:
        """One's own calendars, deleted ones last but one's own order otherwise, then those that others share."""
        own = self.store.all(
            "SELECT * FROM calendars WHERE uid = ? AND source IS NULL ORDER BY deleted IS NOT NULL, ord, id", self.uid
        )
        shared = self.store.all(
            "SELECT c.*, max(s.access) AS access FROM calendars c JOIN calendar_shares s ON s.calendar = c.id"
            " WHERE c.uid != ? AND c.deleted IS NULL AND ((s.kind = 'users' AND s.who = ?)"
            " OR (s.kind = 'groups' AND s.who IN (SELECT gid FROM members WHERE uid = ?))) GROUP BY c.id ORDER BY c.id",
            *(self.uid,) * 3,
        )
        return [
            *(View(row, self.uid, row["uri"], OWN) for row in own),
            *(View(row, self.uid, f"{row['uri']}_shared_by_{row['uid']}", row["access"]) for row in shared),
        ]

    def subscriptions(self) -> list[View]:
        """Calendars of other places."""
        rows = self.store.all("SELECT * FROM calendars WHERE uid = ? AND source IS NOT NULL ORDER BY id", self.uid)
        return [View(row, self.uid, row["uri"], OWN) for row in rows]

    def view(self, uri: str) -> View | None:
        """The calendar of this name."""
        return next((view for view in [*self.views(), *self.subscriptions()] if view.uri == uri), None)

    def create(self, uri: str, **values: object) -> int:
        """A new calendar."""
        given = {"name": uri, "ord": 0, "components": "VEVENT,VTODO", "transparent": 0, "token": 1} | values
        return self.store.insert("calendars", uid=self.uid, uri=uri, **given)


def objects(store: Store, calendar: int) -> Sequence[sqlite3.Row]:
    """What is in a calendar, by name."""
    return store.all("SELECT * FROM calendar_objects WHERE calendar = ? AND deleted IS NULL ORDER BY uri", calendar)


def find_object(store: Store, calendar: int, uri: str) -> sqlite3.Row | None:
    """The object of this name."""
    sql = "SELECT * FROM calendar_objects WHERE calendar = ? AND uri = ? AND deleted IS NULL"
    return store.one(sql, calendar, uri)


def write(store: Store, calendar: int, uri: str, data: bytes, uid: str, component: str) -> str:
    """Store an object, a new one or over an old one; its ETag."""
    taken = store.one("SELECT * FROM calendar_objects WHERE calendar = ? AND uid = ? AND uri != ?", calendar, uid, uri)
    if taken and taken["deleted"] is None:
        raise bad_request("Calendar object with uid already exists in this calendar collection.")
    if taken:
        raise _in_bin()
    etag = digest(data.decode("latin-1"))
    values = {"data": data, "uid": uid, "component": component, "etag": etag, "modified": store.now()}
    old = find_object(store, calendar, uri)
    if old:
        store.update("calendar_objects", old["id"], **values)
    else:
        store.insert("calendar_objects", calendar=calendar, uri=uri, **values)
    note(store, calendar, uri)
    return etag


def _in_bin() -> DavError:
    message = (
        "An exception occurred while executing a query: SQLSTATE[23000]: Integrity constraint violation: 19 UNIQUE"
        " constraint failed: oc_calendarobjects.calendarid, oc_calendarobjects.calendartype, oc_calendarobjects.uid"
    )
    return DavError(500, "OC\\DB\\Exceptions\\DbalException", message)


def note(store: Store, calendar: int, uri: str, *, gone: bool = False) -> None:
    """Remember that something changed, for those who sync."""
    row = store.one("SELECT token FROM calendars WHERE id = ?", calendar)
    token = row["token"] if row else 1
    store.insert("calendar_changes", calendar=calendar, token=token, uri=uri, gone=int(gone))
    store.update("calendars", calendar, token=token + 1)


def discard(store: Store, row: sqlite3.Row) -> None:
    """Put an object into the bin, under a name that only one there can have."""
    stem, dot, ending = row["uri"].rpartition(".")
    name = f"{stem}-deleted.{ending}" if dot else f"{row['uri']}-deleted"
    sql = "SELECT 1 FROM calendar_objects WHERE calendar = ? AND uri = ?"
    if store.one(sql, row["calendar"], name):
        raise forbidden(
            f"A calendar object with URI {name} already exists in calendar {row['calendar']}, therefore this object"
            " can't be moved into the trashbin"
        )
    store.update("calendar_objects", row["id"], uri=name, deleted=store.now())
    note(store, row["calendar"], row["uri"], gone=True)


def restore(store: Store, row: sqlite3.Row) -> None:
    """Bring an object back under its name."""
    name = row["uri"].replace("-deleted", "")
    if find_object(store, row["calendar"], name):
        raise forbidden(
            f"Can not restore calendar {row['id']} because a calendar object with the URI {name} already exists"
        )
    store.update("calendar_objects", row["id"], uri=name, deleted=None)
    note(store, row["calendar"], name)


def move(store: Store, row: sqlite3.Row, calendar: int, uri: str) -> None:
    """Carry an object over to another calendar, as it is."""
    taken = store.one("SELECT 1 FROM calendar_objects WHERE calendar = ? AND uid = ?", calendar, row["uid"])
    if taken:
        raise bad_request("Calendar object with uid already exists in this calendar collection.")
    store.update("calendar_objects", row["id"], calendar=calendar, uri=uri)
    note(store, row["calendar"], row["uri"], gone=True)
    note(store, calendar, uri)
