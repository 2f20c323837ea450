"""Files that belong to a note: pictures, documents. They move and go with the note."""

import builtins
from urllib.parse import unquote

from aboveboard.errors import BadInput, NotFound
from aboveboard.http.path import names
from aboveboard.nextcloud.client.files.entries import Entry, parent
from aboveboard.nextcloud.client.files.files import Content, Files, Written
from aboveboard.nextcloud.client.notes.notes import Notes


class NoteAttachments:
    """The attachments of one user's notes, in whatever category or folder the notes are."""

    def __init__(self, notes: Notes, files: Files) -> None:
        self._notes = notes
        self._files = files

    async def list(self, note: int) -> list[Entry]:
        return await self._listed(await self._folder(note))

    async def get(self, note: int, name: str, *, start: int = 0, length: int | None = None) -> Content:
        """Read an attachment, or a part of it; the name may be written as the note's text refers to it."""
        folder = await self._folder(note)
        name = _single(name.removeprefix(f".attachments.{note}/"))
        # The Notes app itself puts what is uploaded there next to the note, and references are percent-encoded.
        for place in dict.fromkeys(f"{at}/{one}" for at in (folder, parent(folder)) for one in (name, unquote(name))):
            try:
                return await self._files.read(place, start=start, length=length)
            except NotFound:
                continue
        there = ", ".join(one.name for one in await self._listed(folder)) or "none"
        raise NotFound(
            f"Note {note} has no attachment {name!r}.", status=404, next_step=f"Its attachments folder has: {there}."
        )

    async def add(self, note: int, name: str, data: bytes) -> Written:
        """Attach a file under a name that is not taken yet."""
        at = f"{await self._folder(note)}/{_single(name)}"
        return await self._files.write(at, data, create=True, parents=True)

    async def _listed(self, folder: str) -> builtins.list[Entry]:
        try:
            return await self._files.list(folder)
        except NotFound:
            return []

    async def _folder(self, note: int) -> str:
        place = (await self._notes.summary(note)).internal_path
        return "/".join(filter(None, [parent(place), f".attachments.{note}"]))


def _single(name: str) -> str:
    if len(names(name)) != 1:
        raise BadInput(f"{name!r} is no file name.", next_step="Give the name alone, without folders.")
    return name
