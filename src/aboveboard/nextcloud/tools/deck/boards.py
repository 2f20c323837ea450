"""Boards."""

from typing import Annotated, Literal

import anyio
from pydantic import BaseModel, Field

from aboveboard.effects import ADD, DELETE, ENSURE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.gone import GONE_BEFORE, Gone, by_calling
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.deck.models import Board
from aboveboard.nextcloud.tools.deck.area import (
    BoardId,
    Color,
    DeletedBoardId,
    LabelFilter,
    NewColor,
    NewTitle,
    PersonFilter,
    PreviewLength,
    Status,
    Title,
    board_url,
    changes,
    hex_color,
    tools,
)
from aboveboard.nextcloud.tools.deck.selecting import Choice, Selection, select
from aboveboard.nextcloud.tools.deck.views import (
    PREVIEW,
    BoardInfo,
    CardInfo,
    ChangedMember,
    Cut,
    LabelInfo,
    MemberInfo,
    StackInfo,
    show_board,
    show_stack,
)
from aboveboard.nextcloud.tools.gone import Deleted

BOARD = BoardInfo(id=3, title="Product", color="31CC7C", owner="ada", url="https://cloud.example/.../3")
MEMBER = ChangedMember(participant="bob", type="user", can_edit=True, can_share=False, can_manage=False)
OVERVIEW = BOARD.model_copy(
    update={
        "stacks": [StackInfo(id=9, title="Doing", order=0, total=1, cards=[CardInfo(id=11, title="Login", stack_id=9)])]
    }
)

_FOR_NOW = "brings it back for a while, where Deck is 1.17 or newer"
GONE = Deleted(gone="Product", to_get_back=by_calling("restore_board", _FOR_NOW, board_id=3), id=3)
Participant = Annotated[str, Field(description="Id of a user or group.", min_length=1)]
Kind = Annotated[Literal["user", "group"], Field(description="What the participant is.")]


class BoardList(BaseModel):
    """Boards."""

    items: list[BoardInfo]


class Unshared(Gone):
    """With whom a board is shared no longer."""

    board_id: int
    participant: str
    already_gone: bool | None = None
    url: str | None = None


UNSHARED = Unshared(
    gone="the share of Product with bob",
    to_get_back="share_board with {...} brings it back.",
    board_id=3,
    participant="bob",
)


@tools.tool("List Deck Boards", READ, example=BoardList(items=[BOARD]))
async def get_boards(nextcloud: NextcloudClient) -> BoardList:
    """List the boards you own or share in, without their stacks; deleted ones that can be restored have `deleted`."""
    return BoardList(items=[show_board(nextcloud, board) for board in await nextcloud.deck.boards.list()])


@tools.tool("Get Deck Board", READ, example=BOARD)
async def get_board(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    include_acl: Annotated[bool, Field(description="With whom it is shared.")] = True,
    include_users: Annotated[bool, Field(description="Ids of everyone who is part of it.")] = True,
    include_labels: Annotated[bool, Field(description="Its labels.")] = True,
) -> BoardInfo:
    """Get a board with its stacks; get_stacks has the cards."""
    board = await nextcloud.deck.boards.get(board_id)
    belongings = {
        "stacks": [show_stack(stack) for stack in sorted(board.stacks, key=lambda one: (one.order, one.id))],
        "labels": [LabelInfo.of(label) for label in board.labels] if include_labels else None,
        "shared_with": [MemberInfo.of(member) for member in board.acl] if include_acl else None,
        "users": [user.uid for user in board.users] if include_users else None,
    }
    return show_board(nextcloud, board).model_copy(update=belongings)


@tools.tool("Get Deck Board Overview", READ, example=OVERVIEW, core=True)
async def get_board_overview(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    status: Status = "open",
    label: LabelFilter = None,
    assigned_to: PersonFilter = None,
    description_preview_length: PreviewLength = PREVIEW,
    cards_per_stack: Annotated[int, Field(description="Most cards of a stack to show.", ge=0)] = 50,
) -> BoardInfo:
    """Show a board at once: labels, stacks, and their cards in short; total counts all, get_cards lists the rest."""
    board, cards = await _together(nextcloud, board_id, Choice(status, label, assigned_to))
    cut = Cut(preview=description_preview_length)
    belongings = {
        "labels": [LabelInfo.of(one) for one in board.labels],
        "stacks": cards.shown(nextcloud, board_id, cut, cards_per_stack),
        "note": cards.note,
    }
    return show_board(nextcloud, board).model_copy(update=belongings)


async def _together(nextcloud: NextcloudClient, board: int, choice: Choice) -> tuple[Board, Selection]:
    """Read a board and its cards at the same time."""
    boards, selections = list[Board](), list[Selection]()

    async def read_board() -> None:
        boards.append(await nextcloud.deck.boards.get(board))

    async def read_cards() -> None:
        selections.append(await select(nextcloud, board, choice))

    async with anyio.create_task_group() as group:
        group.start_soon(read_board)
        group.start_soon(read_cards)
    return boards[0], selections[0]


