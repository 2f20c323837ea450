"""What people say about files."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from aboveboard.effects import ADD, READ
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.files.comments import LONGEST, Comment
from aboveboard.nextcloud.client.files.entries import plain
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.tools.files.area import URL, FilePath, Limit, Offset, comments

COMMENT = Comment(
    id=7, message="Who measures?", author="ada", created=datetime(2026, 1, 31, 9, tzinfo=UTC), unread=True
)


class CommentList(Model):
    """A page of comments, newest first; without `next_offset` it is the last."""

    items: list[Comment]
    next_offset: int | None = None


class Commented(Model):
    """A comment that was made."""

    path: str
    id: int
    url: str
    """Where people open the file."""


@comments.tool("List File Comments", READ, example=CommentList(items=[COMMENT]))
async def list_comments(
    nextcloud: NextcloudClient, path: FilePath, limit: Limit = 20, offset: Offset = 0
) -> CommentList:
    """List the comments on a file or folder, newest first; unread ones stay unread."""
    found = await nextcloud.comments.list(path, limit=limit + 1, offset=offset)
    return CommentList(items=found[:limit], next_offset=offset + limit if len(found) > limit else None)


@comments.tool("Comment on File", ADD, example=Commented(path="Documents/plan.md", id=7, url=URL))
async def create_comment(
    nextcloud: NextcloudClient,
    path: FilePath,
    message: Annotated[
        str, Field(description="Plain text; @name tells that person.", min_length=1, max_length=LONGEST)
    ],
) -> Commented:
    """Comment on a file or folder, for everyone who sees it; the same call again adds another comment.

    For you, the comments of others there count as read from then on.
    """
    file = await nextcloud.files.id_of(path)
    made = await nextcloud.comments.create(file, message)
    return Commented(path=plain(path), id=made, url=nextcloud.web_url(file))
