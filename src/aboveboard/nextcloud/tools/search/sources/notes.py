"""Notes, as documents to search."""

from collections.abc import Collection, Mapping

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.missing import AppMissing
from aboveboard.nextcloud.client.notes.changes import Moment
from aboveboard.nextcloud.tools.notes.views import web_url
from aboveboard.search.entries import Entry, Known
from aboveboard.search.source import Listing


class NoteSource:
    """The notes of one person."""

    name = "note"

    def __init__(self, nextcloud: NextcloudClient) -> None:
        self._nextcloud = nextcloud

    async def listing(self, mark: str | None, known: Mapping[str, Known]) -> Listing:
        """List the notes that changed, without their texts; where none did, Nextcloud says so in a word."""
        last = Moment.model_validate_json(mark) if mark else Moment()
        mine = {key for key, one in known.items() if not one.missing}
        try:
            found = await self._nextcloud.note_changes.since(last)
            if found is not None and not {str(one) for one in found.ids} <= mine | {str(one.id) for one in found.items}:
                # One that did not change, and is not known: all are listed.
                found = await self._nextcloud.note_changes.since(Moment())
        except AppMissing:
            return Listing(entries=[], present=())
        if found is None:
            return Listing(entries=[], present=mine, mark=mark)
        entries = [
            Entry(key=str(note.id), etag=note.etag, title=note.title, place=note.category, modified=note.modified)
            for note in found.items
        ]
        present = {str(one) for one in found.ids}
        return Listing(entries=entries, present=present, mark=found.moment.model_dump_json())

    async def text(self, entry: Entry) -> str:
        """Fetch the text of a note."""
        return (await self._nextcloud.notes.get(int(entry.key))).content

    async def visible(self, keys: Collection[str]) -> Collection[str]:
        """Tell which notes there are, by one list of ids."""
        try:
            there = {str(note) for note in await self._nextcloud.note_changes.ids()}
        except AppMissing:
            return ()
        return there & set(keys)

    async def rest(self) -> None:
        """Do nothing: reading notes needs nothing but the client."""

    async def link(self, entry: Entry) -> str:
        """Return where people open a note."""
        return web_url(self._nextcloud, int(entry.key))