@tools.tool("Create Deck Board", ADD, example=BOARD)
async def create_board(nextcloud: NextcloudClient, title: Title, color: Color) -> BoardInfo:
    """Create a board; Deck gives it four labels and no stacks."""
    return show_board(nextcloud, await nextcloud.deck.boards.create(title, hex_color(color)))


@tools.tool("Update Deck Board", REPLACE, example=BOARD)
async def update_board(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    title: NewTitle = None,
    color: NewColor = None,
    archived: Annotated[bool | None, Field(description="Whether it is put away.")] = None,
) -> BoardInfo:
    """Change a board's title or colour, archive or unarchive it; what is left out stays."""
    wanted = changes(title=title, color=color and hex_color(color), archived=archived)
    return show_board(nextcloud, await nextcloud.deck.boards.update(board_id, wanted))


@tools.tool("Delete Deck Board", DELETE, example=GONE)
async def delete_board(nextcloud: NextcloudClient, board_id: BoardId) -> Deleted:
    """Delete a board with all its cards, for everyone; restore_board can bring it back for a while."""
    board, was_there = await nextcloud.deck.boards.delete(board_id)
    back = by_calling("restore_board", _FOR_NOW, board_id=board_id)
    return Deleted(gone=board.title, to_get_back=back, id=board_id, already_gone=None if was_there else True)


@tools.tool("Restore Deck Board", ENSURE, example=BOARD)
async def restore_board(nextcloud: NextcloudClient, board_id: DeletedBoardId) -> BoardInfo:
    """Bring a deleted board back with all it had; get_boards shows which can be."""
    return show_board(nextcloud, await nextcloud.deck.boards.restore(board_id))


@tools.tool("Clone Deck Board", ADD, example=BOARD.model_copy(update={"id": 4, "title": "Product (copy)"}))
async def clone_board(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    with_cards: Annotated[bool, Field(description="Copy the cards that are not archived.")] = True,
    with_labels: Annotated[bool, Field(description="Copies keep their labels.")] = True,
    with_assignments: Annotated[bool, Field(description="Copies keep who they are assigned to.")] = True,
    with_due_dates: Annotated[bool, Field(description="Copies keep when they are due.")] = True,
) -> BoardInfo:
    """Copy a board with labels, members and stacks; copied cards have no comments, files, colours or start dates."""
    wanted = {
        "withCards": with_cards,
        "withAssignments": with_assignments,
        "withLabels": with_labels,
        "withDueDate": with_due_dates,
        "moveCardsToLeftStack": False,
        "restoreArchivedCards": False,
    }
    return show_board(nextcloud, await nextcloud.deck.boards.clone(board_id, wanted))


@tools.tool("Share Deck Board", REPLACE, example=MEMBER)
async def share_board(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    participant: Participant,
    type: Kind = "user",  # noqa: A002 - as Deck calls it
    can_edit: Annotated[bool, Field(description="May change cards.")] = False,
    can_share: Annotated[bool, Field(description="May share it with others.")] = False,
    can_manage: Annotated[bool, Field(description="May change stacks, labels and the board itself.")] = False,
) -> ChangedMember:
    """Share a board with someone, or say anew what they may do; what they could do before is replaced."""
    members = nextcloud.deck.members
    granted = {"edit": can_edit, "share": can_share, "manage": can_manage}
    member = await members.find(board_id, type, participant)
    if member is not None:
        return ChangedMember.on(nextcloud, board_id, await members.update(board_id, member, **granted))
    await _known(nextcloud, type, participant)
    return ChangedMember.on(nextcloud, board_id, await members.add(board_id, type, participant, **granted))


async def _known(nextcloud: NextcloudClient, kind: str, participant: str) -> None:
    """Refuse someone whom Nextcloud does not know: Deck would take the name, and the board could break over it."""
    found = await nextcloud.shares.recipients(participant)
    if not any((one.type, one.id) == (kind, participant) for one in found):
        advice = "nc_share_search_recipients shows whom there is; nothing was shared."
        raise BadInput(f"There is no {kind} {participant!r} to share with.", next_step=advice)


@tools.tool("Unshare Deck Board", DELETE, example=UNSHARED)
async def unshare_board(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    participant: Participant,
    type: Kind = "user",  # noqa: A002 - as Deck calls it
) -> Unshared:
    """End the sharing of a board with someone, who loses sight of it; its cards stay."""
    board = await nextcloud.deck.boards.get(board_id)
    told = {
        "gone": f"the share of {board.title} with {participant}",
        "board_id": board_id,
        "participant": participant,
        "url": board_url(nextcloud, board_id),
    }
    member = nextcloud.deck.members.among(board, type, participant)
    if member is None:
        return Unshared.model_validate({**told, "to_get_back": GONE_BEFORE, "already_gone": True})
    await nextcloud.deck.members.remove(board_id, member)
    granted = MemberInfo.of(member).model_dump()
    back = by_calling("share_board", board_id=board_id, **granted)
    return Unshared.model_validate({**told, "to_get_back": back})
