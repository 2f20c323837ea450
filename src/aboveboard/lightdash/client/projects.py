"""Projects: each holds explores, charts, dashboards and spaces."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import model_validator

from aboveboard.errors import BadInput, explain_unknown
from aboveboard.http import Nature, path
from aboveboard.lightdash.client.api import Api, Model, Page, slice_page


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


class Parameter(Model):
    """A value that queries of a project may set."""

    name: str
    label: str | None = None
    description: str | None = None
    type: str | None = None
    default: Any = None
    options: list[Any] | None = None
    allow_custom_values: bool | None = None
    model_name: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _unfold(cls, answer: object) -> object:
        """Lightdash keeps all but the name in a `config`."""
        if not isinstance(answer, dict):
            return answer
        fields = cast("dict[str, Any]", answer)
        config = fields.get("config")
        return {**fields, **cast("dict[str, Any]", config)} if isinstance(config, dict) else fields

    def check(self, given: object) -> None:
        """Refuse a value that is none of the options, where there is no other choice."""
        if not self.options or self.allow_custom_values:
            return
        options = [cast("dict[str, Any]", one).get("value") if isinstance(one, dict) else one for one in self.options]
        for value in cast("list[object]", given) if isinstance(given, list) else [given]:
            if value not in options:
                raise BadInput(f"The parameter {self.name} is one of {', '.join(map(str, options))}, not {value!r}.")


class ProjectMember(Model):
    """A person with a role of their own in a project."""

    user_uuid: str
    first_name: str
    last_name: str
    email: str
    role: str


class _Refresh(Model):
    job_uuid: str


class Projects:
    """The projects of one organisation."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def every(self) -> Sequence[Project]:
        """Get all projects that tools may touch."""
        found = await self._api.get(path("/api/v1/org/projects"), list[Project], org_wide=True)
        return [project for project in found if self._api.allows(project.project_uuid)]

    async def list(self, *, limit: int, page: int) -> Page[Project]:
        return slice_page(await self.every(), Project, limit=limit, page=page)

    async def get(self, project: str | None) -> ProjectDetails:
        return await self._api.get(self._api.at("/api/v1/projects/{project:uuid}", project), ProjectDetails)

    async def refresh(self, project: str | None) -> str:
        """Start reading a project's dbt models anew and return the job's id; what they were before is replaced."""
        at = self._api.at("/api/v1/projects/{project:uuid}/refresh", project)
        return (await self._api.post(at, _Refresh, nature=Nature.REPLACES)).job_uuid

    async def parameters(self, project: str | None, *, search: str | None, limit: int, page: int) -> Page[Parameter]:
        at = self._api.at("/api/v2/projects/{project:uuid}/parameters/list", project)
        return await self._api.get_page(at, Parameter, {"search": search or None, "page": page, "pageSize": limit})

    async def check_parameters(self, project: str | None, given: Mapping[str, Any] | None) -> None:
        """Refuse a parameter or an option that the project has not: Lightdash would pass over it in silence."""
        if not given:
            return
        page: int | None = 1
        known: dict[str, Parameter] = {}
        while page is not None:
            found = await self.parameters(project, search=None, limit=100, page=page)
            known |= {one.name: one for one in found.items}
            page = found.next_page
        for name, value in given.items():
            if name not in known:
                raise BadInput(explain_unknown("parameter", name, list(known), of="The project"))
            known[name].check(value)

    async def access(self, project: str | None, *, limit: int, page: int) -> Page[ProjectMember]:
        every = await self._api.get(
            self._api.at("/api/v1/projects/{project:uuid}/access", project), list[ProjectMember]
        )
        return slice_page(every, ProjectMember, limit=limit, page=page)
