"""Validation: which charts, dashboards and tables no longer fit the project's models."""

from typing import Literal

from aboveboard.errors import NotFound
from aboveboard.http import Nature
from aboveboard.http.path import uuid
from aboveboard.lightdash.client.api import Api, Model, Page
from aboveboard.lightdash.client.jobs import Started

Source = Literal["chart", "dashboard", "table"]


class Problem(Model):
    """One thing that is broken, and why."""

    validation_uuid: str
    name: str
    error: str
    error_type: str
    source: str | None = None
    project_uuid: str
    table_name: str | None = None
    field_name: str | None = None
    chart_uuid: str | None = None
    dashboard_uuid: str | None = None


class Affected(Model):
    """A chart, dashboard or table that has a problem."""

    uuid: str | None = None
    name: str
    source: str


class ProblemGroup(Model):
    """Problems with one cause."""

    error_type: str
    table_name: str | None = None
    field_name: str | None = None
    error_count: int
    sample_error: str
    affected_content: list[Affected]
    has_more_affected_content: bool


class Summary(Model):
    """How many problems there are, by cause."""

    total_errors: int
    total_affected_items: int
    groups: list[ProblemGroup]


class Validation:
    """The validation results of one instance's projects."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def start(self, project: str | None) -> str:
        """Start validating a project and return the job's id; the results of the last time are replaced."""
        at = self._api.at("/api/v1/projects/{project:uuid}/validate", project)
        return (await self._api.post(at, Started, {}, nature=Nature.REPLACES)).job_id

    async def list(
        self, project: str | None, *, search: str | None, source: Source | None, warnings: bool, limit: int, page: int
    ) -> Page[Problem]:
        at = self._api.at("/api/v2/projects/{project:uuid}/validate", project)
        query = {
            "searchQuery": search or None,
            "sourceTypes": source,
            "includeChartConfigWarnings": "true" if warnings else None,
            "pageSize": limit,
        }
        found = await self._api.get_page(at, Problem, {**query, "page": page})
        if found.items or page == 1:
            return found
        # Past the end Lightdash says that there are none at all.
        first = await self._api.get_page(at, Problem, {**query, "page": 1})
        return found.model_copy(update={"total": first.total})

    async def summary(self, project: str | None) -> Summary:
        found = await self._api.get(self._api.at("/api/v2/projects/{project:uuid}/validate/summary", project), Summary)
        if found.total_errors == 0:  # of a project that is not there, Lightdash says the same
            await self._api.get(self._api.at("/api/v1/projects/{project:uuid}", project), dict[str, object])
        return found

    async def dismiss(self, project: str | None, validation: str) -> Problem:
        """Take a problem off the list and return what it was."""
        at = self._api.at("/api/v2/projects/{project:uuid}/validate/{validation:uuid}", project, validation=validation)
        known = await self._api.get(at, Problem)
        if known.project_uuid != uuid("project", self._api.project(project)):
            raise NotFound(f"The project has no validation result {known.validation_uuid}.", status=404)
        at = self._api.at("/api/v1/projects/{project:uuid}/validate/{validation:uuid}", project, validation=validation)
        await self._api.delete(at)
        return known
