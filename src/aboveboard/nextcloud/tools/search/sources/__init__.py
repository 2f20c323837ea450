"""What is indexed: one module for each kind of document."""

from collections.abc import Mapping, Sequence
from typing import Final

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.search.source import Source

AREAS: Final[Mapping[str, str]] = {"note": "notes", "file": "files"}
"""The kinds of documents, and the area of tools that shows each: whoever may not read there finds nothing of it."""


def sources_of(nextcloud: NextcloudClient) -> Sequence[Source]:
    """Return the sources of one person."""
    from aboveboard.nextcloud.tools.search.sources.files import FileSource
    from aboveboard.nextcloud.tools.search.sources.notes import NoteSource

    return (NoteSource(nextcloud), FileSource(nextcloud))
