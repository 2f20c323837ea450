"""What was: deleted files in the trash bin, and older versions of files."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from aboveboard.effects import DELETE, ENSURE, READ, REPLACE
from aboveboard.kit.gone import FOR_GOOD, Gone
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.files.entries import plain
from aboveboard.nextcloud.client.files.trash import DELETED_AT, Trashed
from aboveboard.nextcloud.client.files.versions import Version
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.tools.files.area import FilePath, Limit, Offset, file_url, following, trash, versions

_WHEN = datetime(2026, 1, 31, 9, tzinfo=UTC)
TRASHED = Trashed(key="plan.md.d1769850000", name="plan.md", original_path="Documents/plan.md", deleted=_WHEN)
TrashKey = Annotated[
    str, Field(description="trash_key of an answer, key from list_trash, old path or name.", min_length=1)
]
KeptVersion = Annotated[str, Field(description="kept_version of an answer, or id from list_versions.", min_length=1)]


class TrashList(Model):
    """A page of the trash bin, what was deleted last first."""

    items: list[Trashed]
    total: int
    next_offset: int | None = None


class ThrownAway(Gone):
    """An entry of the trash bin that is gone for good."""

    trash_key: str


def name_in(trash_key: str) -> str:
    """Return the name of what the bin keeps: its key without the time of deletion."""
    return DELETED_AT.sub("", trash_key)


THROWN_AWAY = ThrownAway(gone="plan.md", to_get_back=FOR_GOOD, trash_key=TRASHED.key)


class Restored(Model):
    """What was in the trash bin, and where it is now."""

    trash_key: str
    path: str
    url: str | None = None


class VersionList(Model):
    """A page of a file's versions, newest first."""

    items: list[Version]
    total: int
    next_offset: int | None = None


class VersionDone(Model):
    """A file, and the version that it holds again."""

    path: str
    kept_version: str
    url: str | None = None


@trash.tool("List Trash", READ, example=TrashList(items=[TRASHED], total=1))
async def list_trash(nextcloud: NextcloudClient, limit: Limit = 50, offset: Offset = 0) -> TrashList:
    """List what you deleted and the trash bin still keeps, what was deleted last first."""
    found = await nextcloud.trash.newest()
    return TrashList(
        items=found[offset : offset + limit], total=len(found), next_offset=following(len(found), limit, offset)
    )


# The entry leaves the bin because what it stands for is back in its place: nothing is lost.
@trash.tool(
    "Restore From Trash", ENSURE, example=Restored(trash_key=TRASHED.key, path=TRASHED.original_path), core=True
)
async def restore_from_trash(
    nextcloud: NextcloudClient,
    trash_key: TrashKey,
) -> Restored:
    """Put something deleted back: under another name if its own is taken, at the top if its folder is gone.

    The path of the answer is where it is now.
    """
    key = await nextcloud.trash.key_for(trash_key)
    back = await nextcloud.trash.restore(key)
    return Restored(trash_key=key, path=back.path, url=file_url(nextcloud, back.id))


@trash.tool("Delete From Trash", DELETE, example=THROWN_AWAY)
async def delete_from_trash(nextcloud: NextcloudClient, trash_key: TrashKey) -> ThrownAway:
    """Delete something in the trash bin for good, with its versions."""
    key = await nextcloud.trash.key_for(trash_key)
    await nextcloud.trash.delete(key)
    return ThrownAway(gone=name_in(key), to_get_back=FOR_GOOD, trash_key=key)


@versions.tool(
    "List File Versions",
    READ,
    example=VersionList(items=[Version(id="1769850000", modified=_WHEN, size=26, current=True)], total=1),
)
async def list_versions(
    nextcloud: NextcloudClient, path: FilePath, limit: Limit = 50, offset: Offset = 0
) -> VersionList:
    """List the versions that Nextcloud keeps of a file, newest first.

    The current one is what it holds now: after a restore, an older one.
    """
    found = await nextcloud.versions.list(path)
    return VersionList(
        items=found[offset : offset + limit], total=len(found), next_offset=following(len(found), limit, offset)
    )


@versions.tool(
    "Restore File Version", REPLACE, example=VersionDone(path="Documents/plan.md", kept_version="1769850000")
)
async def restore_version(nextcloud: NextcloudClient, path: FilePath, kept_version: KeptVersion) -> VersionDone:
    """Make a file hold what an older version held; what it holds now is replaced, and kept as a version."""
    file = await nextcloud.versions.restore(path, kept_version)
    return VersionDone(path=plain(path), kept_version=kept_version, url=nextcloud.web_url(file))
