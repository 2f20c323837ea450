"""Roles: what people and groups may do; part of the area of people."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import DELETE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.gone import Gone, by_calling
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page
from aboveboard.lightdash.client.people.roles import Assignment, Kind, Role
from aboveboard.lightdash.tools.parameters import Limit, PageNumber, ProjectUuid
from aboveboard.lightdash.tools.people.people import tools

ASSIGNMENT = Assignment(
    role_id="editor", role_name="editor", assignee_type="user", assignee_id="b264...", assignee_name="Ada Byron"
)


class Assigned(Assignment):
    """Who has which role now, and where people see all of them."""

    url: str


class Unassigned(Assigned, Gone):
    """A role that someone has no longer."""


ASSIGNED = Assigned(**vars(ASSIGNMENT), url="https://...")
UNASSIGNED = Unassigned(
    **vars(ASSIGNED),
    gone="editor of Ada",
    to_get_back="assign_role with {...} brings it back.",
)

RoleId = Annotated[
    str, Field(description="viewer, interactive_viewer, editor, developer, admin, or a custom role's UUID or name.")
]
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
    _one_place(project_uuid, organization=organization)
    if organization:
        return await lightdash.roles.organization_assignments(limit=limit, page=page)
    return await lightdash.roles.assignments(project_uuid, limit=limit, page=page)


# Whoever has a role already loses it: one person has one role per project.
@tools.tool("Assign Role", REPLACE, example=ASSIGNED)
async def assign_role(
    lightdash: LightdashClient,
    role: RoleId,
    user_uuid: ToUser = None,
    group_uuid: ToGroup = None,
    project_uuid: ProjectUuid = None,
    organization: Everywhere = False,
) -> Assigned:
    """Give a person or a group a role in a project, or a person one in the organisation; the role before is gone."""
    _one_place(project_uuid, organization=organization)
    kind, who = _assignee(user_uuid, group_uuid)
    if not organization:
        given = await lightdash.roles.assign(project_uuid, kind, who, role)
        return Assigned(**vars(given), url=lightdash.pages.project_access(project_uuid))
    if kind == "group":
        raise BadInput("A group has roles in projects only: leave out organization.")
    given = await lightdash.roles.assign_in_organization(who, role)
    return Assigned(**vars(given), url=lightdash.pages.people())


@tools.tool("Unassign Role", DELETE, example=UNASSIGNED)
async def unassign_role(
    lightdash: LightdashClient, user_uuid: ToUser = None, group_uuid: ToGroup = None, project_uuid: ProjectUuid = None
) -> Unassigned:
    """Take back the role that a person or a group has in a project; a role in the organisation stays."""
    had = await lightdash.roles.unassign(project_uuid, *_assignee(user_uuid, group_uuid))
    whom = {f"{had.assignee_type}_uuid": had.assignee_id, "project_uuid": lightdash.project(project_uuid)}
    back = by_calling("assign_role", role=had.role_id, **whom)
    gone = f"the role {had.role_name} of {had.assignee_name}"
    url = lightdash.pages.project_access(project_uuid)
    return Unassigned(**vars(had), gone=gone, to_get_back=back, url=url)


def _one_place(project: str | None, *, organization: bool) -> None:
    """Refuse both: a role that was meant for a project must not become one everywhere."""
    if project is not None and organization:
        raise BadInput("Give project_uuid, or organization for all projects; not both.")


def _assignee(user: str | None, group: str | None) -> tuple[Kind, str]:
    if user is not None and group is None:
        return "user", user
    if group is not None and user is None:
        return "group", group
    raise BadInput("Give a user_uuid or a group_uuid, one of them.")
