"""Stacks of a board, with their cards."""

import builtins
from collections.abc import Mapping

from aboveboard.errors import NotFound
from aboveboard.http import Path, path
from aboveboard.nextcloud.client.deck.api import DeckApi, Raw
from aboveboard.nextcloud.client.deck.boards import Boards
from aboveboard.nextcloud.client.deck.models import Stack


class Stacks:
    """The stacks of the boards that one user sees."""

    def __init__(self, api: DeckApi, boards: Boards) -> None:
        self._api, self._boards = api, boards

    async def list(self, board: int) -> builtins.list[Stack]:
        """List the stacks with all cards that are not archived, as the people see them: by their order."""
        at = path("/index.php/apps/deck/api/v1.0/boards/{board}/stacks", board=str(board))
        return _ordered(await self._api.get(at, builtins.list[Stack], f"board {board}"))

    async def archived(self, board: int) -> builtins.list[Stack]:
        """List the stacks with their archived cards, of which Deck tells neither labels nor people here."""
        at = path("/index.php/apps/deck/api/v1.0/boards/{board}/stacks/archived", board=str(board))
        return _ordered(await self._api.get(at, builtins.list[Stack], f"board {board}"))

    async def create(self, board: int, title: str, order: int) -> Stack:
        at = path("/index.php/apps/deck/api/v1.0/boards/{board}/stacks", board=str(board))
        return await self._api.write("POST", at, Stack, f"board {board}", {"title": title, "order": order})

    async def update(self, board: int, stack: int, changes: Mapping[str, object]) -> Stack:

        def prepared(raw: Raw) -> Raw:
            if raw.get("boardId") != board or raw.get("deletedAt"):
                # A stack is written whatever board the path names, and a deleted one comes back by it.
                raise _absent(board, stack)
            return {name: value for name, value in raw.items() if name != "cards"}

        return (await self._api.update(_at(board, stack), Stack, f"stack {stack}", changes, prepared))[1]

    async def delete(self, board: int, stack: int) -> tuple[Stack, bool]:
        """Delete a stack with its cards, and tell which it was and whether it was there."""
        there = next((one for one in (await self._boards.get(board)).stacks if one.id == stack), None)
        if there is None:
            gone = await self._api.get(_at(board, stack), Stack, f"stack {stack}")
            if gone.board_id == board and gone.deleted_at:
                return gone, False
            raise _absent(board, stack)
        await self._api.write("DELETE", _at(board, stack), Stack, f"stack {stack}")
        return there, True


def _ordered(stacks: list[Stack]) -> list[Stack]:
    return sorted(stacks, key=lambda stack: (stack.order, stack.id))


def _absent(board: int, stack: int) -> NotFound:
    return NotFound(f"Board {board} has no stack {stack}.", status=404, next_step="get_stacks shows what it has.")


def _at(board: int, stack: int) -> Path:
    return path("/index.php/apps/deck/api/v1.0/boards/{board}/stacks/{stack}", board=str(board), stack=str(stack))
