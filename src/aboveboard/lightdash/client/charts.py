"""Saved charts: a query over an explore, and how to draw it."""

from typing import Any

from aboveboard.http import path
from aboveboard.lightdash.client.api import Api, Model, Page
from aboveboard.lightdash.client.content import Content, list_content


class Chart(Content):
    """A saved chart in a list."""

    chart_kind: str | None = None


class ChartDetails(Model):
    """A saved chart with its query and its drawing."""

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
    updated_at: str | None = None


class Charts:
    """The saved charts of one instance."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def list(self, project: str, *, search: str | None, space: str | None, limit: int, page: int) -> Page[Chart]:
        return await list_content(
            self._api, "chart", Chart, project, search=search, space=space, limit=limit, page=page
        )

    async def get(self, chart: str, project: str | None) -> ChartDetails:
        if project is not None:
            at = path("/api/v2/projects/{project:uuid}/saved/{chart}", project=project, chart=chart)
            return await self._api.get(at, ChartDetails)
        at = path("/api/v1/saved/{chart}", chart=chart)
        return await self._api.get(at, ChartDetails, project_of=lambda found: found.project_uuid)
