"""Boards: list, read, make, change, delete, bring back, copy."""

import builtins
from collections.abc import Mapping
from typing import Final

from aboveboard.errors import NotFound, Refused
from aboveboard.http import Path, path
from aboveboard.nextcloud.client.deck.api import DeckApi, own_failure
from aboveboard.nextcloud.client.deck.models import Board

_BOARDS: Final = "/index.php/apps/deck/api/v1.0/boards"


class Boards:
    """The boards that one user sees."""

    def __init__(self, api: DeckApi) -> None:
        self._api = api

    async def list(self) -> builtins.list[Board]:
        """List the boards without what belongs to them; deleted ones too, which have a time of that."""
        return await self._api.get(path(_BOARDS), builtins.list[Board], "list of boards")

    async def get(self, board: int) -> Board:
        return await self._api.get(_at(board), Board, _named(board))

    async def create(self, title: str, color: str) -> Board:
        """Create a board; Deck gives it four labels."""
        return await self._api.write("POST", path(_BOARDS), Board, "board", {"title": title, "color": color})

    async def update(self, board: int, changes: Mapping[str, object]) -> Board:
        """Change what is given; what Deck would forget is sent as it is."""
        return (await self._api.update(_at(board), Board, _named(board), changes))[1]

    async def delete(self, board: int) -> tuple[Board, bool]:
        """Delete a board, and tell which it was and whether it was there; Deck keeps it for a while."""
        answer = await self._api.send("DELETE", _at(board))
        # A failure over a member that nobody knows comes after the deed; gone and forbidden are one 403.
        if answer.status == 403 or own_failure(answer):
            gone = next((one for one in await self.list() if one.id == board and one.deleted_at), None)
            if gone is None:
                raise self._api.error(answer, _named(board))
            return gone, answer.status != 403
        return self._api.read(answer, Board, _named(board)), True

    async def restore(self, board: int) -> Board:
        """Bring a deleted board back; one that is not deleted stays as it is."""
        found = next((one for one in await self.list() if one.id == board), None)
        if found is None:
            raise NotFound(f"There is no {_named(board)} any more, or it was never yours.", status=403)
        if not found.deleted_at:
            return await self.get(board)
        at = path("/index.php/apps/deck/api/v1.0/boards/{board}/undo_delete", board=str(board))
        answer = await self._api.send("POST", at)
        if answer.status == 403:
            problem = f"Deck does not give {_named(board)} back: before 1.17 it refuses that to everybody."
            raise Refused(problem, status=403, next_step="A newer Deck does it, for those who may manage the board.")
        return self._api.read(answer, Board, _named(board))

    async def clone(self, board: int, wanted: Mapping[str, bool]) -> Board:
        """Copy a board with its labels, members and stacks, and of its cards what is wanted."""
        at = path("/index.php/apps/deck/boards/{board}/clone", board=str(board))
        return await self._api.write("POST", at, Board, _named(board), dict(wanted))


def _at(board: int) -> Path:
    return path("/index.php/apps/deck/api/v1.0/boards/{board}", board=str(board))


def _named(board: int) -> str:
    return f"board {board}"
