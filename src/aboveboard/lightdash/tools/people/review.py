"""Who can see what: people by project, groups and spaces, each role with where it comes from, in one answer."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Annotated, Any, Final, TypeVar

import anyio
from pydantic import Field

from aboveboard.effects import READ
from aboveboard.errors import Refused
from aboveboard.kit.call import Call
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page
from aboveboard.lightdash.client.people.groups import Group, GroupDetails
from aboveboard.lightdash.client.people.members import Member
from aboveboard.lightdash.client.people.roles import Assignment
from aboveboard.lightdash.client.spaces import Space, SpaceAccess, SpaceDetails
from aboveboard.lightdash.tools.parameters import Limit, PageNumber, ProjectUuid
from aboveboard.lightdash.tools.people.access import (
    AccessReview,
    GroupRoles,
    OpenSpaces,
    PersonAccess,
    RoleFrom,
    SpaceRole,
)
from aboveboard.lightdash.tools.people.people import tools

T = TypeVar("T")
R = TypeVar("R")
AT_ONCE: Final = 6
"""Requests at the same time; an organisation may have hundreds of spaces."""
A_PAGE: Final = 200
ADMIN: Final = "admin"
ROLES: Final = "roles in the project"
INHERITED: Final = ("organization", "project", "group")
"""Where the role in a space comes from where the space itself was not shared."""


EXAMPLE = AccessReview(
    project_uuid="3675...",
    project="Shop",
    open_spaces=["Sales"],
    private_spaces=["Board"],
    groups=[],
    people=[
        PersonAccess(
            name="Ada",
            email="ada@x.org",
            user_uuid="0b...",
            organization_role="editor",
            project_roles=[],
            groups=[],
            shared_spaces=[SpaceRole(space="Board", space_uuid="2a...", role="viewer", source="direct")],
            open_spaces=[OpenSpaces(role="editor", source="project", count=1)],
        )
    ],
    total=1,
)


@tools.tool("Review Access", READ, example=EXAMPLE, core=True)
async def review_access(
    lightdash: LightdashClient,
    call: Call,
    search: Annotated[str | None, Field(description="Only people whose name or e-mail has this in it.")] = None,
    project_uuid: ProjectUuid = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> AccessReview:
    """Tell who can see and change what in a project: each person's roles and spaces, and where each comes from."""
    project = lightdash.project(project_uuid)
    named = await lightdash.projects.get(project)
    people = await lightdash.members.list(search=search, limit=limit, page=page)
    seen = _Seen()
    await call.progress(1, 4, "people")
    groups = await seen.unless_refused("groups and who is in them", _groups(lightdash), [])
    await call.progress(2, 4, "groups")
    given = await seen.unless_refused(ROLES, _assignments(lightdash, project), [])
    await call.progress(3, 4, "roles")
    spaces = await _spaces(lightdash, project, seen)
    if ROLES in seen.not_seen:  # who administers a project sees all of its spaces
        seen.not_seen.append("private spaces that are not shared with you")
    await call.progress(4, 4, "spaces")
    private = _private(spaces)
    return AccessReview(
        project_uuid=project,
        project=named.name,
        open_spaces=[one.name for one in spaces if one.uuid not in private],
        private_spaces=[one.name for one in spaces if one.uuid in private],
        groups=[_group(one, given, spaces) for one in groups],
        people=[_person(one, groups, given, spaces, private) for one in people.items],
        total=people.total,
        next_page=people.next_page,
        not_seen=seen.not_seen or None,
    )


class _Seen:
    """Keeps what a token may not see: a review that leaves it out in silence would be wrong."""

    def __init__(self) -> None:
        self.not_seen: list[str] = []

    async def unless_refused(self, what: str, reading: Awaitable[T], without: T) -> T:
        try:
            return await reading
        except Refused:
            self.not_seen.append(what)
            return without


async def _groups(lightdash: LightdashClient) -> list[GroupDetails]:
    async def page(number: int) -> Page[Group]:
        return await lightdash.groups.list(search=None, limit=A_PAGE, page=number)

    return await _each(await _all_pages(page), lambda one: lightdash.groups.get(one.uuid))


async def _assignments(lightdash: LightdashClient, project: str) -> list[Assignment]:
    async def page(number: int) -> Page[Assignment]:
        return await lightdash.roles.assignments(project, limit=A_PAGE, page=number)

    return await _all_pages(page)


async def _spaces(lightdash: LightdashClient, project: str, seen: _Seen) -> list[SpaceDetails]:
    async def page(number: int) -> Page[Space]:
        return await lightdash.spaces.list(project, limit=A_PAGE, page=number)

    async def details(space: Space) -> SpaceDetails | None:
        reading = lightdash.spaces.get_with_access(project, space.uuid)
        return await seen.unless_refused(f"who sees the space {space.name!r}", reading, None)

    found: list[SpaceDetails | None] = await _each(await _all_pages(page), details)
    return [one for one in found if one is not None]


