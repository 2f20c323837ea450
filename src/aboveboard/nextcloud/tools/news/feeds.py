"""News: the feeds that one reads, and their folders; part of the area of news."""

from functools import partial
from typing import Annotated

from pydantic import Field

from aboveboard.effects import ADD, DELETE, ENSURE, READ, REPLACE
from aboveboard.kit.call import Call
from aboveboard.kit.gone import FOR_GOOD, by_calling
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.tools.gone import Deleted
from aboveboard.nextcloud.tools.ids import AS_TEXT, OrTitle
from aboveboard.nextcloud.tools.news.items import FeedId, FolderId, tools
from aboveboard.nextcloud.tools.news.views import (
    FeedHealth,
    MadeFolder,
    NewsFeed,
    NewsFeeds,
    NewsFolder,
    NewsFolders,
    NewsStatus,
)
from aboveboard.nextcloud.tools.waiting import tell_while

_URL = "https://garden.example/feed.xml"
FEED = NewsFeed(id=3, title="Garden", url=_URL, folder_id=2, unread=4)
FOLDER = NewsFolder(id=2, name="Home")

_ANEW = "subscribes anew, and what was read or starred is lost"
GONE = Deleted(gone="Garden", to_get_back="add_feed with {...} subscribes anew.", id=3)

InFolder = Annotated[int | None, OrTitle, AS_TEXT, Field(description="Folder id or name; left out: in none.")]


@tools.tool("List News Folders", READ, example=NewsFolders(items=[FOLDER]))
async def list_folders(nextcloud: NextcloudClient) -> NewsFolders:
    """List the folders of feeds."""
    return NewsFolders(items=[NewsFolder(id=one.id, name=one.name) for one in await nextcloud.feeds.folders()])


@tools.tool("List News Feeds", READ, example=NewsFeeds(items=[FEED]))
async def list_feeds(nextcloud: NextcloudClient) -> NewsFeeds:
    """List the feeds, with how many of their items are unread."""
    return NewsFeeds(items=[NewsFeed.of(one) for one in await nextcloud.feeds.list()])


@tools.tool(
    "Get News Feed Health", READ, example=FeedHealth(id=3, title="Garden", url=_URL, healthy=True, error_count=0)
)
async def get_feed_health(nextcloud: NextcloudClient, feed_id: FeedId) -> FeedHealth:
    """Tell whether a feed can be fetched, and what went wrong last."""
    return FeedHealth.of(await nextcloud.feeds.get(feed_id))


@tools.tool("Get News App Status", READ, example=NewsStatus(version="28.7.0"))
async def get_status(nextcloud: NextcloudClient) -> NewsStatus:
    """Tell the version of News, and whether it is set up well."""
    return NewsStatus.of(await nextcloud.feeds.status())


# A feed that is there is refused, so the same call again changes nothing: it is no ADD.
@tools.tool("Add News Feed", ENSURE.reaching_out(), example=FEED)
async def add_feed(
    nextcloud: NextcloudClient,
    call: Call,
    url: Annotated[str, Field(description="Address of the RSS or Atom feed.", min_length=1)],
    folder_id: InFolder = None,
) -> NewsFeed:
    """Subscribe to a feed, unless it is there: Nextcloud reaches out to that address, now and from then on."""
    work = partial(nextcloud.feeds.add, url, folder_id)
    return NewsFeed.of(await tell_while(call, "Nextcloud fetches the feed", work))


@tools.tool("Delete News Feed", DELETE, example=GONE)
async def delete_feed(nextcloud: NextcloudClient, feed_id: FeedId) -> Deleted:
    """Delete a feed with all of its items, starred ones too, for good."""
    gone = await nextcloud.feeds.delete(feed_id)
    if gone is None:
        return Deleted.before("feed", feed_id)
    back = by_calling("add_feed", _ANEW, url=gone.url, folder_id=gone.folder_id)
    return Deleted(gone=gone.title, to_get_back=back, id=feed_id)


@tools.tool("Rename News Feed", REPLACE, example=NewsFeed(id=3, title="My garden", url=_URL))
async def rename_feed(
    nextcloud: NextcloudClient,
    feed_id: FeedId,
    title: Annotated[str, Field(description="The new title.", min_length=1)],
) -> NewsFeed:
    """Give a feed another title; the old one is gone."""
    await nextcloud.feeds.rename(feed_id, title)
    return NewsFeed.of(await nextcloud.feeds.get(feed_id))


@tools.tool("Move News Feed", REPLACE, example=FEED)
async def move_feed(nextcloud: NextcloudClient, feed_id: FeedId, folder_id: InFolder = None) -> NewsFeed:
    """Put a feed into another folder, or out of any."""
    await nextcloud.feeds.move(feed_id, folder_id)
    return NewsFeed.of(await nextcloud.feeds.get(feed_id))


@tools.tool("Create News Folder", ADD, example=MadeFolder(id=2, name="Home", url="https://cloud.example/.../news/"))
async def create_folder(
    nextcloud: NextcloudClient, name: Annotated[str, Field(description="Its name.", min_length=1)]
) -> MadeFolder:
    """Make a folder for feeds, also where another has that name."""
    made = await nextcloud.feeds.create_folder(name)
    return MadeFolder(id=made.id, name=made.name, url=nextcloud.app_url("news"))


@tools.tool("Delete News Folder", DELETE, example=Deleted(gone="Home", to_get_back=FOR_GOOD, id=2))
async def delete_folder(nextcloud: NextcloudClient, folder_id: FolderId) -> Deleted:
    """Delete a folder with all feeds in it and their items, starred ones too, for good."""
    gone = await nextcloud.feeds.delete_folder(folder_id)
    if gone is None:
        return Deleted.before("folder", folder_id)
    return Deleted(gone=gone.name, to_get_back=FOR_GOOD, id=folder_id)
