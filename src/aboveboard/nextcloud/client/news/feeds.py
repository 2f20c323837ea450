"""The feeds that a user reads, and the folders that they are in.

News says [], null or an object when all went well, shows its SQL when it finds nothing, and stumbles over a folder that
is not there: so folders are looked up first.
"""

import builtins
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field

from aboveboard.errors import ApiError, Conflict, NotFound, explain_unknown
from aboveboard.http import Nature, Path, Response, Session, path
from aboveboard.nextcloud.client.apps import App, app_message
from aboveboard.nextcloud.client.fetching import check_address
from aboveboard.nextcloud.client.model import Model

API: Final = "/index.php/apps/news/api/v1-3"
PATIENCE: Final = 150.0
"""Seconds that Nextcloud may take to fetch a new feed."""

Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]


class Folder(Model):
    """A folder of feeds."""

    id: int
    name: str


class Feed(Model):
    """A feed; `unread` is not known of one that was just added."""

    id: int
    url: str
    title: Text = ""
    link: Text = ""
    folder_id: int | None = None
    unread: int | None = Field(default=None, alias="unreadCount")
    pinned: bool = False
    added: int | None = None
    error_count: int = Field(default=0, alias="updateErrorCount")
    last_error: Text = Field(default="", alias="lastUpdateError")
    next_update: int | None = Field(default=None, alias="nextUpdateTime")


class Status(Model):
    """The version of News, and whether it is set up badly."""

    version: str
    warnings: dict[str, bool] = Field(default_factory=dict)


class _Folders(Model):
    folders: list[Folder]


class _Feeds(Model):
    feeds: list[Feed]


class Feeds:
    """The feeds of one user."""

    def __init__(self, session: Session) -> None:
        self._app = App(session, "news")

    async def folders(self) -> list[Folder]:
        return (await self._app.get(path(f"{API}/folders"), _Folders)).folders

    async def list(self) -> builtins.list[Feed]:
        return (await self._app.get(path(f"{API}/feeds"), _Feeds)).feeds

    async def get(self, feed: int) -> Feed:
        """Find a feed among all: there is no other way to one."""
        every = await self.list()
        for one in every:
            if one.id == feed:
                return one
        raise NotFound(explain_unknown("feed", str(feed), [str(one.id) for one in every], of="This user"), status=404)

    async def folder(self, folder: int) -> Folder:
        """Find a folder among all."""
        every = await self.folders()
        for one in every:
            if one.id == folder:
                return one
        raise NotFound(
            explain_unknown("folder", str(folder), [str(one.id) for one in every], of="This user"), status=404
        )

    async def status(self) -> Status:
        return await self._app.get(path(f"{API}/status"), Status)

    async def create_folder(self, name: str) -> Folder:
        """Make a folder, also where one has that name already."""
        answer = await self._app.send("POST", path(f"{API}/folders"), body={"name": name})
        return self._app.read(answer, _Folders).folders[0]

    async def delete_folder(self, folder: int) -> Folder | None:
        """Delete a folder with its feeds, and return what it was; None where a list shows that there was none."""
        old = next((one for one in await self.folders() if one.id == folder), None)
        if old is None:
            return None
        answer = await self._app.send("DELETE", path(f"{API}/folders/{{folder}}", folder=str(folder)))
        if answer.status != 404:
            done(self._app, answer, "folder", folder)
            return old
        return self._gone(answer, folder, [one.id for one in await self.folders()])

    async def add(self, url: str, folder: int | None) -> Feed:
        """Let Nextcloud fetch a feed and keep it, unless the user has it."""
        check_address(url, "feed")
        if folder is not None:
            await self.folder(folder)
        body = {"url": url, "folderId": folder}
        # What a gateway gave up waiting for goes on in Nextcloud: it is not begun again.
        answer = await self._app.send("POST", path(f"{API}/feeds"), body=body, repeats=False, patience=PATIENCE)
        if answer.status == 409:
            raise Conflict(
                "This feed is among the user's already; nothing was added.",
                status=409,
                next_step="list_feeds shows it, and move_feed puts it into another folder.",
            )
        if answer.status == 404 and "json" in answer.headers.get("content-type", ""):
            raise ApiError(_why_not(app_message(answer)), status=404, next_step="Nothing was added.")
        return self._app.read(answer, _Feeds).feeds[0]

    async def delete(self, feed: int) -> Feed | None:
        """Delete a feed with its items, and return what it was; None where a list shows that there was none."""
        old = next((one for one in await self.list() if one.id == feed), None)
        if old is None:
            return None
        answer = await self._app.send("DELETE", _at(feed))
        if answer.status != 404:
            done(self._app, answer, "feed", feed)
            return old
        return self._gone(answer, feed, [one.id for one in await self.list()])

    async def rename(self, feed: int, title: str) -> None:
        at = path(f"{API}/feeds/{{feed}}/rename", feed=str(feed))
        answer = await self._app.send("POST", at, body={"feedTitle": title}, nature=Nature.REPLACES)
        done(self._app, answer, "feed", feed)

    async def move(self, feed: int, folder: int | None) -> None:
        """Put a feed into a folder, or out of any."""
        if folder is not None:
            await self.folder(folder)
        at = path(f"{API}/feeds/{{feed}}/move", feed=str(feed))
        answer = await self._app.send("POST", at, body={"folderId": folder}, nature=Nature.REPLACES)
        done(self._app, answer, "feed", feed)

    def _gone(self, answer: Response, number: int, known: builtins.list[int]) -> None:
        """Take for gone what the app does not find, where a list proves it."""
        if number in known:
            raise self._app.error(answer)


def done(app: App, answer: Response, noun: str, number: int) -> None:
    """See that something was done; of what is not there, say so without the app's SQL."""
    if answer.status == 404 and "json" in answer.headers.get("content-type", ""):
        raise NotFound(f"There is no {noun} {number}.", status=404)
    app.read(answer, list[Any])


def _at(feed: int) -> Path:
    return path(f"{API}/feeds/{{feed}}", feed=str(feed))


def _why_not(words: str) -> str:
    """Tell why a feed was not added; the app's words are those of a library, and may hold anything."""
    if "No parser" in words:
        return "What is at this address is not a feed: it must be RSS or Atom, and not the page of a site."
    if words.startswith("HTTP ") and words[5:8].isdecimal():
        return f"Nextcloud could not fetch the feed: its site answered {words[5:8]}."
    if "not allowed" in words:
        return "Nextcloud fetches no feed from this address: it is not on the public web."
    return "Nextcloud could not fetch the feed: its site cannot be reached, or does not answer."
