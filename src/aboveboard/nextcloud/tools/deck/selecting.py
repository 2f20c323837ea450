"""Which cards a list shows: open, done or archived ones, those with a label, those of someone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import anyio

from aboveboard.errors import BadInput, NotFound
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.deck.models import Card, Stack
from aboveboard.nextcloud.tools.deck.views import UNTOLD, Cut, StackInfo, show_card, show_stack

MOST_READ: Final = 200
"""So many archived cards are read one by one for a filter, and no more."""


@dataclass(frozen=True)
class Choice:
    """Which cards are wanted."""

    status: str = "open"
    label: str | None = None
    assigned_to: str | None = None

    @property
    def filters(self) -> bool:
        """Tell whether labels or people decide."""
        return self.label is not None or self.assigned_to is not None

    def takes(self, card: Card) -> bool:
        """Tell whether a card is wanted."""
        state = "archived" if card.archived else "done" if card.done else "open"
        return self.status in ("all", state) and self._labelled(card) and self._assigned(card)

    def _labelled(self, card: Card) -> bool:
        if self.label is None:
            return True
        wanted = self.label.strip().casefold()
        return any(wanted in (label.title.casefold(), str(label.id)) for label in card.labels or [])

    def _assigned(self, card: Card) -> bool:
        people = [one.participant for one in card.assigned_users or []]
        return self.assigned_to is None or self.assigned_to in people


@dataclass(frozen=True)
class Selection:
    """The stacks of a board, each with the cards that were wanted."""

    stacks: Sequence[Stack]
    note: str | None = None

    def stack(self, board: int, stack: int) -> Stack:
        """Return one of the stacks."""
        found = next((one for one in self.stacks if one.id == stack), None)
        if found is None:
            advice = "get_stacks shows what it has."
            raise NotFound(f"Board {board} has no stack {stack}.", status=404, next_step=advice)
        return found

    def shown(self, nextcloud: NextcloudClient, board: int, cut: Cut, most: int | None = None) -> list[StackInfo]:
        """Show the stacks, of each no more cards than `most`."""
        return [
            show_stack(
                stack,
                [show_card(nextcloud, board, card, cut) for card in stack.cards[:most]],
                len(stack.cards),
            )
            for stack in self.stacks
        ]


async def select(nextcloud: NextcloudClient, board: int, choice: Choice, *, only: int | None = None) -> Selection:
    """Read the stacks of a board with the cards that are wanted, of all stacks or of one alone."""
    found: dict[str, list[Stack]] = {}

    async def read(kind: str) -> None:
        stacks = nextcloud.deck.stacks
        found[kind] = await (stacks.archived(board) if kind == "archived" else stacks.list(board))

    kinds = {"all": ("list", "archived"), "archived": ("archived",)}.get(choice.status, ("list",))
    async with anyio.create_task_group() as group:
        for kind in kinds:
            group.start_soon(read, kind)
    put_away = {stack.id: list(stack.cards) for stack in found.get("archived", []) if only in (None, stack.id)}
    if choice.filters:
        put_away = await _told(nextcloud, board, put_away)
    stacks = [
        stack.model_copy(update={"cards": _wanted(choice, stack, put_away, listed="list" in found)})
        for stack in found[kinds[0]]
    ]
    untold = any(put_away.values()) and not choice.filters
    return Selection(stacks, UNTOLD if untold else None)


def _wanted(choice: Choice, stack: Stack, put_away: dict[int, list[Card]], *, listed: bool) -> list[Card]:
    cards = [*(stack.cards if listed else ()), *put_away.get(stack.id, [])]
    return sorted((card for card in cards if choice.takes(card)), key=lambda card: (card.archived, card.order, card.id))


async def _told(nextcloud: NextcloudClient, board: int, put_away: dict[int, list[Card]]) -> dict[int, list[Card]]:
    """Read archived cards one by one: only so does Deck tell their labels and people."""
    every = [card for cards in put_away.values() for card in cards]
    if len(every) > MOST_READ:
        raise BadInput(
            f"Of {len(every)} archived cards, Deck tells labels and people only one by one.",
            next_step="Ask for one stack with get_cards, or leave out label and assigned_to.",
        )
    told = {card.id: card for card in await nextcloud.deck.cards.every(board, every)}
    return {stack: [told[card.id] for card in cards] for stack, cards in put_away.items()}
