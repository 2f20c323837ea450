"""Labels of boards and cards, and whom cards are assigned to."""

from typing import Annotated

from pydantic import BaseModel, Field

from aboveboard.effects import DELETE, ENSURE, READ, REPLACE
from aboveboard.kit.gone import FOR_GOOD, Gone
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
    card_url,
    changes,
    hex_color,
    tell_taken_off,
    tools,
)
from aboveboard.nextcloud.tools.deck.cards import CARD
from aboveboard.nextcloud.tools.deck.views import CardInfo, ChangedLabel, LabelInfo, show_card
from aboveboard.nextcloud.tools.gone import Deleted

LABEL = LabelInfo(id=2, title="Bug", color="FF7A66")
CHANGED = ChangedLabel.model_validate(LABEL.model_dump())
UserId = Annotated[str, Field(description="Id or name of a user on the board.", min_length=1)]


class LabelList(BaseModel):
    """The labels of a board."""

    items: list[LabelInfo]


class Unlabelled(Gone):
    """A label that a card has no longer."""

    card_id: int
    label_id: int
    already_gone: bool | None = None
    url: str | None = None


class Unassigned(Gone):
    """Someone whom a card is assigned to no longer."""

    card_id: int
    user_id: str
    already_gone: bool | None = None
    url: str | None = None


UNLABELLED = Unlabelled(
    gone="the label Bug of Login", to_get_back="assign_label_to_card with {...} brings it back.", card_id=11, label_id=2
)
UNASSIGNED = Unassigned(
    gone="bob of Login", to_get_back="assign_user_to_card with {...} brings it back.", card_id=11, user_id="bob"
)


@tools.tool("List Deck Labels", READ, example=LabelList(items=[LABEL]))
async def get_labels(nextcloud: NextcloudClient, board_id: BoardId) -> LabelList:
    """List the labels of a board."""
    return LabelList(items=[LabelInfo.of(label) for label in await nextcloud.deck.labels.list(board_id)])


@tools.tool("Get Deck Label", READ, example=LABEL)
async def get_label(nextcloud: NextcloudClient, board_id: BoardId, label_id: LabelId) -> LabelInfo:
    """Get one label of a board."""
    return LabelInfo.of(await nextcloud.deck.labels.get(board_id, label_id))


# A title that is taken is refused, so the same call again changes nothing: it is no ADD.
@tools.tool("Create Deck Label", ENSURE, example=CHANGED)
async def create_label(nextcloud: NextcloudClient, board_id: BoardId, title: Title, color: Color) -> ChangedLabel:
    """Create a label on a board; a title that the board has already is refused."""
    label = await nextcloud.deck.labels.create(board_id, title, hex_color(color))
    return ChangedLabel.on(nextcloud, board_id, label)


@tools.tool("Update Deck Label", REPLACE, example=CHANGED)
async def update_label(
    nextcloud: NextcloudClient, board_id: BoardId, label_id: LabelId, title: NewTitle = None, color: NewColor = None
) -> ChangedLabel:
    """Change a label's title or colour, on all cards that have it; what is left out stays."""
    wanted = changes(title=title, color=color and hex_color(color))
    return ChangedLabel.on(nextcloud, board_id, await nextcloud.deck.labels.update(board_id, label_id, wanted))


@tools.tool("Delete Deck Label", DELETE, example=Deleted(gone="Bug", to_get_back=FOR_GOOD, id=2))
async def delete_label(nextcloud: NextcloudClient, board_id: BoardId, label_id: LabelId) -> Deleted:
    """Delete a label from a board and from all its cards, for good."""
    label = await nextcloud.deck.labels.delete(board_id, label_id)
    if label is None:
        return Deleted.before("label", label_id)
    return Deleted(gone=label.title, to_get_back=FOR_GOOD, id=label_id)


@tools.tool("Assign Label to Deck Card", ENSURE, example=CARD)
async def assign_label_to_card(
    nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId, label_id: LabelId
) -> CardInfo:
    """Give a card a label of its board."""
    card = await nextcloud.deck.card_changes.label(Spot(board_id, stack_id, card_id), label_id)
    return show_card(nextcloud, board_id, card)


@tools.tool("Remove Label from Deck Card", DELETE, example=UNLABELLED)
async def remove_label_from_card(
    nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId, label_id: LabelId
) -> Unlabelled:
    """Take a label off a card; the board keeps it."""
    spot = Spot(board_id, stack_id, card_id)
    card, was_there = await nextcloud.deck.card_changes.unlabel(spot, label_id)
    had = next((one.title for one in card.labels or [] if one.id == label_id), label_id)
    told = tell_taken_off(
        "assign_label_to_card", f"the label {had} of {card.title}", spot, was_there, label_id=label_id
    )
    return Unlabelled(card_id=card_id, label_id=label_id, url=card_url(nextcloud, card_id), **told)


@tools.tool("Assign User to Deck Card", ENSURE, example=CARD)
async def assign_user_to_card(
    nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId, user_id: UserId
) -> CardInfo:
    """Assign a card to someone who is part of its board, beside those who have it."""
    card = await nextcloud.deck.card_changes.assign(Spot(board_id, stack_id, card_id), user_id)
    return show_card(nextcloud, board_id, card)


@tools.tool("Unassign User from Deck Card", DELETE, example=UNASSIGNED)
async def unassign_user_from_card(
    nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId, user_id: UserId
) -> Unassigned:
    """Assign a card to someone no longer."""
    spot = Spot(board_id, stack_id, card_id)
    card, was_there = await nextcloud.deck.card_changes.unassign(spot, user_id)
    told = tell_taken_off("assign_user_to_card", f"{user_id} of {card.title}", spot, was_there, user_id=user_id)
    return Unassigned(card_id=card_id, user_id=user_id, url=card_url(nextcloud, card_id), **told)
