"""Charts and dashboards as code: the whole of each as one document, found by its slug."""

from typing import Any

from aboveboard.lightdash.client.api import Api, Model


class Documents(Model):
    """A stretch of a project's documents, and which slugs were asked for in vain."""

    documents: list[dict[str, Any]]
    missing: list[str]
    total: int


class Upserted(Model):
    """What writing a document did."""

    slug: str
    action: str


class _Charts(Model):
    charts: list[dict[str, Any]]
    missing_ids: list[str]
    total: int


class _Dashboards(Model):
    dashboards: list[dict[str, Any]]
    missing_ids: list[str]
    total: int


class _Change(Model):
    action: str


class _ChartChanges(Model):
    charts: list[_Change]


class _DashboardChanges(Model):
    dashboards: list[_Change]


class Code:
    """The documents of one instance's projects."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def charts(self, project: str | None, *, slugs: list[str], offset: int) -> Documents:
        at = self._api.at("/api/v1/projects/{project:uuid}/code/charts", project)
        answer = await self._api.get(at, _Charts, {"ids": slugs or None, "offset": offset or None})
        return Documents(documents=answer.charts, missing=answer.missing_ids, total=answer.total)

    async def dashboards(self, project: str | None, *, slugs: list[str], offset: int) -> Documents:
        at = self._api.at("/api/v1/projects/{project:uuid}/code/dashboards", project)
        answer = await self._api.get(at, _Dashboards, {"ids": slugs or None, "offset": offset or None})
        return Documents(documents=answer.dashboards, missing=answer.missing_ids, total=answer.total)

    async def write_chart(self, project: str | None, slug: str, document: dict[str, Any]) -> str:
        at = self._api.at("/api/v1/projects/{project:uuid}/code/charts/{slug}", project, slug=slug)
        return _action((await self._api.post(at, _ChartChanges, document, replaces=True)).charts)

    async def write_dashboard(self, project: str | None, slug: str, document: dict[str, Any]) -> str:
        at = self._api.at("/api/v1/projects/{project:uuid}/code/dashboards/{slug}", project, slug=slug)
        return _action((await self._api.post(at, _DashboardChanges, document, replaces=True)).dashboards)


def _action(changes: list[_Change]) -> str:
    return changes[0].action if changes else "no changes"
