"""Saved SQL charts: a SELECT with a name."""

from typing import Any

from aboveboard.http import Path
from aboveboard.http.path import is_uuid
from aboveboard.lightdash.client.api import Api, Model, Named


class SqlChart(Model):
    """A saved SQL chart."""

    saved_sql_uuid: str
    slug: str
    name: str
    description: str | None = None
    sql: str
    limit: int
    config: dict[str, Any]
    space: Named
    url: str | None = None


class SavedSql(Model):
    """What Lightdash answers when one is written."""

    saved_sql_uuid: str
    slug: str | None = None
    url: str | None = None


class SqlCharts:
    """The saved SQL charts of one instance."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def get(self, project: str | None, chart: str) -> SqlChart:
        """Get one by UUID or slug."""
        if is_uuid(chart):
            at = self._at(project, chart)
        else:
            at = self._api.at("/api/v1/projects/{project:uuid}/sqlRunner/saved/slug/{slug}", project, slug=chart)
        found = await self._api.get(at, SqlChart)
        return found.model_copy(update={"url": self._page(project, found.slug)})

    async def create(self, project: str | None, body: dict[str, Any]) -> SavedSql:
        at = self._api.at("/api/v1/projects/{project:uuid}/sqlRunner/saved", project)
        made = await self._api.post(at, SavedSql, body)
        return made.model_copy(update={"url": made.slug and self._page(project, made.slug)})

    async def update(self, project: str | None, chart: SqlChart, body: dict[str, Any]) -> None:
        # Each one that holds SQL is a version more.
        await self._api.patch(self._at(project, chart.saved_sql_uuid), SavedSql, body, repeats=False)

    async def delete(self, project: str | None, chart: SqlChart) -> None:
        await self._api.delete(self._at(project, chart.saved_sql_uuid))

    def _page(self, project: str | None, slug: str) -> str:
        return self._api.page(project, "sql-runner", slug)

    def _at(self, project: str | None, chart: str) -> Path:
        return self._api.at("/api/v1/projects/{project:uuid}/sqlRunner/saved/{chart:uuid}", project, chart=chart)
