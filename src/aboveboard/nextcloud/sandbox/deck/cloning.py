"""A board again, with what is wanted of its cards; a card again."""

import sqlite3
from collections.abc import Mapping

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.deck import cards_view, views
from aboveboard.nextcloud.sandbox.deck.access import (
    EDIT,
    USER,
    board_for,
    card_for,
    stack_for,
    touch_board,
    touch_stack,
)
from aboveboard.nextcloud.sandbox.deck.boards import API, only_from_apps
from aboveboard.nextcloud.sandbox.deck.refusals import number_of
from aboveboard.nextcloud.sandbox.deck.stacks import cards_in
from aboveboard.nextcloud.sandbox.wire import json_response
from aboveboard.sandbox.wire import Response

routes = Routes()


class _Copy:
    """What a clone takes along."""

    def __init__(self, call: Call, source: sqlite3.Row) -> None:
        self.call, self.store, self.source = call, call.store, source
        self.labels: dict[int, int] = {}

    def board(self) -> int:
        """The new board with labels, members and stacks, and with cards if they are wanted."""
        store, old = self.store, self.source
        title = f"{old['title']} (copy)"
        values = {"title": title, "color": old["color"], "owner": self.call.uid, "modified": store.now()}
        board = store.insert("deck_boards", **values)
        for row in store.all("SELECT * FROM deck_labels WHERE board = ? ORDER BY id", old["id"]):
            made = {"board": board, "title": row["title"], "color": row["color"], "modified": store.now()}
            self.labels[row["id"]] = store.insert("deck_labels", **made)
        for row in store.all("SELECT * FROM deck_members WHERE board = ? ORDER BY id", old["id"]):
            kept = {name: row[name] for name in ("type", "participant", "edit", "share", "manage")}
            store.insert("deck_members", board=board, **kept)
        for row in views.board_stacks(store, old["id"]):
            stack = store.insert("deck_stacks", board=board, title=row["title"], position=row["position"])
            if self.call.flag("withCards"):
                self._cards(row["id"], stack)
        touch_board(store, board)
        return board

    def _cards(self, source: int, stack: int) -> None:
        call = self.call
        for row in cards_in(call, source):
            card = _card(call, row, stack, duedate=row["duedate"] if call.flag("withDueDate") else None)
            if call.flag("withLabels"):
                _labels(call, row["id"], card, self.labels)
            if call.flag("withAssignments"):
                _people(call, row["id"], card)
            self.store.update("deck_stacks", stack, modified=self.store.now())


def _card(call: Call, row: sqlite3.Row, stack: int, **more: object) -> int:
    kept = {name: row[name] for name in ("title", "description", "type", "position")}
    times = {"created": call.store.now(), "modified": call.store.now()}
    return call.store.insert("deck_cards", stack=stack, owner=call.uid, **kept, **times, **more)


def _labels(call: Call, source: int, card: int, known: Mapping[int, int] | None = None) -> None:
    """The labels of a card for another, as what they are there; whoever labels a card has edited it."""
    for row in call.store.all("SELECT label FROM deck_card_labels WHERE card = ? ORDER BY id", source):
        label = row["label"] if known is None else known.get(row["label"])
        if label:
            call.store.insert("deck_card_labels", card=card, label=label)
            call.store.update("deck_cards", card, editor=call.uid)


def _people(call: Call, source: int, card: int, *, groups: bool = True) -> None:
    for row in call.store.all("SELECT * FROM deck_assigned WHERE card = ? ORDER BY participant", source):
        if groups or row["type"] == USER:
            call.store.insert("deck_assigned", card=card, type=row["type"], participant=row["participant"])


@routes.page("POST", "/apps/deck/boards/{boardId}/clone")
def clone_board(call: Call) -> Response:
    """A copy of a board, with its members."""
    only_from_apps(call)
    board = _Copy(call, board_for(call, number_of(call, "boardId"))).board()
    return json_response(views.board(call.store, board_for(call, board), call.uid))


@routes.ocs("POST", f"{API}/cards/{{cardId}}/clone")
def clone_card(call: Call) -> Response:
    """A copy of a card without its dates, colour, comments, files and groups, and without an envelope."""
    row, stack = card_for(call, number_of(call, "cardId")), stack_for(call, number_of(call, "targetStackId"), EDIT)
    card = _card(call, row, stack["id"])
    _labels(call, row["id"], card)
    _people(call, row["id"], card, groups=False)
    touch_stack(call.store, stack["id"])
    return json_response(cards_view.whole(call.store, card_for(call, card)))
