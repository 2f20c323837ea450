"""Files, as documents to search: texts, and what the extra for documents reads. A note's own file is left to notes."""

import json
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final

import anyio.to_thread

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.files import entries as client
from aboveboard.nextcloud.client.missing import AppMissing
from aboveboard.nextcloud.tools.files import documents
from aboveboard.nextcloud.tools.files.encodings import detect_encoding
from aboveboard.nextcloud.tools.search.sources.settled import is_settled
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
    """What was walked, and what decided which files count."""

    walked: Mapping[str, Sequence[Any]]
    """Of each folder its etag, and how many documents are right in it."""
    readers: bool
    notes: str | None

    @classmethod
    def read(cls, text: str | None, readers: bool, notes: str | None) -> "_Mark":
        """Read a mark; one that was made under other circumstances says nothing."""
        found: dict[str, Any] = json.loads(text) if text else {}
        same = (found.get("readers"), found.get("notes")) == (readers, notes)
        return cls(found["walked"] if found and same else {}, readers, notes)

    def below(self, folder: str, etag: str) -> Mapping[str, Sequence[Any]]:
        """Return what was walked in and below a folder, if that is as it was."""
        if not etag or self.walked.get(folder, [""])[0] != etag:
            return {}
        return {one: seen for one, seen in self.walked.items() if _is_in(one, folder)}


class FileSource:
    """The files of one person, those that others share with them included."""

    name = "file"

    def __init__(self, nextcloud: NextcloudClient) -> None:
        self._nextcloud = nextcloud
        self._extractor = Extractor("aboveboard.nextcloud.tools.search.documents:text")

    async def listing(self, mark: str | None, known: Mapping[str, Known]) -> Listing:
        """Walk the folders whose etag changed: a change below changes the etag of every folder above it.

        One of which not as many documents are known as there were is walked too, which mends what was lost on the way.
        """
        before = _Mark.read(mark, all(find_spec(name) for name in _READERS), await self._notes_folder())
        skipped, present = dict[str, Sequence[Any]](), set[str]()
        etags, found = dict[str, str](), list[Entry]()
        waiting = [("", (await self._nextcloud.files.stat("")).etag or "")]
        while waiting:
            folder, etag = waiting.pop()
            if below := before.below(folder, etag):
                mine = {key for key, one in known.items() if not one.missing and _is_in(one.entry.place, folder)}
                if len(mine) == sum(count for _, count in below.values()):
                    skipped, present = {**skipped, **below}, present | mine
                    continue
            etags[folder] = etag
            for one in await self._nextcloud.files.list(folder):
                if one.kind == "folder":
                    waiting.append((one.path, one.etag or ""))
                elif self._counts(one, before):
                    found.append(_entry(one))
        # What others share may be in two places; it is one document, where it was first.
        entries = {one.key: one for one in reversed(found) if one.key not in present}
        counts = Counter(one.place for one in entries.values())
        walked = {**skipped, **{folder: (etag, counts[folder]) for folder, etag in etags.items()}}
        made = _Mark(walked, before.readers, before.notes)
        return Listing(entries=[*entries.values()], present=present | entries.keys(), mark=json.dumps(made.__dict__))

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
        encoding = await anyio.to_thread.run_sync(detect_encoding, content.data)
        if encoding is None:
            raise Unreadable("It is not text, whatever its name says.")
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

    async def link(self, entry: Entry) -> str:
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


def _entry(file: client.Entry) -> Entry:
    etag = file.etag or ""
    if file.modified is not None and not is_settled(file.modified.timestamp()):
        etag = f"{etag} at {time.time()}"  # what is written in the same second has the same etag: it is read once more
    return Entry(
        key=str(file.id),
        etag=etag,
        title=file.name,
        place=client.parent(file.path),
        modified=None if file.modified is None else int(file.modified.timestamp()),
        size=file.size,
    )


def _is_in(place: str, folder: str) -> bool:
    return not folder or place == folder or place.startswith(f"{folder}/")
