"""Files, as documents to search: texts, and what the extra for documents reads. A note's own file is left to notes."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final

import anyio.to_thread

from aboveboard.errors import Failure
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.files import entries as client
from aboveboard.nextcloud.client.missing import AppMissing
from aboveboard.nextcloud.tools.files import documents
from aboveboard.nextcloud.tools.files.encodings import detected
from aboveboard.search.entries import Entry, Known
from aboveboard.search.extraction import Extractor
from aboveboard.search.source import Listing, Unreadable

LARGEST_TEXT: Final = 2 * 1024 * 1024
"""Bytes of a text that is indexed: what is longer is data."""
AT_ONCE: Final = 50
"""Ids in one search."""
_TEXTS: Final = (
    ".md", ".markdown", ".txt", ".text", ".org", ".note", ".rst", ".adoc", ".tex",
    ".csv", ".tsv", ".log", ".html", ".htm",
)  # fmt: skip
_NOTES: Final = (".md", ".markdown", ".txt", ".org", ".note")
_READERS: Final = ("pypdf", "docx", "pptx", "python_calamine", "odfdo")


@dataclass(frozen=True)
class _Mark:
    """What was walked: the etags of folders, and what decided which files in them count."""

    folders: Mapping[str, str]
    readers: bool
    notes: str | None

    @classmethod
    def read(cls, text: str | None, readers: bool, notes: str | None) -> "_Mark":
        """Read a mark; one that was made under other circumstances says nothing."""
        found: dict[str, Any] = json.loads(text) if text else {}
        same = (found.get("readers"), found.get("notes")) == (readers, notes)
        return cls(found["folders"] if found and same else {}, readers, notes)


class FileSource:
    """The files of one person, those that others share with them included."""

    name = "file"

    def __init__(self, nextcloud: NextcloudClient) -> None:
        self._nextcloud = nextcloud
        self._extractor = Extractor(f"{__name__}:document_text")

    async def listing(self, mark: str | None, known: Mapping[str, Known]) -> Listing:
        """Walk the folders whose etag changed: a change below changes the etag of every folder above it."""
        before = _Mark.read(mark, all(find_spec(name) for name in _READERS), await self._notes_folder())
        walked, entries, present = dict[str, str](), list[Entry](), set[str]()
        waiting = [("", (await self._nextcloud.files.stat("")).etag or "")]
        while waiting:
            folder, etag = waiting.pop()
            if etag and before.folders.get(folder) == etag:
                walked |= {one: tag for one, tag in before.folders.items() if _is_in(one, folder)}
                present |= {key for key, one in known.items() if not one.missing and _is_in(one.entry.place, folder)}
                continue
            walked[folder] = etag
            for one in await self._nextcloud.files.list(folder):
                if one.kind == "folder":
                    waiting.append((one.path, one.etag or ""))
                elif self._counts(one, before):
                    entries.append(_entry(one))
        made = _Mark(walked, before.readers, before.notes)
        return Listing(
            entries=entries, present=present | {entry.key for entry in entries}, mark=json.dumps(made.__dict__)
        )

    async def text(self, entry: Entry) -> str:
        """Download a file, unless it is too large, and read it."""
        most = documents.LARGEST if documents.known(entry.title) else LARGEST_TEXT
        if entry.size is not None and entry.size > most:
            raise Unreadable(f"It has {entry.size} bytes; files of up to {most} bytes are indexed.")
        path = "/".join(filter(None, [entry.place, entry.title]))
        content = await self._nextcloud.files.read(path, length=most + 1)
        if len(content.data) > most:
            raise Unreadable(f"It has more than {most} bytes, and is not indexed.")
        if documents.known(entry.title):
            return await self._extractor.text(entry.title, content.data)
        encoding = await anyio.to_thread.run_sync(detected, content.data)
        if encoding is None:
            raise Unreadable("It is no text, whatever its name says.")
        return encoding.text(content.data[encoding.mark :])

    async def visible(self, keys: Collection[str]) -> Collection[str]:
        """Tell which files the person has, by a search for their ids."""
        asked, found = [int(key) for key in keys], set[str]()
        for at in range(0, len(asked), AT_ONCE):
            found |= {str(one) for one in await self._nextcloud.search.existing(asked[at : at + AT_ONCE])}
        return found

    async def rest(self) -> None:
        """End the process that reads documents."""
        await self._extractor.aclose()

    def link(self, entry: Entry) -> str:
        """Return where people open a file."""
        return self._nextcloud.web_url(int(entry.key))

    def _counts(self, file: client.Entry, mark: _Mark) -> bool:
        name = file.name.lower()
        if file.id is None or (
            mark.notes is not None and _is_in(client.parent(file.path), mark.notes) and name.endswith(_NOTES)
        ):
            return False
        if documents.known(name):
            return mark.readers
        return name.endswith(_TEXTS) or (file.content_type or "").startswith("text/")

    async def _notes_folder(self) -> str | None:
        try:
            return client.plain((await self._nextcloud.notes.settings()).notes_path)
        except AppMissing:
            return None


def document_text(name: str, data: bytes) -> str:
    """Return a document as Markdown; the extractor's process calls this."""
    try:
        return documents.markdown(name, data)
    except documents.LibraryMissing:
        raise Failure("The libraries for documents are not installed.", next_step=documents.INSTALL) from None


def _entry(file: client.Entry) -> Entry:
    return Entry(
        key=str(file.id),
        etag=file.etag or "",
        title=file.name,
        place=client.parent(file.path),
        modified=None if file.modified is None else int(file.modified.timestamp()),
        size=file.size,
    )


def _is_in(place: str, folder: str) -> bool:
    return not folder or place == folder or place.startswith(f"{folder}/")
