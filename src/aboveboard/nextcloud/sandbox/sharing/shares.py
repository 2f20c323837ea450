"""Shares: with people, groups, mail addresses, and by link."""

import sqlite3
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes, to_int
from aboveboard.nextcloud.sandbox.deck.attached import DECK
from aboveboard.nextcloud.sandbox.deck.attachments import attach_by_share
from aboveboard.nextcloud.sandbox.files.files import decline
from aboveboard.nextcloud.sandbox.files.views import (
    ALL,
    CREATE,
    DELETE,
    GROUP,
    LINK,
    MAIL,
    READ,
    SHARE,
    USER,
    Place,
    View,
)
from aboveboard.nextcloud.sandbox.ocs import OcsError
from aboveboard.nextcloud.sandbox.sharing import passwords
from aboveboard.nextcloud.sandbox.sharing.share_view import describe

ROOT = "/apps/files_sharing/api/v1/shares"
NOTHING: list[object] = []
TEAM = 7
_NEITHER = "Share must at least have READ or CREATE permissions"

routes = Routes()


def _mine(call: Call, condition: str, *values: object) -> list[sqlite3.Row]:
    """Shares that the caller made or whose files they own."""
    sql = f"SELECT * FROM shares WHERE (owner = ? OR initiator = ?) AND {condition} ORDER BY type, id"  # noqa: S608 - ours
    return call.store.all(sql, call.uid, call.uid, *values)


def _received(call: Call) -> list[sqlite3.Row]:
    return call.store.all(
        "SELECT shares.* FROM shares JOIN share_targets ON share = shares.id"
        " WHERE uid = ? AND declined = 0 AND owner != ? ORDER BY shares.id",
        call.uid,
        call.uid,
    )


def _shown(call: Call, rows: Iterable[sqlite3.Row]) -> list[dict[str, Any]]:
    view = call.files()
    return [shown for row in rows if (shown := describe(call, view, row)) is not None]


@routes.ocs("GET", ROOT)
def list_shares(call: Call) -> list[dict[str, Any]]:
    """What the caller shares, of everything, of one path, or of what is in a folder; or what they got."""
    place = _place(call, call.text("path")) if call.text("path") else None
    if call.flag("shared_with_me"):
        return _shown(call, (row for row in _received(call) if place is None or row["node"] == place.node.id))
    if place is None:
        return _shown(call, _mine(call, "1"))
    if not call.flag("subfiles"):
        return _shown(call, _mine(call, "node = ?", place.node.id))
    if not place.node.folder:
        raise OcsError(400, "Not a directory")
    inside = {child.node.id for child in call.files().children(place)}
    return _shown(call, (row for row in _mine(call, "1") if row["node"] in inside))


@routes.ocs("GET", f"{ROOT}/inherited")
def list_inherited(call: Call) -> list[dict[str, Any]]:
    """The shares of the folders around a file."""
    view = call.files()
    place, found = _place(call, call.text("path")), list[dict[str, Any]]()
    outer = view.find(place.parent_path)
    while outer and outer.path:
        via = {"via_fileid": outer.node.id, "via_path": outer.path}
        found += [{**shown, **via} for shown in _shown(call, _mine(call, "node = ?", outer.node.id))]
        outer = view.find(outer.parent_path)
    return found


@routes.ocs("GET", f"{ROOT}/pending")
def list_pending(_: Call) -> list[object]:
    """Nothing waits: shares are taken as they come."""
    return []


def _place(call: Call, path: str) -> Place:
    place = call.files().find(path)
    if place is None:
        raise OcsError(404, "Wrong path, file/folder does not exist")
    return place


def _share(call: Call) -> sqlite3.Row:
    """A share that the caller made or got."""
    given = call.text("id")
    row = call.store.one("SELECT * FROM shares WHERE id = ?", given) if given.isdecimal() else None
    if row and (call.uid in {row["owner"], row["initiator"]} or any(row["id"] == got["id"] for got in _received(call))):
        return row
    raise OcsError(404, "Wrong share ID, share does not exist")


