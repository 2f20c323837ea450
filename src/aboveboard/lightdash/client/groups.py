"""Groups: people who get access together."""

from aboveboard.http import path
from aboveboard.lightdash.client.api import Api, Model, Page

MOST_MEMBERS = 10_000
"""How many members to ask for with a group: without a number Lightdash shows none."""


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
        return await self._api.get_page(path("/api/v1/org/groups"), Group, query, org_wide=True)

    async def get(self, group: str) -> GroupDetails:
        at = path("/api/v1/groups/{group:uuid}", group=group)
        return await self._api.get(at, GroupDetails, {"includeMembers": MOST_MEMBERS}, org_wide=True)
