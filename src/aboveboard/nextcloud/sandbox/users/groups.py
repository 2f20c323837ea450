"""Groups, and whom to share with: the lookups that fill in a name."""

import sqlite3
from typing import Any, cast

from aboveboard.nextcloud.sandbox.calls import Call, Routes, to_int
from aboveboard.nextcloud.sandbox.files.views import GROUP, USER
from aboveboard.nextcloud.sandbox.ocs import OcsError
from aboveboard.nextcloud.sandbox.store import PERSON
from aboveboard.nextcloud.sandbox.users.users import NOTHING, groups_of, need_admin, need_password, need_user
from aboveboard.sandbox.table import Table

_KINDS = ("users", "groups", "remotes", "remote_groups", "emails", "circles", "rooms")

GROUPS = Table("groups", "gid TEXT PRIMARY KEY")
MEMBERS = Table(
    "members",
    f"gid TEXT REFERENCES groups ON DELETE CASCADE, {PERSON}, PRIMARY KEY (gid, uid)",
    at="groups/{gid}/members/{uid}",
)

routes = Routes()


@routes.ocs("GET", "/cloud/groups")
def list_groups(call: Call) -> dict[str, Any]:
    """All groups."""
    like = f"%{call.text('search')}%"
    return {
        "groups": [row["gid"] for row in call.store.all("SELECT gid FROM groups WHERE gid LIKE ? ORDER BY gid", like)]
    }


@routes.ocs("POST", "/cloud/groups")
def create_group(call: Call) -> list[object]:
    """A new group."""
    need_password(call)
    gid = call.text("groupid")
    if not gid:
        raise OcsError(400, "Invalid group name", code=101)
    if _group(call, gid):
        raise OcsError(400, "group exists", code=102)
    call.store.insert("groups", gid=gid)
    return NOTHING


def _group(call: Call, gid: str) -> sqlite3.Row | None:
    return call.store.one("SELECT * FROM groups WHERE gid = ?", gid)


@routes.ocs("GET", "/cloud/groups/{gid}")
def members(call: Call) -> dict[str, Any]:
    """Who is in a group."""
    need_admin(call)
    gid = call.text("gid")
    if _group(call, gid) is None:
        raise OcsError(404, "The requested group could not be found")
    return {"users": [row["uid"] for row in call.store.all("SELECT uid FROM members WHERE gid = ? ORDER BY uid", gid)]}


@routes.ocs("DELETE", "/cloud/groups/{gid}")
def delete_group(call: Call) -> list[object]:
    """A group ends; its members stay."""
    need_password(call)
    if not call.store.run("DELETE FROM groups WHERE gid = ?", call.text("gid")):
        raise OcsError(400, code=101)
    return NOTHING


@routes.ocs("GET", "/cloud/users/{uid}/groups")
def groups(call: Call) -> dict[str, Any]:
    """The groups of a person."""
    return {"groups": groups_of(call, call.text("uid"))}


@routes.ocs("POST", "/cloud/users/{uid}/groups")
def join(call: Call) -> list[object]:
    """Put someone into a group; doing it twice is fine."""
    need_password(call)
    row, gid = need_user(call), call.text("groupid")
    if _group(call, gid) is None:
        raise OcsError(400, code=102)
    call.store.run("INSERT OR IGNORE INTO members VALUES (?, ?)", gid, row["uid"])
    return NOTHING


@routes.ocs("DELETE", "/cloud/users/{uid}/groups")
def leave(call: Call) -> list[object]:
    """Take someone out of a group."""
    need_password(call)
    row = need_user(call)
    call.store.run("DELETE FROM members WHERE gid = ? AND uid = ?", call.text("groupid"), row["uid"])
    return NOTHING


def _people(call: Call, term: str) -> list[sqlite3.Row]:
    like = f"%{term}%"
    sql = "SELECT * FROM users WHERE uid != ? AND (uid LIKE ? OR displayname LIKE ? OR email LIKE ?) ORDER BY uid"
    return call.store.all(sql, call.uid, like, like, like)


@routes.ocs("GET", "/apps/files_sharing/api/v1/sharees")
def sharees(call: Call) -> dict[str, Any]:
    """Whom a file can be shared with."""
    if not call.text("itemType"):
        raise OcsError(400, "Missing itemType")
    if call.number("perPage", 200) <= 0:
        raise OcsError(400, "Invalid perPage argument")
    given = cast("list[object] | str", call.arguments.get("shareType", [USER, GROUP]))
    kinds = {to_int(kind) for kind in (given if isinstance(given, list) else [given])}
    term = call.text("search")
    exact: dict[str, list[Any]] = {kind: [] for kind in _KINDS}
    found: dict[str, list[Any]] = {kind: [] for kind in (*_KINDS, "lookup")}
    if USER in kinds:
        for row in _people(call, term):
            same = term.lower() in {row["uid"].lower(), row["displayname"].lower(), (row["email"] or "").lower()}
            (exact if same else found)["users"].append(_person(row))
    if GROUP in kinds:
        for row in call.store.all("SELECT gid FROM groups WHERE gid LIKE ? ORDER BY gid", f"%{term}%"):
            gid = row["gid"]
            entry = {"label": gid, "value": {"shareType": GROUP, "shareWith": gid}}
            (exact if term.lower() == gid.lower() else found)["groups"].append(entry)
    pages = {kind: entries[: call.number("perPage", 200)] for kind, entries in found.items()}
    return {"exact": exact, **pages, "lookupEnabled": False}


def _person(row: sqlite3.Row) -> dict[str, Any]:
    return {
        "label": row["displayname"],
        "subline": "",
        "icon": "icon-user",
        "value": {"shareType": USER, "shareWith": row["uid"]},
        "shareWithDisplayNameUnique": row["email"] or row["uid"],
        "status": [],
    }


@routes.ocs("GET", "/core/autocomplete/get")
def autocomplete(call: Call) -> list[dict[str, Any]]:
    """People whose name goes on like this."""
    return [
        {
            "id": row["uid"],
            "label": row["displayname"],
            "icon": "icon-user",
            "source": "users",
            "status": "",
            "subline": "",
            "shareWithDisplayNameUnique": row["email"] or row["uid"],
        }
        for row in _people(call, call.text("search"))
    ]
