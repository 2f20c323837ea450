"""What saved charts and dashboards have in common: a UUID or a slug to find them by, an author, views, marks."""

import re
from collections.abc import Iterable, Mapping
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.routes import Call, as_uuid, is_uuid, storable
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.lightdash.sandbox.wire import ServiceError

ITEM = (
    "chart TEXT REFERENCES charts ON DELETE CASCADE, dashboard TEXT REFERENCES dashboards ON DELETE CASCADE,"
    " space TEXT REFERENCES spaces ON DELETE CASCADE"
)
"""The columns of a table that says something of a chart, a dashboard or a space."""

Record = Row | Mapping[str, Any]
"""A row, or what a row would have been at another time."""


def select_of(table: str, columns: str = "", joins: str = "") -> str:
    """The SQL that reads charts or dashboards with what stands elsewhere: place, author, pin, who vouches for them."""
    return (
        f"SELECT {table}.*, spaces.name AS space_name, spaces.path AS space_path,"  # noqa: S608 - one of two
        " projects.organization AS organization, users.first_name AS author_first, users.last_name AS author_last,"
        " pins.position AS pin,"
        " settings ->> '$.pinnedListUuid' AS pinned_list, verified_by, verified_at,"
        f" verifier.first_name AS verifier_first, verifier.last_name AS verifier_last{columns}"
        f" FROM {table} JOIN spaces ON spaces.uuid = {table}.space JOIN projects ON projects.uuid = {table}.project"
        f" LEFT JOIN users ON users.uuid = {table}.updated_by LEFT JOIN pins ON pins.item = {table}.uuid"
        f" LEFT JOIN verifications ON verifications.item = {table}.uuid"
        f" LEFT JOIN users AS verifier ON verifier.uuid = verified_by{joins}"
    )


def visible(call: Call, rows: Iterable[Row]) -> list[Row]:
    """Those rows that stand in a space which the caller may see."""
    spaces = access.spaces_of(call.store, call.user)
    return [row for row in rows if row["space"] in spaces and spaces[row["space"]].role]


def readable(call: Call, row: Row, refusal: ServiceError) -> access.SpaceAccess:
    """The caller's access to the space of a row, if there is any."""
    space = access.spaces_of(call.store, call.user).get(row["space"])
    if space is None or not space.role:
        raise refusal
    return space


def editable(call: Call, row: Row, refusal: ServiceError) -> access.SpaceAccess:
    """The caller's access to the space of a row, if it lets them change what is there."""
    space = access.spaces_of(call.store, call.user).get(row["space"])
    if space is None or not space.may_edit:
        raise refusal
    return space


def version_head(version: Row, kind: str) -> dict[str, object]:
    """Which version of a chart or a dashboard it is, and whose."""
    author = {"userUuid": version["created_by"], "firstName": version["first_name"], "lastName": version["last_name"]}
    return {
        f"{kind}Uuid": version[kind],
        "versionUuid": version["uuid"],
        "createdAt": version["created_at"],
        "createdBy": author,
    }


def find(call: Call, select: str, table: str, parameter: str) -> Row | None:
    """The row that the path names by UUID or slug, within the project if the path has one.

    A slug alone may stand in several projects; whichever was given a version last wins.
    """
    project = call.uuid("project") if "project" in call.params else None
    return find_named(call, select, table, call.params[parameter], project)


def find_named(call: Call, select: str, table: str, wanted: str, project: str | None) -> Row | None:
    """The row with this UUID or slug, within a project if one is given."""
    name = storable(wanted)
    column, values = ("uuid", [as_uuid(name)]) if is_uuid(name) else ("slug", [name])
    where = f"{table}.{column} = ?"
    if project is not None:
        where = f"{where} AND {table}.project = ?"
        values.append(project)
    return call.store.one(f"{select} WHERE {where} ORDER BY {_newest(table)}", *values)


def _newest(table: str) -> str:
    """How rows are ordered so that the one whose version is the newest comes first; spaces have no versions."""
    versions = {
        "charts": "(SELECT max(rowid) FROM chart_versions WHERE chart = charts.uuid) DESC",
        "dashboards": "(SELECT max(rowid) FROM dashboard_versions WHERE dashboard = dashboards.uuid) DESC",
    }
    return versions.get(table, f"{table}.rowid")


def slug_of(store: Store, name: str) -> str:
    """A slug keeps a to z and digits; a name without any gets five characters at random."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or store.new_uuid()[:5]


def author_fields(row: Record) -> dict[str, object] | None:
    """The last author of a row, whose names were selected with it."""
    if row["updated_by"] is None:
        return None
    return {"userUuid": row["updated_by"], "firstName": row["author_first"], "lastName": row["author_last"]}


def pin_fields(row: Record) -> dict[str, object]:
    """The list a row is pinned to and its place there, if it is."""
    return {
        "pinnedListUuid": row["pinned_list"] if row["pin"] is not None else None,
        "pinnedListOrder": row["pin"],
    }


def verification(row: Record) -> dict[str, object] | None:
    """Who vouches for a row, if anybody does."""
    if row["verified_by"] is None:
        return None
    names = {"firstName": row["verifier_first"], "lastName": row["verifier_last"]}
    return {"verifiedBy": {"userUuid": row["verified_by"], **names}, "verifiedAt": row["verified_at"]}


def validation_errors(store: Store, kind: str, uuid: str) -> list[dict[str, object]]:
    """What the last validation found wrong with a chart or a dashboard."""
    rows = store.all(f"SELECT * FROM validations WHERE {kind} = ? ORDER BY rowid", uuid)  # noqa: S608 - one of two
    return [
        {
            "error": row["error"],
            "createdAt": row["created_at"].removesuffix("Z"),
            "validationUuid": row["uuid"],
            "validationId": None,
        }
        for row in rows
    ]


def count_view(store: Store, table: str, row: Row) -> None:
    """Reading a chart or a dashboard counts as a view, after the answer was made."""
    first = row["first_viewed_at"] or store.now()
    store.run(f"UPDATE {table} SET views = views + 1, first_viewed_at = ? WHERE uuid = ?", first, row["uuid"])  # noqa: S608
