"""Curation: verified content, pins, favourites, and promoting to the upstream project."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal
from weakref import WeakValueDictionary

import anyio

from aboveboard.errors import Conflict
from aboveboard.http import Nature, path
from aboveboard.lightdash.client.api import Api, Model
from aboveboard.lightdash.client.projects import Project

Kind = Literal["chart", "dashboard"]


_VERIFICATION: dict[Kind, str] = {
    "chart": "/api/v1/saved/{item:uuid}/verification",
    "dashboard": "/api/v1/dashboards/{item:uuid}/verification",
}
_PINNING: dict[Kind, str] = {
    "chart": "/api/v1/saved/{item:uuid}/pinning",
    "dashboard": "/api/v1/dashboards/{item:uuid}/pinning",
}
_ITEM: dict[Kind, str] = {
    "chart": "/api/v2/projects/{project:uuid}/saved/{chart}",
    "dashboard": "/api/v2/projects/{project:uuid}/dashboards/{dashboard}",
}
TRIES: Final = 2
"""How often a mark is set that others flip at the same time."""
_DIFF: dict[Kind, str] = {
    "chart": "/api/v1/saved/{item:uuid}/promoteDiff",
    "dashboard": "/api/v1/dashboards/{item:uuid}/promoteDiff",
}
_PROMOTE: dict[Kind, str] = {
    "chart": "/api/v1/saved/{item:uuid}/promote",
    "dashboard": "/api/v1/dashboards/{item:uuid}/promote",
}


class Verified(Model):
    """Something that somebody vouches for."""

    content_uuid: str
    content_type: str | None = None
    name: str
    space_name: str | None = None
    verified_at: str | None = None


class _Item(Model):
    pinned_list_uuid: str | None = None


class _Pinned(Model):
    is_pinned: bool


class _Favourite(Model):
    is_favorite: bool


class _FavouriteItem(Model):
    data: dict[str, Any]


class PromotionChange(Model):
    """What promoting would do to one thing upstream."""

    kind: str
    action: str
    name: str
    project_uuid: str | None = None
    """The upstream project."""


class Upstream(Model):
    """What is in the upstream project now."""

    uuid: str
    project_uuid: str


class Curation:
    """What people say of charts and dashboards."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._turns: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()

    async def verified(self, project: str | None) -> list[Verified]:
        return await self._api.get(
            self._api.at("/api/v1/projects/{project:uuid}/content-verification", project), list[Verified]
        )

    async def verify(self, kind: Kind, item: str, project: str) -> None:
        at = path(_VERIFICATION[kind], item=item)
        await self._api.post(at, dict[str, Any], within=project)

    async def unverify(self, kind: Kind, item: str, project: str) -> None:
        at = path(_VERIFICATION[kind], item=item)
        await self._api.delete(at, within=project)

    async def pin(self, kind: Kind, item: str, project: str, *, pinned: bool) -> None:
        """Pin something, or take the pin off."""

        async def look() -> bool:
            at = self._api.at(_ITEM[kind], project, **{kind: item})
            return (await self._api.get(at, _Item)).pinned_list_uuid is not None

        async def toggle() -> bool:
            at = path(_PINNING[kind], item=item)
            return (await self._api.patch(at, _Pinned, repeats=False, within=project)).is_pinned

        await self._mark(f"pin {item}", look, toggle, wanted=pinned)

    async def favour(self, kind: Kind, item: str, project: str, *, favourite: bool) -> None:
        """Make something a favourite of the caller's, or no longer one."""
        at = self._api.at("/api/v1/projects/{project:uuid}/favorites", project)

        async def look() -> bool:
            return item in {str(one.data.get("uuid")) for one in await self._api.get(at, list[_FavouriteItem])}

        async def toggle() -> bool:
            body = {"contentType": kind, "contentUuid": item}
            return (await self._api.patch(at, _Favourite, body, repeats=False)).is_favorite

        await self._mark(f"favourite {item}", look, toggle, wanted=favourite)

    async def _mark(
        self, what: str, look: Callable[[], Awaitable[bool]], toggle: Callable[[], Awaitable[bool]], *, wanted: bool
    ) -> None:
        """Bring a mark that Lightdash only flips into the state that is wanted.

        Calls of this process wait for each other; a flip of someone else shows in what Lightdash answers to ours.
        """
        turn = self._turns.setdefault(what, anyio.Lock())
        async with turn:
            for _ in range(TRIES):
                if await look() == wanted or await toggle() == wanted:
                    return
        raise Conflict("Somebody else changed this mark at the same time, and it is not as you want it.")

    async def promotion(self, kind: Kind, item: str, project: str) -> list[PromotionChange]:
        at = path(_DIFF[kind], item=item)
        await self._check_upstream(project)
        diff = await self._api.get(at, dict[str, list[dict[str, Any]]], within=project)
        return [_change(kinds, change) for kinds, changes in diff.items() for change in changes]

    async def promote(self, kind: Kind, item: str, project: str) -> Upstream:
        """Promote and return what is upstream now."""
        at = path(_PROMOTE[kind], item=item)
        await self._check_upstream(project)
        return await self._api.post(at, Upstream, nature=Nature.REPLACES, within=project)

    async def _check_upstream(self, project: str) -> None:
        """Refuse to read or write an upstream project that tools may not touch."""
        if not self._api.allowed_projects:
            return
        for one in await self._api.get(path("/api/v1/org/projects"), list[Project], org_wide=True):
            if one.project_uuid == project and one.upstream_project_uuid is not None:
                self._api.check_project(one.upstream_project_uuid)


def _change(kinds: str, told: dict[str, Any]) -> PromotionChange:
    data = told.get("data", {})
    action, name = str(told.get("action")), str(data.get("name"))
    return PromotionChange(kind=kinds, action=action, name=name, project_uuid=data.get("projectUuid"))
