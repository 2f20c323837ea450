"""What happens to a card beside its own fields: its place, archived or not, labels, people, what depends on it.

Each looks first, and writes only where something is to change: Deck adds a label a second time, and fails over people
who are assigned already.
"""

from typing import Any, Final

from aboveboard.errors import NotFound, Refused
from aboveboard.http import Nature, Path, path
from aboveboard.nextcloud.client.apps import app_message
from aboveboard.nextcloud.client.deck.api import DeckApi
from aboveboard.nextcloud.client.deck.boards import Boards
from aboveboard.nextcloud.client.deck.cards import Cards, Spot
from aboveboard.nextcloud.client.deck.models import Assignment, Board, Card, CardOrNothing

_ASSIGNED: Final = "already assigned"
_CARD: Final = "/index.php/apps/deck/api/v1.0/boards/{board}/stacks/{stack}/cards/{card}/"


class CardChanges:
    """Small changes of cards.

    Each returns the card as it is then; what takes something away, the card as it was, and whether there was something.
    """

    def __init__(self, api: DeckApi, cards: Cards, boards: Boards) -> None:
        self._api, self._cards, self._boards = api, cards, boards

    async def archive(self, spot: Spot) -> Card:
        card = await self._cards.get(spot)
        if card.archived:
            return card
        await self._api.write("PUT", _at(spot, "archive"), Card, spot.named, nature=Nature.ADDS)
        return card.model_copy(update={"archived": True})

    async def unarchive(self, spot: Spot) -> Card:
        card = await self._cards.get(spot)
        if not card.archived:
            return card
        await self._api.write("PUT", _at(spot, "unarchive"), Card, spot.named)
        return card.model_copy(update={"archived": False})

    async def reorder(self, spot: Spot, board: Board, stack: int, order: int) -> Card:
        """Move a card to a place in a stack of a board, which may be another board than the card's."""
        if all(one.id != stack for one in board.stacks):
            raise NotFound(f"Board {board.id} has no stack {stack}.", status=404, next_step="Nothing was moved.")
        await self._cards.get(spot)
        body = {"order": order, "stackId": stack}
        await self._api.write("PUT", _at(spot, "reorder"), list[dict[str, Any]], spot.named, body)
        return await self._cards.get(Spot(board.id, stack, spot.card))

    async def label(self, spot: Spot, label: int) -> Card:
        """Give a card a label of its board."""
        card = await self._cards.get(spot)
        if _has(card, label):
            return card
        if all(one.id != label for one in (await self._boards.get(spot.board)).labels):
            raise NotFound(f"Board {spot.board} has no label {label}.", status=404)
        # A second time would add it a second time.
        answer = await self._api.send(
            "PUT", _at(spot, "assignLabel"), {"labelId": label}, nature=Nature.ADDS, repeats=False
        )
        self._api.read(answer, CardOrNothing, spot.named)
        return await self._cards.get(spot)

    async def unlabel(self, spot: Spot, label: int) -> tuple[Card, bool]:
        card = await self._cards.get(spot)
        if not _has(card, label):
            return card, False
        await self._api.write("PUT", _at(spot, "removeLabel"), CardOrNothing, spot.named, {"labelId": label})
        return card, True

    async def assign(self, spot: Spot, user: str) -> Card:
        """Assign a card to someone of its board."""
        card = await self._cards.get(spot)
        if _assigned(card, user):
            return card
        answer = await self._api.send("PUT", _at(spot, "assignUser"), {"userId": user, "type": 0}, nature=Nature.ADDS)
        if not (answer.status == 400 and _ASSIGNED in app_message(answer)):
            self._api.read(answer, Assignment, spot.named)
        return await self._cards.get(spot)

    async def unassign(self, spot: Spot, user: str) -> tuple[Card, bool]:
        card = await self._cards.get(spot)
        if not _assigned(card, user):
            return card, False
        await self._api.write("PUT", _at(spot, "unassignUser"), Assignment, spot.named, {"userId": user})
        return card, True

    async def depend(self, spot: Spot, other: int) -> Card:
        """Note that another card depends on this one."""
        card = await self._cards.get(spot)
        if other in (card.dependent_cards or []):
            return card
        answer = await self._api.send("POST", _dependent(spot, other))
        if answer.status == 405:
            problem = "This Deck does not know cards that depend on others: that came with 1.18."
            raise Refused(problem, status=405, next_step="A newer Deck does it.")
        return self._api.read(answer, Card, f"{spot.named} or card {other}")

    async def undepend(self, spot: Spot, other: int) -> tuple[Card, bool]:
        card = await self._cards.get(spot)
        if other not in (card.dependent_cards or []):
            return card, False
        await self._api.write("DELETE", _dependent(spot, other), Card, f"{spot.named} or card {other}")
        return card, True


def _has(card: Card, label: int) -> bool:
    return any(one.id == label for one in card.labels or [])


def _assigned(card: Card, user: str) -> bool:
    return any((one.type, one.participant) == (0, user) for one in card.assigned_users or [])


def _at(spot: Spot, deed: str) -> Path:
    return path(_CARD + "{deed}", board=str(spot.board), stack=str(spot.stack), card=str(spot.card), deed=deed)


def _dependent(spot: Spot, other: int) -> Path:
    return path(
        _CARD + "dependentCards/{other}",
        board=str(spot.board),
        stack=str(spot.stack),
        card=str(spot.card),
        other=str(other),
    )
