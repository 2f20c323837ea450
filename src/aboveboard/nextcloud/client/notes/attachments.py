"""Files that belong to a note: pictures, documents. With a Markdown note they move and go; with any other they stay."""

import builtins
from collections.abc import Iterable
from urllib.parse import unquote

from aboveboard.errors import BadInput, Conflict, NotFound
from aboveboard.http.path import names
from aboveboard.nextcloud.client.files.entries import Entry, parent
from aboveboard.nextcloud.client.files.files import Files
from aboveboard.nextcloud.client.files.overwriting import Content
from aboveboard.nextcloud.client.files.search import Search
from aboveboard.nextcloud.client.files.written import Written
from aboveboard.nextcloud.client.notes.notes import Notes, NoteSummary


class NoteAttachments:
    """The attachments of one user's notes, in whatever category or folder the notes are."""

    def __init__(self, notes: Notes, files: Files, search: Search) -> None:
        self._notes = notes
        self._files = files
        self._search = search

    async def list(self, note: int) -> list[Entry]:
        return await self._listed(_folder(await self._notes.summary(note)))

    async def get(self, note: int, name: str, *, start: int = 0, length: int | None = None) -> Content:
        """Read an attachment, or a part of it; the name may be written as the note's text refers to it."""
        summary = await self._notes.summary(note)
        folder = _folder(summary)
        name = _single(name.removeprefix(f".attachments.{note}/"))
        # The Notes app itself puts what is uploaded there next to the note.
        found = await self._first((folder, parent(folder)), name, start, length)
        if found is None and not summary.is_markdown:
            found = await self._first(await self.left_behind(summary), name, start, length)
        if found is not None:
            return found
        there = ", ".join(one.name for one in await self._listed(folder)) or "none"
        raise NotFound(
            f"Note {note} has no attachment {name!r}.", status=404, next_step=f"Its attachments folder has: {there}."
        )

    async def add(self, note: NoteSummary, name: str, data: bytes) -> Written:
        """Attach a file under a name that is not taken yet."""
        at = f"{_folder(note)}/{_single(name)}"
        try:
            return await self._files.write(at, data, create=True, parents=True)
        except Conflict:
            raise Conflict(
                f"Note {note.id} has another attachment {name!r} already; nothing was written.",
                status=412,
                next_step="Choose another name.",
            ) from None

    async def left_behind(self, note: NoteSummary) -> builtins.list[str]:
        """Return the folders of attachments that stayed elsewhere when a note moved; those of Markdown notes do not."""
        if note.is_markdown:
            return []
        own = _folder(note)
        found = await self._search.named(own.rpartition("/")[2])
        return [one.path for one in found if one.kind == "folder" and one.path != own]

    async def _first(self, folders: Iterable[str], name: str, start: int, length: int | None) -> Content | None:
        """Read the first that there is; references in a text are percent-encoded."""
        for place in dict.fromkeys(f"{folder}/{one}" for folder in folders for one in (name, unquote(name))):
            try:
                return await self._files.read(place, start=start, length=length)
            except NotFound:
                continue
        return None

    async def _listed(self, folder: str) -> builtins.list[Entry]:
        try:
            return await self._files.list(folder)
        except NotFound:
            return []


def _folder(note: NoteSummary) -> str:
    return "/".join(filter(None, [parent(note.internal_path), f".attachments.{note.id}"]))


def _single(name: str) -> str:
    if len(names(name)) != 1:
        raise BadInput(f"{name!r} is not a file name.", next_step="Give the name alone, without folders.")
    return name
