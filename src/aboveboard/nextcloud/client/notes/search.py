"""Notes found by words in any case, and by category and time: what Nextcloud's own search of notes leaves out."""

from datetime import datetime
from typing import Final
from unicodedata import normalize

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.notes.notes import SEARCH_CAP, NoteHit, NoteHits, Notes
from aboveboard.nextcloud.client.spellings import spellings

_PAGES: Final = 40
"""How many pages of one search are read at most."""


class NoteSearch:
    """Search over the notes of one user."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    async def search(
        self,
        query: str,
        *,
        category: str | None = None,
        modified_since: datetime | None = None,
        limit: int = 20,
        cursor: str | None = None,
    ) -> NoteHits:
        """Find notes that have all words and meet the conditions, what changed last first.

        One request does for words in ASCII without conditions. Else Nextcloud is asked for each way to write the words,
        as it folds the case of ASCII letters only, and once for what it does not tell of hits: category and time.
        """
        ways = list(dict.fromkeys([*spellings(normalize("NFC", query)), query]))
        if len(ways) == 1 and category is None and modified_since is None:
            return await self._notes.search(query, limit=limit, cursor=cursor)
        if cursor is not None and not cursor.isdecimal():
            raise BadInput(f"{cursor!r} is not a cursor.", next_step="Use the one that the search before gave.")
        hits = {hit.id: hit for way in ways for hit in await self._all(way)}
        known = {note.id: note for note in await self._notes.every()}
        found = [
            hit.model_copy(update={"category": note.category, "modified": note.modified})
            for hit in hits.values()
            if (note := known.get(hit.id)) is not None
            and (category is None or note.category == category)
            and (modified_since is None or note.modified >= modified_since.timestamp())
        ]
        found.sort(key=lambda hit: (-(hit.modified or 0), hit.id))
        start = int(cursor or 0)
        end = start + limit
        return NoteHits(items=found[start:end], cursor=str(end) if len(found) > end else None)

    async def _all(self, query: str) -> list[NoteHit]:
        found, cursor = list[NoteHit](), None
        for _ in range(_PAGES):
            page = await self._notes.search(query, limit=SEARCH_CAP, cursor=cursor)
            found += page.items
            cursor = page.cursor
            if cursor is None:
                break
        return found
