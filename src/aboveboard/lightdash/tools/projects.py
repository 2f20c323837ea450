"""Projects: find out what there is to work with."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import READ, REPLACE
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page
from aboveboard.lightdash.client.jobs import Job
from aboveboard.lightdash.client.projects import Parameter, Project, ProjectDetails, ProjectMember, WarehouseConnection
from aboveboard.lightdash.tools.parameters import Limit, PageNumber, ProjectUuid, Search

tools = Toolset[LightdashClient]("projects", title="Projects", icon="M3 6h7l2 2h9v11H3z")


class Refreshing(Job):
    """The job that reads a project anew, and where people see its explores."""

    url: str


PROJECT = Project(project_uuid="3675...", name="Corner Shop", type="DEFAULT")


@tools.tool("List Projects", READ, example=Page[Project](items=[PROJECT], total=1))
async def list_projects(lightdash: LightdashClient, limit: Limit = 50, page: PageNumber = 1) -> Page[Project]:
    """List the projects this server may touch; type PREVIEW marks a copy that is not production."""
    return await lightdash.projects.list(limit=limit, page=page)


@tools.tool(
    "Get Project",
    READ,
    example=ProjectDetails(
        project_uuid="3675...",
        name="Corner Shop",
        type="DEFAULT",
        organization_uuid="172a...",
        warehouse_connection=WarehouseConnection(type="postgres"),
    ),
)
async def get_project(lightdash: LightdashClient, project_uuid: ProjectUuid = None) -> ProjectDetails:
    """Get one project: its kind, warehouse, dbt version and time zones."""
    return await lightdash.projects.get(project_uuid)


# It makes Lightdash fetch the dbt repository and its packages, which stand elsewhere.
@tools.tool(
    "Refresh Project", REPLACE.reaching_out(), example=Refreshing(job_id="9025...", status="running", url="https://...")
)
async def refresh_project(lightdash: LightdashClient, project_uuid: ProjectUuid = None) -> Refreshing:
    """Read the dbt project anew; explores, dimensions and metrics become what it says now, the old ones are gone.

    It takes a while: get_job_status tells when it is done.
    """
    job = await lightdash.jobs.get(await lightdash.projects.refresh(project_uuid))
    return Refreshing(**vars(job), url=lightdash.pages.explores(project_uuid))


@tools.tool("Get Job Status", READ, example=Job(job_id="9025...", status="done"))
async def get_job_status(
    lightdash: LightdashClient, job_id: Annotated[str, Field(description="What a tool answered as job_id.")]
) -> Job:
    """Tell whether a job still runs, is done or failed, and why."""
    return await lightdash.jobs.get(job_id)


@tools.tool(
    "Get Project Parameters",
    READ,
    example=Page[Parameter](items=[Parameter(name="currency", default="usd", options=["usd", "eur"])], total=1),
)
async def get_project_parameters(
    lightdash: LightdashClient,
    project_uuid: ProjectUuid = None,
    search: Search = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[Parameter]:
    """List the parameters that queries of a project can set, with their defaults and options."""
    return await lightdash.projects.parameters(project_uuid, search=search, limit=limit, page=page)


@tools.tool(
    "List Project Access",
    READ,
    example=Page[ProjectMember](
        items=[
            ProjectMember(
                user_uuid="b264...", first_name="Ada", last_name="Byron", email="ada@example.com", role="editor"
            )
        ],
        total=1,
    ),
)
async def list_project_access(
    lightdash: LightdashClient, project_uuid: ProjectUuid = None, limit: Limit = 50, page: PageNumber = 1
) -> Page[ProjectMember]:
    """List the people with a role of their own in a project; list_role_assignments shows groups and all others."""
    return await lightdash.projects.access(project_uuid, limit=limit, page=page)