async def _all_pages(read: Callable[[int], Awaitable[Page[Any]]]) -> list[Any]:
    items: list[Any] = []
    number: int | None = 1
    while number is not None:
        page = await read(number)
        items += page.items
        number = page.next_page
    return items


async def _each(items: Sequence[T], read: Callable[[T], Awaitable[R]]) -> list[R]:
    """Read about all items, a few at a time, and keep their order."""
    found: dict[int, R] = {}
    gate = anyio.CapacityLimiter(AT_ONCE)

    async def one(at: int, item: T) -> None:
        async with gate:
            found[at] = await read(item)

    async with anyio.create_task_group() as tasks:
        for at, item in enumerate(items):
            tasks.start_soon(one, at, item)
    return [found[at] for at in range(len(items))]


def _private(spaces: Sequence[SpaceDetails]) -> set[str]:
    """Find the spaces that are not open to the project: private ones, and all that stand in them."""
    private = {one.uuid for one in spaces if not one.inherit_parent_permissions}
    while inside := {one.uuid for one in spaces if one.parent_space_uuid in private} - private:
        private |= inside
    return private


def _group(group: GroupDetails, given: Sequence[Assignment], spaces: Sequence[SpaceDetails]) -> GroupRoles:
    return GroupRoles(
        name=group.name,
        members=len(group.members),
        project_roles=[one.role_name for one in given if one.assignee_id == group.uuid],
        shared_spaces=[
            f"{space.name}: {way.space_role}"
            for space in spaces
            for way in space.groups_access
            if way.group_uuid == group.uuid
        ],
    )


def _person(
    member: Member,
    groups: Sequence[GroupDetails],
    given: Sequence[Assignment],
    spaces: Sequence[SpaceDetails],
    private: Collection[str],
) -> PersonAccess:
    mine = [group for group in groups if any(one.user_uuid == member.user_uuid for one in group.members)]
    names = {group.uuid: group.name for group in mine}
    roles = [
        RoleFrom(
            role=one.role_name, source=f"group {names[one.assignee_id]}" if one.assignee_type == "group" else "direct"
        )
        for one in given
        if one.assignee_id in (member.user_uuid, *names)
    ]
    ways = [
        (space, _kept(way) if member.role == ADMIN else way)
        for space in spaces
        for way in space.access
        if way.user_uuid == member.user_uuid
    ]
    shared = [(space, way) for space, way in ways if way.has_direct_access or way.inherited_from not in INHERITED]
    return PersonAccess(
        name=f"{member.first_name} {member.last_name}".strip(),
        email=member.email,
        user_uuid=member.user_uuid,
        state="invited" if member.is_pending else None if member.is_active else "inactive",
        organization_role=member.role,
        project_roles=roles,
        groups=sorted(names.values()),
        shared_spaces=[
            SpaceRole(space=space.name, space_uuid=space.uuid, role=way.role, source=_source(space, way, names))
            for space, way in shared
        ],
        open_spaces=_open([one for one in ways if one not in shared], len(spaces) - len(private)),
    )


def _kept(way: SpaceAccess) -> SpaceAccess:
    """Give an admin of the organisation the role that counts: Lightdash shows a weaker share, and lets them do all."""
    if way.role == ADMIN:
        return way
    return way.model_copy(update={"role": ADMIN, "has_direct_access": False, "inherited_from": "organization"})


def _open(ways: Sequence[tuple[SpaceDetails, SpaceAccess]], every: int) -> list[OpenSpaces]:
    """Bring together the spaces in which a person has the same role for the same reason."""
    alike: dict[tuple[str, str], list[str]] = {}
    for space, way in ways:
        alike.setdefault((way.role, way.inherited_from or "unknown"), []).append(space.name)
    return [
        OpenSpaces(role=role, source=source, count=len(names), spaces=None if len(names) == every else names)
        for (role, source), names in alike.items()
    ]


def _source(space: SpaceDetails, way: SpaceAccess, groups: dict[str, str]) -> str:
    if way.inherited_from == "parent_space" or not way.has_direct_access:
        return (way.inherited_from or "unknown").replace("_", " ")
    # To Lightdash the share of a group is a direct one too: the role tells them apart, where it can.
    alike = [one.group_uuid for one in space.groups_access if one.space_role == way.role]
    through = [groups[group] for group in alike if group in groups]
    return f"group {' or '.join(through)}" if through else "direct"
