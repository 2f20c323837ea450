"""Content: charts and dashboards as one searchable, paged list."""

from collections.abc import Sequence
from typing import Literal, TypeVar

from aboveboard.errors import Failure, NotFound
from aboveboard.http import Nature, path
from aboveboard.http.path import is_uuid, uuid
from aboveboard.lightdash.client.api import Api, Model, Named, Page
from aboveboard.lightdash.client.instance import Instance
from aboveboard.naming import Candidate, resolve_name

ContentType = Literal["chart", "dashboard", "space"]


class Content(Model):
    """What charts and dashboards have in common in a list."""

    uuid: str
    slug: str
    name: str
    description: str | None = None
    space: Named
    views: int
    last_updated_at: str | None = None


T = TypeVar("T", bound=Content)


async def list_content(
    api: Api,
    kind: Literal["chart", "dashboard"],
    of: type[T],
    project: str | None,
    *,
    search: str | None,
    space: str | None,
    limit: int,
    page: int,
) -> Page[T]:
    """List one kind of content of a project, the latest change first."""
    query = {
        "projectUuids": uuid("project", api.project(project)),
        "contentTypes": kind,
        "search": search or None,
        "spaceUuids": None if space is None else uuid("space", space),
        "sortBy": "last_updated_at",
        "sortDirection": "desc",
        "page": page,
        "pageSize": limit,
    }
    return await _seen(api, project, space, await api.get_page(path("/api/v2/content"), of, query))


async def _seen(api: Api, project: str | None, space: str | None, page: Page[T]) -> Page[T]:
    """Return a page, if there is such a place: of one that is not there, Lightdash shows an empty page."""
    if page.total == 0 and space is not None:
        at = api.at("/api/v1/projects/{project:uuid}/spaces/{space:uuid}", project, space=space)
        await api.get(at, dict[str, object])
    elif page.total == 0:
        await api.get(api.at("/api/v1/projects/{project:uuid}", project), dict[str, object])
    return page


class ContentItem(Content):
    """A chart, dashboard or space in a mixed list."""

    content_type: ContentType
    source: str | None = None


class Found(Model):
    """Enough of a chart, dashboard or space to move it, delete it or name it, and where it is."""

    uuid: str
    name: str
    slug: str = ""
    space: Named | None = None
    parent_space_uuid: str | None = None
    content_type: ContentType = "space"
    source: str | None = None


class DeletedItem(Model):
    """Something in the trash, where this Lightdash keeps one."""

    uuid: str
    name: str
    content_type: str
    source: str | None = None
    deleted_at: str | None = None


class Contents:
    """Charts, dashboards and spaces of one instance, handled alike."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def list(
        self,
        project: str | None,
        *,
        search: str | None,
        space: str | None,
        kinds: Sequence[ContentType],
        sort: str,
        limit: int,
        page: int,
    ) -> Page[ContentItem]:
        query = {
            "projectUuids": uuid("project", self._api.project(project)),
            "contentTypes": kinds,
            "search": search or None,
            "spaceUuids": None if space is None else uuid("space", space),
            "sortBy": sort,
            "sortDirection": "asc" if sort == "name" else "desc",
            "page": page,
            "pageSize": limit,
        }
        found = await self._api.get_page(path("/api/v2/content"), ContentItem, query)
        return await _seen(self._api, project, space, found)

    async def find(self, project: str | None, kind: ContentType, item: str) -> Found:
        """Get one by UUID, in this project only."""
        wanted = uuid(kind, item)
        if kind == "space":  # the list of content has only those at the top
            at = self._api.at("/api/v1/projects/{project:uuid}/spaces/{space:uuid}", project, space=wanted)
            return await self._api.get(at, Found)
        query = {
            "projectUuids": uuid("project", self._api.project(project)),
            "uuids": wanted,
            "contentTypes": kind,
            "page": 1,
            "pageSize": 1,
        }
        found = await self._api.get_page(path("/api/v2/content"), Found, query)
        if not found.items:
            raise NotFound(f"This project has no {kind} with the UUID {wanted}.", status=404)
        return found.items[0]

    def page_of(self, project: str | None, found: Found) -> str:
        """Return where people open it."""
        if found.content_type == "chart" and found.source == "sql":
            return self._api.page(project, "sql-runner", found.slug)  # the web client knows it by nothing else
        if found.content_type == "chart":
            return self._api.page(project, "saved", found.uuid)
        return self._api.page(project, f"{found.content_type}s", found.uuid)

    async def move(self, project: str | None, item: Found, space: str) -> None:
        at = self._api.at("/api/v2/content/{project:uuid}/move", project)
        action = {"type": "move", "targetSpaceUuid": uuid("space", space)}
        await self._api.post(at, type(None), {"item": _payload(item), "action": action}, nature=Nature.REPLACES)

    async def delete(self, project: str | None, item: Found) -> None:
        at = self._api.at("/api/v2/content/{project:uuid}/delete", project)
        body = {"item": _payload(item), "action": {"type": "delete"}}
        await self._api.post(at, type(None), body, nature=Nature.REPLACES)

    async def deleted(self, project: str | None, *, limit: int, page: int) -> Page[DeletedItem]:
        query = {"projectUuids": uuid("project", self._api.project(project)), "page": page, "pageSize": limit}
        return await self._api.get_page(path("/api/v2/content/deleted"), DeletedItem, query)

    async def in_trash(
        self, project: str | None, kind: ContentType, item: str, name: str
    ) -> DeletedItem | Literal[False] | None:
        """Return what the trash shows of something that was deleted, by its name too; None: who knows."""
        query = {
            "projectUuids": uuid("project", self._api.project(project)),
            "search": name,
            "page": 1,
            "pageSize": 100,
        }
        try:
            found = await self._api.get_page(path("/api/v2/content/deleted"), DeletedItem, query)
        except Failure:
            return None
        there = next((one for one in found.items if (one.uuid, one.content_type) == (item, kind)), None)
        return there or (None if found.next_page else False)

    async def may_restore_any(self) -> bool:
        """Tell whether the caller surely may restore whatever is in the trash."""
        try:
            return (await Instance(self._api).me()).role == "admin"
        except Failure:
            return False

    async def restore(self, project: str | None, kind: ContentType, item: str) -> str:
        """Bring something back by its UUID or by the name that it had, and return its UUID."""
        at = self._api.at("/api/v2/content/{project:uuid}/restore", project)
        found = await self._in_trash(project, kind, item)
        await self._api.post(at, type(None), {"item": _payload(found)})
        return found.uuid

    async def _in_trash(self, project: str | None, kind: ContentType, given: str) -> DeletedItem:
        there: dict[str, DeletedItem] = {}
        page: int | None = 1
        while page is not None:
            deleted = await self.deleted(project, limit=100, page=page)
            there |= {one.uuid: one for one in deleted.items if one.content_type == kind}
            page = deleted.next_page
        if is_uuid(given):
            wanted = uuid(kind, given)
        else:
            candidates = [Candidate(one.uuid, [one.name]) for one in there.values()]
            wanted = resolve_name(kind, given, candidates, of="The trash", ids="UUIDs")
        if wanted in there:
            return there[wanted]
        raise NotFound(
            f"The trash has no {kind} with the UUID {wanted}.",
            status=404,
            next_step="list_deleted_content shows what it has; where Lightdash keeps no trash, deleting is final.",
        )


def _payload(item: Found | DeletedItem) -> dict[str, str]:
    payload = {"uuid": item.uuid, "contentType": item.content_type}
    return {**payload, "source": item.source or "dbt_explore"} if item.content_type == "chart" else payload
