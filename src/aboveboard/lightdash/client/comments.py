"""Comments: what people say about the tiles of a dashboard."""

from collections.abc import Sequence
from html import escape

from aboveboard.errors import NotFound
from aboveboard.http import Nature, Path, path
from aboveboard.http.path import uuid
from aboveboard.lightdash.client.api import Api, Model, Page, slice_page
from aboveboard.lightdash.client.dashboards.dashboards import DashboardDetails, Dashboards


class Author(Model):
    """Who wrote a comment."""

    name: str
    user_uuid: str


class Reply(Model):
    """An answer to a comment."""

    comment_id: str
    text: str
    user: Author
    created_at: str


class Comment(Model):
    """A comment on a tile, and what was answered."""

    comment_id: str
    tile_uuid: str = ""
    text: str
    user: Author
    created_at: str
    resolved: bool
    replies: list[Reply]


class Remark(Model):
    """Which comment it was, and where it stands."""

    comment_id: str
    dashboard_uuid: str
    tile_uuid: str
    text: str
    url: str | None = None
    """Of the dashboard."""


class Comments:
    """The comments of one instance's dashboards."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def list(
        self, project: str | None, dashboard: str, *, resolved: bool, limit: int, page: int
    ) -> Page[Comment]:
        found = await Dashboards(self._api).get(dashboard, project)
        return slice_page(list(await self._of(found, resolved=resolved)), Comment, limit=limit, page=page)

    async def add(self, project: str | None, dashboard: str, tile: str, text: str, reply_to: str | None) -> Remark:
        answered = None if reply_to is None else uuid("comment", reply_to)
        found = await Dashboards(self._api).get(dashboard, project)
        wanted = found.tile(tile).uuid
        body: dict[str, object] = {"text": text, "textHtml": _html(text), "mentions": []}
        if answered is not None:
            # Lightdash answers 500 for a reply to nothing.
            body["replyTo"] = (await self._thread(found, answered)).comment_id
        made = await self._api.post(self._at(found, wanted), str, body, within=found.project_uuid)
        return Remark(comment_id=made, dashboard_uuid=found.uuid, tile_uuid=wanted, text=text, url=found.url)

    async def resolve(self, project: str | None, dashboard: str, comment: str) -> Remark:
        """Mark a comment and its replies as resolved; that they already are changes nothing."""
        wanted = uuid("comment", comment)
        found = await Dashboards(self._api).get(dashboard, project)
        thread = await self._thread(found, wanted)
        at = self._at(found, thread.comment_id)
        # From false to true, and never back: it fills an empty place.
        await self._api.patch(at, type(None), {"resolved": True}, nature=Nature.ADDS, within=found.project_uuid)
        return _remark(found, thread, thread.comment_id)

    async def delete(self, project: str | None, dashboard: str, comment: str) -> Remark:
        """Delete a comment with its replies, or one reply, and return what it was."""
        wanted = uuid("comment", comment)
        found = await Dashboards(self._api).get(dashboard, project)
        thread = await self._thread(found, wanted)
        await self._api.delete(self._at(found, wanted), within=found.project_uuid)
        return _remark(found, thread, wanted)

    async def _thread(self, dashboard: DashboardDetails, comment: str) -> Comment:
        """Find the comment that this is, or is a reply to; those that are resolved are in a list of their own."""
        for resolved in (False, True):
            for found in await self._of(dashboard, resolved=resolved):
                if comment in (found.comment_id, *(reply.comment_id for reply in found.replies)):
                    return found
        raise NotFound(f"The dashboard has no comment with the UUID {comment}.", status=404)

    def _at(self, dashboard: DashboardDetails, item: str) -> Path:
        return path("/api/v1/comments/dashboards/{dashboard:uuid}/{item:uuid}", dashboard=dashboard.uuid, item=item)

    async def _of(self, dashboard: DashboardDetails, *, resolved: bool) -> Sequence[Comment]:
        at = self._api.at(
            "/api/v2/projects/{project:uuid}/dashboards/{dashboard}/comments",
            dashboard.project_uuid,
            dashboard=dashboard.uuid,
        )
        tiles = await self._api.get(at, dict[str, list[Comment]], {"resolved": "true" if resolved else None})
        return [one.model_copy(update={"tile_uuid": tile}) for tile, several in tiles.items() for one in several]


def _remark(dashboard: DashboardDetails, thread: Comment, comment: str) -> Remark:
    text = next((one.text for one in (thread, *thread.replies) if one.comment_id == comment), thread.text)
    tile = thread.tile_uuid
    return Remark(comment_id=comment, dashboard_uuid=dashboard.uuid, tile_uuid=tile, text=text, url=dashboard.url)


def _html(text: str) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in text.splitlines())
