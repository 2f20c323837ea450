"""Small changes of a card: its place, archived or not, done or not, labels, people, what depends on it."""

import sqlite3
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.deck import cards_view
from aboveboard.nextcloud.sandbox.deck.access import (
    EDIT,
    card_for,
    is_participant,
    need_open_board,
    need_open_card,
    stack_for,
    touch_card,
    touch_stack,
)
from aboveboard.nextcloud.sandbox.deck.boards import only_from_apps
from aboveboard.nextcloud.sandbox.deck.cards import CARD, INTERNAL
from aboveboard.nextcloud.sandbox.deck.labels import label_for
from aboveboard.nextcloud.sandbox.deck.refusals import needed_text, number_of, refuse
from aboveboard.nextcloud.sandbox.deck.stacks import cards_in
from aboveboard.nextcloud.sandbox.wire import bad_argument, json_response
from aboveboard.sandbox.wire import Response

routes = Routes()


def _card(call: Call) -> sqlite3.Row:
    return card_for(call, number_of(call, "cardId"), EDIT)


def _changed(call: Call, **values: object) -> Response:
    row = _card(call)
    need_open_board(call, stack_for(call, row["stack"])["board"])
    call.store.update("deck_cards", row["id"], **values)
    touch_card(call.store, row)
    return json_response(cards_view.labelled(call.store, _card(call)))


@routes.page("PUT", f"{CARD}/archive")
def archive(call: Call) -> Response:
    """Out of the way; again changes nothing more."""
    return _changed(call, archived=1)


@routes.page("PUT", f"{CARD}/unarchive")
def unarchive(call: Call) -> Response:
    """Back among the others."""
    return _changed(call, archived=0)


@routes.page("PUT", f"{INTERNAL}/done")
def set_done(call: Call) -> Response:
    """Done now, and in the stack for what is done, where the board has one."""
    only_from_apps(call)
    row = _card(call)
    here = stack_for(call, row["stack"])
    sql = "SELECT id FROM deck_stacks WHERE board = ? AND done_column = 1 AND deleted = 0"
    there = call.store.one(sql, here["board"])
    return _changed(call, done=cards_view.now(call.store), stack=there["id"] if there else row["stack"])


@routes.page("PUT", f"{INTERNAL}/undone")
def set_undone(call: Call) -> Response:
    """Not done after all."""
    only_from_apps(call)
    return _changed(call, done=None)


def _reorder(call: Call) -> Response:
    """Another place, in this stack or another: all cards there are numbered anew."""
    if call.arguments.get("order") is None:
        raise bad_argument()
    order = call.number("order")
    body = call.content.json()
    stack = stack_for(call, int(body.get("stackId", call.arguments.get("stackId", 0))), EDIT)
    row = _card(call)
    need_open_card(call, row)
    if stack["id"] != row["stack"]:
        _move(call, row, stack)
    numbered, next_free = list[sqlite3.Row](), 0
    for card in cards_in(call, stack["id"]):
        next_free += next_free == order
        place = order if card["id"] == row["id"] else next_free
        next_free += card["id"] != row["id"]
        call.store.update("deck_cards", card["id"], position=place, modified=call.store.now())
        numbered.append(card)
    touch_stack(call.store, stack["id"])
    return json_response([cards_view.bare(card_for(call, card["id"])) for card in numbered])


def _move(call: Call, row: sqlite3.Row, stack: sqlite3.Row) -> None:
    """Into the stack for what is done, a card is done; out of it, it is not."""
    values: dict[str, Any] = {"stack": stack["id"]}
    if stack["done_column"]:
        values["done"] = cards_view.now(call.store)
    elif stack_for(call, row["stack"])["done_column"]:
        values["done"] = None
    call.store.update("deck_cards", row["id"], **values)
    touch_stack(call.store, row["stack"])


routes.page("PUT", f"{CARD}/reorder")(_reorder)


@routes.page("PUT", f"{INTERNAL}/reorder")
def reorder_internally(call: Call) -> Response:
    """As the web page moves a card."""
    only_from_apps(call)
    return _reorder(call)


def _label(call: Call) -> tuple[sqlite3.Row, int]:
    if call.arguments.get("labelId") is None:
        raise bad_argument()
    row = _card(call)
    need_open_card(call, row)
    return row, label_for(call, number_of(call, "labelId"))["id"]


@routes.page("PUT", f"{CARD}/assignLabel")
def assign_label(call: Call) -> Response:
    """A label more, even one that the card has; the answer is the card of before."""
    row, label = _label(call)
    shown = cards_view.labelled(call.store, row)
    call.store.insert("deck_card_labels", card=row["id"], label=label)
    call.store.update("deck_cards", row["id"], editor=call.uid)
    touch_card(call.store, row)
    return json_response(shown)


@routes.page("PUT", f"{CARD}/removeLabel")
def remove_label(call: Call) -> Response:
    """A label less, however often the card had it; the answer is the card of before."""
    row, label = _label(call)
    shown = cards_view.labelled(call.store, row)
    call.store.run("DELETE FROM deck_card_labels WHERE card = ? AND label = ?", row["id"], label)
    touch_card(call.store, row)
    return json_response(shown)


def _assignment(call: Call) -> tuple[sqlite3.Row, int, str, sqlite3.Row | None]:
    name, kind, row = needed_text(call, "userId"), call.number("type"), _card(call)
    sql = "SELECT * FROM deck_assigned WHERE card = ? AND type = ? AND participant = ?"
    return row, kind, name, call.store.one(sql, row["id"], kind, name)


@routes.page("PUT", f"{CARD}/assignUser")
def assign_user(call: Call) -> Response:
    """Assign a card to someone of the board."""
    row, kind, name, there = _assignment(call)
    if there:
        raise refuse(400, "The user is already assigned to the card")
    if not is_participant(call, stack_for(call, row["stack"])["board"], kind, name):
        raise refuse(400, "The user is not part of the board")
    call.store.insert("deck_assigned", card=row["id"], type=kind, participant=name)
    touch_card(call.store, row)
    made = _assignment(call)[3]
    return json_response(cards_view.assignment(call.store, made) if made else None)


@routes.page("PUT", f"{CARD}/unassignUser")
def unassign_user(call: Call) -> Response:
    """Assign a card to someone no longer."""
    row, _, name, there = _assignment(call)
    if there is None:
        raise refuse(404, f"No assignment for {name}found.")
    call.store.run("DELETE FROM deck_assigned WHERE id = ?", there["id"])
    touch_card(call.store, row)
    return json_response(cards_view.assignment(call.store, there))


def _depend(call: Call, sql: str) -> Response:
    row, other = _card(call), card_for(call, number_of(call, "dependentCardId"))
    need_open_card(call, row)
    modified = row["modified"]
    call.store.run(sql, row["id"], other["id"])
    touch_card(call.store, row)
    shown = cards_view.whole(call.store, _card(call))
    return json_response({**shown, "lastModified": modified, "ETag": cards_view.views.etag(modified)})


@routes.page("POST", f"{CARD}/dependentCards/{{dependentCardId}}")
def add_dependent(call: Call) -> Response:
    """A card that depends on this one, which may be itself."""
    return _depend(call, "INSERT OR IGNORE INTO deck_dependents VALUES (?, ?)")


@routes.page("DELETE", f"{CARD}/dependentCards/{{dependentCardId}}")
def remove_dependent(call: Call) -> Response:
    """It depends on this one no longer."""
    return _depend(call, "DELETE FROM deck_dependents WHERE card = ? AND dependent = ?")
