"""Curation: verified content, pins, favourites, and promoting to the upstream project."""

from typing import Any, Literal

from aboveboard.http import path
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


class _Promoted(Model):
    uuid: str


class Curation:
    """What people say of charts and dashboards."""

    def __init__(self, api: Api) -> None:
        self._api = api

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

    async def toggle_pin(self, kind: Kind, item: str, project: str) -> bool:
        """Pin what is not pinned, unpin what is, and tell which it is now."""
        at = path(_PINNING[kind], item=item)
        return (await self._api.patch(at, _Pinned, within=project)).is_pinned

    async def favourites(self, project: str) -> set[str]:
        """Get the UUIDs of the caller's favourites."""
        at = self._api.at("/api/v1/projects/{project:uuid}/favorites", project)
        return {str(item.data.get("uuid")) for item in await self._api.get(at, list[_FavouriteItem])}

    async def toggle_favourite(self, kind: Kind, item: str, project: str) -> bool:
        """Make it a favourite or no longer one, and tell which it is now."""
        at = self._api.at("/api/v1/projects/{project:uuid}/favorites", project)
        return (await self._api.patch(at, _Favourite, {"contentType": kind, "contentUuid": item})).is_favorite

    async def promotion(self, kind: Kind, item: str, project: str) -> list[PromotionChange]:
        at = path(_DIFF[kind], item=item)
        await self._check_upstream(project)
        diff = await self._api.get(at, dict[str, list[dict[str, Any]]], within=project)
        return [
            PromotionChange(kind=kinds, action=str(change.get("action")), name=str(change.get("data", {}).get("name")))
            for kinds, changes in diff.items()
            for change in changes
        ]

    async def promote(self, kind: Kind, item: str, project: str) -> str:
        """Promote and return the UUID of what is upstream now."""
        at = path(_PROMOTE[kind], item=item)
        await self._check_upstream(project)
        return (await self._api.post(at, _Promoted, replaces=True, within=project)).uuid

    async def _check_upstream(self, project: str) -> None:
        """Refuse to read or write an upstream project that tools may not touch."""
        if not self._api.allowed_projects:
            return
        for one in await self._api.get(path("/api/v1/org/projects"), list[Project], org_wide=True):
            if one.project_uuid == project and one.upstream_project_uuid is not None:
                self._api.check_project(one.upstream_project_uuid)
