"""Cards of Deck, as documents to search."""

from collections.abc import Sequence

from aboveboard.errors import NotFound, Refused
from aboveboard.nextcloud.client.deck.models import Board
from aboveboard.nextcloud.tools.search.sources.gathered import Gathered
from aboveboard.nextcloud.tools.search.sources.settled import is_settled
from aboveboard.nextcloud.tools.search.sources.shelves import Shelf, ShelfSource
from aboveboard.search.entries import Entry


class CardSource(ShelfSource):
    """The cards on one person's boards, archived ones left out; a key is the board's id and the card's."""

    name = "card"

    async def shelves(self) -> Sequence[Shelf]:
        """List the boards; whatever is done on one moves its time of change."""
        boards = await self._nextcloud.deck.boards.list()
        return [Shelf(str(one.id), one.title, _tag(one)) for one in boards if not one.deleted_at]

    async def link(self, entry: Entry) -> str:
        """Return where people open a card."""
        board, _, card = entry.key.partition("/")
        return f"{self._nextcloud.app_url('deck')}board/{board}/card/{card}"

    async def whole(self, shelf: Shelf, *, brief: bool) -> Sequence[Gathered]:
        """List the cards of a board."""
        try:
            stacks = await self._nextcloud.deck.stacks.list(int(shelf.name))
        except (NotFound, Refused):
            if not brief:
                raise  # a listing is whole, or none
            return []
        return [
            Gathered.of(
                f"{shelf.name}/{card.id}",
                card.title,
                [card.description, ", ".join(label.title for label in card.labels or ()), stack.title],
                place=shelf.title,
                modified=card.last_modified or None,
            )
            for stack in stacks
            for card in stack.cards
        ]


def _tag(board: Board) -> str | None:
    return str(board.last_modified) if is_settled(board.last_modified) else None
