"""Boards, stacks, labels and people as the API shows them."""

import sqlite3
from typing import Any

from aboveboard.nextcloud.sandbox.deck.access import GROUP, USER, show_rights
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.nextcloud.sandbox.wire import digest

Shown = dict[str, Any]


def etag(modified: int) -> str:
    """The ETag of anything here: two changes in one second share it."""
    return digest(str(modified))


def person(store: Store, uid: str) -> Shown:
    row = store.one("SELECT displayname FROM users WHERE uid = ?", uid)
    return {"primaryKey": uid, "uid": uid, "displayname": row["displayname"] if row else uid, "type": USER}


def participant(store: Store, kind: int, name: str) -> Shown | str:
    """A person or group; one that is not there is its name alone."""
    if kind == USER and store.one("SELECT 1 FROM users WHERE uid = ?", name):
        return person(store, name)
    if kind == GROUP and store.one("SELECT 1 FROM groups WHERE gid = ?", name):
        return {"primaryKey": name, "uid": name, "displayname": name, "type": GROUP}
    return name


def label(row: sqlite3.Row, card: int | None = None) -> Shown:
    """A label of a board, or of a card."""
    return {
        "id": row["id"],
        "title": row["title"],
        "color": row["color"],
        "boardId": row["board"],
        "cardId": card,
        "lastModified": row["modified"],
        "ETag": etag(row["modified"]),
    }


def board_labels(store: Store, board: int) -> list[Shown]:
    return [label(row) for row in store.all("SELECT * FROM deck_labels WHERE board = ? ORDER BY id", board)]


def member(store: Store, row: sqlite3.Row) -> Shown:
    """Someone with whom a board is shared."""
    return {
        "id": row["id"],
        "participant": participant(store, row["type"], row["participant"]),
        "type": row["type"],
        "boardId": row["board"],
        "permissionEdit": bool(row["edit"]),
        "permissionShare": bool(row["share"]),
        "permissionManage": bool(row["manage"]),
        "owner": False,
    }


def users(store: Store, board: sqlite3.Row) -> list[Shown]:
    """Everyone who is part of a board, the owner first."""
    found = [board["owner"]]
    for row in store.all("SELECT * FROM deck_members WHERE board = ? ORDER BY type, id", board["id"]):
        if row["type"] == USER:
            found.append(row["participant"])
        elif row["type"] == GROUP:
            found += [one["uid"] for one in store.all("SELECT uid FROM members WHERE gid = ?", row["participant"])]
    known = [uid for uid in dict.fromkeys(found) if store.one("SELECT 1 FROM users WHERE uid = ?", uid)]
    return [person(store, uid) for uid in known]


def stack(row: sqlite3.Row, cards: list[Shown] | None = None) -> Shown:
    """A stack; without cards it has no key for them."""
    return {
        "id": row["id"],
        "title": row["title"],
        "boardId": row["board"],
        "deletedAt": row["deleted"],
        "lastModified": row["modified"],
        **({"cards": cards} if cards else {}),
        "order": row["position"],
        "isDoneColumn": bool(row["done_column"]),
        "ETag": etag(row["modified"]),
    }


def board_stacks(store: Store, board: int) -> list[sqlite3.Row]:
    """The stacks of a board, in the order of their making."""
    return store.all("SELECT * FROM deck_stacks WHERE board = ? AND deleted = 0 ORDER BY id", board)


def board(store: Store, row: sqlite3.Row, uid: str, **changed: object) -> Shown:
    """A board with all that belongs to it; what is changed is shown as given, with the time of before."""
    return {
        **listed_board(store, row, uid),
        "labels": board_labels(store, row["id"]),
        "users": users(store, row),
        "stacks": [stack(one) for one in board_stacks(store, row["id"])],
        "settings": _settings(store, row["id"], uid),
        **changed,
    }


def listed_board(store: Store, row: sqlite3.Row, uid: str) -> Shown:
    members = store.all("SELECT * FROM deck_members WHERE board = ? ORDER BY type, id", row["id"])
    return {
        "id": row["id"],
        "title": row["title"],
        "owner": person(store, row["owner"]),
        "color": row["color"],
        "archived": bool(row["archived"]),
        "labels": [],
        "acl": [member(store, one) for one in members],
        "permissions": show_rights(store, row, uid),
        "users": [],
        "stacks": [],
        "activeSessions": [],
        "deletedAt": row["deleted"],
        "lastModified": row["modified"],
        "shareToken": None,
        "externalId": None,
        "settings": [],
        "ETag": etag(row["modified"]),
    }


def _settings(store: Store, board: int, uid: str) -> Shown:
    sql = "SELECT key, value FROM deck_settings WHERE uid = ? AND key LIKE ?"
    chosen = {row["key"].rpartition(":")[2]: row["value"] for row in store.all(sql, uid, f"board:{board}:%")}
    return {"notify-due": "assigned", "calendar": True, **chosen}
