"""Saved charts: a query over an explore, and how to draw it."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from aboveboard.errors import ApiError, NotFound
from aboveboard.http import Nature, path
from aboveboard.lightdash.client.api import Api, Model, Page
from aboveboard.lightdash.client.content.content import Content, list_content
from aboveboard.lightdash.client.kept import Kept
from aboveboard.lightdash.client.versions import History


class Chart(Content):
    """A saved chart in a list."""

    chart_kind: str | None = None
    source: str | None = None
    """`dbt_explore` for a chart over an explore, `sql` for a saved SQL chart."""


class ChartDetails(Kept):
    """A saved chart with its query and its drawing."""

    beside: ClassVar = frozenset(
        (
            *("uuid", "slug", "name", "description", "verification", "updatedAt", "updatedByUser"),
            *("organizationUuid", "projectUuid", "spaceUuid", "spaceName", "pinnedListUuid", "pinnedListOrder"),
            *("dashboardUuid", "dashboardName", "dashboardSlug", "access", "inheritsFromOrgOrProject"),
            *("colorPalette", "colorPaletteUuid", "resolvedColorPalette"),
        )
    )

    uuid: str
    slug: str
    name: str
    description: str | None = None
    project_uuid: str
    space_uuid: str
    space_name: str
    table_name: str
    metric_query: dict[str, Any]
    chart_config: dict[str, Any]
    pivot_config: dict[str, Any] | None = None
    table_config: dict[str, Any] | None = None
    pinned_list_uuid: str | None = None
    updated_at: str | None = None
    url: str | None = None
    kept_version: str | None = None
    """What it was before a change: what rolling back takes."""


class _ChartVersion(Model):
    chart: ChartDetails


class Charts:
    """The saved charts of one instance."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def list(
        self, project: str | None, *, search: str | None, space: str | None, limit: int, page: int
    ) -> Page[Chart]:
        return await list_content(
            self._api, "chart", Chart, project, search=search, space=space, limit=limit, page=page
        )

    async def get(self, chart: str, project: str | None) -> ChartDetails:
        if project is not None or not self._api.is_shown_alone(chart):
            at = self._api.at("/api/v2/projects/{project:uuid}/saved/{chart}", project, chart=chart)
            return self._shown(await self._api.get(at, ChartDetails))
        at = path("/api/v1/saved/{chart}", chart=chart)
        return self._shown(await self._api.get(at, ChartDetails, project_of=lambda found: found.project_uuid))

    async def create(self, project: str | None, body: dict[str, Any]) -> ChartDetails:
        at = self._api.at("/api/v1/projects/{project:uuid}/saved", project)
        try:
            return self._shown(await self._api.post(at, ChartDetails, body))
        except NotFound as missing:
            # Lightdash stores a chart before it looks whether its explore is there.
            doubt = "The chart may be there all the same: look with list_charts before trying again."
            raise ApiError(str(missing), status=missing.status, next_step=doubt) from None

    async def duplicate(self, chart: ChartDetails, name: str) -> ChartDetails:
        at = self._api.at("/api/v1/projects/{project:uuid}/saved", chart.project_uuid)
        body = {"chartName": name, "chartDesc": chart.description or ""}
        return self._shown(await self._api.post(at, ChartDetails, body, query={"duplicateFrom": chart.uuid}))

    async def describe(self, chart: ChartDetails, *, name: str | None, description: str | None) -> ChartDetails:
        body = {"name": name, "description": description}
        at = path("/api/v1/saved/{chart}", chart=chart.uuid)
        given = {key: value for key, value in body.items() if value is not None}
        return self._shown(await self._api.patch(at, ChartDetails, given, within=chart.project_uuid))

    async def redraw(
        self, chart: ChartDetails, changes: Mapping[str, Any], *, without: Sequence[str] = ()
    ) -> ChartDetails:
        """Give a chart a new version, in which everything is as it was but the changes and what it is to be without.

        Lightdash keeps a version for every write, even one that changes nothing; so this looks first.
        """
        now = chart.content()
        body = {key: value for key, value in {**now, **changes}.items() if key not in without}
        if body == now:
            return chart
        kept = (await self.history(chart)).newest
        at = path("/api/v1/saved/{chart:uuid}/version", chart=chart.uuid)
        # Each one is a version more.
        new = await self._api.post(
            at, ChartDetails, body, nature=Nature.REPLACES, repeats=False, within=chart.project_uuid
        )
        return self._shown(new).model_copy(update={"kept_version": kept})

    async def delete(self, chart: ChartDetails) -> None:
        at = self._api.at("/api/v2/projects/{project:uuid}/saved/{chart}", chart.project_uuid, chart=chart.uuid)
        await self._api.delete(at)

    async def history(self, chart: ChartDetails) -> History:
        at = path("/api/v1/saved/{chart:uuid}/history", chart=chart.uuid)
        return await self._api.get(at, History, within=chart.project_uuid)

    async def version(self, chart: ChartDetails, version: str) -> ChartDetails:
        at = path("/api/v1/saved/{chart:uuid}/version/{version:uuid}", chart=chart.uuid, version=version)
        return (await self._api.get(at, _ChartVersion, within=chart.project_uuid)).chart

    async def roll_back(self, chart: ChartDetails, version: str) -> None:
        at = path("/api/v1/saved/{chart:uuid}/rollback/{version:uuid}", chart=chart.uuid, version=version)
        await self._api.post(at, type(None), nature=Nature.REPLACES, repeats=False, within=chart.project_uuid)

    def _shown(self, chart: ChartDetails) -> ChartDetails:
        """Say where people open it."""
        return chart.model_copy(update={"url": self._api.page(chart.project_uuid, "saved", chart.uuid)})
