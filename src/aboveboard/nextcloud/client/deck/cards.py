"""Cards: read, make, change, delete. Deck looks at a card's id alone: that it is in the given stack is checked here."""

import builtins
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast

from aboveboard.errors import BadInput, NotFound
from aboveboard.http import Path, path
from aboveboard.nextcloud.client.deck.api import CardDeleted, DeckApi, Raw
from aboveboard.nextcloud.client.deck.models import Card
from aboveboard.nextcloud.client.parallel import each


@dataclass(frozen=True)
class Spot:
    """Where a card is said to be."""

    board: int
    stack: int
    card: int

    @property
    def named(self) -> str:
        """What the card is called when something is said of it."""
        return f"card {self.card}"

    @property
    def at(self) -> Path:
        """The card's address."""
        return path(
            "/index.php/apps/deck/api/v1.0/boards/{board}/stacks/{stack}/cards/{card}",
            board=str(self.board),
            stack=str(self.stack),
            card=str(self.card),
        )

    def check(self, stack: object) -> None:
        """Refuse a card that is in another stack: a write there would move it."""
        if stack != self.stack:
            raise NotFound(
                f"Card {self.card} is in stack {stack}, not in stack {self.stack}.",
                status=404,
                next_step="Nothing was done. Use that stack if this is the card you mean.",
            )


class Cards:
    """The cards of the boards that one user sees."""

    def __init__(self, api: DeckApi) -> None:
        self._api = api

    async def get(self, spot: Spot) -> Card:
        """Get a card with all that belongs to it."""
        card = await self._api.get(spot.at, Card, spot.named)
        spot.check(card.stack_id)
        return card

    async def every(self, board: int, cards: Sequence[Card]) -> builtins.list[Card]:
        """Get each of some cards with all that belongs to it, a few at a time."""

        async def fetch(card: Card) -> Card:
            spot = Spot(board, card.stack_id, card.id)
            return await self._api.get(spot.at, Card, spot.named)

        return await each(cards, fetch)

    async def create(self, board: int, stack: int, values: Mapping[str, object]) -> Card:
        at = path(
            "/index.php/apps/deck/api/v1.0/boards/{board}/stacks/{stack}/cards", board=str(board), stack=str(stack)
        )
        return await self._api.write("POST", at, Card, f"stack {stack}", dict(values))

    async def update(self, spot: Spot, changes: Mapping[str, object]) -> tuple[Card, str | None]:
        """Change what is given of a card; return it, and who else seems to have changed it at the same moment.

        The answer to a write names the editor before it: another one than was read has come in between.
        """

        def prepared(raw: Raw) -> Raw:
            spot.check(raw.get("stackId"))
            # What it does not have is left out, which Deck reads as that.
            kept = {name: value for name, value in {**raw, "owner": owner_of(raw)}.items() if value is not None}
            if changes.get("owner", kept["owner"]) != kept["owner"]:
                # Deck says that it is done, and leaves the owner as it is.
                raise BadInput(f"Deck cannot give a card to another owner than {kept['owner']!r}; nothing was done.")
            return kept

        # An archived card takes changes, but not that it is archived.
        before, after = await self._api.update(spot.at, Card, spot.named, changes, prepared, only_changed=("archived",))
        other = after.last_editor if after.last_editor != before.last_editor else None
        return after, other

    async def delete(self, spot: Spot) -> Card | None:
        """Delete a card and return what it was, or nothing where it was gone; Deck keeps it for a while."""
        try:
            old = await self.get(spot)
            await self._api.write("DELETE", spot.at, Card, spot.named)
        except CardDeleted:
            return None
        return old


def owner_of(raw: Raw) -> object:
    """Return the owner's id, which is what Deck wants back of the object that it shows."""
    owner: object = raw.get("owner")
    return cast("Raw", owner).get("uid") if isinstance(owner, dict) else owner


def moment(given: str) -> str | None:
    """Return a date as Deck keeps it right, in UTC: of any other it loses the zone. Empty is none."""
    if not given.strip():
        return None
    try:
        read = datetime.fromisoformat(given.strip())
        utc = read.astimezone(UTC) if read.tzinfo else read.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        advice = "Write it as 2026-12-24 or 2026-12-24T18:30:00+01:00; leave it empty for none."
        raise BadInput(f"{given!r} is not a date.", next_step=advice) from None
    return utc.isoformat(timespec="seconds")
