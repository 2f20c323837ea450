"""Members: the people of an organisation."""

from collections.abc import Sequence

from aboveboard.errors import NotFound
from aboveboard.http import path
from aboveboard.http.path import uuid
from aboveboard.lightdash.client.api import Api, Model, Named, Page


class Member(Model):
    """A person, and what they may do in the organisation."""

    user_uuid: str
    first_name: str
    last_name: str
    email: str
    role: str
    is_active: bool
    is_pending: bool = False
    groups: list[Named] | None = None


class _Everyone(Model):
    data: list[Member]


class Members:
    """The people of one organisation."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def list(self, *, search: str | None, limit: int, page: int) -> Page[Member]:
        query = {"searchQuery": search or None, "page": page, "pageSize": limit}
        return await self._api.get_page(path("/api/v1/org/users"), Member, query, org_wide=True)

    async def every(self) -> Sequence[Member]:
        """Get everybody, which is what Lightdash lists where no page is named."""
        found = await self._api.get(path("/api/v1/org/users"), _Everyone, {"includeGroups": 100}, org_wide=True)
        return found.data

    async def get(self, user: str) -> Member:
        wanted = uuid("user", user)
        for member in await self.every():  # the route for one member is deprecated and nothing replaces it
            if member.user_uuid == wanted:
                return member
        raise NotFound(f"No member of the organisation has the UUID {wanted}.", status=404)

    async def delete(self, user: str) -> Member:
        """Delete a person's account and return whose it was."""
        known = await self.get(user)
        await self._api.delete(path("/api/v1/org/user/{user:uuid}", user=user), org_wide=True)
        return known
