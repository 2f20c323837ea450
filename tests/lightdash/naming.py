"""Which parameters take names, and what the things that a call names by UUID are called."""

from typing import Any, Final

from tests.lightdash.sessions import TOOLS, Session

from aboveboard.http.path import is_uuid
from aboveboard.lightdash.client.name_lookup import DOCUMENTS, IN_A_PROJECT, KINDS, SLUGGED

# The tool that lists each kind, where its items have their UUID, and a name that no other has.
LISTS: Final = {
    "project": ("list_projects", "project_uuid", "name"),
    "space": ("list_spaces", "uuid", "slug"),
    "user": ("list_organization_members", "user_uuid", "email"),
    "group": ("list_groups", "uuid", "name"),
    "chart": ("list_charts", "uuid", "name"),
    "dashboard": ("list_dashboards", "uuid", "name"),
    "tag": ("list_tags", "tag_uuid", "name"),
    "scheduler": ("list_schedulers", "scheduler_uuid", "name"),
    "agent": ("list_project_agents", "uuid", "name"),
    "SQL chart": ("list_charts", "uuid", "name"),
    "evaluation": ("list_agent_evaluations", "eval_uuid", "title"),
}


def named(tool: str) -> dict[str, str]:
    """Return the parameters of a tool that take names, and of what."""
    properties = TOOLS[tool].input_schema.get("properties", {})
    written = SLUGGED if f"{TOOLS[tool].toolset.area}.{tool}" in DOCUMENTS else ()
    return {name: kind for name, kind in KINDS.items() if name in properties and kind not in written}


async def by_name(session: Session, tool: str, arguments: dict[str, Any]) -> dict[str, str]:
    """Return the names of what a call names by UUID."""
    made: dict[str, str] = {}
    for parameter, kind in named(tool).items():
        given = arguments.get(parameter)
        if given and is_uuid(given):
            listing, uuid, name = LISTS[kind]
            inside = {"project_uuid": arguments.get("project_uuid")} if kind in (*IN_A_PROJECT, "evaluation") else {}
            inside |= {"agent_uuid": arguments["agent_uuid"]} if kind == "evaluation" else {}
            every = (await session.ask(listing, limit=200, **inside))["items"]
            made[parameter] = next(one[name] for one in every if one[uuid] == given)
    return made
