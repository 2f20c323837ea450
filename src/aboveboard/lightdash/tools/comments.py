"""Comments: talk about the tiles of a dashboard."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import ADD, DELETE, ENSURE, READ
from aboveboard.kit.gone import FOR_GOOD, Gone, shorten_text
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page
from aboveboard.lightdash.client.comments import Author, Comment, Remark
from aboveboard.lightdash.tools.parameters import Limit, OfProject, PageNumber

tools = Toolset[LightdashClient]("comments", title="Comments", icon="M3 4h18v12H9l-5 5v-5H3z")

REMARK = Remark(comment_id="73d8...", dashboard_uuid="1f48...", tile_uuid="6f0b...", text="Why?", url="https://...")
COMMENT = Comment(
    comment_id="73d8...",
    tile_uuid="6f0b...",
    text="Why?",
    user=Author(name="Ada Byron", user_uuid="b264..."),
    created_at="2026-01-31T09:00:00.000Z",
    resolved=False,
    replies=[],
)


class DeletedRemark(Remark, Gone):
    """A comment that is gone."""


DELETED = DeletedRemark(**REMARK.model_dump(), gone="Why?", to_get_back=FOR_GOOD)
OnDashboard = Annotated[str, Field(description="Dashboard UUID, slug or name.")]
CommentId = Annotated[str, Field(description="Comment UUID, from list_comments.")]


@tools.tool("List Comments", READ, example=Page[Comment](items=[COMMENT], total=1))
async def list_comments(
    lightdash: LightdashClient,
    dashboard: OnDashboard,
    project_uuid: OfProject = None,
    resolved: Annotated[bool, Field(description="True: the resolved ones instead of the open ones.")] = False,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[Comment]:
    """List the comments on a dashboard's tiles with their replies."""
    return await lightdash.comments.list(project_uuid, dashboard, resolved=resolved, limit=limit, page=page)


@tools.tool("Add Comment", ADD, example=REMARK)
async def add_comment(
    lightdash: LightdashClient,
    dashboard: OnDashboard,
    tile_uuid: Annotated[str, Field(description="Tile UUID or title.")],
    text: Annotated[str, Field(description="Plain text.", min_length=1, max_length=5000)],
    project_uuid: OfProject = None,
    reply_to: Annotated[str | None, Field(description="Comment to answer (UUID).")] = None,
) -> Remark:
    """Comment on a tile of a dashboard, for everyone who sees it; the same call again adds another comment."""
    return await lightdash.comments.add(project_uuid, dashboard, tile_uuid, text, reply_to)


# It only ever goes from open to resolved, which fills an empty place; nothing that was said is lost.
@tools.tool("Resolve Comment", ENSURE, example=REMARK)
async def resolve_comment(
    lightdash: LightdashClient, dashboard: OnDashboard, comment_id: CommentId, project_uuid: OfProject = None
) -> Remark:
    """Mark a comment and its replies as resolved, which hides them from the dashboard; nothing is deleted."""
    return await lightdash.comments.resolve(project_uuid, dashboard, comment_id)


@tools.tool("Delete Comment", DELETE, example=DELETED)
async def delete_comment(
    lightdash: LightdashClient, dashboard: OnDashboard, comment_id: CommentId, project_uuid: OfProject = None
) -> DeletedRemark:
    """Delete a comment for good, with its replies."""
    gone = await lightdash.comments.delete(project_uuid, dashboard, comment_id)
    return DeletedRemark(**gone.model_dump(), gone=shorten_text(gone.text), to_get_back=FOR_GOOD)
