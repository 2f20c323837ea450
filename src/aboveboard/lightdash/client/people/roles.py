"""Roles: what people and groups may do, in the organisation or in one project."""

import builtins
from collections.abc import Sequence
from typing import Literal

from aboveboard.errors import ApiError, NotFound
from aboveboard.http import Nature, path
from aboveboard.http.once import Once
from aboveboard.http.path import is_uuid, uuid
from aboveboard.lightdash.client.api import Api, Model, Page, slice_page
from aboveboard.lightdash.client.instance import Instance
from aboveboard.lightdash.client.people.members import Members
from aboveboard.naming import Candidate, resolve_name

SYSTEM = ("viewer", "interactive_viewer", "editor", "developer", "admin")
Kind = Literal["user", "group"]


class Role(Model):
    """A role; one of the system's own has a name for an id."""

    role_uuid: str
    name: str
    description: str | None = None
    level: str
    owner_type: str


class Assignment(Model):
    """Who has which role."""

    role_id: str
    role_name: str
    assignee_type: str
    assignee_id: str
    assignee_name: str | None = None


class Roles:
    """The roles of one organisation."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._me = Once(Instance(api).me)

    async def list(self, *, limit: int, page: int) -> Page[Role]:
        return slice_page(await self._every(), Role, limit=limit, page=page)

    async def _every(self) -> builtins.list[Role]:
        at = path("/api/v2/orgs/{organization:uuid}/roles", organization=await self._organization())
        return await self._api.get(at, builtins.list[Role], org_wide=True)

    async def assignments(self, project: str | None, *, limit: int, page: int) -> Page[Assignment]:
        at = self._api.at("/api/v2/projects/{project:uuid}/roles/assignments", project)
        return slice_page(await self._api.get(at, list[Assignment]), Assignment, limit=limit, page=page)

    async def organization_assignments(self, *, limit: int, page: int) -> Page[Assignment]:
        at = path("/api/v2/orgs/{organization:uuid}/roles/assignments", organization=await self._organization())
        every = await self._api.get(at, list[Assignment], org_wide=True)
        return slice_page(every, Assignment, limit=limit, page=page)

    async def assign(self, project: str | None, kind: Kind, who: str, role: str) -> Assignment:
        """Give a person or a group a role in a project; whoever has one loses it."""
        if kind == "user":
            at = self._api.at("/api/v2/projects/{project:uuid}/roles/assignments/user/{user:uuid}", project, user=who)
        else:
            at = self._api.at(
                "/api/v2/projects/{project:uuid}/roles/assignments/group/{group:uuid}", project, group=who
            )
        # Without sendEmail it is Lightdash's choice whether the person gets mail.
        body = {"roleId": await self._known(role, SYSTEM), "sendEmail": False}
        return await self._api.post(at, Assignment, body, nature=Nature.REPLACES)

    async def assign_in_organization(self, user: str, role: str) -> Assignment:
        """Give a person another role in the organisation."""
        body = {"roleId": await self._known(role, ("member", *SYSTEM))}
        # Lightdash says 200 for someone of another organisation, and changes nothing.
        member = await Members(self._api).get(user)
        at = path(
            "/api/v2/orgs/{organization:uuid}/roles/assignments/user/{user:uuid}",
            organization=await self._organization(),
            user=member.user_uuid,
        )
        return await self._api.post(at, Assignment, body, nature=Nature.REPLACES, org_wide=True)

    async def _known(self, role: str, system: Sequence[str]) -> str:
        """Return the id of a role, a custom one by its name too; for what is no role Lightdash answers 500."""
        if role in system:
            return role
        if is_uuid(role):
            return uuid("role", role)
        custom = [one for one in await self._every() if one.owner_type != "system"]
        candidates = [Candidate(one, [one]) for one in system]
        candidates += [Candidate(one.role_uuid, [one.name]) for one in custom]
        return resolve_name("role", role, candidates, of="This Lightdash", ids="UUIDs")

    async def unassign(self, project: str | None, kind: Kind, who: str) -> Assignment:
        """Take back the role that a person or a group has in a project, and return what it was."""
        wanted = uuid(kind, who)
        at = self._api.at("/api/v2/projects/{project:uuid}/roles/assignments", project)
        every = await self._api.get(at, list[Assignment])
        had = next((one for one in every if (one.assignee_type, one.assignee_id) == (kind, wanted)), None)
        if had is None:
            # For a group Lightdash would say 200.
            raise NotFound(
                f"The {kind} {wanted} has no role of their own in this project.",
                next_step="list_role_assignments shows who does.",
            )
        if kind == "user":
            at = self._api.at("/api/v2/projects/{project:uuid}/roles/assignments/user/{user:uuid}", project, user=who)
        else:
            at = self._api.at(
                "/api/v2/projects/{project:uuid}/roles/assignments/group/{group:uuid}", project, group=who
            )
        await self._api.delete(at)
        return had

    async def _organization(self) -> str:
        organization = (await self._me.get()).organization_uuid
        if organization is None:
            raise ApiError("The token's owner belongs to no organisation.")
        return organization
