"""Files found by name, type, star or tag, wherever they are."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from aboveboard.effects import READ
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.files.search import Found
from aboveboard.nextcloud.tools.files.area import ITEMS, FileList, Limit, Offset, Scope, files, show_entry

_NAME = "Part of the name, or all of it with * and ? for any characters."
_TYPE = "Media type such as application/pdf, or its first half: image."
Pattern = Annotated[str, Field(description=_NAME, min_length=1)]
MediaType = Annotated[str, Field(description=_TYPE, min_length=1)]


@files.tool("Search Files", READ, example=ITEMS, core=True)
async def search_files(
    nextcloud: NextcloudClient,
    scope: Scope = "",
    name_pattern: Annotated[str | None, Field(description=_NAME)] = None,
    mime_type: Annotated[str | None, Field(description=_TYPE)] = None,
    only_favorites: Annotated[bool, Field(description="True: only those with your star.")] = False,
    modified_since: Annotated[
        datetime | None, Field(description="Only those changed since then; UTC unless it says.")
    ] = None,
    modified_before: Annotated[
        datetime | None, Field(description="Only those last changed before then; UTC unless it says.")
    ] = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> FileList:
    """Find files and folders that meet every condition given, the last changed first; it does not look inside them."""
    found = await nextcloud.search.find(
        name=name_pattern,
        content_type=mime_type,
        favorite=only_favorites,
        modified_since=add_zone(modified_since),
        modified_before=add_zone(modified_before),
        folder=scope,
        limit=limit,
        offset=offset,
    )
    return _listed(nextcloud, found)


@files.tool("Find Files by Name", READ, example=ITEMS)
async def find_by_name(
    nextcloud: NextcloudClient, pattern: Pattern, scope: Scope = "", limit: Limit = 50, offset: Offset = 0
) -> FileList:
    """Find files and folders by name, in any case, the last changed first."""
    return _listed(nextcloud, await nextcloud.search.find(name=pattern, folder=scope, limit=limit, offset=offset))


@files.tool("Find Files by Type", READ, example=ITEMS)
async def find_by_type(
    nextcloud: NextcloudClient, mime_type: MediaType, scope: Scope = "", limit: Limit = 50, offset: Offset = 0
) -> FileList:
    """Find files by what they are, which Nextcloud knows from the ends of their names; the last changed first."""
    found = await nextcloud.search.find(content_type=mime_type, folder=scope, limit=limit, offset=offset)
    return _listed(nextcloud, found)


@files.tool("List Favorite Files", READ, example=ITEMS)
async def list_favorites(
    nextcloud: NextcloudClient, scope: Scope = "", limit: Limit = 50, offset: Offset = 0
) -> FileList:
    """List the files and folders that you starred, the last changed first."""
    return _listed(nextcloud, await nextcloud.search.find(favorite=True, folder=scope, limit=limit, offset=offset))


def add_zone(when: datetime | None) -> datetime | None:
    """Return a time with its zone: UTC, unless it says another."""
    return when.replace(tzinfo=UTC) if when is not None and when.tzinfo is None else when


def _listed(nextcloud: NextcloudClient, found: Found) -> FileList:
    return FileList(items=[show_entry(nextcloud, one) for one in found.items], next_offset=found.next_offset)
