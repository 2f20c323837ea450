"""The routes of labels and of the people with whom a board is shared."""

import re
import sqlite3
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.deck import views
from aboveboard.nextcloud.sandbox.deck.access import MANAGE, READ, SHARE, board_for, need_open_board, touch_board
from aboveboard.nextcloud.sandbox.deck.boards import BOARD
from aboveboard.nextcloud.sandbox.deck.refusals import (
    access_denied,
    checked_title,
    needed_text,
    number_of,
    refuse,
    server_failure,
)
from aboveboard.nextcloud.sandbox.wire import json_response
from aboveboard.sandbox.wire import Response

routes = Routes()
_HEX = re.compile("[0-9a-fA-F]{6}|[0-9a-fA-F]{3}")
_PERMISSIONS = {"permissionEdit": "edit", "permissionShare": "share", "permissionManage": "manage"}


def label_for(call: Call, label: int, right: str = READ) -> sqlite3.Row:
    """A label of a board on which the caller has a right; the board in the path is not looked at."""
    row = call.store.one("SELECT * FROM deck_labels WHERE id = ?", label)
    if row is None:
        raise access_denied()
    board_for(call, row["board"], right)
    return row


def _values(call: Call, board: int, besides: int = 0) -> dict[str, Any]:
    title, color = needed_text(call, "title"), needed_text(call, "color")
    checked_title(title)
    if not _HEX.fullmatch(color):
        raise refuse(400, "color must be provided and must be hex color")
    sql = "SELECT 1 FROM deck_labels WHERE board = ? AND title = ? AND id != ?"
    if call.store.one(sql, board, title, besides):
        raise refuse(400, "title must be unique")
    return {"title": title, "color": color, "modified": call.store.now()}


def _shown(call: Call, label: int) -> Response:
    return json_response(views.label(label_for(call, label)))


@routes.page("POST", f"{BOARD}/labels")
def create_label(call: Call) -> Response:
    """A new label; its title is the only one of its kind on the board."""
    board = number_of(call, "boardId")
    values = _values(call, board)
    board_for(call, board, MANAGE)
    need_open_board(call, board)
    touch_board(call.store, board)
    return _shown(call, call.store.insert("deck_labels", board=board, **values))


@routes.page("GET", f"{BOARD}/labels/{{labelId}}")
def get_label(call: Call) -> Response:
    return _shown(call, number_of(call, "labelId"))


@routes.page("PUT", f"{BOARD}/labels/{{labelId}}")
def update_label(call: Call) -> Response:
    """Another title and colour, both of which must be given."""
    for name in ("title", "color"):
        needed_text(call, name)
    row = label_for(call, number_of(call, "labelId"), MANAGE)
    need_open_board(call, row["board"])
    call.store.update("deck_labels", row["id"], **_values(call, row["board"], row["id"]))
    touch_board(call.store, row["board"])
    return _shown(call, row["id"])


@routes.page("DELETE", f"{BOARD}/labels/{{labelId}}")
def delete_label(call: Call) -> Response:
    """A label goes from the board and from all cards."""
    row = label_for(call, number_of(call, "labelId"), MANAGE)
    need_open_board(call, row["board"])
    call.store.run("DELETE FROM deck_labels WHERE id = ?", row["id"])
    touch_board(call.store, row["board"])
    return json_response(views.label(row))


def _member(call: Call, member: int) -> sqlite3.Row:
    row = call.store.one("SELECT * FROM deck_members WHERE id = ?", member)
    if row is None:
        raise access_denied()
    board_for(call, row["board"], SHARE)
    return row


def _granted(call: Call) -> dict[str, int]:
    """What a member may do; the server fails over one that is left out."""
    if not call.arguments.keys() >= _PERMISSIONS.keys():
        raise server_failure(call)
    return {column: int(bool(call.arguments[name])) for name, column in _PERMISSIONS.items()}


@routes.page("POST", f"{BOARD}/acl")
def add_member(call: Call) -> Response:
    """Share a board with anyone, known or not; a second time is a failure."""
    board = number_of(call, "boardId")
    board_for(call, board, SHARE)
    if "type" not in call.arguments:
        raise server_failure(call)
    who = {"board": board, "type": call.number("type"), "participant": needed_text(call, "participant")}
    granted = _granted(call)
    if call.store.one("SELECT 1 FROM deck_members WHERE board = ? AND type = ? AND participant = ?", *who.values()):
        raise server_failure(call)
    member = call.store.insert("deck_members", **who, **granted)
    touch_board(call.store, board)
    return json_response(views.member(call.store, _member(call, member)))


@routes.page("PUT", f"{BOARD}/acl/{{aclId}}")
def update_member(call: Call) -> Response:
    """Change what a member may do."""
    row = _member(call, number_of(call, "aclId"))
    call.store.update("deck_members", row["id"], **_granted(call))
    touch_board(call.store, row["board"])
    return json_response(views.member(call.store, _member(call, row["id"])))


@routes.page("DELETE", f"{BOARD}/acl/{{aclId}}")
def remove_member(call: Call) -> Response:
    """Share a board with someone no longer; what they are assigned to is no longer theirs."""
    row = _member(call, number_of(call, "aclId"))
    call.store.run("DELETE FROM deck_members WHERE id = ?", row["id"])
    touch_board(call.store, row["board"])
    return json_response(views.member(call.store, row))
