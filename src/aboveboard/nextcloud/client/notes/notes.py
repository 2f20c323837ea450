"""Notes: list, read, write, append, search. A note is a text file below a folder that the Notes app knows."""

import builtins
import re
from typing import Final, cast

from pydantic import Field

from aboveboard.errors import ApiError, BadInput, NotFound
from aboveboard.http import Nature, Path, Response, Session, path
from aboveboard.nextcloud.client.apps import App
from aboveboard.nextcloud.client.files.etags import quote_etag, stale
from aboveboard.nextcloud.client.model import Model, check_value
from aboveboard.nextcloud.client.ocs import Ocs

_NOTES: Final = "/index.php/apps/notes/api/v1/notes"
SEARCH_CAP: Final = 25
"""Nextcloud's search gives no more than this at once, whatever limit is asked for."""
_CURSOR: Final = re.compile(r"\d+--?\d+-\d+")
_ALL_BUT_CATEGORY: Final = (
    "content,title,modified,favorite,readonly,internalPath,shareTypes,isShared,error,errorType,etag"
)


class NoteSummary(Model):
    """A note in a list, without its text."""

    id: int
    title: str
    category: str
    favorite: bool
    readonly: bool = False
    modified: int
    """Seconds since 1970."""
    etag: str
    internal_path: str = ""
    """Its file, from the top of the user's files."""

    @property
    def is_markdown(self) -> bool:
        """Tell whether the Notes app takes its attachments along."""
        return self.internal_path.lower().endswith((".md", ".markdown"))


class Note(NoteSummary):
    """A note with its text."""

    content: str


class NotesPage(Model):
    """Some notes, and the cursor of the next ones, if there are any."""

    items: list[NoteSummary]
    cursor: str | None = None
    pending: int = 0


class NoteHit(Model):
    """A note that a search found, with the start of its text; category and time where they were asked for."""

    id: int
    title: str
    excerpt: str
    category: str | None = None
    modified: int | None = None


class NoteHits(Model):
    """Some of what a search found, and the cursor of the rest, if there is any."""

    items: list[NoteHit]
    cursor: str | None = None


class Category(Model):
    """A category, and how many notes are in it; the empty name is for notes without one."""

    name: str
    notes: int


class NotesSettings(Model):
    """How the Notes app keeps this user's notes."""

    notes_path: str
    file_suffix: str


class _Entry(Model):
    title: str
    subline: str = ""
    url: str = Field(alias="resourceUrl")


class _Found(Model):
    entries: list[_Entry]
    cursor: int | str | None = None
    is_paginated: bool = False
    """Whether these are a part; the Notes app may send all that it finds, whatever limit is asked for."""


