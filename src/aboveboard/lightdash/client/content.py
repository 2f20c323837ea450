"""Content: charts and dashboards as one searchable, paged list."""

from typing import Literal, TypeVar

from aboveboard.http import path
from aboveboard.http.path import uuid
from aboveboard.lightdash.client.api import Api, Model, Named, Page


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
    project: str,
    *,
    search: str | None,
    space: str | None,
    limit: int,
    page: int,
) -> Page[T]:
    """List one kind of content of a project, the latest change first."""
    query = {
        "projectUuids": uuid("project", project),
        "contentTypes": kind,
        "search": search or None,
        "spaceUuids": None if space is None else uuid("space", space),
        "sortBy": "last_updated_at",
        "sortDirection": "desc",
        "page": page,
        "pageSize": limit,
    }
    return await api.get_page(path("/api/v2/content"), of, query)
