"""Boards, stacks, cards and labels as resources."""

from collections.abc import Sequence

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
    return [str(board.id) for board in found if _fits(typed, board.id, board.title)]


async def stack_ids(nextcloud: NextcloudClient, typed: str, board_id: str = "") -> Sequence[str]:
    """Complete the id of a stack of the chosen board, by its beginning or by a word of its title."""
    found = await nextcloud.deck.stacks.list(int(board_id)) if str(board_id).isdecimal() else []
    return [str(one.id) for one in found if _fits(typed, one.id, one.title)]


async def card_ids(nextcloud: NextcloudClient, typed: str, board_id: str = "", stack_id: str = "") -> Sequence[str]:
    """Complete the id of a card of the chosen stack, or of any stack of the chosen board."""
    stacks = await nextcloud.deck.stacks.list(int(board_id)) if str(board_id).isdecimal() else []
    found = [card for one in stacks if str(stack_id) in ("", str(one.id)) for card in one.cards]
    return [str(one.id) for one in found if _fits(typed, one.id, one.title)]


async def label_ids(nextcloud: NextcloudClient, typed: str, board_id: str = "") -> Sequence[str]:
    """Complete the id of a label of the chosen board."""
    found = await nextcloud.deck.labels.list(int(board_id)) if str(board_id).isdecimal() else ()
    return [str(one.id) for one in found if _fits(typed, one.id, one.title)]


def _fits(typed: str, number: int, title: str) -> bool:
    return str(number).startswith(typed) or typed.casefold() in title.casefold()


_BY_BOARD = {"board_id": board_ids, "stack_id": stack_ids, "card_id": card_ids, "label_id": label_ids}


@tools.resource("nc://Deck/boards", "Deck Boards")
async def boards(nextcloud: NextcloudClient) -> of_boards.BoardList:
    """The boards you own or share in."""
    return await of_boards.get_boards(nextcloud)


@tools.resource("nc://Deck/boards/{board_id}", "Deck Board", completers=_BY_BOARD)
async def board(nextcloud: NextcloudClient, board_id: str) -> BoardInfo:
    """A board with its stacks, labels and people."""
    return await of_boards.get_board(nextcloud, int(board_id))


@tools.resource("nc://Deck/boards/{board_id}/stacks", "Deck Stacks", completers=_BY_BOARD)
async def stacks(nextcloud: NextcloudClient, board_id: str) -> StackList:
    """The stacks of a board with their open cards in short."""
    return await of_stacks.get_stacks(nextcloud, int(board_id))


@tools.resource("nc://Deck/boards/{board_id}/stacks/{stack_id}", "Deck Stack", completers=_BY_BOARD)
async def stack(nextcloud: NextcloudClient, board_id: str, stack_id: str) -> StackInfo:
    """A stack with its open cards in short."""
    return await of_stacks.get_stack(nextcloud, int(board_id), int(stack_id))


@tools.resource("nc://Deck/boards/{board_id}/stacks/{stack_id}/cards", "Deck Cards", completers=_BY_BOARD)
async def cards(nextcloud: NextcloudClient, board_id: str, stack_id: str) -> of_cards.CardList:
    """All cards of a stack in short, done and archived ones too."""
    return await of_cards.get_cards(nextcloud, int(board_id), int(stack_id), status="all", limit=MOST)


@tools.resource("nc://Deck/boards/{board_id}/stacks/{stack_id}/cards/{card_id}", "Deck Card", completers=_BY_BOARD)
async def card(nextcloud: NextcloudClient, board_id: str, stack_id: str, card_id: str) -> CardInfo:
    """A card with its whole description."""
    return await of_cards.get_card(nextcloud, int(board_id), int(stack_id), int(card_id))


@tools.resource("nc://Deck/boards/{board_id}/labels", "Deck Labels", completers=_BY_BOARD)
async def labels(nextcloud: NextcloudClient, board_id: str) -> of_labels.LabelList:
    """The labels of a board."""
    return await of_labels.get_labels(nextcloud, int(board_id))


@tools.resource("nc://Deck/boards/{board_id}/labels/{label_id}", "Deck Label", completers=_BY_BOARD)
async def label(nextcloud: NextcloudClient, board_id: str, label_id: str) -> LabelInfo:
    """A label of a board."""
    return await of_labels.get_label(nextcloud, int(board_id), int(label_id))