@routes.ocs("GET", f"{ROOT}/{{id}}")
def get_share(call: Call) -> list[dict[str, Any]]:
    """One share, in a list."""
    shown = _shown(call, [_share(call)])
    if not shown:
        raise OcsError(404, "Wrong share ID, share does not exist")
    return shown


@routes.ocs("POST", ROOT)
def create(call: Call) -> dict[str, Any]:
    """A new share; one that is there already is answered as it is, except for links."""
    if not call.arguments.get("path"):
        raise OcsError(404, "Please specify a file or folder path")
    place = _place(call, call.text("path"))
    kind = to_int(call.arguments.get("shareType", -1))
    if kind == TEAM:
        # There are no teams, and the real server fails over one that it does not know.
        raise OcsError(500, "Internal Server Error\n", code=996)
    if kind == DECK:
        return describe(call, call.files(), attach_by_share(call, place.node.id)) or {}
    expiration = _expiration(call, 404)
    permissions = _permissions(call, kind, place)
    receiver = _receiver(call, kind, place)
    same = None
    if kind == MAIL and call.store.one(
        "SELECT 1 FROM shares WHERE node = ? AND type = ? AND share_with = ?", place.node.id, kind, receiver
    ):
        raise OcsError(403, "Failed to create share.")
    if kind in {USER, GROUP}:
        sql = "SELECT * FROM shares WHERE node = ? AND type = ? AND share_with = ?"
        same = call.store.one(sql, place.node.id, kind, receiver)
    row = same or _insert(call, place, kind, receiver, permissions, expiration)
    shown = describe(call, call.files(), row)
    return {**(shown or {}), "mail_send": int(same is None)}


def _permissions(call: Call, kind: int, place: Place) -> int:
    if kind not in {USER, GROUP, LINK, MAIL, 6}:
        raise OcsError(400, "Unknown share type")
    if kind == LINK and call.flag("publicUpload"):
        if not place.node.folder:
            raise OcsError(400, "Public upload is only possible for publicly shared folders")
        return ALL
    default = ALL if kind in {USER, GROUP} else READ
    given = call.arguments.get("permissions")
    permissions = default if given is None else to_int(given)
    if kind in {LINK, MAIL} and not permissions & (READ | (CREATE if place.node.folder else 0)):
        raise OcsError(400, _NEITHER)
    if kind in {USER, GROUP}:
        permissions |= READ
    if kind in {LINK, MAIL} and permissions & READ:
        permissions |= SHARE
    if permissions & ~ALL:
        raise OcsError(403, "Valid permissions are required for sharing")
    return permissions if place.node.folder else permissions & ~(CREATE | DELETE)


def _receiver(call: Call, kind: int, place: Place) -> str | None:
    """Who gets it, once all that forbids it has been looked at."""
    receiver, store = call.text("shareWith"), call.store
    if kind == USER and store.one("SELECT 1 FROM users WHERE uid = ?", receiver) is None:
        raise OcsError(404, "Please specify a valid account to share with")
    if kind == GROUP and store.one("SELECT 1 FROM groups WHERE gid = ?", receiver) is None:
        raise OcsError(404, "Please specify a valid group")
    if not place.path:
        raise OcsError(403, "You cannot share your root folder")
    if kind == USER and receiver == call.uid:
        raise OcsError(403, "Cannot share with yourself")
    if not place.may(SHARE):
        raise OcsError(404, f"You are not allowed to share {place.name}")
    if kind == 6:
        # There is no other server to share with.
        raise OcsError(403, "Failed to create share.")
    return None if kind == LINK else receiver


def _insert(
    call: Call, place: Place, kind: int, receiver: str | None, permissions: int, expiration: str | None
) -> sqlite3.Row:
    store = call.store
    password = call.text("password") if kind in {LINK, MAIL} else ""
    share = store.insert(
        "shares",
        type=kind,
        owner=place.node.owner,
        initiator=call.uid,
        node=place.node.id,
        share_with=receiver,
        permissions=permissions,
        created=store.now(),
        expiration=expiration,
        token=store.secret(15) if kind in {LINK, MAIL} else None,
        password=passwords.hashed(password, store.secret(8)) if password else None,
        note=call.text("note"),
        label=call.text("label"),
        hide_download=0,
    )
    rows = store.all("SELECT uid FROM members WHERE gid = ? AND uid != ?", receiver, place.node.owner)
    people = [receiver] if kind == USER else [row["uid"] for row in rows] if kind == GROUP else []
    for uid in people:
        store.insert("share_targets", share=share, uid=uid, target=f"/{place.name}", declined=0)
    row = store.one("SELECT * FROM shares WHERE id = ?", share)
    if row is None:
        raise AssertionError("a share that was just made is there")
    return row


