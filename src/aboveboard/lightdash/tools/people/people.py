"""People: the members of the organisation and its groups."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import DELETE, ENSURE, READ, REPLACE
from aboveboard.kit.gone import FOR_GOOD, Gone, by_calling
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page
from aboveboard.lightdash.client.people.attributes import UserAttribute
from aboveboard.lightdash.client.people.groups import Group, GroupDetails, GroupMember
from aboveboard.lightdash.client.people.members import Member
from aboveboard.lightdash.tools.gone import Deleted, for_good
from aboveboard.lightdash.tools.opened import Opened, Withdrawn
from aboveboard.lightdash.tools.parameters import GroupUuid, Limit, PageNumber, UserUuid

tools = Toolset[LightdashClient](
    "people", title="People", icon="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-8 8c0-4 4-6 8-6s8 2 8 6z"
)

MEMBER = Member(
    user_uuid="b264...",
    first_name="Ada",
    last_name="Byron",
    email="ada@example.com",
    role="admin",
    is_active=True,
)
GROUP = Group(uuid="96ef...", name="Finance", created_at="2026-01-31T09:00:00.000Z")

GROUP_NAME = Opened(uuid="96ef...", name="Finance", url="https://...")
REMOVED = Withdrawn(
    gone="ada of Finance",
    to_get_back="add_user_to_group with {...} brings it back.",
    uuid="96ef...",
    name="Finance",
    url="https://...",
)


class DeletedMember(Member, Gone):
    """A person whose account is gone."""


DELETED_MEMBER = DeletedMember(**MEMBER.model_dump(), gone="ada@example.com", to_get_back=FOR_GOOD)
PERSON = GroupMember(user_uuid="b264...", first_name="Ada", last_name="Byron", email="ada@example.com")

GroupName = Annotated[str, Field(description="The name people see.", min_length=1, max_length=255)]
SearchPeople = Annotated[str | None, Field(description="Only those whose name or e-mail has this text.")]
SearchGroups = Annotated[str | None, Field(description="Only those whose name has this text.")]


@tools.tool("List Organization Members", READ, example=Page[Member](items=[MEMBER], total=1))
async def list_organization_members(
    lightdash: LightdashClient, search: SearchPeople = None, limit: Limit = 50, page: PageNumber = 1
) -> Page[Member]:
    """List the people of the organisation with their roles."""
    return await lightdash.members.list(search=search, limit=limit, page=page)


@tools.tool("Get Member", READ, example=MEMBER)
async def get_member(
    lightdash: LightdashClient,
    user_uuid: UserUuid,
) -> Member:
    """Get one person of the organisation: role, state and groups."""
    return await lightdash.members.get(user_uuid)


@tools.tool("List Groups", READ, example=Page[Group](items=[GROUP], total=1))
async def list_groups(
    lightdash: LightdashClient, search: SearchGroups = None, limit: Limit = 50, page: PageNumber = 1
) -> Page[Group]:
    """List the organisation's groups; someone who may not see groups is told so."""
    return await lightdash.groups.list(search=search, limit=limit, page=page)


@tools.tool(
    "Get Group",
    READ,
    example=GroupDetails(
        uuid="96ef...",
        name="Finance",
        created_at="2026-01-31T09:00:00.000Z",
        members=[PERSON],
    ),
)
async def get_group(lightdash: LightdashClient, group_uuid: GroupUuid) -> GroupDetails:
    """Get a group and everyone in it."""
    return await lightdash.groups.get(group_uuid)


@tools.tool("Delete Member", DELETE, example=DELETED_MEMBER)
async def delete_member(lightdash: LightdashClient, user_uuid: UserUuid) -> DeletedMember:
    """Delete a person's account for good: their tokens, access and places in groups go with it."""
    gone = await lightdash.members.delete(user_uuid)
    return DeletedMember(**gone.model_dump(), gone=gone.email, to_get_back=FOR_GOOD)


# Lightdash refuses a second group of that name, so the same call again adds nothing.
@tools.tool("Create Group", ENSURE, example=GROUP_NAME)
async def create_group(lightdash: LightdashClient, name: GroupName) -> Opened:
    """Create a group with nobody in it; a name that is taken is refused."""
    group = await lightdash.groups.create(name)
    return Opened(uuid=group.uuid, name=group.name, url=lightdash.pages.people())


@tools.tool("Update Group", REPLACE, example=GROUP_NAME)
async def update_group(lightdash: LightdashClient, group_uuid: GroupUuid, name: GroupName) -> Opened:
    """Give a group a new name; the old one is gone, its members and access stay."""
    group = await lightdash.groups.rename(group_uuid, name)
    return Opened(uuid=group.uuid, name=group.name, url=lightdash.pages.people())


@tools.tool("Delete Group", DELETE, example=for_good("96ef...", "Finance"))
async def delete_group(lightdash: LightdashClient, group_uuid: GroupUuid) -> Deleted:
    """Delete a group for good; its members lose what they could do through it."""
    group = await lightdash.groups.delete(group_uuid)
    return for_good(group.uuid, group.name)


@tools.tool("List Group Members", READ, example=Page[GroupMember](items=[PERSON], total=1))
async def list_group_members(
    lightdash: LightdashClient, group_uuid: GroupUuid, limit: Limit = 50, page: PageNumber = 1
) -> Page[GroupMember]:
    """List the people in a group, page by page."""
    return await lightdash.groups.members(group_uuid, limit=limit, page=page)


@tools.tool("Add User To Group", ENSURE, example=GROUP_NAME)
async def add_user_to_group(lightdash: LightdashClient, group_uuid: GroupUuid, user_uuid: UserUuid) -> Opened:
    """Put a person into a group, which gives them its access; somebody who is in it stays in it."""
    group = await lightdash.groups.add(group_uuid, user_uuid)
    return Opened(uuid=group.uuid, name=group.name, url=lightdash.pages.people())


@tools.tool("Remove User From Group", DELETE, example=REMOVED)
async def remove_user_from_group(lightdash: LightdashClient, group_uuid: GroupUuid, user_uuid: UserUuid) -> Withdrawn:
    """Take a person out of a group; they lose the access they had through it."""
    group, person = await lightdash.groups.remove(group_uuid, user_uuid)
    back = by_calling("add_user_to_group", group_uuid=group.uuid, user_uuid=person.user_uuid)
    gone, url = f"{person.email} of {group.name}", lightdash.pages.people()
    return Withdrawn(gone=gone, to_get_back=back, uuid=group.uuid, name=group.name, url=url)


@tools.tool(
    "List User Attributes",
    READ,
    example=Page[UserAttribute](items=[UserAttribute(uuid="c067...", name="region", users=[], groups=[])], total=1),
)
async def list_user_attributes(
    lightdash: LightdashClient, limit: Limit = 50, page: PageNumber = 1
) -> Page[UserAttribute]:
    """List the attributes that decide which rows and columns people see, and who has which values."""
    return await lightdash.user_attributes.list(limit=limit, page=page)
