"""What is indexed: one module for each kind of document."""

from collections.abc import Mapping, Sequence
from typing import Final

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.search.source import Source

AREAS: Final[Mapping[str, str]] = {
    "note": "notes",
    "file": "files",
    "event": "calendar",
    "task": "tasks",
    "contact": "contacts",
    "card": "deck",
    "recipe": "cookbook",
    "news": "news",
}
"""The kinds of documents, and the area of tools that shows each: whoever may not read there finds nothing of it."""


def sources_of(nextcloud: NextcloudClient) -> Sequence[Source]:
    """Return the sources of one person."""
    from aboveboard.nextcloud.tools.search.sources.calendars import calendar_sources
    from aboveboard.nextcloud.tools.search.sources.contacts import ContactSource
    from aboveboard.nextcloud.tools.search.sources.cookbook import RecipeSource
    from aboveboard.nextcloud.tools.search.sources.deck import CardSource
    from aboveboard.nextcloud.tools.search.sources.files import FileSource
    from aboveboard.nextcloud.tools.search.sources.news import NewsSource
    from aboveboard.nextcloud.tools.search.sources.notes import NoteSource

    return (
        NoteSource(nextcloud),
        FileSource(nextcloud),
        *calendar_sources(nextcloud),
        ContactSource(nextcloud),
        CardSource(nextcloud),
        RecipeSource(nextcloud),
        NewsSource(nextcloud),
    )
