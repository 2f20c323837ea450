"""Spaces: the folders that charts and dashboards stand in, and who sees them."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Literal, cast

from pydantic import model_validator

from aboveboard.errors import NotFound, Refused
from aboveboard.http import Nature, Path
from aboveboard.http.path import uuid
from aboveboard.lightdash.client.api import Api, Model, Page, slice_page
from aboveboard.lightdash.client.people.groups import Groups

Role = Literal["viewer", "editor", "admin"]


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
    email: str | None = None
    role: str
    has_direct_access: bool | None = None
    inherited_from: str | None = None


class GroupAccess(Model):
    """A group that sees a space, and as what."""

    group_uuid: str
    group_name: str
    space_role: str


class SpaceDetails(Model):
    """A space, what stands in it, and who sees it: of its own, through a group, or through project and organisation."""

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
    url: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _name_charts(cls, answer: object) -> object:
        """Lightdash calls the charts of a space its queries."""
        if not isinstance(answer, dict):
            return answer
        fields = cast("dict[str, object]", answer)
        return {**fields, "charts": fields["queries"]} if "queries" in fields else fields


class _Everyone(Model):
    data: list[SpaceAccess]


class Spaces:
    """The spaces of one instance."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def every(self, project: str | None) -> Sequence[Space]:
        return await self._api.get(self._api.at("/api/v1/projects/{project:uuid}/spaces", project), list[Space])

    async def list(self, project: str | None, *, limit: int, page: int) -> Page[Space]:
        return slice_page(await self.every(project), Space, limit=limit, page=page)

    async def get(self, project: str | None, space: str) -> SpaceDetails:
        return self._shown(await self._api.get(self._at(project, space), SpaceDetails))

    async def get_with_access(self, project: str | None, space: str) -> SpaceDetails:
        """Get a space with everyone who sees it: with the space alone, Lightdash shows only the caller."""
        found = await self.get(project, space)
        return found.model_copy(update={"access": await self._access(project, space)})

    async def create(self, project: str | None, name: str, *, parent: str | None, shared: bool) -> SpaceDetails:
        body: dict[str, object] = {"name": name, "inheritParentPermissions": shared}
        if parent is not None:
            # Lightdash would take a parent of another project.
            body["parentSpaceUuid"] = (await self.get(project, parent)).uuid
        at = self._api.at("/api/v1/projects/{project:uuid}/spaces", project)
        return self._shown(await self._api.post(at, SpaceDetails, body))

    async def update(self, project: str | None, space: str, *, name: str | None, shared: bool | None) -> SpaceDetails:
        # Lightdash changes a space of any project under any project's path, but it reads only the right one's.
        old = await self.get(project, space)
        body: dict[str, object] = {"name": old.name if name is None else name}
        if shared is not None:
            body["inheritParentPermissions"] = shared
        return self._shown(await self._api.patch(self._at(project, space), SpaceDetails, body))

    async def delete(self, project: str | None, space: str) -> SpaceDetails:
        """Delete a space and return what it was."""
        old = await self.get(project, space)  # for the same reason as in update
        await self._api.delete(self._at(project, space))
        return old

    async def share(self, project: str | None, space: str, user: str, role: Role) -> SpaceDetails:
        """Give a person a role in a space, in place of one they may have."""
        body = {"userUuid": uuid("user", user), "spaceRole": role}
        found = await self.get(project, space)  # for the same reason as in update
        at = self._api.at("/api/v1/projects/{project:uuid}/spaces/{space:uuid}/share", project, space=space)
        await self._api.post(at, type(None), body, nature=Nature.REPLACES)
        return found

    async def unshare(self, project: str | None, space: str, user: str) -> tuple[SpaceDetails, SpaceAccess]:
        """Take back the role that a person has in a space, and tell which."""
        at = self._api.at(
            "/api/v1/projects/{project:uuid}/spaces/{space:uuid}/share/{user:uuid}", project, space=space, user=user
        )
        found = await self.get(project, space)
        # Lightdash says 200 whoever it is.
        shared = await self._shared_with(project, space)
        had = next((one for one in shared if one.user_uuid == at.parts["user"]), None)
        if had is None:
            raise NotFound(
                f"The space {found.name!r} is not shared with the user {user}.",
                next_step="Who sees it through the project or a group cannot be kept out here.",
            )
        await self._api.delete(at)
        return found, had

    async def share_with_group(self, project: str | None, space: str, group: str, role: Role) -> SpaceDetails:
        """Give a group a role in a space, in place of one it may have."""
        wanted = uuid("group", group)
        found = await self.get(project, space)
        # Lightdash answers 500 for a group that is not there. Who may share a space with one may not see it for that.
        with suppress(Refused):
            await Groups(self._api).get(wanted)
        at = self._api.at("/api/v1/projects/{project:uuid}/spaces/{space:uuid}/group/share", project, space=space)
        await self._api.post(at, type(None), {"groupUuid": wanted, "spaceRole": role}, nature=Nature.REPLACES)
        return found

    async def unshare_with_group(self, project: str | None, space: str, group: str) -> tuple[SpaceDetails, GroupAccess]:
        """Take back the role that a group has in a space, and tell which."""
        at = self._api.at(
            "/api/v1/projects/{project:uuid}/spaces/{space:uuid}/group/share/{group:uuid}",
            project,
            space=space,
            group=group,
        )
        found = await self.get(project, space)
        had = next((one for one in found.groups_access if one.group_uuid == at.parts["group"]), None)
        if had is None:
            raise NotFound(f"The space {found.name!r} is not shared with the group {group}.", status=404)
        await self._api.delete(at)
        return found, had

    async def _shared_with(self, project: str | None, space: str) -> Sequence[SpaceAccess]:
        return [one for one in await self._access(project, space) if one.has_direct_access]

    async def _access(self, project: str | None, space: str) -> Sequence[SpaceAccess]:
        at = self._api.at("/api/v1/projects/{project:uuid}/spaces/{space:uuid}/access", project, space=space)
        return (await self._api.get(at, _Everyone)).data

    def _shown(self, space: SpaceDetails) -> SpaceDetails:
        """Say where people open it."""
        return space.model_copy(update={"url": self._api.page(space.project_uuid, "spaces", space.uuid)})

    def _at(self, project: str | None, space: str) -> Path:
        return self._api.at("/api/v1/projects/{project:uuid}/spaces/{space:uuid}", project, space=space)
