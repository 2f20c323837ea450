"""Spaces: the folders that charts and dashboards stand in, and who sees them."""

from typing import Any

from pydantic import model_validator

from aboveboard.http import Path, path
from aboveboard.lightdash.client.api import Api, Model, Page, sliced


class Space(Model):
    """A space in a list."""

    uuid: str
    name: str
    slug: str
    parent_space_uuid: str | None = None
    inherit_parent_permissions: bool
    chart_count: int
    dashboard_count: int


class SpaceItem(Model):
    """A chart or dashboard that stands in a space."""

    uuid: str
    slug: str
    name: str


class SpaceAccess(Model):
    """A person who sees a space, and as what."""

    user_uuid: str
    first_name: str
    last_name: str
    role: str


class GroupAccess(Model):
    """A group that sees a space, and as what."""

    group_uuid: str
    group_name: str
    space_role: str


class SpaceDetails(Model):
    """A space, what stands in it, and who sees it."""

    uuid: str
    name: str
    slug: str
    project_uuid: str
    parent_space_uuid: str | None = None
    inherit_parent_permissions: bool
    charts: list[SpaceItem]
    dashboards: list[SpaceItem]
    access: list[SpaceAccess]
    groups_access: list[GroupAccess]

    @model_validator(mode="before")
    @classmethod
    def _name_charts(cls, answer: Any) -> Any:
        """Lightdash calls the charts of a space its queries."""
        return {**answer, "charts": answer["queries"]} if "queries" in answer else answer


class Spaces:
    """The spaces of one instance."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def list(self, project: str, *, limit: int, page: int) -> Page[Space]:
        every = await self._api.get(path("/api/v1/projects/{project:uuid}/spaces", project=project), list[Space])
        return sliced(every, Space, limit=limit, page=page)

    async def get(self, project: str, space: str) -> SpaceDetails:
        return await self._api.get(_at(project, space), SpaceDetails)

    async def create(self, project: str, name: str, *, parent: str | None, shared: bool) -> SpaceDetails:
        body: dict[str, object] = {"name": name, "inheritParentPermissions": shared}
        if parent is not None:
            # Lightdash would take a parent of another project.
            body["parentSpaceUuid"] = (await self.get(project, parent)).uuid
        at = path("/api/v1/projects/{project:uuid}/spaces", project=project)
        return await self._api.post(at, SpaceDetails, body)

    async def update(self, project: str, space: str, *, name: str | None, shared: bool | None) -> SpaceDetails:
        # Lightdash changes a space of any project under any project's path, but it reads only the right one's.
        old = await self.get(project, space)
        body: dict[str, object] = {"name": old.name if name is None else name}
        if shared is not None:
            body["inheritParentPermissions"] = shared
        return await self._api.patch(_at(project, space), SpaceDetails, body)

    async def delete(self, project: str, space: str) -> SpaceDetails:
        """Delete a space and return what it was."""
        old = await self.get(project, space)  # for the same reason as in update
        await self._api.delete(_at(project, space))
        return old


def _at(project: str, space: str) -> Path:
    return path("/api/v1/projects/{project:uuid}/spaces/{space:uuid}", project=project, space=space)
