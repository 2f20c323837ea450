"""People: who I am, who there is, and, with one's real password, making and changing them."""

import re
import sqlite3
from typing import Any, cast

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.files.properties import UNLIMITED
from aboveboard.nextcloud.sandbox.files.tree import Tree
from aboveboard.nextcloud.sandbox.ocs import OcsError
from aboveboard.nextcloud.sandbox.store import PERSON
from aboveboard.nextcloud.sandbox.wire import bad_argument
from aboveboard.sandbox.table import Table

NOTHING: list[object] = []
_UNITS = {"": 1, "B": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3, "TB": 1024**4}
_PROFILE = (
    *(("phone", "v2-local"), ("address", "v2-local"), ("website", "v2-local"), ("twitter", "v2-local")),
    *(("bluesky", "v2-local"), ("fediverse", "v2-local"), ("organisation", "v2-local"), ("role", "v2-local")),
    *(
        ("headline", "v2-local"),
        ("biography", "v2-local"),
        ("profile_enabled", "v2-local"),
        ("pronouns", "v2-federated"),
    ),
)

USERS = Table(
    "users",
    "uid TEXT PRIMARY KEY, displayname TEXT, email TEXT, password TEXT, quota INTEGER, enabled INTEGER,"
    " first_login INTEGER, last_login INTEGER",
    derived={"first_login", "last_login"},
    flags={"enabled"},
    secret={"password"},
)
TOKENS = Table("tokens", f"token TEXT PRIMARY KEY, {PERSON}", at="users/{uid}/app_passwords/{token}")

routes = Routes()


def _row(call: Call, uid: str) -> sqlite3.Row | None:
    return call.store.one("SELECT * FROM users WHERE uid = ?", uid)


def _describe(call: Call, row: sqlite3.Row) -> dict[str, Any]:
    """Someone's data; their own copy has scopes, an admin's copy knows where the files are."""
    uid, own = row["uid"], row["uid"] == call.uid
    name = row["displayname"]
    value: dict[str, Any] = {"enabled": bool(row["enabled"])}
    if call.me.admin:
        value["storageLocation"] = f"/var/www/data/{uid}"
    value |= {
        "id": uid,
        "firstLoginTimestamp": row["first_login"],
        "lastLoginTimestamp": row["last_login"],
        "lastLogin": row["last_login"] * 1000,
        "backend": "Database",
        "subadmin": [],
        "quota": _quota(call, row),
        "manager": "",
        "avatarScope": "v2-federated",
        "email": row["email"] or None,
        "emailScope": "v2-federated",
        "additional_mail": [],
        "additional_mailScope": [],
        "displayname": name,
        "display-name": name,
        "displaynameScope": "v2-federated",
    }
    for field, scope in _PROFILE:
        value |= {field: "1" if field == "profile_enabled" else "", f"{field}Scope": scope}
    value |= {"groups": groups_of(call, uid), "language": "en", "locale": "", "timezone": "", "notify_email": None}
    value["backendCapabilities"] = {"setDisplayName": True, "setPassword": True}
    return value if own else {key: item for key, item in value.items() if not key.endswith("Scope")}


def groups_of(call: Call, uid: str) -> list[str]:
    """The groups that someone is in."""
    return [row["gid"] for row in call.store.all("SELECT gid FROM members WHERE uid = ? ORDER BY gid", uid)]


def _quota(call: Call, row: sqlite3.Row) -> dict[str, Any]:
    tree = Tree(call.store)
    used, quota = tree.size(tree.root(row["uid"])), row["quota"]
    if quota is None:
        return {"free": UNLIMITED, "used": used, "total": UNLIMITED, "relative": 0, "quota": UNLIMITED}
    relative = round(used / quota * 100, 2) if quota else 0
    return {"free": max(0, quota - used), "used": used, "total": quota, "relative": relative or 0, "quota": quota}


@routes.ocs("GET", "/cloud/user")
def me(call: Call) -> dict[str, Any]:
    """The caller."""
    row = _row(call, call.uid)
    return _describe(call, row) if row else {}


def need_admin(call: Call) -> None:
    """Refuse those who manage nobody."""
    if not call.me.admin:
        raise OcsError(403, "Logged in account must be at least a sub admin")


def need_password(call: Call) -> None:
    """Refuse those who came with an app password, and then those who manage nobody."""
    if not call.me.confirmed:
        raise OcsError(403, "Password confirmation is required")
    need_admin(call)


def _search(call: Call) -> list[sqlite3.Row]:
    like = f"%{call.text('search')}%"
    sql = "SELECT * FROM users WHERE uid LIKE ? OR displayname LIKE ? OR email LIKE ? ORDER BY uid LIMIT ? OFFSET ?"
    return call.store.all(sql, like, like, like, call.number("limit", -1), call.number("offset"))


