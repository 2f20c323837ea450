"""Folders: what is in them, making them, and how much room there is."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import ENSURE, READ
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.tools.files.area import (
    ITEM,
    FileList,
    FilePath,
    Limit,
    Offset,
    file_url,
    files,
    following,
    show_entry,
)


class Folder(Model):
    """A folder that is there now; `created` tells whether it was not before."""

    path: str
    created: bool
    url: str | None = None


class Room(Model):
    """How many bytes the user's files take and may take; without a limit, `available` and `total` are left out."""

    used: int
    available: int | None = None
    total: int | None = None


@files.tool("List Files and Directories", READ, example=FileList(items=[ITEM], total=1), core=True)
async def list_directory(
    nextcloud: NextcloudClient,
    path: Annotated[str, Field(description="Folder, from the top of your files; empty: the top.")] = "",
    limit: Limit = 200,
    offset: Offset = 0,
) -> FileList:
    """List what is directly in a folder, folders first, by name; of more than 1,000, in the order Nextcloud keeps."""
    part = await nextcloud.files.list_part(path, limit=limit, offset=offset)
    items = [show_entry(nextcloud, one) for one in part.entries]
    return FileList(items=items, next_offset=following(part.total, limit, offset), total=part.total)


@files.tool("Create Directory", ENSURE, example=Folder(path="Documents/2026", created=True))
async def create_directory(
    nextcloud: NextcloudClient,
    path: FilePath,
    parents: Annotated[bool, Field(description="True: make the folders that it is in too.")] = False,
) -> Folder:
    """Make a folder; one that is there already stays as it is, with all in it."""
    made = await nextcloud.files.mkdir(path, parents=parents)
    return Folder(path=made.path, created=made.created, url=file_url(nextcloud, made.id))


@files.tool("Get Storage Quota", READ, example=Room(used=1048576, available=1072693248, total=1073741824))
async def get_quota(nextcloud: NextcloudClient) -> Room:
    """Tell how many bytes your files take, how many are free and how many you may have; no limit, no total."""
    quota = await nextcloud.files.quota()
    total = None if quota.available is None else quota.used + quota.available
    return Room(used=quota.used, available=quota.available, total=total)
