"""What a client can read by address, and ways to begin: resources and prompts."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.charts import ChartDetails
from aboveboard.lightdash.client.dashboards.dashboards import DashboardDetails
from aboveboard.lightdash.client.explores.explores import Explore
from aboveboard.lightdash.client.projects import ProjectDetails

tools = Toolset[LightdashClient]("library", title="Resources and prompts", icon="M4 4h7v16H4zm9 0h7v16h-7z")

MANY = 100


async def project_ids(lightdash: LightdashClient, typed: str) -> Sequence[str]:
    """Complete a project's UUID, by its beginning or by the project's name."""
    found = (await lightdash.projects.list(limit=MANY, page=1)).items
    return [one.project_uuid for one in found if _starts(typed, one.project_uuid, one.name)]


async def chart_ids(lightdash: LightdashClient, typed: str) -> Sequence[str]:
    """Complete a chart's slug in the default project."""
    if not lightdash.has_default_project:
        return []
    found = (await lightdash.charts.list(None, search=typed, space=None, limit=MANY, page=1)).items
    return [one.slug for one in found]


async def dashboard_ids(lightdash: LightdashClient, typed: str) -> Sequence[str]:
    """Complete a dashboard's slug in the default project."""
    if not lightdash.has_default_project:
        return []
    found = (await lightdash.dashboards.list(None, search=typed, space=None, limit=MANY, page=1)).items
    return [one.slug for one in found]


async def explore_names(lightdash: LightdashClient, typed: str, project_uuid: str | None = None) -> Sequence[str]:
    """Complete an explore's name in the chosen project, or else in the default one."""
    if not project_uuid and not lightdash.has_default_project:
        return []
    found = (await lightdash.explores.list(project_uuid or None, limit=1000, page=1)).items
    return [one.name for one in found if _starts(typed, one.name, one.label)]


async def project_names(lightdash: LightdashClient, typed: str) -> Sequence[str]:
    """Complete a project's name, by its beginning or that of its UUID."""
    found = (await lightdash.projects.list(limit=MANY, page=1)).items
    return [one.name for one in found if _starts(typed, one.project_uuid, one.name)]


async def space_names(lightdash: LightdashClient, typed: str, project: str = "") -> Sequence[str]:
    """Complete a space's name in the chosen project, or else in the default one."""
    if not project and not lightdash.has_default_project:
        return []
    chosen = await lightdash.names.one("project", project, None) if project else None
    found = await lightdash.spaces.every(chosen)
    return [one.name for one in found if _starts(typed, one.name, one.slug)]


@tools.resource(
    "lightdash://projects/{project_uuid}", "Project", area="projects", completers={"project_uuid": project_ids}
)
async def project(lightdash: LightdashClient, project_uuid: str) -> ProjectDetails:
    """One project: its kind, warehouse and time zones."""
    return await lightdash.projects.get(project_uuid)


@tools.resource("lightdash://charts/{chart}", "Chart", area="charts", completers={"chart": chart_ids})
async def chart(lightdash: LightdashClient, chart: str) -> ChartDetails:
    """A saved chart by UUID, slug or name: its query and how it is drawn."""
    return await lightdash.charts.get(chart, None)


@tools.resource(
    "lightdash://dashboards/{dashboard}", "Dashboard", area="dashboards", completers={"dashboard": dashboard_ids}
)
async def dashboard(lightdash: LightdashClient, dashboard: str) -> DashboardDetails:
    """A dashboard by UUID, slug or name: its tabs, tiles and filters."""
    return await lightdash.dashboards.get(dashboard, None)


@tools.resource(
    "lightdash://projects/{project_uuid}/explores/{explore}",
    "Explore",
    area="explores",
    completers={"project_uuid": project_ids, "explore": explore_names},
)
async def explore(lightdash: LightdashClient, project_uuid: str, explore: str) -> Explore:
    """An explore of a project: every dimension and metric that can be queried."""
    return (await lightdash.explores.get(project_uuid, explore)).brief()


@tools.prompt(
    "Explore A Question",
    completers={"project": project_names},
    tools=[
        *("get_context", "search_content", "search_fields", "get_explore", "search_field_values"),
        "run_metric_query",
    ],
)
def explore_question(
    question: Annotated[str, Field(description="What you want to know, in your own words.")],
    project: Annotated[str, Field(description="The project's name or UUID; left out, the default.")] = "",
) -> str:
    """Answer a question with the data in Lightdash, showing how."""
    where = f" Work in the project {project}." if project else ""
    return (
        f"Answer this question with the data in Lightdash: {question}{where}\n\n"
        "1. Call get_context, then look for a saved chart or dashboard that already answers it (search_content); "
        "prefer verified ones.\n"
        "2. Otherwise find the fields with search_fields, read the explore with get_explore, and check the values "
        "you filter by with search_field_values.\n"
        "3. Ask one small query first with run_metric_query; check that its numbers are plausible before you go on.\n"
        "4. Answer in plain words, with the figures, the filters and period they hold for, and the link to open it "
        "in Lightdash. Say what the data cannot tell."
    )


@tools.prompt(
    "Audit Content",
    completers={"project": project_names, "space": space_names},
    tools=["list_charts", "list_dashboards", "get_validation_summary", "list_spaces"],
)
def audit_content(
    project: Annotated[str, Field(description="The project's name or UUID; left out, the default.")] = "",
    space: Annotated[str, Field(description="Only this space, by name; left out, all.")] = "",
) -> str:
    """Find charts and dashboards that are broken, unused or doubled."""
    where = (f" in the space {space}" if space else "") + (f" of the project {project}" if project else "")
    return (
        f"Audit the charts and dashboards{where} in Lightdash. Change nothing.\n\n"
        "1. List everything (list_spaces, list_charts, list_dashboards, all pages) with views, last change and space.\n"
        "2. Read get_validation_summary for what is broken.\n"
        "3. Report as tables: broken; not viewed or changed for long; alike in name or query; in no sensible space.\n"
        "4. For each, propose one action: keep, repair, merge, move or delete. Ask before doing any of it."
    )


@tools.prompt("Review Access", completers={"project": project_names}, tools=["review_access"])
def review_access(
    project: Annotated[str, Field(description="The project's name or UUID; left out, the default.")] = "",
) -> str:
    """Show who can see and change what, and what looks wrong."""
    where = f" to the project {project}" if project else ""
    return (
        f"Review who has access{where} in Lightdash. Change nothing.\n\n"
        "1. Call the tool review_access, all pages: every person's roles and spaces, and where each comes from.\n"
        "2. Report: admins; people with more than they seem to need; inactive or pending accounts with access; "
        "private spaces shared widely; groups that are empty.\n"
        "3. Propose changes, each with its reason. Ask before doing any of them."
    )


def _starts(typed: str, *candidates: str) -> bool:
    return any(candidate.lower().startswith(typed.lower()) for candidate in candidates)
