"""What is attached to cards: files of Deck's own, and shares of people's files."""

import sqlite3
from pathlib import PurePosixPath
from typing import Any

from aboveboard.nextcloud.sandbox.files.mime import has_preview, type_of
from aboveboard.nextcloud.sandbox.files.views import View
from aboveboard.nextcloud.sandbox.store import Store

Shown = dict[str, Any]
DECK = 12
"""The type of a share with a card."""


def _info(name: str) -> Shown:
    path = PurePosixPath(name)
    return {"dirname": ".", "basename": name, "extension": path.suffix[1:], "filename": path.stem}


def _creator(store: Store, uid: str) -> Shown:
    row = store.one("SELECT displayname, email FROM users WHERE uid = ?", uid)
    return {
        "displayName": row["displayname"] if row else uid,
        "id": uid,
        "email": (row["email"] if row else "") or None,
    }


def file_of_deck(row: sqlite3.Row, extended: object) -> Shown:
    """A file that Deck keeps."""
    return {
        "id": row["id"],
        "cardId": row["card"],
        "type": "deck_file",
        "data": row["name"],
        "lastModified": row["created"],
        "createdAt": row["created"],
        "createdBy": row["creator"],
        "deletedAt": row["deleted"],
        "extendedData": extended,
    }


def whole_file(store: Store, row: sqlite3.Row) -> Shown:
    """A file that Deck keeps, with what is known of it."""
    known = {"filesize": len(row["content"]), "mimetype": type_of(row["name"]), "info": _info(row["name"])}
    return file_of_deck(row, {**known, "attachmentCreator": _creator(store, row["creator"])})


def deck_files(store: Store, card: int) -> list[Shown]:
    """The files of a card that Deck keeps."""
    sql = "SELECT * FROM deck_attachments WHERE card = ? AND deleted = 0 ORDER BY id"
    return [whole_file(store, row) for row in store.all(sql, card)]


def card_shares(store: Store, card: int) -> list[sqlite3.Row]:
    """The shares of files with a card."""
    return store.all("SELECT * FROM shares WHERE type = ? AND share_with = ? ORDER BY id", DECK, str(card))


def shared_file(store: Store, share: sqlite3.Row, **changed: object) -> Shown:
    """A file that someone shares with a card."""
    place = View(store, share["owner"]).by_id(share["node"])
    name = place.name if place else ""
    known: Shown = {
        "path": place.path if place else "",
        "fileid": share["node"],
        "data": name,
        "filesize": place.node.size if place else 0,
        "mimetype": type_of(name),
        "info": _info(name),
        "hasPreview": has_preview(name),
        "permissions": share["permissions"],
        "attachmentCreator": _creator(store, share["owner"]),
    }
    return {
        "id": share["id"],
        "cardId": int(share["share_with"]),
        "type": "file",
        "data": name,
        "lastModified": share["created"],
        "createdAt": share["created"],
        "createdBy": share["owner"],
        "deletedAt": 0,
        "extendedData": known,
        **changed,
    }


def shared_files(store: Store, card: int) -> list[Shown]:
    return [shared_file(store, share) for share in card_shares(store, card)]


def attached_count(store: Store, card: int) -> int:
    """How many files a card has."""
    sql = "SELECT (SELECT COUNT(*) FROM deck_attachments WHERE card = ? AND deleted = 0) + (SELECT COUNT(*) FROM shares"
    return store.all(f"{sql} WHERE type = ? AND share_with = ?) AS n", card, DECK, str(card))[0]["n"]


def card_of_share(store: Store, card: int, host: str) -> Shown:
    """The card that a file is shared with, as a share shows it."""
    sql = "SELECT deck_cards.title, board FROM deck_cards JOIN deck_stacks ON stack = deck_stacks.id"
    row = store.one(f"{sql} WHERE deck_cards.id = ?", card)
    if row is None:
        return {"share_with_displayname": str(card)}
    link = f"{host}/apps/deck/board/{row['board']}/card/{card}"
    return {"share_with_displayname": row["title"], "share_with_link": link}
