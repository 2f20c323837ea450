"""News: what feeds brought, to be read, marked and starred."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from aboveboard.effects import ENSURE, READ, REPLACE
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.news.items import Choice, Mark
from aboveboard.nextcloud.tools.ids import AS_TEXT, OrTitle
from aboveboard.nextcloud.tools.news.views import Marked, NewsItem, NewsItems, NewsText

tools = Toolset[NextcloudClient](
    "news",
    title="News",
    icon="M5 3a16 16 0 0 1 16 16h-3A13 13 0 0 0 5 6zm0 7a9 9 0 0 1 9 9h-3a6 6 0 0 0-6-6zm0 5h4v4H5z",
    prefix="nc_news_",
    app="news",
)

_ITEM = {
    "id": 812,
    "title": "Sow beans now",
    "feed_id": 3,
    "published": datetime(2026, 1, 31, 9, tzinfo=UTC),
    "unread": True,
    "starred": False,
}
ITEMS = NewsItems(items=[NewsItem.model_validate({**_ITEM, "excerpt": "The soil is **warm**."})], next_offset=812)
TEXT = NewsText.model_validate({**_ITEM, "content": "The soil is **warm**.", "length": 21})
_PASSED_OVER = "Nextcloud does not tell which of several ids it does not know: those it passes over."

FeedId = Annotated[int, OrTitle, AS_TEXT, Field(description="Feed id, title or url.")]
FolderId = Annotated[int, OrTitle, AS_TEXT, Field(description="Folder id or name.")]
ItemId = Annotated[int, Field(description="The item's id.", ge=1)]
ItemIds = Annotated[list[int], Field(description="Ids of items.", min_length=1, max_length=500)]
Limit = Annotated[int, Field(description="How many at most.", ge=1, le=200)]
Offset = Annotated[int, Field(description="next_offset of the page before.", ge=0)]


@tools.tool("List News Items", READ, example=ITEMS)
async def list_items(
    nextcloud: NextcloudClient,
    feed_id: Annotated[int | None, OrTitle, AS_TEXT, Field(description="Only of this feed (id, title or url).")] = None,
    folder_id: Annotated[
        int | None, OrTitle, AS_TEXT, Field(description="Only of feeds in this folder (id or name).")
    ] = None,
    starred_only: Annotated[bool, Field(description="True: only starred ones.")] = False,
    unread_only: Annotated[bool, Field(description="True: only unread ones.")] = False,
    limit: Limit = 50,
    offset: Offset = 0,
) -> NewsItems:
    """List what feeds brought, what came last first, each with the start of its text."""
    choice = Choice(feed=feed_id, folder=folder_id, starred=starred_only, unread=unread_only)
    return NewsItems.of(await nextcloud.news.list(choice, limit=limit, offset=offset))


@tools.tool("Get News Item", READ, example=TEXT)
async def get_item(
    nextcloud: NextcloudClient,
    item_id: ItemId,
    offset: Annotated[int, Field(description="First character to show.", ge=0)] = 0,
    limit: Annotated[int, Field(description="Most characters to show.", ge=1, le=200_000)] = 20_000,
) -> NewsText:
    """Read an item as Markdown; reading does not mark it. Of a long text it gives a part: go on at next_offset."""
    return NewsText.part(await nextcloud.news.get(item_id), offset, limit)


@tools.tool("Get Starred News Items", READ, example=ITEMS)
async def get_starred_items(nextcloud: NextcloudClient, limit: Limit = 50, offset: Offset = 0) -> NewsItems:
    """List starred items, what came last first."""
    return NewsItems.of(await nextcloud.news.list(Choice(starred=True), limit=limit, offset=offset))


@tools.tool("Get Unread News Items", READ, example=ITEMS)
async def get_unread_items(nextcloud: NextcloudClient, limit: Limit = 50, offset: Offset = 0) -> NewsItems:
    """List unread items, what came last first."""
    return NewsItems.of(await nextcloud.news.list(Choice(unread=True), limit=limit, offset=offset))


@tools.tool("Mark News as Read", ENSURE, example=Marked(item_ids=[812]))
async def mark_read(nextcloud: NextcloudClient, item_ids: ItemIds) -> Marked:
    """Mark items as read."""
    return await _marked(nextcloud, item_ids, Mark.READ)


# What was read is no longer known: that is lost.
@tools.tool("Mark News as Unread", REPLACE, example=Marked(item_ids=[812]))
async def mark_unread(nextcloud: NextcloudClient, item_ids: ItemIds) -> Marked:
    """Mark items as unread again."""
    return await _marked(nextcloud, item_ids, Mark.UNREAD)


@tools.tool("Star News Item", ENSURE, example=Marked(item_ids=[812]))
async def star_item(nextcloud: NextcloudClient, item_id: ItemId) -> Marked:
    """Star an item, which News then keeps."""
    return await _marked(nextcloud, [item_id], Mark.STAR)


@tools.tool("Unstar News Item", REPLACE, example=Marked(item_ids=[812]))
async def unstar_item(nextcloud: NextcloudClient, item_id: ItemId) -> Marked:
    """Take the star from an item; once it is read, News may then clean it up."""
    return await _marked(nextcloud, [item_id], Mark.UNSTAR)


async def _marked(nextcloud: NextcloudClient, item_ids: list[int], mark: Mark) -> Marked:
    ids = list(dict.fromkeys(item_ids))
    await nextcloud.news.mark(ids, mark)
    note = _PASSED_OVER if len(ids) > 1 else None
    return Marked(item_ids=ids, note=note, url=nextcloud.app_url("news"))
