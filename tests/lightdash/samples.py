"""For every tool a call that works and one that does not; ids come from what the list tools answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tests.lightdash import samples_admin, samples_agents, samples_content
from tests.lightdash.arrangements import LISTED, MAKERS, arranged
from tests.lightdash.sessions import TOOLS, Session

NOBODY: Final = "99999999-0000-4000-8000-000000000000"
Arguments = dict[str, Any]


@dataclass(frozen=True)
class Known:
    """What a model has learnt from the list tools before it calls the others."""

    project: str
    chart: Mapping[str, Any]
    dashboard: Mapping[str, Any]
    space: str
    user: str
    group: str
    made: Mapping[str, Any]
    """What the sandbox has none of at first, by the parameter that takes its id."""

    @classmethod
    async def learnt(cls, session: Session, tool: str = "") -> "Known":
        """Ask the list tools, and make what a call of this tool needs beside what they show."""
        project = (await session.ask("list_projects"))["items"][0]["project_uuid"]
        if project not in _LEARNT:  # a sandbox shows the same at every beginning
            _LEARNT[project] = await cls._listed(session, project)
        known = _LEARNT[project]
        return replace(known, made=await arranged(session, tool, dict(known.made))) if tool else known

    @classmethod
    async def _listed(cls, session: Session, project: str) -> "Known":
        async def first(tool: str, **arguments: Any) -> dict[str, Any]:
            return (await session.ask(tool, **arguments))["items"][0]

        charts = (await session.ask("list_charts", project_uuid=project))["items"]
        # The list shows charts of the SQL runner too, which not every tool is for.
        chart = next(one for one in charts if one["source"] != "sql")
        dashboard = await first("list_dashboards", project_uuid=project)
        space = (await first("list_spaces", project_uuid=project))["uuid"]
        return cls(
            project=project,
            chart=chart,
            dashboard=dashboard,
            space=space,
            user=(await first("list_organization_members"))["user_uuid"],
            group=(await first("list_groups"))["uuid"],
            made={"project": project, "chart": chart["uuid"], "dashboard": dashboard["uuid"], "space": space},
        )


_LEARNT: Final[dict[str, Known]] = {}

# For a service that is scripted, where any id will do.
SOMEONE: Final = Known(
    project="1a000000-0000-4000-8000-000000000001",
    chart={"uuid": "3a000000-0000-4000-8000-000000000001", "space": {"uuid": "2a000000-0000-4000-8000-000000000001"}},
    dashboard={"uuid": "4a000000-0000-4000-8000-000000000001", "name": "Overview"},
    space="2a000000-0000-4000-8000-000000000001",
    user="0b000000-0000-4000-8000-000000000001",
    group="0c000000-0000-4000-8000-000000000001",
    made={
        **dict.fromkeys(MAKERS, "5a000000-0000-4000-8000-000000000001"),
        "chart_document": {"name": "A", "spaceSlug": "s", "tableName": "orders", "metricQuery": {}, "chartConfig": {}},
        "dashboard_document": {"name": "A", "spaceSlug": "s", "tiles": [], "tabs": []},
    },
)

GOOD: Final[Mapping[str, Callable[[Known], Arguments]]] = {
    "list_projects": lambda known: {"limit": 10},
    "get_project": lambda known: {"project_uuid": known.project},
    "list_charts": lambda known: {"project_uuid": known.project, "space_uuid": known.chart["space"]["uuid"]},
    "get_chart": lambda known: {"chart": known.chart["uuid"], "project_uuid": known.project},
    "list_dashboards": lambda known: {"project_uuid": known.project, "search": known.dashboard["name"]},
    "get_dashboard": lambda known: {"dashboard": known.dashboard["uuid"], "project_uuid": known.project},
    "list_spaces": lambda known: {"project_uuid": known.project, "page": 1},
    "get_space": lambda known: {"project_uuid": known.project, "space_uuid": known.space},
    "create_space": lambda known: {
        "project_uuid": known.project,
        "name": "Büro 📈",
        "parent_space_uuid": known.space,
        "inherit_permissions": True,
    },
    "update_space": lambda known: {"project_uuid": known.project, "space_uuid": known.space, "name": "Ünder new name"},
    "delete_space": lambda known: {"project_uuid": known.project, "space_uuid": known.space},
    "list_organization_members": lambda known: {"search": "ada"},
    "get_member": lambda known: {"user_uuid": known.user},
    "list_groups": lambda known: {"page": 1},
    "get_group": lambda known: {"group_uuid": known.group},
    **samples_admin.GOOD,
    **samples_agents.GOOD,
    **samples_content.GOOD,
}

BAD: Final[Mapping[str, tuple[Callable[[Known], Arguments], str]]] = {
    "list_projects": (lambda known: {"limit": 0}, "limit must be at least 1."),
    "get_project": (lambda known: {"project_uuid": NOBODY}, f"Cannot find project with id: {NOBODY}"),
    "list_charts": (lambda known: {"project_uuid": known.project, "limit": 500}, "limit must be at most 200."),
    "get_chart": (lambda known: {"chart": "no-such-chart"}, "Lightdash answered 404"),
    "list_dashboards": (lambda known: {"project_uuid": "Corner Shop"}, "'Corner Shop' is not a UUID."),
    "get_dashboard": (lambda known: {"dashboard": NOBODY, "project_uuid": known.project}, "Lightdash answered 404"),
    "list_spaces": (lambda known: {"project_uuid": NOBODY}, "Lightdash answered 404"),
    "get_space": (lambda known: {"project_uuid": known.project, "space_uuid": NOBODY}, "does not exist"),
    "create_space": (lambda known: {"project_uuid": known.project, "name": ""}, "name must have at least 1 character"),
    "update_space": (
        lambda known: {"project_uuid": known.project, "space_uuid": known.space},
        "there is nothing to change",
    ),
    "delete_space": (lambda known: {"project_uuid": known.project, "space_uuid": NOBODY}, "does not exist"),
    "list_organization_members": (lambda known: {"page": "two"}, "page must be a whole number."),
    "get_member": (lambda known: {"user_uuid": NOBODY}, f"No member of the organisation has the UUID {NOBODY}."),
    "list_groups": (lambda known: {"serach": "x"}, "did you mean 'search'"),
    "get_group": (lambda known: {"group_uuid": NOBODY}, "No group found"),
    **samples_admin.BAD,
    **samples_agents.BAD,
    **samples_content.BAD,
}

# Calls of the same tools that take another way through the client.
OTHERWISE: Final[tuple[tuple[str, Callable[[Known], Arguments]], ...]] = (
    ("get_chart", lambda known: {"chart": known.chart["uuid"]}),
    ("get_dashboard", lambda known: {"dashboard": known.dashboard["uuid"]}),
    *samples_admin.OTHERWISE,
    *samples_content.OTHERWISE,
)

# The tools that the tests of the whole catalogue call; that none is missing is a test of its own.
SAMPLED: Final = {name: tool for name, tool in TOOLS.items() if name in GOOD}


async def filled(session: Session, tool: str) -> Known:
    """Learn what a list takes, and see to it that there are several things to list."""
    known = await Known.learnt(session, tool)
    for _ in range(3 if tool in LISTED else 0):
        await LISTED[tool](session, dict(known.made))
    return known
