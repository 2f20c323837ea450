"""Dashboards: find and read them."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import READ
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Named, Page
from aboveboard.lightdash.client.dashboards.dashboards import Dashboard, DashboardDetails
from aboveboard.lightdash.tools.parameters import InSpace, Limit, OfProject, PageNumber, ProjectUuid, Search

tools = Toolset[LightdashClient](
    "dashboards", title="Dashboards", icon="M3 3h8v10H3zm10 0h8v6h-8zM3 15h8v6H3zm10-4h8v10h-8z"
)

SPACE = Named(uuid="9165...", name="Sales")
DASHBOARD = Dashboard(uuid="1f48...", slug="sales-today", name="Sales today", space=SPACE, views=4)

DETAILS = DashboardDetails(
    uuid="1f48...",
    slug="sales-today",
    name="Sales today",
    project_uuid="3675...",
    space_uuid="9165...",
    space_name="Sales",
    tabs=[],
    tiles=[],
    filters={},
    url="https://...",
)

DashboardId = Annotated[str, Field(description="Dashboard UUID, slug or name.")]


@tools.tool("List Dashboards", READ, example=Page[Dashboard](items=[DASHBOARD], total=1))
async def list_dashboards(
    lightdash: LightdashClient,
    project_uuid: ProjectUuid = None,
    search: Search = None,
    space_uuid: InSpace = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[Dashboard]:
    """List a project's dashboards, the latest change first."""
    return await lightdash.dashboards.list(project_uuid, search=search, space=space_uuid, limit=limit, page=page)


@tools.tool("Get Dashboard", READ, example=DETAILS, core=True)
async def get_dashboard(
    lightdash: LightdashClient, dashboard: DashboardId, project_uuid: OfProject = None
) -> DashboardDetails:
    """Get a dashboard: its tabs, tiles and filters, not the data its charts show."""
    return await lightdash.dashboards.get(dashboard, project_uuid)
