"""Notes as tools show them: when in plain time, where in the web, and long texts in parts."""

from datetime import datetime
from typing import Self

from pydantic import BaseModel

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.model import unix_date
from aboveboard.nextcloud.client.notes import notes as client

STAYS = "The note is not Markdown: Nextcloud leaves its attachments where they are when it moves or deletes the note."
_INEXACT = (
    "This text is not what the file holds: it is not UTF-8, and some ? stand for other characters. Never write it back;"
    " {!r} is the file itself."
)


class NoteInfo(BaseModel):
    """A note without its text; without a category or a star, these are left out."""

    id: int
    title: str
    category: str | None = None
    favorite: bool | None = None
    readonly: bool | None = None
    modified: datetime | None = None
    etag: str
    url: str
    warning: str | None = None

    @classmethod
    def of(cls, nextcloud: NextcloudClient, note: client.NoteSummary, warning: str | None = None) -> Self:
        """Show a note."""
        return cls.model_validate({**_shown(nextcloud, note), "warning": warning})


class ChangedNote(NoteInfo):
    """A note that was changed, and what Nextcloud keeps of its old text: a version of its file."""

    kept_version: str | None = None


class NoteText(NoteInfo):
    """A note, with its text or a part of it."""

    content: str
    length: int
    next_offset: int | None = None
    cut: str | None = None

    @classmethod
    def part(
        cls, nextcloud: NextcloudClient, note: client.Note, offset: int, limit: int | None, *, exact: bool
    ) -> Self:
        """Show a note with a part of its text, and say so if it is one, or not what the file holds."""
        text, length = note.content, len(note.content)
        end = length if limit is None else min(length, offset + limit)
        shown = {"content": text[offset:end], "length": length}
        if offset > 0 or end < length:
            more = f" Go on with offset={end}." if end < length else ""
            shown["cut"] = f"Only characters {offset} to {end} of {length}: never write this back as the content.{more}"
        if end < length:
            shown["next_offset"] = end
        if not exact:
            shown["warning"] = _INEXACT.format(note.internal_path.strip("/"))
        return cls.model_validate({**_shown(nextcloud, note), **shown})


class NoteList(BaseModel):
    """Some notes, and how to get the rest."""

    items: list[NoteInfo]
    next_cursor: str | None = None
    remaining: int | None = None


class FoundNote(BaseModel):
    """A note that was found, with the start of its text; category and time where the search went by them."""

    id: int
    title: str
    excerpt: str
    category: str | None = None
    modified: datetime | None = None
    url: str

    @classmethod
    def of(cls, nextcloud: NextcloudClient, hit: client.NoteHit) -> Self:
        """Show what was found."""
        return cls(
            id=hit.id,
            title=hit.title,
            excerpt=hit.excerpt,
            category=hit.category or None,
            modified=unix_date(hit.modified),
            url=web_url(nextcloud, hit.id),
        )


class FoundNotes(BaseModel):
    """Some of what was found, and how to get the rest."""

    items: list[FoundNote]
    next_cursor: str | None = None


class Categories(BaseModel):
    """The categories that notes are in."""

    items: list[client.Category]


class Attached(BaseModel):
    """A file that was attached, and the words that show it in the note's text."""

    note_id: int
    filename: str
    path: str
    etag: str | None = None
    markdown: str
    warning: str | None = None
    url: str | None = None
    """Where people open the note."""


def web_url(nextcloud: NextcloudClient, note: int) -> str:
    """Return where people open a note; it needs no pretty URLs."""
    return f"{nextcloud.url}/index.php/apps/notes/note/{note}"


def _shown(nextcloud: NextcloudClient, note: client.NoteSummary) -> dict[str, object]:
    return {
        "id": note.id,
        "title": note.title,
        "category": note.category or None,
        "favorite": note.favorite or None,
        "readonly": note.readonly or None,
        "modified": unix_date(note.modified),
        "etag": note.etag,
        "url": web_url(nextcloud, note.id),
    }