class Notes:
    """The notes of one user."""

    def __init__(self, session: Session) -> None:
        self._app = App(session, "notes")
        self._ocs = Ocs(session)

    async def list(self, *, category: str | None = None, limit: int = 100, cursor: str | None = None) -> NotesPage:
        """List some notes without texts, as the app noticed their changes, the newest last; of a category its own."""
        if cursor is not None and not _CURSOR.fullmatch(cursor):
            # Nextcloud would take it for none, and begin again.
            raise BadInput(f"{cursor!r} is not a cursor.", next_step="Use the one that the list before gave.")
        query = {"exclude": "content", "chunkSize": limit, "chunkCursor": cursor, "category": category}
        answer = await self._app.send("GET", path(_NOTES), query=query)
        every = self._app.read(answer, list[dict[str, object]])
        # The last chunk repeats the ids of all notes before it, alone.
        whole = [one for one in every if one.keys() != {"id"}]
        pending = answer.headers.get("x-notes-chunk-pending", "")
        return NotesPage(
            items=check_value(whole, list[NoteSummary], answer),
            cursor=answer.headers.get("x-notes-chunk-cursor"),
            pending=int(pending) if pending.isdecimal() else 0,
        )

    async def every(self) -> builtins.list[NoteSummary]:
        """List all notes without their texts, with one request."""
        return await self._app.get(path(_NOTES), builtins.list[NoteSummary], {"exclude": "content"})

    async def get(self, note: int) -> Note:
        return self._note(await self._app.send("GET", _at(note)), note)

    async def summary(self, note: int) -> NoteSummary:
        """Get a note without its text."""
        answer = await self._app.send("GET", _at(note), query={"exclude": "content"})
        if answer.status >= 400:
            raise self._missing(answer, note)
        return self._app.read(answer, NoteSummary)

    async def create(self, title: str, content: str, *, category: str = "", favorite: bool = False) -> Note:
        """Create a note; a title that is taken gets a number."""
        body = {"title": title, "content": content, "category": category, "favorite": favorite}
        return self._app.read(await self._app.send("POST", path(_NOTES), body=body), Note)

    async def update(
        self,
        note: int,
        etag: str,
        *,
        title: str | None = None,
        content: str | None = None,
        category: str | None = None,
    ) -> Note:
        """Change what is given, if the note is still the version `etag`; an empty category clears it."""
        given = {"title": title, "content": content, "category": category}
        body = {name: value for name, value in given.items() if value is not None}
        if not body:
            raise BadInput("There is nothing to change.", next_step="Give a title, a content or a category.")
        headers = {"If-Match": quote_etag(etag)}
        return self._note(await self._app.send("PUT", _at(note), body=body, headers=headers), note)

    async def set_favorite(self, note: int, *, favorite: bool) -> Note:
        nature = Nature.ADDS if favorite else Nature.REPLACES
        return self._note(await self._app.send("PUT", _at(note), body={"favorite": favorite}, nature=nature), note)

    async def delete(self, note: int) -> None:
        answer = await self._app.send("DELETE", _at(note))
        if answer.status >= 400:
            raise self._missing(answer, note)
        self._app.read(answer, builtins.list[object])

    async def categories(self) -> builtins.list[Category]:
        """List the categories that notes are in."""
        query = {"exclude": _ALL_BUT_CATEGORY}
        names = await self._app.get(path(_NOTES), builtins.list[dict[str, object]], query)
        counts: dict[str, int] = {}
        for one in names:
            name = str(one.get("category") or "")
            counts[name] = counts.get(name, 0) + 1
        return [Category(name=name, notes=count) for name, count in sorted(counts.items())]

    async def search(self, query: str, *, limit: int = 20, cursor: str | None = None) -> NoteHits:
        """Let Nextcloud search titles, categories and texts for all words; what changed last comes first."""
        if not query.strip():
            raise BadInput("There is nothing to search for.", next_step="Give at least one word.")
        if cursor is not None and not cursor.isdecimal():
            raise BadInput(f"{cursor!r} is not a cursor.", next_step="Use the one that the search before gave.")
        at = path("/ocs/v2.php/search/providers/notes/search")
        try:
            found = await self._ocs.get(at, _Found, {"term": query, "limit": limit, "cursor": cursor})
        except ApiError as error:
            if error.status >= 500:
                # Without the app, its search is an error of the server; its own routes then tell.
                await self.settings()
            raise
        hits = [
            NoteHit(id=int(number[1]), title=one.title, excerpt=one.subline)
            for one in found.entries
            if (number := re.search(r"/note/(\d+)", one.url))
        ]
        if not found.is_paginated:
            start = int(cursor or 0)
            end = start + limit
            return NoteHits(items=hits[start:end], cursor=str(end) if len(hits) > end else None)
        # Nextcloud gives a cursor even where nothing follows.
        more = len(found.entries) >= min(limit, SEARCH_CAP) and found.cursor is not None
        return NoteHits(items=hits, cursor=str(found.cursor) if more else None)

    async def settings(self) -> NotesSettings:
        return await self._app.get(path("/index.php/apps/notes/api/v1/settings"), NotesSettings)

    def _note(self, answer: Response, note: int) -> Note:
        if answer.status == 412:
            current = cast("dict[str, object]", answer.json()).get("etag") if answer.content else None
            raise stale(f"Note {note}", str(current) if current else None)
        if answer.status >= 400:
            raise self._missing(answer, note)
        return self._app.read(answer, Note)

    def _missing(self, answer: Response, note: int) -> ApiError:
        error = self._app.error(answer)
        if isinstance(error, NotFound) and "json" in answer.headers.get("content-type", ""):
            return NotFound(f"There is no note {note}.", status=404)
        return error


def _at(note: int) -> Path:
    return path("/index.php/apps/notes/api/v1/notes/{note}", note=str(note))
