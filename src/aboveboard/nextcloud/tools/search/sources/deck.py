"""Cards of Deck, as documents to search."""

from collections.abc import Collection, Sequence

from aboveboard.errors import NotFound, Refused
from aboveboard.nextcloud.client.deck.models import Board
from aboveboard.nextcloud.tools.search.sources.gathered import Gathered, GatheredSource
from aboveboard.search.entries import Entry


class CardSource(GatheredSource):
    """The cards on one person's boards, archived ones left out; a key is the board's id and the card's."""

    name = "card"

    async def gather(self, keys: Collection[str] | None = None) -> Sequence[Gathered]:
        """List the cards of all boards, or of those that some keys are of."""
        wanted = None if keys is None else {key.partition("/")[0] for key in keys}
        boards = [one for one in await self._nextcloud.deck.boards.list() if not one.deleted_at]
        return [
            card
            for board in boards
            if wanted is None or str(board.id) in wanted
            for card in await self._cards(board, may_go=wanted is not None)
        ]

    def link(self, entry: Entry) -> str:
        """Return where people open a card."""
        board, _, card = entry.key.partition("/")
        return f"{self._nextcloud.url}/index.php/apps/deck/board/{board}/card/{card}"

    async def _cards(self, board: Board, *, may_go: bool) -> list[Gathered]:
        try:
            stacks = await self._nextcloud.deck.stacks.list(board.id)
        except (NotFound, Refused):
            if not may_go:
                raise  # a listing is whole, or none
            return []
        return [
            Gathered.of(
                f"{board.id}/{card.id}",
                card.title,
                [card.description, ", ".join(label.title for label in card.labels or ()), stack.title],
                place=board.title,
                modified=card.last_modified or None,
            )
            for stack in stacks
            for card in stack.cards
        ]