def _expiration(call: Call, status: int) -> str | None:
    """The end of a day; the time of day is dropped, and the status for a wrong date depends on who asks."""
    text = call.text("expireDate")
    if not text:
        return None
    try:
        day = datetime.fromisoformat(text).date() if len(text) > 10 else date.fromisoformat(text)
    except ValueError as error:
        raise OcsError(status, "Invalid date. Format must be YYYY-MM-DD") from error
    if day < datetime.fromtimestamp(call.store.now(), UTC).date():
        raise OcsError(404, "Expiration date is in the past")
    return f"{day.isoformat()} 23:59:59"


_UPDATES = (
    "permissions",
    "password",
    "sendPasswordByTalk",
    "publicUpload",
    "expireDate",
    "note",
    "label",
    "hideDownload",
)


@routes.ocs("PUT", f"{ROOT}/{{id}}")
def update(call: Call) -> dict[str, Any]:
    """Change what is given."""
    row = _share(call)
    if call.uid not in {row["owner"], row["initiator"]}:
        raise OcsError(403, "You are not allowed to edit incoming shares")
    given = {name for name in _UPDATES if call.arguments.get(name) is not None}
    if not given:
        raise OcsError(400, "Wrong or no update parameter given")
    if "sendPasswordByTalk" in given and call.flag("sendPasswordByTalk"):
        raise OcsError(
            403,
            '"Sending the password by Nextcloud Talk" for sharing a file or folder failed because Nextcloud Talk is not'
            " enabled.",
        )
    changes = _changes(call, row, given)
    if changes:
        call.store.update("shares", row["id"], **changes)
    return describe(call, call.files(), _share(call)) or {}


def _changes(call: Call, row: sqlite3.Row, given: set[str]) -> dict[str, object]:
    changes: dict[str, object] = {name: call.text(name) for name in given & {"note", "label"}}
    if "expireDate" in given:
        changes["expiration"] = _expiration(call, 400)
    if "hideDownload" in given:
        changes["hide_download"] = int(call.flag("hideDownload"))
    if "password" in given:
        changes["password"] = _new_password(call, row)
    if given & {"permissions", "publicUpload"}:
        changes["permissions"] = _new_permissions(call, row)
    return changes


def _new_password(call: Call, row: sqlite3.Row) -> str | None:
    """The hash of another password; the same one keeps the hash that it has."""
    password, old = call.text("password"), row["password"]
    if not password:
        return None
    return old if old and passwords.matches(old, password) else passwords.hashed(password, call.store.secret(8))


def _new_permissions(call: Call, row: sqlite3.Row) -> int:
    view = View(call.store, call.uid)
    place = view.by_id(row["node"])
    folder = place is not None and place.node.folder
    if "permissions" not in call.arguments:
        return ALL if call.flag("publicUpload") else READ | SHARE
    permissions = call.number("permissions")
    link = row["type"] in {LINK, MAIL}
    if link and not permissions & (READ | CREATE):
        raise OcsError(400, _NEITHER)
    allowed = ALL if folder else ALL & ~(CREATE | DELETE)
    if permissions & ~allowed or not (link or permissions & READ):
        raise OcsError(400, "Failed to update share.")
    return permissions | SHARE if link and permissions & READ else permissions


@routes.ocs("DELETE", f"{ROOT}/{{id}}")
def delete(call: Call) -> list[object]:
    """The end of a share; a receiver only lets go of it for themselves."""
    row = _share(call)
    if call.uid in {row["owner"], row["initiator"]}:
        call.store.run("DELETE FROM shares WHERE id = ?", row["id"])
    else:
        decline(call.files(), row["node"])
    return NOTHING
