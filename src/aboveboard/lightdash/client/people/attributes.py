"""User attributes: values of people and groups that decide which rows and columns they see."""

from aboveboard.http import path
from aboveboard.lightdash.client.api import Api, Model, Page, slice_page


class UserValues(Model):
    """The values of one person."""

    user_uuid: str
    email: str | None = None
    values: list[str] | None = None


class GroupValues(Model):
    """The values of one group."""

    group_uuid: str
    values: list[str] | None = None


class UserAttribute(Model):
    """An attribute, what it is where nobody set it, and who has another value."""

    uuid: str
    name: str
    description: str | None = None
    attribute_defaults: list[str] | None = None
    users: list[UserValues]
    groups: list[GroupValues]


class UserAttributes:
    """The user attributes of one organisation."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def list(self, *, limit: int, page: int) -> Page[UserAttribute]:
        every = await self._api.get(path("/api/v1/org/attributes"), list[UserAttribute], org_wide=True)
        return slice_page(every, UserAttribute, limit=limit, page=page)
