"""What the calendars keep.

"calendars/admin/personal/objects/one.ics/VEVENT/SUMMARY" is a line of an object. When it was written last, which its
text tells too, is derived. What was deleted is under "trash/" until it is restored or gone for good.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator

from aboveboard.nextcloud.sandbox.calendar.ics import Component, parse, to_text
from aboveboard.nextcloud.sandbox.store import ID, PERSON
from aboveboard.sandbox.table import Fact, Rows, Table

_STAMPS = {"DTSTAMP", "LAST-MODIFIED", "SEQUENCE"}
_SHOWN = ("name", "description", "color", "ord", "components", "transparent", "timezone", "public", "source")


def _place(row: sqlite3.Row) -> str:
    bin_ = "trash/" if row["deleted"] else ""
    return f"{bin_}calendars/{row['uid']}/{row['uri']}"


def _tell_calendars(rows: Rows) -> Iterator[Fact]:
    for row in rows.all("SELECT * FROM calendars"):
        place = _place(row)
        yield from ((f"{place}/{name}", row[name]) for name in _SHOWN)
        yield f"derived/{place}/token", row["token"]


def _tell_objects(rows: Rows) -> Iterable[Fact]:
    sql = (
        "SELECT o.uri, o.data, o.modified, o.deleted AS gone, c.uid, c.uri AS calendar, c.deleted"
        " FROM calendar_objects o JOIN calendars c ON c.id = o.calendar"
    )
    for row in rows.all(sql):
        bin_ = "trash/" if row["gone"] or row["deleted"] else ""
        place = f"{bin_}calendars/{row['uid']}/{row['calendar']}/objects/{row['uri']}"
        yield from _lines(parse(to_text(row["data"])), place)
        yield f"derived/{place}/modified", row["modified"]


def _lines(component: Component, place: str) -> Iterator[Fact]:
    """Each line of a component by itself; of several of one name, each but the first has a number."""
    seen: Counter[str] = Counter()

    def numbered(name: str) -> str:
        seen[name] += 1
        return name if seen[name] == 1 else f"{name}.{seen[name]}"

    for line in component.lines:
        derived = "derived/" if line.name in _STAMPS else ""
        yield f"{derived}{place}/{numbered(line.name)}", line.text()
    for inner in component.inner:
        yield from _lines(inner, f"{place}/{numbered(inner.name)}")


CALENDARS = Table(
    "calendars",
    f"{ID}, {PERSON}, uri TEXT, name TEXT, description TEXT, color TEXT, ord INTEGER, components TEXT,"
    " transparent INTEGER, timezone TEXT, public TEXT, source TEXT, deleted INTEGER, token INTEGER, UNIQUE (uid, uri)",
    tell=_tell_calendars,
)
OBJECTS = Table(
    "calendar_objects",
    f"{ID}, calendar INTEGER REFERENCES calendars ON DELETE CASCADE, uri TEXT, uid TEXT, component TEXT, data BLOB,"
    " etag TEXT, modified INTEGER, deleted INTEGER, UNIQUE (calendar, uri)",
    tell=_tell_objects,
    indexes=("calendar, uid",),
)
CHANGES = Table(
    "calendar_changes",
    f"{ID}, calendar INTEGER REFERENCES calendars ON DELETE CASCADE, token INTEGER, uri TEXT, gone INTEGER",
    fleeting=True,
    indexes=("calendar",),
)
SHARES = Table(
    "calendar_shares",
    "calendar INTEGER REFERENCES calendars ON DELETE CASCADE, kind TEXT, who TEXT, access TEXT,"
    " PRIMARY KEY (calendar, kind, who)",
)
PROPERTIES = Table(
    "calendar_properties",
    f"calendar INTEGER REFERENCES calendars ON DELETE CASCADE, {PERSON}, name TEXT, value TEXT,"
    " PRIMARY KEY (calendar, uid, name)",
)
INBOX = Table(
    "calendar_inbox",
    f"{ID}, {PERSON}, uri TEXT, data BLOB, etag TEXT, modified INTEGER",
    derived={"etag", "modified"},
)
