"""Dashboards: tiles of charts and text, on tabs."""

from typing import Any

from aboveboard.http import path
from aboveboard.lightdash.client.api import Api, Model, Page
from aboveboard.lightdash.client.content import Content, list_content


class Dashboard(Content):
    """A dashboard in a list."""


class Tab(Model):
    """One tab of a dashboard."""

    uuid: str
    name: str
    order: int


class Tile(Model):
    """One tile: a chart, text, a heading or a video, and where it stands."""

    uuid: str
    type: str
    tab_uuid: str | None = None
    x: int
    y: int
    w: int
    h: int
    properties: dict[str, Any]


class DashboardDetails(Model):
    """A dashboard with its tiles and filters."""

    uuid: str
    slug: str
    name: str
    description: str | None = None
    project_uuid: str
    space_uuid: str
    space_name: str
    tabs: list[Tab]
    tiles: list[Tile]
    filters: dict[str, Any]
    updated_at: str | None = None


class Dashboards:
    """The dashboards of one instance."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def list(
        self, project: str, *, search: str | None, space: str | None, limit: int, page: int
    ) -> Page[Dashboard]:
        return await list_content(
            self._api, "dashboard", Dashboard, project, search=search, space=space, limit=limit, page=page
        )

    async def get(self, dashboard: str, project: str | None) -> DashboardDetails:
        if project is not None:
            at = path("/api/v2/projects/{project:uuid}/dashboards/{dashboard}", project=project, dashboard=dashboard)
            return await self._api.get(at, DashboardDetails)
        at = path("/api/v1/dashboards/{dashboard}", dashboard=dashboard)
        return await self._api.get(at, DashboardDetails, project_of=lambda found: found.project_uuid)
