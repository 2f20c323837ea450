"""What the files of notes hold, to the byte: the Notes API shows a ? for each byte that is not UTF-8, and writes it."""

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.files.appending import addition
from aboveboard.nextcloud.client.files.files import Files
from aboveboard.nextcloud.client.notes.notes import Note, Notes, NoteSummary


class NoteTexts:
    """The texts of one user's notes."""

    def __init__(self, notes: Notes, files: Files) -> None:
        self._notes = notes
        self._files = files

    async def append(self, note: int, text: str, *, separator: str | None = None) -> NoteSummary:
        """Add to the end of a note, after a blank line unless a separator is given; what others write is kept."""
        place = (await self._notes.summary(note)).internal_path
        await self._files.append(place, lambda old: addition(old, text, separator, line_ends=2))
        return await self._notes.summary(note)

    async def is_exact(self, note: Note) -> bool:
        """Tell whether the text that the API gave of a note is what its file holds."""
        # It is asked only where something may stand for something else.
        return "?" not in note.content or _is_utf8((await self._files.read(note.internal_path)).data)

    async def update(
        self, note: int, etag: str, *, title: str | None = None, content: str | None = None, category: str | None = None
    ) -> Note:
        """Change what is given of the version `etag`; a text that may be one of those that are not exact is refused."""
        if content is not None and "?" in content:
            place = (await self._notes.summary(note)).internal_path
            if not _is_utf8((await self._files.read(place)).data):
                raise BadInput(
                    f"The file of note {note} is not UTF-8, and a ? in the text may stand for what it really says;"
                    " nothing was written.",
                    next_step=f"Read and write the file {place.strip('/')!r} itself.",
                )
        return await self._notes.update(note, etag, title=title, content=content, category=category)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
