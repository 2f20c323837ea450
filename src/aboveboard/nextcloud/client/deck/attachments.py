"""Files of cards."""

import builtins
from secrets import token_hex
from unicodedata import category

from aboveboard.errors import BadInput
from aboveboard.http import Path, path
from aboveboard.nextcloud.client.deck.api import DeckApi
from aboveboard.nextcloud.client.deck.cards import Cards, Spot
from aboveboard.nextcloud.client.deck.models import Attachment

# Version 1.1 of the API knows of files that are shared with a card; 1.0 shows only those that Deck keeps.
_ATTACHMENTS = "/index.php/apps/deck/api/v1.1/boards/{board}/stacks/{stack}/cards/{card}/attachments"

_SHARED = f"{_ATTACHMENTS}/file/{{attachment}}"
_KEPT = "/index.php/apps/deck/api/v1.0/boards/{board}/stacks/{stack}/cards/{card}/attachments/{attachment}"


class Attachments:
    """What is attached to the cards that one user sees."""

    def __init__(self, api: DeckApi, cards: Cards) -> None:
        self._api, self._cards = api, cards

    async def list(self, spot: Spot) -> builtins.list[Attachment]:
        return await self._api.get(_at(spot), builtins.list[Attachment], spot.named)

    async def of_card(self, card: int) -> builtins.list[Attachment]:
        """List the attachments of a card that is known by its id alone."""
        at = path("/ocs/v2.php/apps/deck/api/v1.0/cards/{card}/attachments", card=str(card))
        return await self._api.ocs.get(at, builtins.list[Attachment])

    async def upload(self, spot: Spot, kind: str, name: str, content: bytes) -> Attachment:
        """Attach a new file, kept by Deck (deck_file), or in a folder of the user and shared with the card (file)."""
        await self._cards.get(spot)
        return await self._api.upload(_at(spot), Attachment, spot.named, _form(kind, name, content))

    async def delete(self, spot: Spot, attachment: Attachment) -> None:
        """Take an attachment off a card; of one that is shared, the file itself stays."""
        at = path(
            _SHARED if attachment.type == "file" else _KEPT,
            board=str(spot.board),
            stack=str(spot.stack),
            card=str(spot.card),
            attachment=str(attachment.id),
        )
        await self._api.write("DELETE", at, Attachment, spot.named)


def _form(kind: str, name: str, content: bytes) -> tuple[bytes, str]:
    """Return a form of a type, data (which Deck wants to see, even empty) and a file, and its content type."""
    if not name.strip() or "/" in name or any(category(char) in ("Cc", "Cs") for char in name):
        raise BadInput(f"{name!r} cannot be the name of a file.", next_step="Give a name such as plan.pdf.")
    boundary = token_hex(16)
    quoted = name.replace("\\", "\\\\").replace('"', "%22")
    named = "Content-Disposition: form-data; name="
    heads = (
        f'{named}"type"\r\n\r\n{kind}',
        f'{named}"data"\r\n\r\n',
        f'{named}"file"; filename="{quoted}"\r\nContent-Type: application/octet-stream\r\n\r\n',
    )
    start = "".join(f"\r\n--{boundary}\r\n{head}" for head in heads).removeprefix("\r\n")
    return start.encode() + content + f"\r\n--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def _at(spot: Spot) -> Path:
    return path(_ATTACHMENTS, board=str(spot.board), stack=str(spot.stack), card=str(spot.card))
