"""Stacks, with their cards."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.tools.deck.area import (
    ON_THE_PAGE,
    BoardId,
    Detail,
    LabelFilter,
    Longest,
    NewTitle,
    Order,
    PersonFilter,
    PreviewLength,
    StackId,
    Status,
    Title,
    changes,
    tools,
)
from aboveboard.nextcloud.tools.deck.selecting import Choice, Selection, select
from aboveboard.nextcloud.tools.deck.views import (
    PREVIEW,
    CardInfo,
    ChangedStack,
    Cut,
    StackInfo,
    StackList,
    show_stack,
)
from aboveboard.nextcloud.tools.gone import Deleted

STACK = StackInfo(id=9, title="Doing", order=0)
FILLED = STACK.model_copy(update={"total": 1, "cards": [CardInfo(id=11, title="Login", stack_id=9, preview="Keys.")]})
CHANGED = ChangedStack.model_validate(STACK.model_dump())

IncludeCards = Annotated[bool, Field(description="False: the stacks alone.")]


@tools.tool("List Deck Stacks", READ, example=StackList(board_id=3, items=[FILLED]))
async def get_stacks(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    include_cards: IncludeCards = True,
    detail: Detail = "summary",
    status: Status = "open",
    label: LabelFilter = None,
    assigned_to: PersonFilter = None,
    description_max_length: Longest = None,
    description_preview_length: PreviewLength = PREVIEW,
) -> StackList:
    """List the stacks of a board with their cards, all that are asked for."""
    if not include_cards:
        return StackList(
            board_id=board_id, items=[show_stack(one) for one in (await _bare(nextcloud, board_id)).stacks]
        )
    found = await select(nextcloud, board_id, Choice(status, label, assigned_to))
    cut = Cut(detail, description_preview_length, description_max_length)
    return StackList(board_id=board_id, items=found.shown(nextcloud, board_id, cut), note=found.note)


@tools.tool("Get Deck Stack", READ, example=FILLED)
async def get_stack(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    stack_id: StackId,
    include_cards: IncludeCards = True,
    detail: Detail = "summary",
    status: Status = "open",
    label: LabelFilter = None,
    assigned_to: PersonFilter = None,
    description_max_length: Longest = None,
    description_preview_length: PreviewLength = PREVIEW,
) -> StackInfo:
    """Get one stack of a board with its cards."""
    if not include_cards:
        return show_stack((await _bare(nextcloud, board_id)).stack(board_id, stack_id))
    found = await select(nextcloud, board_id, Choice(status, label, assigned_to), only=stack_id)
    cut = Cut(detail, description_preview_length, description_max_length)
    [shown] = Selection([found.stack(board_id, stack_id)]).shown(nextcloud, board_id, cut)
    return shown.model_copy(update={"note": found.note})


async def _bare(nextcloud: NextcloudClient, board: int) -> Selection:
    """Read the stacks without cards, which the board has itself."""
    stacks = (await nextcloud.deck.boards.get(board)).stacks
    return Selection(sorted(stacks, key=lambda one: (one.order, one.id)))


@tools.tool("List Archived Deck Stacks", READ, example=StackList(board_id=3, items=[FILLED]))
async def get_archived_stacks(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    detail: Detail = "summary",
    label: LabelFilter = None,
    assigned_to: PersonFilter = None,
    description_max_length: Longest = None,
    description_preview_length: PreviewLength = PREVIEW,
) -> StackList:
    """List the stacks of a board with their archived cards."""
    found = await select(nextcloud, board_id, Choice("archived", label, assigned_to))
    cut = Cut(detail, description_preview_length, description_max_length)
    return StackList(board_id=board_id, items=found.shown(nextcloud, board_id, cut), note=found.note)


@tools.tool("Create Deck Stack", ADD, example=CHANGED)
async def create_stack(nextcloud: NextcloudClient, board_id: BoardId, title: Title, order: Order) -> ChangedStack:
    """Create a stack on a board."""
    return ChangedStack.on(nextcloud, board_id, await nextcloud.deck.stacks.create(board_id, title, order))


@tools.tool("Update Deck Stack", REPLACE, example=CHANGED)
async def update_stack(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    stack_id: StackId,
    title: NewTitle = None,
    order: Annotated[int | None, Field(description="New place among the stacks.", ge=0)] = None,
) -> ChangedStack:
    """Change a stack's title or place; what is left out stays, its cards too."""
    changed = await nextcloud.deck.stacks.update(board_id, stack_id, changes(title=title, order=order))
    return ChangedStack.on(nextcloud, board_id, changed)


@tools.tool("Delete Deck Stack", DELETE, example=Deleted(gone="Doing", to_get_back=ON_THE_PAGE, id=9))
async def delete_stack(nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId) -> Deleted:
    """Delete a stack with all its cards; only Deck's web page can bring it back."""
    stack, was_there = await nextcloud.deck.stacks.delete(board_id, stack_id)
    gone_before = None if was_there else True
    return Deleted(gone=stack.title, to_get_back=ON_THE_PAGE, id=stack_id, already_gone=gone_before)
