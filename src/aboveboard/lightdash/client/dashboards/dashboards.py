"""Dashboards: tiles of charts and text, on tabs."""

from collections.abc import Sequence
from typing import Any, ClassVar

from aboveboard.http import Nature, Path, path
from aboveboard.lightdash.client.api import Api, Model, Page
from aboveboard.lightdash.client.content.content import Content, list_content
from aboveboard.lightdash.client.kept import Kept
from aboveboard.lightdash.client.versions import History
from aboveboard.naming import Candidate, resolve_name


class Dashboard(Content):
    """A dashboard in a list."""


class Tab(Model):
    """One tab of a dashboard."""

    uuid: str
    name: str
    order: int


class Tile(Kept):
    """One tile: a chart, text, a heading or a video, and where it stands."""

    uuid: str
    type: str
    tab_uuid: str | None = None
    x: int
    y: int
    w: int
    h: int
    properties: dict[str, Any]

    @property
    def name(self) -> str:
        """What people know it by: its heading, else the chart that it shows, else how its text begins."""
        known = (self.properties.get(key) for key in ("title", "text", "chartName", "content"))
        return next((str(one) for one in known if one), self.type)


class DashboardDetails(Kept):
    """A dashboard with its tiles and filters."""

    beside: ClassVar = frozenset(
        (
            *("uuid", "slug", "name", "description", "verification", "updatedAt", "updatedByUser", "colorPaletteUuid"),
            *("dashboardVersionId", "versionUuid", "views", "firstViewedAt", "pinnedListUuid", "pinnedListOrder"),
            *("organizationUuid", "projectUuid", "spaceUuid", "spaceName", "spaceSlug", "spacePath"),
            *("access", "inheritsFromOrgOrProject"),
        )
    )

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
    parameters: dict[str, dict[str, Any]] | None = None
    pinned_list_uuid: str | None = None
    updated_at: str | None = None
    url: str | None = None
    kept_version: str | None = None
    """What it was before a change: what rolling back takes."""

    def tile(self, given: str) -> Tile:
        """Return one of its tiles, by UUID or by what people know it by."""
        candidates = [Candidate(one.uuid, [one.name, one.uuid]) for one in self.tiles]
        found = resolve_name("tile", given, candidates, of=self.name, ids="UUIDs")
        return next(one for one in self.tiles if one.uuid == found)

    @property
    def version(self) -> str | None:
        """The version that this is, where Lightdash says so."""
        return self._told.get("versionUuid")

    @property
    def parameter_values(self) -> dict[str, Any]:
        """The values that are saved with it; as with filters, it is the client that has to send them."""
        return {name: about.get("value") for name, about in (self.parameters or {}).items()}


class _DashboardVersion(Model):
    dashboard: DashboardDetails


class Dashboards:
    """The dashboards of one instance."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def list(
        self, project: str | None, *, search: str | None, space: str | None, limit: int, page: int
    ) -> Page[Dashboard]:
        return await list_content(
            self._api, "dashboard", Dashboard, project, search=search, space=space, limit=limit, page=page
        )

    async def get(self, dashboard: str, project: str | None) -> DashboardDetails:
        if project is not None or not self._api.is_shown_alone(dashboard):
            at = self._api.at("/api/v2/projects/{project:uuid}/dashboards/{dashboard}", project, dashboard=dashboard)
            return self._shown(await self._api.get(at, DashboardDetails))
        at = path("/api/v1/dashboards/{dashboard}", dashboard=dashboard)
        return self._shown(await self._api.get(at, DashboardDetails, project_of=lambda found: found.project_uuid))

    async def create(self, project: str | None, body: dict[str, Any]) -> DashboardDetails:
        at = self._api.at("/api/v1/projects/{project:uuid}/dashboards", project)
        return self._shown(await self._api.post(at, DashboardDetails, body))

    async def duplicate(self, dashboard: DashboardDetails, name: str) -> DashboardDetails:
        at = self._api.at("/api/v1/projects/{project:uuid}/dashboards", dashboard.project_uuid)
        body = {"dashboardName": name, "dashboardDesc": dashboard.description or ""}
        return self._shown(await self._api.post(at, DashboardDetails, body, query={"duplicateFrom": dashboard.uuid}))

    async def describe(
        self, dashboard: DashboardDetails, *, name: str | None, description: str | None
    ) -> DashboardDetails:
        # Lightdash wants the name in any case, and no description rather than null.
        body = {"name": name or dashboard.name, **({} if description is None else {"description": description})}
        return self._shown(await self._api.patch(self._at(dashboard), DashboardDetails, body))

    async def arrange(
        self, dashboard: DashboardDetails, tiles: Sequence[dict[str, Any]], *, adds: bool = False
    ) -> DashboardDetails:
        """Give a dashboard other tiles, all of them; everything else is as it was."""
        body = {**dashboard.content(), "tiles": tiles}
        nature = Nature.ADDS if adds else None
        # Each is a version more.
        new = await self._api.patch(self._at(dashboard), DashboardDetails, body, nature=nature, repeats=False)
        return self._shown(new).model_copy(update={"kept_version": dashboard.version})

    async def delete(self, dashboard: DashboardDetails) -> None:
        await self._api.delete(self._at(dashboard))

    async def history(self, dashboard: DashboardDetails) -> History:
        at = path("/api/v1/dashboards/{dashboard:uuid}/history", dashboard=dashboard.uuid)
        return await self._api.get(at, History, within=dashboard.project_uuid)

    async def version(self, dashboard: DashboardDetails, version: str) -> DashboardDetails:
        at = path(
            "/api/v1/dashboards/{dashboard:uuid}/version/{version:uuid}", dashboard=dashboard.uuid, version=version
        )
        return (await self._api.get(at, _DashboardVersion, within=dashboard.project_uuid)).dashboard

    async def roll_back(self, dashboard: DashboardDetails, version: str) -> None:
        at = path(
            "/api/v1/dashboards/{dashboard:uuid}/rollback/{version:uuid}", dashboard=dashboard.uuid, version=version
        )
        await self._api.post(at, type(None), nature=Nature.REPLACES, repeats=False, within=dashboard.project_uuid)

    def _shown(self, dashboard: DashboardDetails) -> DashboardDetails:
        """Say where people open it."""
        return dashboard.model_copy(
            update={"url": self._api.page(dashboard.project_uuid, "dashboards", dashboard.uuid)}
        )

    def _at(self, dashboard: DashboardDetails) -> Path:
        template = "/api/v2/projects/{project:uuid}/dashboards/{dashboard}"
        return self._api.at(template, dashboard.project_uuid, dashboard=dashboard.uuid)
