"""Which notes there are, at little cost: the whole list where it changed, a word where it did not, or ids alone."""

from typing import Final

from aboveboard.http import Session, path
from aboveboard.nextcloud.client.apps import App
from aboveboard.nextcloud.client.model import Model, checked
from aboveboard.nextcloud.client.notes.notes import NoteSummary

_NOTES: Final = "/index.php/apps/notes/api/v1/notes"
_NEVER: Final = 4_000_000_000
"""Seconds since 1970: no note changed after that, so that of all only the ids are sent."""


class NoteList(Model):
    """All notes without their texts, and the mark by which it is known whether the list changed."""

    items: list[NoteSummary]
    mark: str | None = None


class _Id(Model):
    id: int


class NoteChanges:
    """What became of one user's notes."""

    def __init__(self, session: Session) -> None:
        self._app = App(session, "notes")

    async def since(self, mark: str | None) -> NoteList | None:
        """List all notes, or None where nothing changed since the list that had this mark."""
        headers = {"If-None-Match": mark} if mark else None
        answer = await self._app.send("GET", path(_NOTES), query={"exclude": "content"}, headers=headers)
        if answer.status == 304 and mark:
            return None
        items = checked(self._app.read(answer, list[dict[str, object]]), list[NoteSummary], answer)
        return NoteList(items=items, mark=answer.headers.get("etag"))

    async def ids(self) -> list[int]:
        """List the ids of all notes."""
        every = await self._app.get(path(_NOTES), list[_Id], {"pruneBefore": _NEVER, "exclude": "content"})
        return [one.id for one in every]
