"""Boards, stacks, cards and labels as resources."""

from collections.abc import Sequence

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.tools.deck import boards as of_boards
from aboveboard.nextcloud.tools.deck import cards as of_cards
from aboveboard.nextcloud.tools.deck import labels as of_labels
from aboveboard.nextcloud.tools.deck import stacks as of_stacks
from aboveboard.nextcloud.tools.deck.area import tools
from aboveboard.nextcloud.tools.deck.views import BoardInfo, CardInfo, LabelInfo, StackInfo, StackList

MOST = 1000


async def board_ids(nextcloud: NextcloudClient, typed: str) -> Sequence[str]:
    """Complete a board's id, by its beginning or by a word of its title."""
    found = [board for board in await nextcloud.deck.boards.list() if not board.deleted_at]
    wanted = typed.casefold()
    return [str(board.id) for board in found if str(board.id).startswith(typed) or wanted in board.title.casefold()]


_BY_BOARD = {"board_id": board_ids}


@tools.resource("nc://Deck/boards", "Deck Boards")
async def boards(nextcloud: NextcloudClient) -> of_boards.BoardList:
    """The boards you own or share in."""
    return await of_boards.get_boards(nextcloud)


@tools.resource("nc://Deck/boards/{board_id}", "Deck Board", completers=_BY_BOARD)
async def board(nextcloud: NextcloudClient, board_id: str) -> BoardInfo:
    """A board with its stacks, labels and people."""
    return await of_boards.get_board(nextcloud, _number(board_id))


@tools.resource("nc://Deck/boards/{board_id}/stacks", "Deck Stacks", completers=_BY_BOARD)
async def stacks(nextcloud: NextcloudClient, board_id: str) -> StackList:
    """The stacks of a board with their open cards in short."""
    return await of_stacks.get_stacks(nextcloud, _number(board_id))


@tools.resource("nc://Deck/boards/{board_id}/stacks/{stack_id}", "Deck Stack", completers=_BY_BOARD)
async def stack(nextcloud: NextcloudClient, board_id: str, stack_id: str) -> StackInfo:
    """A stack with its open cards in short."""
    return await of_stacks.get_stack(nextcloud, _number(board_id), _number(stack_id))


@tools.resource("nc://Deck/boards/{board_id}/stacks/{stack_id}/cards", "Deck Cards", completers=_BY_BOARD)
async def cards(nextcloud: NextcloudClient, board_id: str, stack_id: str) -> of_cards.CardList:
    """All cards of a stack in short, done and archived ones too."""
    return await of_cards.get_cards(nextcloud, _number(board_id), _number(stack_id), status="all", limit=MOST)


@tools.resource("nc://Deck/boards/{board_id}/stacks/{stack_id}/cards/{card_id}", "Deck Card", completers=_BY_BOARD)
async def card(nextcloud: NextcloudClient, board_id: str, stack_id: str, card_id: str) -> CardInfo:
    """A card with its whole description."""
    return await of_cards.get_card(nextcloud, _number(board_id), _number(stack_id), _number(card_id))


@tools.resource("nc://Deck/boards/{board_id}/labels", "Deck Labels", completers=_BY_BOARD)
async def labels(nextcloud: NextcloudClient, board_id: str) -> of_labels.LabelList:
    """The labels of a board."""
    return await of_labels.get_labels(nextcloud, _number(board_id))


@tools.resource("nc://Deck/boards/{board_id}/labels/{label_id}", "Deck Label", completers=_BY_BOARD)
async def label(nextcloud: NextcloudClient, board_id: str, label_id: str) -> LabelInfo:
    """A label of a board."""
    return await of_labels.get_label(nextcloud, _number(board_id), _number(label_id))


def _number(given: str) -> int:
    if not (given.isascii() and given.isdecimal()):
        raise BadInput(f"{given!r} is no id.", next_step="Use the number that get_boards or get_stacks shows.")
    return int(given)
