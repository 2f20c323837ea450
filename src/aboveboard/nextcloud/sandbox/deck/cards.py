"""The routes of cards: make, read, replace, delete."""

import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.deck import cards_view
from aboveboard.nextcloud.sandbox.deck.access import (
    EDIT,
    USER,
    board_for,
    card_for,
    need_open_board,
    need_open_card,
    stack_for,
    touch_card,
    touch_stack,
)
from aboveboard.nextcloud.sandbox.deck.boards import API, only_from_apps
from aboveboard.nextcloud.sandbox.deck.refusals import (
    archived_card,
    checked_title,
    needed_text,
    number_of,
    server_failure,
)
from aboveboard.nextcloud.sandbox.deck.stacks import STACK
from aboveboard.nextcloud.sandbox.wire import bad_argument, json_response
from aboveboard.sandbox.wire import Response

CARD = f"{STACK}/cards/{{cardId}}"
INTERNAL = "/apps/deck/cards/{cardId}"
LONGEST = 255
_DAYS = {"now": 0, "today": 0, "tomorrow": 1, "yesterday": -1}

routes = Routes()


def _moment(call: Call, given: object) -> datetime:
    """A date as PHP reads it: ISO 8601 or a few words, and this moment for nothing at all."""
    text = "1" if given is True else str(given or "")
    current = datetime.fromtimestamp(call.store.now(), UTC)
    if not text:
        return current
    if text in _DAYS:
        day = current + timedelta(days=_DAYS[text])
        return day if text == "now" else day.replace(hour=0, minute=0, second=0)
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise server_failure(call) from error
    return read if read.tzinfo else read.replace(tzinfo=UTC)


class Dates:
    """The dates that a call gives: what is kept of them, and what the answer repeats."""

    def __init__(self, call: Call, *names: str) -> None:
        given = {name: call.arguments.get(name) for name in names}
        # Of the three, only done takes an empty value for this moment.
        self._read = {
            name: None if value is None or (value == "" and name != "done") else _moment(call, value)
            for name, value in given.items()
        }

    def kept(self) -> dict[str, str | None]:
        """The time on the clock: the zone is lost."""
        return {name: read and read.strftime("%Y-%m-%d %H:%M:%S") for name, read in self._read.items()}

    def echoed(self) -> dict[str, str | None]:
        """The answer still has the zone."""
        return {name: read and read.isoformat(timespec="seconds") for name, read in self._read.items()}


def _position(call: Call, default: int) -> int:
    given = call.arguments.get("order", default)
    try:
        return int(float(given))
    except (TypeError, ValueError) as error:
        raise server_failure(call) from error


@routes.page("POST", f"{STACK}/cards")
def create_card(call: Call) -> Response:
    """A new card, with labels and people if they are given."""
    title = call.arguments.get("title")
    if not isinstance(title, str):
        raise server_failure(call)
    stack = stack_for(call, number_of(call, "stackId"), EDIT)
    need_open_board(call, stack["board"])
    dates, now = Dates(call, "duedate", "startdate"), call.store.now()
    card = call.store.insert(
        "deck_cards",
        stack=stack["id"],
        title=checked_title(title, LONGEST),
        description=call.text("description"),
        color=call.arguments.get("color"),
        type=call.text("type", "plain"),
        owner=call.uid,
        position=_position(call, 999),
        created=now,
        modified=now,
        **dates.kept(),
    )
    touch_stack(call.store, stack["id"])
    shown = {**cards_view.whole(call.store, card_for(call, card)), **dates.echoed()}
    _add_belongings(call, card)
    return json_response(shown)


def _add_belongings(call: Call, card: int) -> None:
    labels: list[Any] = call.arguments.get("labels") or []
    users: list[Mapping[str, Any]] = call.arguments.get("users") or []
    for label in labels:
        call.store.insert("deck_card_labels", card=card, label=label)
        call.store.update("deck_cards", card, editor=call.uid)
    for user in users:
        call.store.insert("deck_assigned", card=card, type=user.get("type", USER), participant=user["id"])


