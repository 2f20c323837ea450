"""Labels of boards and cards, and whom cards are assigned to."""

from typing import Annotated

from pydantic import BaseModel, Field

from aboveboard.effects import DELETE, ENSURE, READ, REPLACE
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.deck.cards import Spot
from aboveboard.nextcloud.tools.deck.area import (
    BoardId,
    CardId,
    Color,
    LabelId,
    NewColor,
    NewTitle,
    StackId,
    Title,
    changes,
    hex_color,
    tools,
)
from aboveboard.nextcloud.tools.deck.cards import CARD
from aboveboard.nextcloud.tools.deck.views import CardInfo, Gone, LabelInfo, show_card

LABEL = LabelInfo(id=2, title="Bug", color="FF7A66")
UserId = Annotated[str, Field(description="Id of a user who is part of the board.", min_length=1)]


class LabelList(BaseModel):
    """The labels of a board."""

    items: list[LabelInfo]


class Unlabelled(BaseModel):
    """A label that a card has no longer."""

    card_id: int
    label_id: int
    already_gone: bool | None = None


class Unassigned(BaseModel):
    """Someone whom a card is assigned to no longer."""

    card_id: int
    user_id: str
    already_gone: bool | None = None


@tools.tool("List Deck Labels", READ, example=LabelList(items=[LABEL]))
async def get_labels(nextcloud: NextcloudClient, board_id: BoardId) -> LabelList:
    """List the labels of a board."""
    return LabelList(items=[LabelInfo.of(label) for label in await nextcloud.deck.labels.list(board_id)])


@tools.tool("Get Deck Label", READ, example=LABEL)
async def get_label(nextcloud: NextcloudClient, board_id: BoardId, label_id: LabelId) -> LabelInfo:
    """Get one label of a board."""
    return LabelInfo.of(await nextcloud.deck.labels.get(board_id, label_id))


# A title that is taken is refused, so the same call again changes nothing: it is no ADD.
@tools.tool("Create Deck Label", ENSURE, example=LABEL)
async def create_label(nextcloud: NextcloudClient, board_id: BoardId, title: Title, color: Color) -> LabelInfo:
    """Create a label on a board; a title that the board has already is refused."""
    return LabelInfo.of(await nextcloud.deck.labels.create(board_id, title, hex_color(color)))


@tools.tool("Update Deck Label", REPLACE, example=LABEL)
async def update_label(
    nextcloud: NextcloudClient, board_id: BoardId, label_id: LabelId, title: NewTitle = None, color: NewColor = None
) -> LabelInfo:
    """Change a label's title or colour, on all cards that have it; what is left out stays."""
    wanted = changes(title=title, color=color and hex_color(color))
    return LabelInfo.of(await nextcloud.deck.labels.update(board_id, label_id, wanted))


@tools.tool("Delete Deck Label", DELETE, example=Gone(id=2))
async def delete_label(nextcloud: NextcloudClient, board_id: BoardId, label_id: LabelId) -> Gone:
    """Delete a label from a board and from all its cards, for good."""
    was_there = await nextcloud.deck.labels.delete(board_id, label_id)
    return Gone(id=label_id, already_gone=None if was_there else True)


@tools.tool("Assign Label to Deck Card", ENSURE, example=CARD)
async def assign_label_to_card(
    nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId, label_id: LabelId
) -> CardInfo:
    """Give a card a label of its board."""
    card = await nextcloud.deck.card_changes.label(Spot(board_id, stack_id, card_id), label_id)
    return show_card(nextcloud, board_id, card)


@tools.tool("Remove Label from Deck Card", DELETE, example=Unlabelled(card_id=11, label_id=2))
async def remove_label_from_card(
    nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId, label_id: LabelId
) -> Unlabelled:
    """Take a label off a card; the board keeps it."""
    was_there = await nextcloud.deck.card_changes.unlabel(Spot(board_id, stack_id, card_id), label_id)
    return Unlabelled(card_id=card_id, label_id=label_id, already_gone=None if was_there else True)


@tools.tool("Assign User to Deck Card", ENSURE, example=CARD)
async def assign_user_to_card(
    nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId, user_id: UserId
) -> CardInfo:
    """Assign a card to someone who is part of its board, beside those who have it."""
    card = await nextcloud.deck.card_changes.assign(Spot(board_id, stack_id, card_id), user_id)
    return show_card(nextcloud, board_id, card)


@tools.tool("Unassign User from Deck Card", DELETE, example=Unassigned(card_id=11, user_id="bob"))
async def unassign_user_from_card(
    nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId, user_id: UserId
) -> Unassigned:
    """Assign a card to someone no longer."""
    was_there = await nextcloud.deck.card_changes.unassign(Spot(board_id, stack_id, card_id), user_id)
    return Unassigned(card_id=card_id, user_id=user_id, already_gone=None if was_there else True)
