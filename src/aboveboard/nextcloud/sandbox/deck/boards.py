"""The routes of boards."""

from email.utils import parsedate_to_datetime
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.deck import views
from aboveboard.nextcloud.sandbox.deck.access import MANAGE, board_for, memberships
from aboveboard.nextcloud.sandbox.deck.refusals import (
    checked_color,
    checked_title,
    needed_text,
    number_of,
    server_failure,
)
from aboveboard.nextcloud.sandbox.ocs import OcsError
from aboveboard.nextcloud.sandbox.wire import Halt, Kept, digest, json_response
from aboveboard.sandbox.wire import Response

API = "/apps/deck/api/{version}"
BOARD = f"{API}/boards/{{boardId}}"
_LABELS = (("Finished", "31CC7C"), ("To review", "317CCC"), ("Action needed", "FF7A66"), ("Later", "F1DB50"))

routes = Routes()


def _mine(call: Call) -> list[dict[str, Any]]:
    """The caller's boards and those shared with them, deleted ones included."""
    found: list[dict[str, Any]] = []
    for row in call.store.all("SELECT * FROM deck_boards ORDER BY id"):
        shared = memberships(call.store, row["id"], call.uid)
        if row["owner"] == call.uid or shared:
            kind = 0 if row["owner"] == call.uid else shared[0]["type"] + 1
            show = views.board if call.flag("details") else views.listed_board
            found.append({**show(call.store, row, call.uid), "shared": kind})
    return found


def _since(call: Call) -> float:
    try:
        return parsedate_to_datetime(call.header("if-modified-since")).timestamp()
    except ValueError:
        return 0


@routes.page("GET", f"{API}/boards")
def list_boards(call: Call) -> Response:
    """All boards, or those that changed since a time."""
    since = _since(call)
    found = [board for board in _mine(call) if board["lastModified"] >= since]
    return json_response(found, headers={"etag": f'"{digest("".join(board["ETag"] for board in found))}"'})


@routes.ocs("GET", f"{API}/boards")
def list_boards_ocs(call: Call) -> list[dict[str, Any]]:
    """All boards."""
    return _mine(call)


@routes.page("GET", BOARD)
def get_board(call: Call) -> Response:
    shown = views.board(call.store, board_for(call, number_of(call, "boardId")), call.uid)
    return json_response(shown, headers={"etag": f'"{shown["ETag"]}"'})


@routes.ocs("GET", f"{API}/board/{{boardId}}")
def get_board_ocs(call: Call) -> dict[str, Any]:
    return views.board(call.store, board_for(call, number_of(call, "boardId")), call.uid)


@routes.page("POST", f"{API}/boards")
def create_board(call: Call) -> Response:
    """A new board with four labels; the answer does not know yet when that was."""
    title, color = needed_text(call, "title"), needed_text(call, "color")
    values = {"title": checked_title(title), "color": checked_color(color)}
    board = call.store.insert("deck_boards", **values, owner=call.uid, modified=call.store.now())
    for name, shade in _LABELS:
        call.store.insert("deck_labels", board=board, title=name, color=shade, modified=call.store.now())
    new: dict[str, object] = {"users": [], "settings": [], "lastModified": 0, "ETag": views.etag(0)}
    return json_response(views.board(call.store, board_for(call, board), call.uid, **new))


def _update(call: Call) -> Response:
    title, color = needed_text(call, "title"), needed_text(call, "color")
    row = board_for(call, number_of(call, "boardId"), MANAGE)
    archived = bool(call.arguments.get("archived"))
    values = {"title": checked_title(title), "color": checked_color(color)}
    shown = views.board(call.store, row, call.uid, archived=archived, **values)
    call.store.update("deck_boards", row["id"], **values, archived=int(archived), modified=call.store.now())
    return json_response(shown)


routes.page("PUT", BOARD)(_update)


@routes.page("PUT", "/apps/deck/boards/{boardId}")
def update_internally(call: Call) -> Response:
    """As the web page changes a board."""
    only_from_apps(call)
    return _update(call)


def only_from_apps(call: Call) -> None:
    """Refuse what may come from a foreign web page: these routes are for Deck's own."""
    if call.header("ocs-apirequest") != "true":
        raise Halt(json_response({"message": "CSRF check failed"}, 412))


@routes.page("DELETE", BOARD)
def delete_board(call: Call) -> Response:
    """A board goes to where it can be brought back from; one with a member that nobody knows fails, and is gone too."""
    row = board_for(call, number_of(call, "boardId"), MANAGE)
    now = call.store.now()
    shown = views.board(call.store, row, call.uid, deletedAt=now)
    call.store.update("deck_boards", row["id"], deleted=now, modified=now)
    if any(isinstance(member["participant"], str) for member in shown["acl"]):
        answer = server_failure(call).response
        return Kept(answer.status, answer.headers, answer.body)
    return json_response(shown)


@routes.page("POST", f"{BOARD}/undo_delete")
def restore_board(call: Call) -> Response:
    """A deleted board is back with all it had."""
    row = board_for(call, number_of(call, "boardId"), MANAGE, deleted=True)
    call.store.update("deck_boards", row["id"], deleted=0, modified=call.store.now())
    return json_response(views.board(call.store, row, call.uid, deletedAt=0))


@routes.ocs("GET", f"{API}/config")
def get_config(_: Call) -> dict[str, Any]:
    """How Deck is set up for everyone."""
    return {
        "calendar": True,
        "cardDetailsInModal": True,
        "cardIdBadge": False,
        "groupLimit": [],
        "federationEnabled": False,
    }


@routes.ocs("POST", f"{API}/config/{{key}}")
def set_config(call: Call) -> object:
    """A setting of the caller, such as board:3:notify-due."""
    key, value = call.text("key"), call.arguments.get("value")
    if not key.startswith("board:"):
        raise OcsError(400, "Bad request")
    kept = "1" if value is True else value
    call.store.run("INSERT OR REPLACE INTO deck_settings VALUES (?, ?, ?)", call.uid, key, kept)
    return value
