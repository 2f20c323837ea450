"""Projects: find out what there is to work with."""

from aboveboard.effects import READ
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page
from aboveboard.lightdash.client.projects import Project, ProjectDetails, WarehouseConnection
from aboveboard.lightdash.tools.parameters import Limit, PageNumber, ProjectUuid

tools = Toolset[LightdashClient]("projects", title="Projects", icon="M3 6h7l2 2h9v11H3z")

PROJECT = Project(project_uuid="3675b69e-...", name="Corner Shop", type="DEFAULT")


@tools.tool("List Projects", READ, example=Page[Project](items=[PROJECT], total=1), core=True)
async def list_projects(lightdash: LightdashClient, limit: Limit = 50, page: PageNumber = 1) -> Page[Project]:
    """List the projects this server may touch; type PREVIEW marks a copy that is not production."""
    return await lightdash.projects.list(limit=limit, page=page)


@tools.tool(
    "Get Project",
    READ,
    example=ProjectDetails(
        project_uuid="3675b69e-...",
        name="Corner Shop",
        type="DEFAULT",
        organization_uuid="172a2270-...",
        warehouse_connection=WarehouseConnection(type="postgres"),
    ),
    core=True,
)
async def get_project(lightdash: LightdashClient, project_uuid: ProjectUuid) -> ProjectDetails:
    """Get one project: its kind, warehouse, dbt version and time zones."""
    return await lightdash.projects.get(project_uuid)
