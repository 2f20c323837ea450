"""The routes of stacks."""

import sqlite3
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.deck import cards_view, views
from aboveboard.nextcloud.sandbox.deck.access import MANAGE, board_for, need_open_board, stack_for, touch_board
from aboveboard.nextcloud.sandbox.deck.boards import API, BOARD, only_from_apps
from aboveboard.nextcloud.sandbox.deck.refusals import checked_title, needed_text, number_of
from aboveboard.nextcloud.sandbox.wire import bad_argument, json_response
from aboveboard.sandbox.wire import Response

STACK = f"{BOARD}/stacks/{{stackId}}"
_INSIDE = "SELECT * FROM deck_cards WHERE stack = ? AND archived = ? AND deleted = 0 ORDER BY position, id"

routes = Routes()


def cards_in(call: Call, stack: int, *, archived: bool = False) -> list[sqlite3.Row]:
    """The cards of a stack in their order, archived ones apart."""
    return call.store.all(_INSIDE, stack, int(archived))


def _full(call: Call, row: sqlite3.Row) -> dict[str, Any]:
    return views.stack(row, [cards_view.whole(call.store, card) for card in cards_in(call, row["id"])])


def _stacks(call: Call) -> list[dict[str, Any]]:
    board = number_of(call, "boardId")
    board_for(call, board)
    return [_full(call, row) for row in views.board_stacks(call.store, board)]


@routes.page("GET", f"{BOARD}/stacks")
def list_stacks(call: Call) -> Response:
    """The stacks of a board with their cards."""
    return json_response(_stacks(call))


@routes.ocs("GET", f"{API}/stacks/{{boardId}}")
def list_stacks_ocs(call: Call) -> list[dict[str, Any]]:
    """The stacks of a board with their cards."""
    return _stacks(call)


@routes.page("GET", f"{BOARD}/stacks/archived")
def list_archived(call: Call) -> Response:
    """The stacks of a board with their archived cards, of which little is told."""
    board = number_of(call, "boardId")
    board_for(call, board)
    rows = views.board_stacks(call.store, board)
    cards = {row["id"]: [cards_view.bare(card) for card in cards_in(call, row["id"], archived=True)] for row in rows}
    return json_response([views.stack(row, cards[row["id"]]) for row in rows])


@routes.page("GET", STACK)
def get_stack(call: Call) -> Response:
    """One stack, also a deleted one; the labels of its cards are not told."""
    row = stack_for(call, number_of(call, "stackId"))
    shown = views.stack(row, [cards_view.in_stack(call.store, card) for card in cards_in(call, row["id"])])
    return json_response(shown, headers={"etag": f'"{shown["ETag"]}"'})


def _order(call: Call) -> int:
    if call.arguments.get("order") is None:
        raise bad_argument()
    return call.number("order")


@routes.page("POST", f"{BOARD}/stacks")
def create_stack(call: Call) -> Response:
    """A new stack."""
    title, order, board = needed_text(call, "title"), _order(call), number_of(call, "boardId")
    board_for(call, board, MANAGE)
    need_open_board(call, board)
    stack = call.store.insert("deck_stacks", board=board, title=checked_title(title), position=order)
    touch_board(call.store, board)
    return json_response(views.stack(stack_for(call, stack)))


def _update(call: Call) -> Response:
    title, order = needed_text(call, "title"), _order(call)
    row = stack_for(call, number_of(call, "stackId"), MANAGE)
    need_open_board(call, row["board"])
    call.store.update("deck_stacks", row["id"], title=checked_title(title), position=order, deleted=0)
    touch_board(call.store, row["board"])
    return json_response(views.stack(stack_for(call, row["id"])))


routes.page("PUT", STACK)(_update)


@routes.page("PUT", "/apps/deck/stacks/{stackId}")
def update_internally(call: Call) -> Response:
    """As the web page changes a stack, or brings it back."""
    only_from_apps(call)
    return _update(call)


@routes.page("PUT", "/apps/deck/stacks/{stackId}/reorder")
def reorder(call: Call) -> Response:
    """Another place among the stacks; all are numbered anew."""
    only_from_apps(call)
    row = stack_for(call, number_of(call, "stackId"), MANAGE)
    sql = "SELECT id FROM deck_stacks WHERE board = ? AND deleted = 0 AND id != ? ORDER BY position, id"
    ids = [one["id"] for one in call.store.all(sql, row["board"], row["id"])]
    ids.insert(_order(call), row["id"])
    for position, stack in enumerate(ids):
        call.store.update("deck_stacks", stack, position=position)
    touch_board(call.store, row["board"])
    return json_response([views.stack(stack_for(call, stack)) for stack in ids])


@routes.ocs("PUT", f"{API}/stacks/{{stackId}}/done")
def set_done_column(call: Call) -> list[object]:
    """Make a stack the one for what is done, or no longer."""
    row = stack_for(call, number_of(call, "stackId"), MANAGE)
    need_open_board(call, row["board"])
    call.store.update("deck_stacks", row["id"], done_column=int(call.flag("isDone")))
    return []


@routes.page("DELETE", STACK)
def delete_stack(call: Call) -> Response:
    """A stack goes, and its cards with it as far as lists are concerned; again changes nothing more."""
    row = stack_for(call, number_of(call, "stackId"), MANAGE)
    deleted = row["deleted"] or call.store.now()
    call.store.update("deck_stacks", row["id"], deleted=deleted)
    touch_board(call.store, row["board"])
    return json_response(_full(call, stack_for(call, row["id"])))


@routes.page("GET", "/apps/deck/{boardId}/stacks/deleted")
def list_deleted(call: Call) -> Response:
    """The stacks that were deleted."""
    only_from_apps(call)
    board = board_for(call, number_of(call, "boardId"))
    rows = call.store.all("SELECT * FROM deck_stacks WHERE board = ? AND deleted > 0 ORDER BY id", board["id"])
    return json_response([_full(call, row) for row in rows])
