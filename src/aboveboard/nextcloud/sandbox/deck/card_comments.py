"""Comments on cards."""

import re
import sqlite3
from datetime import UTC, datetime
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.deck import views
from aboveboard.nextcloud.sandbox.deck.access import card_for
from aboveboard.nextcloud.sandbox.deck.boards import API
from aboveboard.nextcloud.sandbox.deck.refusals import needed_text, number_of, server_failure
from aboveboard.nextcloud.sandbox.ocs import OcsError
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.nextcloud.sandbox.wire import Halt

COMMENTS = f"{API}/cards/{{cardId}}/comments"
LONGEST = 1000
_MENTION = re.compile(r'@(?:"([^"]+)"|([\w.@-]+))')

routes = Routes()


def _card(call: Call) -> int:
    """A card that the caller sees; here a refusal has the envelope of OCS."""
    try:
        return card_for(call, number_of(call, "cardId"))["id"]
    except Halt as halt:
        raise OcsError(403, "Permission denied") if halt.response.status == 403 else halt from halt


def _plain(store: Store, row: sqlite3.Row) -> dict[str, Any]:
    names = dict.fromkeys(quoted or plain for quoted, plain in _MENTION.findall(row["message"]))
    known = [views.person(store, name) for name in names if store.one("SELECT 1 FROM users WHERE uid = ?", name)]
    return {
        "id": row["id"],
        "objectId": row["card"],
        "message": row["message"],
        "actorId": row["uid"],
        "actorType": "users",
        "actorDisplayName": views.person(store, row["uid"])["displayname"],
        "creationDateTime": datetime.fromtimestamp(row["created"], UTC).isoformat(),
        "mentions": [
            {"mentionId": one["uid"], "mentionType": "user", "mentionDisplayName": one["displayname"]} for one in known
        ],
    }


def _shown(store: Store, row: sqlite3.Row) -> dict[str, Any]:
    """A comment, with the one that it answers if that is still there."""
    parent = store.one("SELECT * FROM deck_comments WHERE id = ?", row["parent"]) if row["parent"] else None
    return {**_plain(store, row), **({"replyTo": _plain(store, parent)} if parent else {})}


@routes.ocs("GET", COMMENTS)
def list_comments(call: Call) -> list[dict[str, Any]]:
    """A page of comments, newest first."""
    card, limit = _card(call), call.number("limit", 20)
    sql = "SELECT * FROM deck_comments WHERE card = ? ORDER BY id DESC LIMIT ? OFFSET ?"
    rows = call.store.all(sql, card, limit, call.number("offset"))
    return [_shown(call.store, row) for row in rows]


@routes.ocs("POST", COMMENTS)
def create_comment(call: Call) -> dict[str, Any]:
    """A new comment, or an answer to one of the same card; an empty one is fine."""
    message, card, parent = needed_text(call, "message"), _card(call), call.number("parentId")
    if len(message) > LONGEST:
        raise OcsError(400, f"Message exceeds allowed character limit of {LONGEST}")
    if parent and not call.store.one("SELECT 1 FROM deck_comments WHERE id = ? AND card = ?", parent, card):
        raise OcsError(400, "Invalid parent id: The parent comment was not found or belongs to a different card")
    values = {"card": card, "uid": call.uid, "message": message, "created": call.store.now(), "parent": parent or None}
    return _shown(call.store, _comment(call, call.store.insert("deck_comments", **values)))


def _comment(call: Call, comment: int) -> sqlite3.Row:
    sql = "SELECT * FROM deck_comments WHERE id = ? AND card = ?"
    row = call.store.one(sql, comment, number_of(call, "cardId"))
    if row is None:
        raise OcsError(404, "No comment found.")
    return row


def _own(call: Call) -> sqlite3.Row:
    _card(call)
    row = _comment(call, number_of(call, "commentId"))
    if row["uid"] != call.uid:
        raise OcsError(403, "Only authors are allowed to edit their comment.")
    return row


@routes.ocs("PUT", f"{COMMENTS}/{{commentId}}")
def update_comment(call: Call) -> dict[str, Any]:
    """Other words; an answer shows here no longer what it answers, though it still does."""
    message, row = needed_text(call, "message"), _own(call)
    if len(message) > LONGEST:
        raise server_failure(call)
    call.store.update("deck_comments", row["id"], message=message)
    return _plain(call.store, _comment(call, row["id"]))


@routes.ocs("DELETE", f"{COMMENTS}/{{commentId}}")
def delete_comment(call: Call) -> list[object]:
    """A comment goes; answers to it stay."""
    call.store.run("DELETE FROM deck_comments WHERE id = ?", _own(call)["id"])
    return []
