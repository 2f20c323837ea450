"""Comments on cards, which are OCS and know a card by its id alone."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from aboveboard.errors import DOUBT, ApiError, NotFound, Refused
from aboveboard.http import Path, Session, path
from aboveboard.nextcloud.client.deck.models import Comment
from aboveboard.nextcloud.client.ocs import Ocs

LONGEST: Final = 1000
PAGE: Final = 200


class CardComments:
    """What people say on the cards that one user sees."""

    def __init__(self, session: Session) -> None:
        self._ocs = Ocs(session)

    async def list(self, card: int, *, limit: int = 20, offset: int = 0) -> list[Comment]:
        """List some comments, newest first."""
        with _plainly(card):
            return await self._ocs.get(_at(card), list[Comment], {"limit": limit, "offset": offset})

    async def every(self, card: int) -> "list[Comment]":
        """List all comments, oldest first, which Deck cannot."""
        found: list[Comment] = []
        while len(page := await self.list(card, limit=PAGE, offset=len(found))) == PAGE:
            found += page
        return [*reversed([*found, *page])]

    async def create(self, card: int, message: str, parent: int | None = None) -> Comment:
        body = {"message": message, "parentId": parent} if parent else {"message": message}
        with _plainly(card):
            return await self._ocs.post(_at(card), Comment, body)

    async def update(self, card: int, comment: int, message: str) -> Comment:
        with _plainly(card, comment):
            return await self._ocs.put(_one(card, comment), Comment, {"message": message})

    async def delete(self, card: int, comment: int) -> Comment | None:
        """Delete a comment of the user, and return what it was; None where the card had none."""
        old = next((one for one in await self.every(card) if one.id == comment), None)
        if old is None:
            return None
        try:
            with _plainly(card, comment):
                await self._ocs.delete(_one(card, comment))
        except NotFound as error:
            if error.status != 404:
                raise
            return None
        return old


@contextmanager
def _plainly(card: int, comment: int | None = None) -> Generator[None]:
    """Say what is missing; here too, one 403 stands for that and for what is forbidden."""
    try:
        yield
    except Refused as error:
        if "Permission denied" not in str(error) or DOUBT in str(error):
            raise
        problem = f"There is no card {card}, or it is not shared with you."
        raise NotFound(problem, status=403) from None
    except ApiError as error:
        if error.status != 404 or "No comment found" not in str(error):
            raise
        raise NotFound(f"Card {card} has no comment {comment}.", status=404) from None


def _at(card: int) -> Path:
    return path("/ocs/v2.php/apps/deck/api/v1.0/cards/{card}/comments", card=str(card))


def _one(card: int, comment: int) -> Path:
    return path("/ocs/v2.php/apps/deck/api/v1.0/cards/{card}/comments/{comment}", card=str(card), comment=str(comment))
