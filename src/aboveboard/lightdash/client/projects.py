"""Projects: each holds explores, charts, dashboards and spaces."""

from aboveboard.http import path
from aboveboard.lightdash.client.api import Api, Model, Page, sliced


class Project(Model):
    """A project in a list; a PREVIEW is a copy for trying things, not production."""

    project_uuid: str
    name: str
    type: str
    warehouse_type: str | None = None
    created_at: str | None = None
    expires_at: str | None = None
    upstream_project_uuid: str | None = None


class WarehouseConnection(Model):
    """Where a project's data lives, without its credentials."""

    type: str


class ProjectDetails(Model):
    """One project's settings, without those that are secret."""

    project_uuid: str
    name: str
    type: str
    organization_uuid: str
    warehouse_connection: WarehouseConnection | None = None
    dbt_version: str | None = None
    scheduler_timezone: str | None = None
    query_timezone: str | None = None
    upstream_project_uuid: str | None = None
    expires_at: str | None = None


class Projects:
    """The projects of one organisation."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def list(self, *, limit: int, page: int) -> Page[Project]:
        every = await self._api.get(path("/api/v1/org/projects"), list[Project], org_wide=True)
        allowed = [project for project in every if self._api.allows(project.project_uuid)]
        return sliced(allowed, Project, limit=limit, page=page)

    async def get(self, project: str) -> ProjectDetails:
        return await self._api.get(path("/api/v1/projects/{project:uuid}", project=project), ProjectDetails)
