"""Cards."""

from typing import Annotated

from pydantic import BaseModel, Field

from aboveboard.effects import ADD, DELETE, ENSURE, READ, REPLACE
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.deck.cards import Spot, moment
from aboveboard.nextcloud.tools.deck.area import (
    ON_THE_PAGE,
    BoardId,
    CardId,
    Detail,
    DueDate,
    LabelFilter,
    Longest,
    Order,
    PersonFilter,
    PreviewLength,
    StackId,
    Status,
    changes,
    tools,
)
from aboveboard.nextcloud.tools.deck.selecting import Choice, select
from aboveboard.nextcloud.tools.deck.views import PREVIEW, WHOLE, CardInfo, Cut, LabelInfo, show_card
from aboveboard.nextcloud.tools.files.area import following
from aboveboard.nextcloud.tools.gone import Deleted

CARD = CardInfo(
    id=11, title="Login", stack_id=9, preview="Keys.", labels=[LabelInfo(id=2, title="Bug")], assigned_to=["bob"]
)
OVERTAKEN = "{} changed the card at the same moment: what {} changed may have been replaced by what was there before."


class CardList(BaseModel):
    """A page of the cards of a stack; without `next_offset` it is the last."""

    items: list[CardInfo]
    total: int
    next_offset: int | None = None
    note: str | None = None


@tools.tool("List Deck Cards", READ, example=CardList(items=[CARD], total=1))
async def get_cards(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    stack_id: StackId,
    detail: Detail = "summary",
    status: Status = "open",
    label: LabelFilter = None,
    assigned_to: PersonFilter = None,
    description_max_length: Longest = None,
    description_preview_length: PreviewLength = PREVIEW,
    limit: Annotated[int, Field(description="How many at most.", ge=1, le=1000)] = 100,
    offset: Annotated[int, Field(description="How many to skip.", ge=0)] = 0,
) -> CardList:
    """List the cards of a stack, a page of them."""
    found = await select(nextcloud, board_id, Choice(status, label, assigned_to), only=stack_id)
    cards = found.stack(board_id, stack_id).cards
    cut = Cut(detail, description_preview_length, description_max_length)
    return CardList(
        items=[show_card(nextcloud, board_id, card, cut) for card in cards[offset : offset + limit]],
        total=len(cards),
        next_offset=following(len(cards), limit, offset),
        note=found.note,
    )


@tools.tool("Get Deck Card", READ, example=CARD)
async def get_card(nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId) -> CardInfo:
    """Get a card with its whole description."""
    card = await nextcloud.deck.cards.get(Spot(board_id, stack_id, card_id))
    return show_card(nextcloud, board_id, card, WHOLE)


@tools.tool("Create Deck Card", ADD, example=CARD)
async def create_card(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    stack_id: StackId,
    title: Annotated[str, Field(description="Title.", min_length=1, max_length=255)],
    type: Annotated[str, Field(description="Leave it: Deck knows plain alone.")] = "plain",  # noqa: A002 - Deck's word
    order: Order = 999,
    description: Annotated[str | None, Field(description="Markdown.")] = None,
    duedate: DueDate = None,
) -> CardInfo:
    """Create a card in a stack."""
    given = {"title": title, "type": type, "order": order, "description": description, "duedate": moment(duedate or "")}
    values = {name: value for name, value in given.items() if value is not None}
    return show_card(nextcloud, board_id, await nextcloud.deck.cards.create(board_id, stack_id, values))


@tools.tool("Update Deck Card", REPLACE, example=CARD)
async def update_card(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    stack_id: StackId,
    card_id: CardId,
    title: Annotated[str | None, Field(description="New title.", min_length=1, max_length=255)] = None,
    description: Annotated[str | None, Field(description="New text, the whole of it; empty for none.")] = None,
    type: Annotated[str | None, Field(description="New type.", min_length=1)] = None,  # noqa: A002 - Deck's word
    owner: Annotated[str | None, Field(description="Its owner, whom Deck cannot change.")] = None,
    order: Annotated[
        int | None, Field(description="New place in its stack; reorder_card moves the others.", ge=0)
    ] = None,
    duedate: Annotated[str | None, Field(description="When it is due, UTC unless it says; empty for never.")] = None,
    archived: Annotated[bool | None, Field(description="Whether it is put away.")] = None,
    done: Annotated[
        str | None, Field(description="When it was done, such as 2026-01-31T15:00:00Z; empty: not done.")
    ] = None,
) -> CardInfo:
    """Change what is given of a card; all else stays, and what is replaced is gone.

    A warning says if somebody else changed it at the same moment.
    """
    spot = Spot(board_id, stack_id, card_id)
    dates = {name: moment(given) for name, given in (("duedate", duedate), ("done", done)) if given is not None}
    given = {"title": title, "description": description, "type": type, "order": order, "archived": archived}
    wanted = changes(dates, **given, **dates, owner=owner)
    card, other = await nextcloud.deck.cards.update(spot, wanted)
    shown = show_card(nextcloud, board_id, card)
    return shown.model_copy(update={"warning": OVERTAKEN.format(other, other)}) if other else shown


@tools.tool("Delete Deck Card", DELETE, example=Deleted(gone="Login", to_get_back=ON_THE_PAGE, id=11))
async def delete_card(nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId) -> Deleted:
    """Delete a card with its comments and attachments; only Deck's web page can bring it back."""
    card = await nextcloud.deck.cards.delete(Spot(board_id, stack_id, card_id))
    if card is None:
        return Deleted(gone=f"card {card_id}", to_get_back=ON_THE_PAGE, id=card_id, already_gone=True)
    return Deleted(gone=card.title, to_get_back=ON_THE_PAGE, id=card_id)


@tools.tool("Archive Deck Card", ENSURE, example=CARD.model_copy(update={"archived": True}))
async def archive_card(nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId) -> CardInfo:
    """Put a card away: lists show it only where archived cards are asked for, and nothing of it is lost."""
    card = await nextcloud.deck.card_changes.archive(Spot(board_id, stack_id, card_id))
    return show_card(nextcloud, board_id, card)


@tools.tool("Unarchive Deck Card", REPLACE, example=CARD)
async def unarchive_card(nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId) -> CardInfo:
    """Put an archived card back into its stack."""
    card = await nextcloud.deck.card_changes.unarchive(Spot(board_id, stack_id, card_id))
    return show_card(nextcloud, board_id, card)
