"""What the files of notes hold, to the byte: the Notes API shows a ? for each byte that is not UTF-8, and writes it."""

import codecs

from aboveboard.errors import BadInput
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
        await self._files.append(place, lambda old: _addition(old, text, separator))
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


def _addition(old: bytes, text: str, separator: str | None) -> bytes:
    between = _blank_line(old) if separator is None else separator
    added = f"{between}{text}" if old.removeprefix(codecs.BOM_UTF8) else text
    # Whatever else a text is in, ASCII is the same there, but for encodings in which all characters are wide.
    wide = b"\0" in old or old.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not _is_utf8(old) and (wide or not added.isascii()):
        raise BadInput(
            "The note's file is not UTF-8, and what is to be added cannot be written as its own characters are;"
            " nothing was appended.",
            next_step="Write it with ASCII characters alone, or save the note as UTF-8 first.",
        )
    return added.encode()


def _blank_line(old: bytes) -> str:
    """Return what makes the next line begin after a blank one, with the line ends that the text has."""
    newline = "\r\n" if b"\r\n" in old else "\n"
    ends = (newline * 2).encode(), newline.encode()
    return next((newline * count for count, end in enumerate(ends) if old.endswith(end)), newline * 2)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
