"""Charts: find and read saved charts."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import READ
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Named, Page
from aboveboard.lightdash.client.charts import Chart, ChartDetails
from aboveboard.lightdash.tools.parameters import InSpace, Limit, OfProject, PageNumber, ProjectUuid, Search

tools = Toolset[LightdashClient]("charts", title="Charts", icon="M4 20V10h4v10zm6 0V4h4v16zm6 0v-7h4v7z")

SPACE = Named(uuid="9165...", name="Sales")
CHART = Chart(uuid="6513...", slug="orders-by-status", name="Orders by status", space=SPACE, views=9)

DETAILS = ChartDetails(
    uuid="6513...",
    slug="orders-by-status",
    name="Orders by status",
    project_uuid="3675...",
    space_uuid="9165...",
    space_name="Sales",
    table_name="orders",
    metric_query={"metrics": ["orders_n"]},
    chart_config={"type": "table"},
    url="https://...",
)

ChartId = Annotated[str, Field(description="Chart UUID, slug or name.")]


@tools.tool("List Charts", READ, example=Page[Chart](items=[CHART], total=1))
async def list_charts(
    lightdash: LightdashClient,
    project_uuid: ProjectUuid = None,
    search: Search = None,
    space_uuid: InSpace = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[Chart]:
    """List a project's saved charts, the latest change first; get_sql_chart reads those whose source is sql."""
    return await lightdash.charts.list(project_uuid, search=search, space=space_uuid, limit=limit, page=page)


@tools.tool("Get Chart", READ, example=DETAILS, core=True)
async def get_chart(lightdash: LightdashClient, chart: ChartId, project_uuid: OfProject = None) -> ChartDetails:
    """Get a saved chart: the query behind it and how it is drawn, not its data."""
    return await lightdash.charts.get(chart, project_uuid)
