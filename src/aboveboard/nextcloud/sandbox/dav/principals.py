"""Who someone is in the DAV tree: /principals/users/<id>/, which a client discovers and never guesses."""

import sqlite3
from collections.abc import Callable

from aboveboard.nextcloud.sandbox.calls import Call
from aboveboard.nextcloud.sandbox.dav.dialect import Branch, DavCall, Resource, not_found
from aboveboard.nextcloud.sandbox.dav.xml import Element, Value, make, table

FEATURES = (
    "1, 3, extended-mkcol, access-control, calendarserver-principal-property-search, oc-resource-sharing,"
    " calendar-access, calendar-proxy, calendar-auto-schedule, calendar-availability, nc-calendar-trashbin,"
    " nc-calendar-webcal-cache, calendarserver-subscribed, oc-calendar-publishing, calendarserver-sharing, addressbook,"
    " nc-paginate, nextcloud-checksum-update, nc-calendar-search, nc-enable-birthday-calendar, 2"
)


class Principal(Resource):
    """A person."""

    def __init__(self, call: Call, row: sqlite3.Row) -> None:
        self.home = f"{call.root}/remote.php/dav"
        super().__init__(f"{self.home}/principals/users/{row['uid']}")
        self.call, self.row = call, row

    def value(self, name: str) -> Value | None:
        """A property of the table below."""
        read = _PROPERTIES.get(name)
        return read(self) if read else super().value(name)


def _link(path: str) -> Callable[[Principal], Value | None]:
    return lambda principal: [make("d:href", f"{principal.home}/{path.format(principal.row['uid'])}")]


def _addresses(principal: Principal) -> list[Element]:
    mail = principal.row["email"]
    links = [make("d:href", f"mailto:{mail}")] if mail else []
    return [*links, make("d:href", principal.href)]


def _groups(principal: Principal) -> list[Element]:
    rows = principal.call.store.all("SELECT gid FROM members WHERE uid = ? ORDER BY gid", principal.row["uid"])
    return [make("d:href", f"{principal.home}/principals/groups/{row['gid']}/") for row in rows]


_PROPERTIES: dict[str, Callable[[Principal], Value | None]] = table(
    {
        "d:displayname": lambda principal: principal.row["displayname"],
        "cal:calendar-home-set": _link("calendars/{}/"),
        "cal:calendar-user-address-set": _addresses,
        "cal:schedule-inbox-URL": _link("calendars/{}/inbox/"),
        "cal:schedule-outbox-URL": _link("calendars/{}/outbox/"),
        "cal:schedule-default-calendar-URL": _link("calendars/{}/personal/"),
        "cal:calendar-user-type": lambda _: "INDIVIDUAL",
        "card:addressbook-home-set": _link("addressbooks/users/{}/"),
        "d:group-membership": _groups,
    }
)


def _find(dav: DavCall) -> Resource:
    if len(dav.path) < 2:
        return Resource("/".join((dav.url, *dav.path)))
    row = dav.call.store.one("SELECT * FROM users WHERE uid = ?", dav.path[1]) if dav.path[0] == "users" else None
    if row is None:
        raise not_found(f"Principal with name {dav.path[1]} not found")
    return Principal(dav.call, row)


branch = Branch("principals", _find, features=FEATURES, prefixes=("cal", "cs", "card"))
