"""Groups: people who get access together."""

from collections.abc import Sequence

from aboveboard.errors import ApiError, NotFound, Refused
from aboveboard.http import Nature, Path, path
from aboveboard.http.path import uuid
from aboveboard.lightdash.client.api import Api, Model, Page, Paged, page_of, slice_page
from aboveboard.lightdash.client.instance import Instance
from aboveboard.lightdash.client.people.members import Members

MOST_MEMBERS = 10_000
"""How many members to ask for with a group: without a number Lightdash shows none."""


BLIND = ("member", "viewer", "interactive_viewer", "editor")
"""Organisation roles to which every list of groups is empty."""


class Group(Model):
    """A group in a list."""

    uuid: str
    name: str
    created_at: str
    updated_at: str | None = None


class GroupMember(Model):
    """A person in a group."""

    user_uuid: str
    first_name: str
    last_name: str
    email: str


class GroupDetails(Group):
    """A group and who is in it."""

    members: list[GroupMember]


class Groups:
    """The groups of one organisation."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def list(self, *, search: str | None, limit: int, page: int) -> Page[Group]:
        query = {"searchQuery": search or None, "page": page, "pageSize": limit}
        paged = await self._api.get(path("/api/v1/org/groups"), Paged[Group], query, org_wide=True)
        found, place = page_of(paged.data, Group, paged.pagination), paged.pagination
        # Lightdash hides groups from those who may not see them, and not how many there are.
        hidden = not found.items and place.page <= place.total_page_count
        if hidden or (found.total == 0 and not search):
            await self._check_sight()
        return found

    async def _check_sight(self) -> None:
        """Tell who may not see any group: Lightdash shows them an empty list, as if there were none."""
        role = (await Instance(self._api).me()).role
        if role in BLIND:
            raise Refused(f"Lightdash lists no groups for the role {role}, whether there are any or not.", status=200)

    async def get(self, group: str) -> GroupDetails:
        query = {"includeMembers": MOST_MEMBERS}
        return await self._api.get(self._at(group), GroupDetails, query, org_wide=True)

    async def members(self, group: str, *, limit: int, page: int) -> Page[GroupMember]:
        return slice_page((await self.get(group)).members, GroupMember, limit=limit, page=page)

    async def create(self, name: str) -> GroupDetails:
        return await self._api.post(path("/api/v1/org/groups"), GroupDetails, {"name": name}, org_wide=True)

    async def rename(self, group: str, name: str) -> Group:
        old = await self.get(group)
        if old.name == name:
            return old  # an equal update would only move the time of the last change
        return await self._api.patch(self._at(group), Group, {"name": name}, org_wide=True)

    async def delete(self, group: str) -> Group:
        """Delete a group and return what it was."""
        old = await self.get(group)
        await self._api.delete(self._at(group), org_wide=True)
        return old

    async def add(self, group: str, user: str) -> GroupDetails:
        """Put a person into a group; that they are in it already changes nothing."""
        wanted = uuid("user", user)
        old = await self.get(group)
        if any(member.user_uuid == wanted for member in old.members):
            return old
        # The route that adds one person is deprecated, and says 204 for someone unknown or of another organisation.
        await Members(self._api).get(wanted)
        # The list is sent with everyone who is in it and one more, so nothing is lost.
        return await self._set_members(old, [*(member.user_uuid for member in old.members), wanted], nature=Nature.ADDS)

    async def remove(self, group: str, user: str) -> tuple[GroupDetails, GroupMember]:
        """Take a person out of a group, and tell who it was."""
        wanted = uuid("user", user)
        old = await self.get(group)
        person = next((member for member in old.members if member.user_uuid == wanted), None)
        if person is None:
            raise NotFound(f"The group {old.name!r} has no member with the UUID {wanted}.", status=404)
        staying = [member.user_uuid for member in old.members if member.user_uuid != wanted]
        return await self._set_members(old, staying), person

    async def _set_members(
        self, group: GroupDetails, users: Sequence[str], *, nature: Nature | None = None
    ) -> GroupDetails:
        if len(group.members) >= MOST_MEMBERS:
            # Those that were not read would be thrown out.
            raise ApiError(f"The group has {MOST_MEMBERS} members or more, too many to be changed here.")
        body = {"members": [{"userUuid": user} for user in users]}
        return await self._api.patch(self._at(group.uuid), GroupDetails, body, nature=nature, org_wide=True)

    def _at(self, group: str) -> Path:
        return path("/api/v1/groups/{group:uuid}", group=group)
