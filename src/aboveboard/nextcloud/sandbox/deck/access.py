"""Who may do what on which board, and how a change of a card is noticed above it."""

import sqlite3

from aboveboard.nextcloud.sandbox.calls import Call
from aboveboard.nextcloud.sandbox.deck.refusals import access_denied, archived_card, refuse
from aboveboard.nextcloud.sandbox.store import Store

READ, EDIT, MANAGE, SHARE = "READ", "EDIT", "MANAGE", "SHARE"
_RIGHTS = (READ, EDIT, MANAGE, SHARE)
USER, GROUP = 0, 1


def memberships(store: Store, board: int, uid: str) -> list[sqlite3.Row]:
    """The entries by which someone shares in a board, as a person or by a group."""
    return store.all(
        "SELECT * FROM deck_members WHERE board = ? AND ((type = 0 AND participant = ?) OR (type = 1 AND participant IN"
        " (SELECT gid FROM members WHERE uid = ?))) ORDER BY type",
        board,
        uid,
        uid,
    )


def rights(store: Store, board: sqlite3.Row, uid: str) -> set[str]:
    """What someone may do on a board."""
    if board["owner"] == uid:
        return set(_RIGHTS)
    found = memberships(store, board["id"], uid)
    names = {EDIT: "edit", MANAGE: "manage", SHARE: "share"}
    return ({READ} if found else set[str]()) | {
        right for right, name in names.items() if any(row[name] for row in found)
    }


def show_rights(store: Store, board: sqlite3.Row, uid: str) -> dict[str, bool]:
    """The rights as a board shows them."""
    held = rights(store, board, uid)
    return {f"PERMISSION_{right}": right in held for right in _RIGHTS}


def board_for(call: Call, board: int, right: str = READ, *, deleted: bool = False) -> sqlite3.Row:
    """A board on which the caller has a right; a deleted one only where that is asked for."""
    row = call.store.one("SELECT * FROM deck_boards WHERE id = ?", board)
    if row is None or (row["deleted"] and not deleted) or right not in rights(call.store, row, call.uid):
        raise access_denied()
    return row


def stack_for(call: Call, stack: int, right: str = READ) -> sqlite3.Row:
    """A stack, also a deleted one, of a board on which the caller has a right."""
    row = call.store.one("SELECT * FROM deck_stacks WHERE id = ?", stack)
    if row is None:
        raise access_denied()
    board_for(call, row["board"], right)
    return row


def card_for(call: Call, card: int, right: str = READ, *, deleted: bool = False) -> sqlite3.Row:
    """A card of a board on which the caller has a right; which board and stack the path names is not looked at."""
    row = call.store.one("SELECT * FROM deck_cards WHERE id = ?", card)
    if row is None:
        raise access_denied()
    stack_for(call, row["stack"], right)
    if row["deleted"] and not deleted:
        raise refuse(403, "Card is deleted")
    return row


def need_open_board(call: Call, board: int) -> None:
    """Nothing that stands on an archived board changes, but for who is assigned, comments and attachments.

    From the app's source, which is not recorded: CardService, StackService and LabelService ask for it.
    """
    row = call.store.one("SELECT archived FROM deck_boards WHERE id = ?", board)
    if row and row["archived"]:
        raise refuse(500, "Operation not allowed. This board is archived.")


def need_open_card(call: Call, card: sqlite3.Row) -> None:
    """Its board is not archived, nor is the card itself."""
    need_open_board(call, stack_for(call, card["stack"])["board"])
    if card["archived"]:
        raise archived_card()


def touch_board(store: Store, board: int) -> None:
    """Something on a board changed."""
    store.update("deck_boards", board, modified=store.now())


def touch_stack(store: Store, stack: int) -> None:
    """Cards of a stack changed."""
    store.update("deck_stacks", stack, modified=store.now())
    row = store.one("SELECT board FROM deck_stacks WHERE id = ?", stack)
    if row:
        touch_board(store, row["board"])


def touch_card(store: Store, card: sqlite3.Row) -> None:
    """A card changed."""
    store.update("deck_cards", card["id"], modified=store.now())
    touch_stack(store, card["stack"])


def is_participant(call: Call, board: int, kind: int, participant: str) -> bool:
    """Whether a person or group is part of a board."""
    row = call.store.one("SELECT * FROM deck_boards WHERE id = ?", board)
    if kind == USER:
        known = call.store.one("SELECT 1 FROM users WHERE uid = ?", participant)
        return known is not None and row is not None and bool(rights(call.store, row, participant))
    sql = "SELECT 1 FROM deck_members WHERE board = ? AND type = ? AND participant = ?"
    return call.store.one(sql, board, kind, participant) is not None
