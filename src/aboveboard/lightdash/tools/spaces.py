"""Spaces: look into the folders of a project, make, change and delete them."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.gone import by_calling
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page
from aboveboard.lightdash.client.spaces import Role, Space, SpaceDetails
from aboveboard.lightdash.tools.gone import Deleted, deleted_content, for_good
from aboveboard.lightdash.tools.opened import Opened, Withdrawn
from aboveboard.lightdash.tools.parameters import GroupUuid, Limit, PageNumber, ProjectUuid, SpaceUuid, UserUuid

tools = Toolset[LightdashClient]("spaces", title="Spaces", icon="M3 4h7l2 3h9v13H3zm2 5v9h14V9z")

SPACE = Space(
    uuid="9165...",
    name="Sales",
    slug="sales",
    inherit_parent_permissions=True,
    chart_count=12,
    dashboard_count=3,
)
DETAILS = SpaceDetails(
    uuid="9165...",
    name="Sales",
    slug="sales",
    project_uuid="3675...",
    inherit_parent_permissions=True,
    charts=[],
    dashboards=[],
    access=[],
    groups_access=[],
    url="https://...",
)

SPACE_NAME = Opened(uuid="9165...", name="Sales", url="https://...")


def _revoked(space: SpaceDetails, whom: str, back: str) -> Withdrawn:
    gone = f"the share of {space.name} with {whom}"
    return Withdrawn(gone=gone, to_get_back=back, uuid=space.uuid, name=space.name, url=str(space.url))


SpaceRole = Annotated[Role, Field(description="viewer reads, editor changes content, admin also shares.")]
Name = Annotated[str, Field(description="The name people see.", min_length=1, max_length=255)]
Shared = "True: everyone who sees the parent (or the project) sees it. False: only those it is shared with."


@tools.tool("List Spaces", READ, example=Page[Space](items=[SPACE], total=1), core=True)
async def list_spaces(
    lightdash: LightdashClient, project_uuid: ProjectUuid = None, limit: Limit = 50, page: PageNumber = 1
) -> Page[Space]:
    """List a project's spaces, nested ones included, with how much stands in each."""
    return await lightdash.spaces.list(project_uuid, limit=limit, page=page)


@tools.tool("Get Space", READ, example=DETAILS)
async def get_space(
    lightdash: LightdashClient, space_uuid: SpaceUuid, project_uuid: ProjectUuid = None
) -> SpaceDetails:
    """Get a space: its charts and dashboards, everyone who sees it, directly or not, and the groups it is shared to."""
    return await lightdash.spaces.get_with_access(project_uuid, space_uuid)


@tools.tool("Create Space", ADD, example=DETAILS)
async def create_space(
    lightdash: LightdashClient,
    name: Name,
    project_uuid: ProjectUuid = None,
    parent_space_uuid: Annotated[str | None, Field(description="Space to put it in (UUID, slug or name).")] = None,
    inherit_permissions: Annotated[bool, Field(description=Shared)] = False,
) -> SpaceDetails:
    """Create a space, private unless said otherwise; the same call again creates another one of that name."""
    return await lightdash.spaces.create(project_uuid, name, parent=parent_space_uuid, shared=inherit_permissions)


@tools.tool("Update Space", REPLACE, example=DETAILS)
async def update_space(
    lightdash: LightdashClient,
    space_uuid: SpaceUuid,
    project_uuid: ProjectUuid = None,
    name: Annotated[
        str | None, Field(description="New name; left out, it stays.", min_length=1, max_length=255)
    ] = None,
    inherit_permissions: Annotated[bool | None, Field(description=f"{Shared} Left out, it stays.")] = None,
) -> SpaceDetails:
    """Rename a space or change who sees it; the old name or visibility is gone, its content stays."""
    if name is None and inherit_permissions is None:
        raise BadInput("Give a new name, inherit_permissions, or both: there is nothing to change.")
    return await lightdash.spaces.update(project_uuid, space_uuid, name=name, shared=inherit_permissions)


@tools.tool("Delete Space", DELETE, example=for_good("9165...", "Sales"))
async def delete_space(lightdash: LightdashClient, space_uuid: SpaceUuid, project_uuid: ProjectUuid = None) -> Deleted:
    """Delete a space with every chart, dashboard and space in it; where this Lightdash keeps a trash, they go there."""
    gone = await lightdash.spaces.delete(project_uuid, space_uuid)
    return await deleted_content(lightdash, gone.project_uuid, "space", gone.uuid, gone.name)


# A role that the person has in the space gives way to the new one, so this is no mere addition.
@tools.tool("Grant User Space Access", REPLACE, example=SPACE_NAME)
async def grant_user_space_access(
    lightdash: LightdashClient,
    space_uuid: SpaceUuid,
    user_uuid: UserUuid,
    role: SpaceRole,
    project_uuid: ProjectUuid = None,
) -> Opened:
    """Share a space with a person; the role counts in place of any other they have in it, the project's too."""
    space = await lightdash.spaces.share(project_uuid, space_uuid, user_uuid, role)
    return Opened(uuid=space.uuid, name=space.name, url=str(space.url))


@tools.tool(
    "Revoke User Space Access",
    DELETE,
    example=_revoked(DETAILS, "ada", "grant_user_space_access with {...} brings it back."),
)
async def revoke_user_space_access(
    lightdash: LightdashClient, space_uuid: SpaceUuid, user_uuid: UserUuid, project_uuid: ProjectUuid = None
) -> Withdrawn:
    """Stop sharing a space with a person; what they see through the project or a group stays."""
    space, had = await lightdash.spaces.unshare(project_uuid, space_uuid, user_uuid)
    whom = {"user_uuid": had.user_uuid, "role": had.role, "project_uuid": space.project_uuid}
    back = by_calling("grant_user_space_access", space_uuid=space.uuid, **whom)
    return _revoked(space, had.email or f"{had.first_name} {had.last_name}", back)


@tools.tool("Grant Group Space Access", REPLACE, example=SPACE_NAME)
async def grant_group_space_access(
    lightdash: LightdashClient,
    space_uuid: SpaceUuid,
    group_uuid: GroupUuid,
    role: SpaceRole,
    project_uuid: ProjectUuid = None,
) -> Opened:
    """Share a space with a group; for its members the role counts in place of the project's, also a stronger one."""
    space = await lightdash.spaces.share_with_group(project_uuid, space_uuid, group_uuid, role)
    return Opened(uuid=space.uuid, name=space.name, url=str(space.url))


@tools.tool(
    "Revoke Group Space Access",
    DELETE,
    example=_revoked(DETAILS, "Finance", "grant_group_space_access with {...} brings it back."),
)
async def revoke_group_space_access(
    lightdash: LightdashClient, space_uuid: SpaceUuid, group_uuid: GroupUuid, project_uuid: ProjectUuid = None
) -> Withdrawn:
    """Stop sharing a space with a group."""
    space, had = await lightdash.spaces.unshare_with_group(project_uuid, space_uuid, group_uuid)
    whom = {"group_uuid": had.group_uuid, "role": had.space_role, "project_uuid": space.project_uuid}
    back = by_calling("grant_group_space_access", space_uuid=space.uuid, **whom)
    return _revoked(space, had.group_name, back)
