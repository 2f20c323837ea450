"""Spaces: look into the folders of a project, make, change and delete them."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Named, Page
from aboveboard.lightdash.client.spaces import Space, SpaceDetails
from aboveboard.lightdash.tools.parameters import Limit, PageNumber, ProjectUuid, SpaceUuid

tools = Toolset[LightdashClient]("spaces", title="Spaces", icon="M3 4h7l2 3h9v13H3zm2 5v9h14V9z")

SPACE = Space(
    uuid="9165ffb9-...",
    name="Sales",
    slug="sales",
    inherit_parent_permissions=True,
    chart_count=12,
    dashboard_count=3,
)
DETAILS = SpaceDetails(
    uuid="9165ffb9-...",
    name="Sales",
    slug="sales",
    project_uuid="3675b69e-...",
    inherit_parent_permissions=True,
    charts=[],
    dashboards=[],
    access=[],
    groups_access=[],
)

Name = Annotated[str, Field(description="The name people see.", min_length=1, max_length=255)]
Shared = "True: everyone who sees the parent (or the project) sees it. False: only those it is shared with."


@tools.tool("List Spaces", READ, example=Page[Space](items=[SPACE], total=1), core=True)
async def list_spaces(
    lightdash: LightdashClient, project_uuid: ProjectUuid, limit: Limit = 50, page: PageNumber = 1
) -> Page[Space]:
    """List a project's spaces, nested ones included, with how much stands in each."""
    return await lightdash.spaces.list(project_uuid, limit=limit, page=page)


@tools.tool("Get Space", READ, example=DETAILS, core=True)
async def get_space(lightdash: LightdashClient, project_uuid: ProjectUuid, space_uuid: SpaceUuid) -> SpaceDetails:
    """Get a space: its charts and dashboards, and who sees it."""
    return await lightdash.spaces.get(project_uuid, space_uuid)


@tools.tool("Create Space", ADD, example=DETAILS, core=True)
async def create_space(
    lightdash: LightdashClient,
    project_uuid: ProjectUuid,
    name: Name,
    parent_space_uuid: Annotated[str | None, Field(description="Space to put it in (UUID).")] = None,
    inherit_permissions: Annotated[bool, Field(description=Shared)] = False,
) -> SpaceDetails:
    """Create a space, private unless said otherwise; the same call again creates another one of that name."""
    return await lightdash.spaces.create(project_uuid, name, parent=parent_space_uuid, shared=inherit_permissions)


@tools.tool("Update Space", REPLACE, example=DETAILS, core=True)
async def update_space(
    lightdash: LightdashClient,
    project_uuid: ProjectUuid,
    space_uuid: SpaceUuid,
    name: Annotated[
        str | None, Field(description="New name; left out, it stays.", min_length=1, max_length=255)
    ] = None,
    inherit_permissions: Annotated[bool | None, Field(description=f"{Shared} Left out, it stays.")] = None,
) -> SpaceDetails:
    """Rename a space or change who sees it; the old name or visibility is gone, its content stays."""
    if name is None and inherit_permissions is None:
        raise BadInput("Give a new name, inherit_permissions, or both: there is nothing to change.")
    return await lightdash.spaces.update(project_uuid, space_uuid, name=name, shared=inherit_permissions)


@tools.tool("Delete Space", DELETE, example=Named(uuid="9165ffb9-...", name="Sales"), core=True)
async def delete_space(lightdash: LightdashClient, project_uuid: ProjectUuid, space_uuid: SpaceUuid) -> Named:
    """Delete a space with every chart, dashboard and space in it, for good."""
    gone = await lightdash.spaces.delete(project_uuid, space_uuid)
    return Named(uuid=gone.uuid, name=gone.name)
