"""What was: deleted files in the trash bin, and older versions of files."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from aboveboard.effects import DELETE, ENSURE, READ, REPLACE
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.files.entries import plain
from aboveboard.nextcloud.client.files.trash import Trashed
from aboveboard.nextcloud.client.files.versions import Version
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.tools.files.area import FilePath, Limit, Offset, following, trash, versions

_WHEN = datetime(2026, 1, 31, 9, tzinfo=UTC)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
TRASHED = Trashed(key="plan.md.d1769850000", name="plan.md", original_path="Documents/plan.md", deleted=_WHEN)
TrashKey = Annotated[str, Field(description="Its key, from list_trash.", min_length=1)]
VersionId = Annotated[str, Field(description="Its id, from list_versions.", min_length=1)]


class TrashList(Model):
    """A page of the trash bin, what was deleted last first."""

    items: list[Trashed]
    total: int
    next_offset: int | None = None


class TrashKeyDone(Model):
    """What was done is done to this entry of the trash bin."""

    key: str


class Restored(Model):
    """What was in the trash bin, and where it is now."""

    key: str
    path: str


class VersionList(Model):
    """A page of a file's versions, newest first."""

    items: list[Version]
    total: int
    next_offset: int | None = None


class VersionDone(Model):
    """A file, and the version that it holds again."""

    path: str
    version_id: str


@trash.tool("List Trash", READ, example=TrashList(items=[TRASHED], total=1))
async def list_trash(nextcloud: NextcloudClient, limit: Limit = 50, offset: Offset = 0) -> TrashList:
    """List what you deleted and the trash bin still keeps, what was deleted last first."""
    found = await nextcloud.trash.list()
    found.sort(key=lambda one: (one.deleted or _LONG_AGO, one.key), reverse=True)
    return TrashList(
        items=found[offset : offset + limit], total=len(found), next_offset=following(len(found), limit, offset)
    )


# The entry leaves the bin because what it stands for is back in its place: nothing is lost.
@trash.tool("Restore From Trash", ENSURE, example=Restored(key=TRASHED.key, path=TRASHED.original_path), core=True)
async def restore_from_trash(nextcloud: NextcloudClient, key: TrashKey) -> Restored:
    """Put something deleted back: under another name if its own is taken, at the top if its folder is gone.

    The path of the answer is where it is now.
    """
    return Restored(key=key, path=await nextcloud.trash.restore(key))


@trash.tool("Delete From Trash", DELETE, example=TrashKeyDone(key=TRASHED.key))
async def delete_from_trash(nextcloud: NextcloudClient, key: TrashKey) -> TrashKeyDone:
    """Delete something in the trash bin for good, with its versions."""
    await nextcloud.trash.delete(key)
    return TrashKeyDone(key=key)


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


@versions.tool("Restore File Version", REPLACE, example=VersionDone(path="Documents/plan.md", version_id="1769850000"))
async def restore_version(nextcloud: NextcloudClient, path: FilePath, version_id: VersionId) -> VersionDone:
    """Make a file hold what an older version held; what it holds now is replaced, and kept as a version."""
    await nextcloud.versions.restore(path, version_id)
    return VersionDone(path=plain(path), version_id=version_id)
