"""Context: who is asking, and what this Lightdash is."""

from aboveboard.effects import READ
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Model
from aboveboard.lightdash.client.instance import QueryLimits
from aboveboard.lightdash.client.projects import Project

tools = Toolset[LightdashClient](
    "context", title="Context", icon="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm-1 5h2v2h-2zm0 4h2v5h-2z"
)

SHOWN = 20
"""Projects to name; whoever has more asks list_projects."""


class Context(Model):
    """The person, the organisation, the projects and the limits."""

    user_uuid: str
    user_name: str
    role: str | None = None
    organization_name: str | None = None
    version: str
    default_project_uuid: str | None = None
    projects: list[Project]
    total_projects: int
    limits: QueryLimits


@tools.tool(
    "Get Context",
    READ,
    example=Context(
        user_uuid="b264...",
        user_name="Ada Byron",
        role="admin",
        version="1.237.0",
        projects=[Project(project_uuid="3675...", name="Corner Shop", type="DEFAULT")],
        total_projects=1,
        limits=QueryLimits(max_limit=5000, default_limit=500, max_page_size=2500),
    ),
    core=True,
)
async def get_context(lightdash: LightdashClient) -> Context:
    """Tell whose token this is, which projects it reaches, the default project, the version and the row limits."""
    # Never /user/account: it echoes the token.
    me = await lightdash.instance.me()
    health = await lightdash.instance.health()
    projects = await lightdash.projects.list(limit=SHOWN, page=1)
    return Context(
        user_uuid=me.user_uuid,
        user_name=f"{me.first_name} {me.last_name}".strip(),
        role=me.role,
        organization_name=me.organization_name,
        version=health.version,
        default_project_uuid=lightdash.default_project,
        projects=projects.items,
        total_projects=projects.total,
        limits=health.query,
    )
