"""Where a card is, and which cards wait for it."""

from aboveboard.effects import DELETE, ENSURE, REPLACE
from aboveboard.kit.gone import Gone
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.deck.cards import Spot
from aboveboard.nextcloud.client.deck.models import Board, Card
from aboveboard.nextcloud.tools.deck.area import (
    BoardId,
    CardId,
    Order,
    OtherCardId,
    StackId,
    card_url,
    tell_taken_off,
    tools,
)
from aboveboard.nextcloud.tools.deck.cards import CARD
from aboveboard.nextcloud.tools.deck.views import CardInfo, show_card


class Undepended(Gone):
    """A card that waits for another no longer."""

    card_id: int
    dependent_card_id: int
    already_gone: bool | None = None
    url: str | None = None


UNDEPENDED = Undepended(
    gone="that card 12 depends on it",
    to_get_back="assign_dependent_card with {...} brings it back.",
    card_id=11,
    dependent_card_id=12,
)


@tools.tool("Reorder Deck Card", REPLACE, example=CARD)
async def reorder_card(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    stack_id: StackId,
    card_id: CardId,
    order: Order,
    target_stack_id: StackId,
) -> CardInfo:
    """Move a card to a place in a stack of the same board; the others there are numbered anew.

    Into a stack for done cards it counts as done, out of it as not done.
    """
    board = await nextcloud.deck.boards.get(board_id)
    spot = Spot(board_id, stack_id, card_id)
    return show_card(
        nextcloud, board_id, await nextcloud.deck.card_changes.reorder(spot, board, target_stack_id, order)
    )


@tools.tool("Move Deck Card to Another Board", REPLACE, example=CARD)
async def move_card_to_board(
    nextcloud: NextcloudClient,
    source_board_id: BoardId,
    source_stack_id: StackId,
    card_id: CardId,
    target_board_id: BoardId,
    target_stack_id: StackId,
    order: Order = 0,
) -> CardInfo:
    """Move a card to a stack of another board, with all it has; who sees only the old board no longer sees it.

    A warning names labels of the old board and people who are not on the new one: the card keeps both.
    """
    board = await nextcloud.deck.boards.get(target_board_id)
    spot = Spot(source_board_id, source_stack_id, card_id)
    card = await nextcloud.deck.card_changes.reorder(spot, board, target_stack_id, order)
    return show_card(nextcloud, target_board_id, card).model_copy(update={"warning": _foreign(card, board)})


def _foreign(card: Card, board: Board) -> str | None:
    """Say what the card brought along that the board does not know."""
    known, people = {label.id for label in board.labels}, {user.uid for user in board.users}
    labels = [label.title for label in card.labels or [] if label.id not in known]
    absent = [one.participant for one in card.assigned_users or [] if one.type == 0 and one.participant not in people]
    found = [
        f"It keeps labels of the old board: {', '.join(labels)}." if labels else "",
        f"It stays assigned to people who are not on this board: {', '.join(absent)}." if absent else "",
    ]
    return " ".join(filter(None, found)) or None


@tools.tool("Add Dependent Card to Deck Card", ENSURE, example=CARD.model_copy(update={"dependent_cards": [12]}))
async def assign_dependent_card(
    nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId, dependent_card_id: OtherCardId
) -> CardInfo:
    """Note that another card depends on this one; it may be on another board. Needs Deck 1.18."""
    card = await nextcloud.deck.card_changes.depend(Spot(board_id, stack_id, card_id), dependent_card_id)
    return show_card(nextcloud, board_id, card)


@tools.tool("Remove Dependent Card from Deck Card", DELETE, example=UNDEPENDED)
async def remove_dependent_card(
    nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId, dependent_card_id: OtherCardId
) -> Undepended:
    """Note that another card depends on this one no longer; both cards stay. Needs Deck 1.18."""
    spot, other = Spot(board_id, stack_id, card_id), dependent_card_id
    card, was_there = await nextcloud.deck.card_changes.undepend(spot, other)
    gone = f"that card {other} depends on {card.title}"
    told = tell_taken_off("assign_dependent_card", gone, spot, was_there, dependent_card_id=other)
    return Undepended(card_id=card_id, dependent_card_id=other, url=card_url(nextcloud, card_id), **told)