@routes.ocs("GET", "/cloud/users")
def list_users(call: Call) -> dict[str, Any]:
    """The ids of all people."""
    need_admin(call)
    return {"users": [row["uid"] for row in _search(call)]}


@routes.ocs("GET", "/cloud/users/details")
def list_details(call: Call) -> dict[str, Any]:
    """All people with their data."""
    need_admin(call)
    return {"users": {row["uid"]: _describe(call, row) for row in _search(call)}}


@routes.ocs("GET", "/cloud/users/{uid}")
def get_user(call: Call) -> dict[str, Any]:
    """One person; someone else is not there at all for those who manage nobody."""
    row = _row(call, call.text("uid"))
    if row is None:
        raise OcsError(404, "User does not exist")
    if row["uid"] != call.uid and not call.me.admin:
        raise OcsError(404, code=998)
    return _describe(call, row)


@routes.ocs("POST", "/cloud/users")
def create_user(call: Call) -> dict[str, Any]:
    """A new person."""
    need_password(call)
    if "userid" not in call.arguments:
        raise bad_argument()
    uid, groups = call.text("userid"), cast("list[str]", call.arguments.get("groups") or [])
    for gid in groups:
        if call.store.one("SELECT 1 FROM groups WHERE gid = ?", gid) is None:
            raise OcsError(400, f"Group {gid} does not exist", code=104)
    if _row(call, uid):
        raise OcsError(400, "User already exists", code=102)
    password, email = call.text("password"), call.text("email")
    if not password and not email:
        raise OcsError(400, "An email address is required, to send a password link to the user.", code=108)
    if not re.fullmatch(r"[a-zA-Z0-9 _.@'-]+", uid):
        allowed = '"a-z", "A-Z", "0-9", spaces and "_.@-\'"'
        raise OcsError(400, f"Only the following characters are allowed in an Login: {allowed}", code=101)
    name = call.text("displayName") or uid
    call.store.insert(
        "users", uid=uid, displayname=name, email=email, password=password, enabled=1, first_login=0, last_login=0
    )
    for gid in groups:
        call.store.insert("members", gid=gid, uid=uid)
    Tree(call.store).root(uid)
    return {"id": uid}


def need_user(call: Call) -> sqlite3.Row:
    """The person that a change is about."""
    row = _row(call, call.text("uid"))
    if row is None:
        raise OcsError(404, code=998)
    return row


@routes.ocs("PUT", "/cloud/users/{uid}")
def update_user(call: Call) -> list[object]:
    """Change one field of a person."""
    need_password(call)
    row, key, value = need_user(call), call.text("key"), call.text("value")
    changes: dict[str, object]
    if key == "email":
        if value and not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", value):
            raise OcsError(400, code=101)
        changes = {"email": value}
    elif key == "quota":
        changes = {"quota": read_quota(value)}
    elif key in {"display", "displayname"}:
        changes = {"displayname": value}
    elif key == "password":
        changes = {"password": value}
    else:
        raise OcsError(400, code=113)
    for column, new in changes.items():
        call.store.run(f"UPDATE users SET {column} = ? WHERE uid = ?", new, row["uid"])  # noqa: S608 - ours
    return NOTHING


def read_quota(text: str) -> int | None:
    """A size such as "200 KB"; None for no limit."""
    if text in {"default", "none", ""}:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?B?)", text.strip().upper())
    if found is None:
        raise OcsError(400, f"Invalid quota value: {text}", code=101)
    unit = found.group(2)
    return int(float(found.group(1)) * _UNITS[unit if unit in _UNITS else f"{unit}B"])


def _set_enabled(call: Call, *, enabled: bool) -> list[object]:
    need_password(call)
    row = need_user(call)
    call.store.run("UPDATE users SET enabled = ? WHERE uid = ?", int(enabled), row["uid"])
    return NOTHING


@routes.ocs("PUT", "/cloud/users/{uid}/enable")
def enable(call: Call) -> list[object]:
    """Someone may log in again."""
    return _set_enabled(call, enabled=True)


@routes.ocs("PUT", "/cloud/users/{uid}/disable")
def disable(call: Call) -> list[object]:
    """Someone may no longer log in."""
    return _set_enabled(call, enabled=False)


@routes.ocs("DELETE", "/cloud/users/{uid}")
def delete_user(call: Call) -> list[object]:
    """Someone is gone, with all their files."""
    need_password(call)
    row = need_user(call)
    if row["uid"] == call.uid:
        raise OcsError(400, code=101)
    call.store.run("DELETE FROM users WHERE uid = ?", row["uid"])
    return NOTHING
