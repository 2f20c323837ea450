"""Tags: labels for files that everyone on the instance sees."""

from typing import Annotated

from pydantic import Field, WithJsonSchema

from aboveboard.effects import DELETE, ENSURE, READ
from aboveboard.kit.gone import GONE_BEFORE, Gone, by_calling
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.files.entries import plain
from aboveboard.nextcloud.client.files.tags import Tag
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.tools.files.area import (
    ITEMS,
    FileList,
    FilePath,
    Limit,
    Offset,
    following,
    page_entries,
    tags,
)

TagName = Annotated[str | int, WithJsonSchema({"type": "string"}), Field(description="Name of the tag, or its id.")]


class TagList(Model):
    """A page of tags, by name."""

    items: list[Tag]
    total: int
    next_offset: int | None = None


class Labelled(Model):
    """A file and a tag; `changed` is false where it was so before."""

    path: str
    tag: str | int
    changed: bool
    url: str | None = None


class Untagged(Labelled, Gone):
    """A file, and a tag that it no longer carries."""


UNTAGGED = Untagged(
    gone="the tag urgent",
    to_get_back="tag_file with {...} brings it back.",
    path="plan.md",
    tag="urgent",
    changed=True,
)


@tags.tool("List Tags", READ, example=TagList(items=[Tag(id=1, name="urgent", assignable=True)], total=1))
async def list_tags(
    nextcloud: NextcloudClient,
    path: Annotated[str | None, Field(description="Only the tags of this file or folder.", min_length=1)] = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> TagList:
    """List the tags that this Nextcloud has, or those that one file carries."""
    found = await (nextcloud.tags.list() if path is None else nextcloud.tags.of(path))
    found.sort(key=lambda one: (one.name.casefold(), one.id))
    return TagList(
        items=found[offset : offset + limit], total=len(found), next_offset=following(len(found), limit, offset)
    )


@tags.tool("Tag File", ENSURE, example=Labelled(path="Documents/plan.md", tag="urgent", changed=True))
async def tag_file(
    nextcloud: NextcloudClient,
    path: FilePath,
    tag: TagName,
    create: Annotated[bool, Field(description="True: make the tag, for everyone, if there is none.")] = False,
) -> Labelled:
    """Put a tag on a file or folder, where everyone who sees it sees the tag; one that is there stays."""
    file = await nextcloud.tags.taggable(path)
    changed = await nextcloud.tags.assign(file, tag, create=create)
    return Labelled(path=plain(path), tag=tag, changed=changed, url=nextcloud.web_url(file))


@tags.tool("Untag File", DELETE, example=UNTAGGED)
async def untag_file(nextcloud: NextcloudClient, path: FilePath, tag: TagName) -> Untagged:
    """Take a tag off a file or folder; the tag itself stays, and so does the file."""
    here, file = plain(path), await nextcloud.files.id_of(path)
    changed = await nextcloud.tags.unassign(file, tag)
    back = by_calling("tag_file", path=here, tag=tag) if changed else GONE_BEFORE
    told = Labelled(path=here, tag=tag, changed=changed, url=nextcloud.web_url(file))
    return Untagged(gone=f"the tag {tag} of {here}", to_get_back=back, **told.model_dump())


@tags.tool("Find Files by Tag", READ, example=ITEMS)
async def find_by_tag(nextcloud: NextcloudClient, tag: TagName, limit: Limit = 50, offset: Offset = 0) -> FileList:
    """List your files and folders that carry a tag, by path."""
    found = sorted(await nextcloud.tags.files(tag), key=lambda one: one.path)
    return page_entries(nextcloud, found, limit=limit, offset=offset)