@routes.page("GET", CARD)
def get_card(call: Call) -> Response:
    """One card; board and stack in the path are not looked at."""
    row = card_for(call, number_of(call, "cardId"))
    shown = cards_view.with_attachments(call.store, row, shares=False)
    return json_response(shown, headers={"etag": f'"{shown["ETag"]}"'})


@routes.page("GET", INTERNAL)
def get_internally(call: Call) -> Response:
    """One card as the web page reads it."""
    only_from_apps(call)
    return json_response(
        cards_view.with_attachments(call.store, card_for(call, number_of(call, "cardId")), shares=True)
    )


def _replace(call: Call) -> dict[str, Any]:
    """All of a card anew: what is left out is empty from then on, and the stack is where it goes."""
    title, kind = needed_text(call, "title"), needed_text(call, "type")
    row = card_for(call, number_of(call, "cardId"), EDIT, deleted=True)
    stack = stack_for(call, number_of(call, "stackId"), EDIT)
    dates, archived = Dates(call, "duedate", "startdate", "done"), call.arguments.get("archived")
    need_open_board(call, stack_for(call, row["stack"])["board"])
    if archived and row["archived"]:  # what does not say so is taken
        raise archived_card()
    call.store.update(
        "deck_cards",
        row["id"],
        stack=stack["id"],
        title=checked_title(title, LONGEST),
        type=kind,
        description=call.text("description"),
        previous=row["description"] if row["previous"] is None else row["previous"],
        color=call.arguments.get("color"),
        position=_position(call, 0),
        # A text such as "false" is true.
        archived=row["archived"] if archived is None else int(bool(archived)),
        deleted=0,
        editor=call.uid,
        **dates.kept(),
    )
    touch_stack(call.store, row["stack"])
    touch_card(call.store, card_for(call, row["id"]))
    # Who edited it shows from the next time on.
    shown = cards_view.whole(call.store, card_for(call, row["id"]))
    return {**shown, "lastEditor": row["editor"], **dates.echoed()}


@routes.page("PUT", CARD)
def update_card(call: Call) -> Response:
    """Replace a card; the owner must be a text, and is ignored."""
    needed_text(call, "owner")
    return json_response(_replace(call))


def _needed_here(call: Call, *names: str) -> None:
    if not all(call.arguments.get(name) is not None for name in names):
        raise bad_argument()


@routes.page("PUT", INTERNAL)
def update_internally(call: Call) -> Response:
    """Replace a card as the web page does."""
    only_from_apps(call)
    _needed_here(call, "stackId", "order")
    return json_response(_replace(call))


@routes.ocs("PUT", f"{API}/cards/{{cardId}}")
def update_ocs(call: Call) -> dict[str, Any]:
    """Replace a card; the owner may be as it came."""
    _needed_here(call, "stackId", "order", "boardId")
    board_for(call, number_of(call, "boardId"))
    return _replace(call)


@routes.page("PUT", f"{INTERNAL}/rename")
def rename(call: Call) -> Response:
    """Another title and nothing else."""
    only_from_apps(call)
    title = needed_text(call, "title")
    row = card_for(call, number_of(call, "cardId"), EDIT)
    need_open_card(call, row)
    call.store.update("deck_cards", row["id"], title=checked_title(title, LONGEST))
    touch_card(call.store, row)
    return json_response(cards_view.labelled(call.store, card_for(call, row["id"])))


@routes.page("DELETE", CARD)
def delete_card(call: Call) -> Response:
    """A card goes to where it can be brought back from."""
    row = card_for(call, number_of(call, "cardId"), EDIT)
    need_open_board(call, stack_for(call, row["stack"])["board"])
    call.store.update("deck_cards", row["id"], deleted=call.store.now())
    touch_stack(call.store, row["stack"])
    return json_response(cards_view.labelled(call.store, _again(call, row)))


def _again(call: Call, row: sqlite3.Row) -> sqlite3.Row:
    return card_for(call, row["id"], deleted=True)
