"""With whom a board is shared."""

from aboveboard.http import Path, path
from aboveboard.nextcloud.client.deck.api import DeckApi
from aboveboard.nextcloud.client.deck.boards import Boards
from aboveboard.nextcloud.client.deck.models import KINDS, Board, Member


class Members:
    """The people and groups of boards, each known by kind and id."""

    def __init__(self, api: DeckApi, boards: Boards) -> None:
        self._api, self._boards = api, boards

    async def find(self, board: int, kind: str, participant: str) -> Member | None:
        """Find someone with whom a board is shared."""
        return self.among(await self._boards.get(board), kind, participant)

    def among(self, board: Board, kind: str, participant: str) -> Member | None:
        """Find someone among those with whom a board that was read is shared."""
        return next((one for one in board.acl if (one.type, one.participant) == (KINDS[kind], participant)), None)

    async def add(self, board: int, kind: str, participant: str, *, edit: bool, share: bool, manage: bool) -> Member:
        """Share a board with someone who must exist: Deck takes any name, and a board with an unknown one breaks."""
        at = path("/index.php/apps/deck/api/v1.0/boards/{board}/acl", board=str(board))
        body = {"type": KINDS[kind], "participant": participant, **_permissions(edit=edit, share=share, manage=manage)}
        return await self._api.write("POST", at, Member, f"board {board}", body)

    async def update(self, board: int, member: Member, *, edit: bool, share: bool, manage: bool) -> Member:
        """Say anew what a member may do; one who may do just that already is left alone."""
        if (member.permission_edit, member.permission_share, member.permission_manage) == (edit, share, manage):
            return member
        body = _permissions(edit=edit, share=share, manage=manage)
        return await self._api.write("PUT", _at(board, member.id), Member, f"board {board}", body)

    async def remove(self, board: int, member: Member) -> None:
        await self._api.write("DELETE", _at(board, member.id), Member, f"board {board}")


def _permissions(*, edit: bool, share: bool, manage: bool) -> dict[str, bool]:
    return {"permissionEdit": edit, "permissionShare": share, "permissionManage": manage}


def _at(board: int, member: int) -> Path:
    return path("/index.php/apps/deck/api/v1.0/boards/{board}/acl/{member}", board=str(board), member=str(member))
