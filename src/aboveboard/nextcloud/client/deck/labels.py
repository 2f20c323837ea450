"""Labels of a board."""

from collections.abc import Mapping, Sequence

from aboveboard.errors import NotFound
from aboveboard.http import Path, path
from aboveboard.nextcloud.client.deck.api import DeckApi, Raw
from aboveboard.nextcloud.client.deck.boards import Boards
from aboveboard.nextcloud.client.deck.models import Label


class Labels:
    """The labels of the boards that one user sees."""

    def __init__(self, api: DeckApi, boards: Boards) -> None:
        self._api, self._boards = api, boards

    async def list(self, board: int) -> Sequence[Label]:
        """List the labels of a board, which has them itself: there is no list of labels."""
        return (await self._boards.get(board)).labels

    async def get(self, board: int, label: int) -> Label:
        """Get a label of this board; Deck would give that of any board."""
        found = await self._api.get(_at(board, label), Label, f"label {label}")
        if found.board_id != board:
            raise _absent(board, label)
        return found

    async def create(self, board: int, title: str, color: str) -> Label:
        """Create a label; a title that is taken on the board is refused."""
        at = path("/index.php/apps/deck/api/v1.0/boards/{board}/labels", board=str(board))
        return await self._api.write("POST", at, Label, f"board {board}", {"title": title, "color": color})

    async def update(self, board: int, label: int, changes: Mapping[str, object]) -> Label:

        def prepared(raw: Raw) -> Raw:
            if raw.get("boardId") != board:
                raise _absent(board, label)
            return raw

        return (await self._api.update(_at(board, label), Label, f"label {label}", changes, prepared))[1]

    async def delete(self, board: int, label: int) -> Label | None:
        """Delete a label, from the cards too, and return what it was; None where the board had none."""
        old = next((one for one in await self.list(board) if one.id == label), None)
        if old is not None:
            await self._api.write("DELETE", _at(board, label), Label, f"label {label}")
        return old


def _absent(board: int, label: int) -> NotFound:
    return NotFound(f"Board {board} has no label {label}.", status=404, next_step="get_labels shows what it has.")


def _at(board: int, label: int) -> Path:
    return path("/index.php/apps/deck/api/v1.0/boards/{board}/labels/{label}", board=str(board), label=str(label))
