"""A share as the API shows it, which depends on who looks."""

import sqlite3
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call
from aboveboard.nextcloud.sandbox.deck.attached import DECK, card_of_share
from aboveboard.nextcloud.sandbox.files.mime import has_preview, type_of
from aboveboard.nextcloud.sandbox.files.views import CREATE, DELETE, GROUP, LINK, MAIL, USER, Place, View
from aboveboard.nextcloud.sandbox.store import Store


def describe(call: Call, view: View, row: sqlite3.Row) -> dict[str, Any] | None:
    """A share; None where its file is gone."""
    place = view.by_id(row["node"])
    if place is None:
        return None
    mine = call.uid in {row["owner"], row["initiator"]}
    node, store = place.node, call.store
    return {
        "id": str(row["id"]),
        "share_type": row["type"],
        "uid_owner": row["initiator"],
        "displayname_owner": _name(store, row["initiator"]),
        "permissions": row["permissions"],
        "can_edit": mine,
        "can_delete": True,
        "stime": row["created"],
        "parent": None,
        "expiration": row["expiration"],
        "token": row["token"],
        "uid_file_owner": row["owner"],
        "note": row["note"],
        "label": row["label"],
        "displayname_file_owner": _name(store, row["owner"]),
        **_item(view, place, row["owner"]),
        "file_target": None if row["type"] == MAIL else _target(call, row, node.name),
        **_receiver(call, row),
        "mail_send": int(row["type"] == MAIL),
        "hide_download": row["hide_download"],
        "attributes": None,
    }


def _item(view: View, place: Place, owner: str) -> dict[str, Any]:
    """What is shared, as the one who looks sees it."""
    node = place.node
    return {
        "path": place.path,
        "item_type": "folder" if node.folder else "file",
        "item_permissions": _rights(place),
        "is-mount-root": place.mount,
        "mount-type": "shared" if place.mount else "",
        "mimetype": "httpd/unix-directory" if node.folder else type_of(node.name),
        "has_preview": not node.folder and has_preview(node.name),
        "storage_id": f"shared::{place.path}" if place.share else f"home::{owner}",
        "storage": 2,
        "item_source": node.id,
        "file_source": node.id,
        "file_parent": node.parent,
        "item_size": view.tree.size(node),
        "item_mtime": node.mtime,
    }


def _rights(place: Place) -> int:
    rights = place.rights | (DELETE if place.mount else 0)
    return rights if place.node.folder else rights & ~CREATE


def _name(store: Store, uid: str) -> str:
    row = store.one("SELECT displayname FROM users WHERE uid = ?", uid)
    return row["displayname"] if row else uid


def _target(call: Call, row: sqlite3.Row, name: str) -> str:
    """Where it shows at the receiver: the caller if they are one, else any; a card is no place among files."""
    if row["type"] == DECK:
        return f"/{{DECK_PLACEHOLDER}}/{name}"
    sql = "SELECT target FROM share_targets WHERE share = ? ORDER BY uid != ? LIMIT 1"
    target = call.store.one(sql, row["id"], call.uid)
    return target["target"] if target else f"/{name}"


def _receiver(call: Call, row: sqlite3.Row) -> dict[str, Any]:
    """Who has it, in words that differ with the type."""
    receiver, store = row["share_with"], call.store
    secret = {"password": row["password"], "send_password_by_talk": False}
    if row["type"] == USER:
        mail = store.one("SELECT email FROM users WHERE uid = ?", receiver)
        unique = (mail["email"] if mail else "") or receiver
        name = _name(store, receiver)
        return {"share_with": receiver, "share_with_displayname": name, "share_with_displayname_unique": unique}
    if row["type"] == GROUP:
        return {"share_with": receiver, "share_with_displayname": receiver}
    if row["type"] == DECK:
        return {"share_with": receiver, **card_of_share(store, int(receiver), call.host)}
    if row["type"] == LINK:
        shown = {"share_with": row["password"], "share_with_displayname": "(Shared link)"}
        return {**shown, **secret, "url": f"{call.host}/s/{row['token']}"}
    return {"share_with": receiver, "share_with_displayname": receiver, **secret, "password_expiration_time": None}
