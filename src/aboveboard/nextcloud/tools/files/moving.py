"""Files and folders as they are: moved, copied, deleted, starred."""

from typing import Annotated
from urllib.parse import quote

from pydantic import Field

from aboveboard.effects import DELETE, REPLACE, RUN
from aboveboard.errors import NotFound
from aboveboard.kit.gone import UNSEEN, Gone
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.files.entries import parent, plain
from aboveboard.nextcloud.client.files.written import Written
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.tools.files.area import (
    PLACED,
    FilePath,
    FilePlaced,
    IfDestinationMatch,
    Overwrite,
    files,
    show_placed,
)
from aboveboard.nextcloud.tools.gone import from_the_bin

Source = Annotated[str, Field(description="Path from the top of your files.", min_length=1)]
Destination = Annotated[str, Field(description="New path, its name included; its folder must exist.", min_length=1)]


class Transferred(FilePlaced):
    """A file or folder at its new place, and the key in the trash bin of what gave way to it, if it is there."""

    trash_key: str | None = None


class Removed(Gone):
    """What is no longer there; `left` says where it was only a share that someone else gave."""

    path: str
    left: str | None = None


class Starred(Model):
    """Whether something is a favourite now."""

    path: str
    favorite: bool
    url: str | None = None
    """Where people open the folder that it is in."""


REMOVED = Removed(gone="plan.md", to_get_back="restore_from_trash with {...} brings it back.", path="plan.md")
TRANSFERRED = Transferred(**PLACED.model_dump(), trash_key="plan.md.d1769850000")


# The old path is gone, whatever else happens, and a repeat finds nothing there to move.
@files.tool("Move or Rename File", REPLACE, example=TRANSFERRED)
async def move_resource(
    nextcloud: NextcloudClient,
    source_path: Source,
    destination_path: Destination,
    overwrite: Overwrite = False,
    if_destination_match: IfDestinationMatch = None,
) -> Transferred:
    """Move or rename a file, or a folder with all in it.

    With overwrite, what is at its new place goes to the trash (trash_key), its shares, comments, tags and star too.
    """
    there = await _id_of(nextcloud, destination_path) if overwrite or if_destination_match else None
    written = await nextcloud.files.move(source_path, destination_path, overwrite=overwrite, etag=if_destination_match)
    return await _transferred(nextcloud, written, there)


# An effect is that of the worst a call can do: each overwriting copy throws away what the one before made.
@files.tool("Copy File or Directory", RUN, example=TRANSFERRED)
async def copy_resource(
    nextcloud: NextcloudClient,
    source_path: Source,
    destination_path: Destination,
    overwrite: Overwrite = False,
    if_destination_match: IfDestinationMatch = None,
) -> Transferred:
    """Copy a file, or a folder with all in it.

    With overwrite, what is at the new place goes to the trash (trash_key), its shares, comments, tags and star too.
    """
    there = await _id_of(nextcloud, destination_path) if overwrite or if_destination_match else None
    written = await nextcloud.files.copy(source_path, destination_path, overwrite=overwrite, etag=if_destination_match)
    return await _transferred(nextcloud, written, there)


@files.tool("Delete File or Directory", DELETE, example=REMOVED)
async def delete_resource(nextcloud: NextcloudClient, path: FilePath) -> Removed:
    """Delete a file, or a folder with all in it: it goes to the trash bin (restore_from_trash), where there is one.

    A file or folder that itself was shared with you stays theirs: only that share ends, for good, and left says so.
    """
    was = await nextcloud.files.received_from(path)
    await nextcloud.files.delete(path)
    here = plain(path)
    if was.itself:
        left = f"It stays with {was.owner}, who shared it with you: only your share ended. Nothing is in the trash bin."
        back = f"Only {was.owner} can share it again."
        return Removed(gone=f"your share of {here}", to_get_back=back, path=here, left=left)
    back = await from_the_bin(nextcloud, was.id)
    if was.owner and back == UNSEEN:
        back = f"It was {was.owner}'s: their trash bin has it, and nc_webdav_list_trash shows whether yours has a copy."
    return Removed(gone=here, to_get_back=back, path=here)


@files.tool("Set File Favorite", REPLACE, example=Starred(path="Documents/plan.md", favorite=True))
async def set_favorite(
    nextcloud: NextcloudClient,
    path: FilePath,
    favorite: Annotated[bool, Field(description="False takes the star off.")] = True,
) -> Starred:
    """Make a file or folder one of your favourites, or take the star off."""
    await nextcloud.files.set_favorite(path, favorite=favorite)
    here = plain(path)
    # Setting a star does not tell the id; the folder's page goes by its path, and shows the star.
    folder = f"{nextcloud.app_url('files')}?dir=/{quote(parent(here))}"
    return Starred(path=here, favorite=favorite, url=folder)


async def _id_of(nextcloud: NextcloudClient, path: str) -> int | None:
    try:
        return (await nextcloud.files.stat(path)).id
    except NotFound:
        return None


async def _transferred(nextcloud: NextcloudClient, written: Written, there: int | None) -> Transferred:
    key = await nextcloud.trash.key_of(there) if there is not None else None
    return Transferred(**show_placed(nextcloud, written).model_dump(), trash_key=key)
