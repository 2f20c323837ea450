"""Roles: what people and groups may do; part of the area of people."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import DELETE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page
from aboveboard.lightdash.client.people.roles import Assignment, Kind, Role
from aboveboard.lightdash.tools.parameters import Limit, PageNumber, ProjectUuid
from aboveboard.lightdash.tools.people.people import tools

ASSIGNMENT = Assignment(
    role_id="editor", role_name="editor", assignee_type="user", assignee_id="b264d83a-...", assignee_name="Ada Byron"
)

RoleId = Annotated[str, Field(description="viewer, interactive_viewer, editor, developer, admin, or a role's UUID.")]
ToUser = Annotated[str | None, Field(description="The person (UUID or e-mail address).")]
ToGroup = Annotated[str | None, Field(description="Or the group (UUID or name).")]
Everywhere = Annotated[bool, Field(description="True: in the organisation instead of a project.")]


@tools.tool(
    "List Roles",
    READ,
    example=Page[Role](items=[Role(role_uuid="editor", name="Editor", level="project", owner_type="system")], total=1),
)
async def list_roles(lightdash: LightdashClient, limit: Limit = 50, page: PageNumber = 1) -> Page[Role]:
    """List the roles there are: the system's own and the organisation's custom ones."""
    return await lightdash.roles.list(limit=limit, page=page)


@tools.tool("List Role Assignments", READ, example=Page[Assignment](items=[ASSIGNMENT], total=1))
async def list_role_assignments(
    lightdash: LightdashClient,
    project_uuid: ProjectUuid = None,
    organization: Everywhere = False,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[Assignment]:
    """List which people and groups have which role in a project, or which people in the organisation."""
    if organization:
        return await lightdash.roles.organization_assignments(limit=limit, page=page)
    return await lightdash.roles.assignments(project_uuid, limit=limit, page=page)


# Whoever has a role already loses it: one person has one role per project.
@tools.tool("Assign Role", REPLACE, example=ASSIGNMENT)
async def assign_role(
    lightdash: LightdashClient,
    role: RoleId,
    user_uuid: ToUser = None,
    group_uuid: ToGroup = None,
    project_uuid: ProjectUuid = None,
    organization: Everywhere = False,
) -> Assignment:
    """Give a person or a group a role in a project, or a person one in the organisation; the role before is gone."""
    kind, who = _assignee(user_uuid, group_uuid)
    if not organization:
        return await lightdash.roles.assign(project_uuid, kind, who, role)
    if kind == "group":
        raise BadInput("A group has roles in projects only: leave out organization.")
    return await lightdash.roles.assign_in_organization(who, role)


@tools.tool("Unassign Role", DELETE, example=ASSIGNMENT)
async def unassign_role(
    lightdash: LightdashClient, user_uuid: ToUser = None, group_uuid: ToGroup = None, project_uuid: ProjectUuid = None
) -> Assignment:
    """Take back the role that a person or a group has in a project; a role in the organisation stays."""
    return await lightdash.roles.unassign(project_uuid, *_assignee(user_uuid, group_uuid))


def _assignee(user: str | None, group: str | None) -> tuple[Kind, str]:
    if user is not None and group is None:
        return "user", user
    if group is not None and user is None:
        return "group", group
    raise BadInput("Give a user_uuid or a group_uuid, one of them.")
