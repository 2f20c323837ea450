"""People: the members of the organisation and its groups."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import READ
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page
from aboveboard.lightdash.client.groups import Group, GroupDetails, GroupMember
from aboveboard.lightdash.client.members import Member
from aboveboard.lightdash.tools.parameters import Limit, PageNumber

tools = Toolset[LightdashClient](
    "people", title="People", icon="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-8 8c0-4 4-6 8-6s8 2 8 6z"
)

MEMBER = Member(
    user_uuid="b264d83a-...",
    first_name="Ada",
    last_name="Byron",
    email="ada@example.com",
    role="admin",
    is_active=True,
)
GROUP = Group(uuid="96efa4f3-...", name="Finance", created_at="2026-01-31T09:00:00.000Z")

SearchPeople = Annotated[str | None, Field(description="Only those whose name or e-mail has this text.")]
SearchGroups = Annotated[str | None, Field(description="Only those whose name has this text.")]


@tools.tool("List Organization Members", READ, example=Page[Member](items=[MEMBER], total=1), core=True)
async def list_organization_members(
    lightdash: LightdashClient, search: SearchPeople = None, limit: Limit = 50, page: PageNumber = 1
) -> Page[Member]:
    """List the people of the organisation with their roles."""
    return await lightdash.members.list(search=search, limit=limit, page=page)


@tools.tool("Get Member", READ, example=MEMBER, core=True)
async def get_member(
    lightdash: LightdashClient,
    user_uuid: Annotated[str, Field(description="User UUID, from list_organization_members.")],
) -> Member:
    """Get one person of the organisation: role, state and groups."""
    return await lightdash.members.get(user_uuid)


@tools.tool("List Groups", READ, example=Page[Group](items=[GROUP], total=1), core=True)
async def list_groups(
    lightdash: LightdashClient, search: SearchGroups = None, limit: Limit = 50, page: PageNumber = 1
) -> Page[Group]:
    """List the organisation's groups; someone who may not see groups gets an empty list."""
    return await lightdash.groups.list(search=search, limit=limit, page=page)


@tools.tool(
    "Get Group",
    READ,
    example=GroupDetails(
        uuid="96efa4f3-...",
        name="Finance",
        created_at="2026-01-31T09:00:00.000Z",
        members=[GroupMember(user_uuid="b264d83a-...", first_name="Ada", last_name="Byron", email="ada@example.com")],
    ),
    core=True,
)
async def get_group(
    lightdash: LightdashClient, group_uuid: Annotated[str, Field(description="Group UUID, from list_groups.")]
) -> GroupDetails:
    """Get a group and everyone in it."""
    return await lightdash.groups.get(group_uuid)
