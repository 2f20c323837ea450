"""What must be there before a tool can be called well: made through the tools, or by hand where there is none."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import httpx2
from tests.lightdash import arrangements_content
from tests.lightdash.sessions import TOOLS, Session

from aboveboard.lightdash.sandbox import Sandbox

EDITOR: Final = "0b000000-0000-4000-8000-000000000002"
VIEWER: Final = "0b000000-0000-4000-8000-000000000003"
INVITED: Final = "0b000000-0000-4000-8000-000000000006"
EVERYBODY: Final = "0c000000-0000-4000-8000-000000000001"

Made = dict[str, Any]
Maker = Callable[[Session, Made], Awaitable[Any]]


async def tile_uuid(session: Session, made: Made) -> str:
    board = await session.ask("get_dashboard", dashboard=made["dashboard"], project_uuid=made["project"])
    return board["tiles"][0]["uuid"]


async def tag_uuid(session: Session, made: Made) -> str:
    tag = await session.ask("create_tag", name="Seasonal", color="teal", project_uuid=made["project"])
    return tag["tag_uuid"]


async def comment_id(session: Session, made: Made) -> str:
    where = {"dashboard": made["dashboard"], "tile_uuid": made["tile_uuid"], "project_uuid": made["project"]}
    return (await session.ask("add_comment", text="Is this right?", **where))["comment_id"]


async def scheduler_uuid(session: Session, made: Made) -> str:
    what = {"chart": made["chart"], "project_uuid": made["project"]}
    who = {"emails": ["ada@corner-shop.example"], "slack_channels": ["C123"]}
    return (await session.ask("create_scheduler", name="Monday", cron="0 9 * * 1", **what, **who))["scheduler_uuid"]


async def job_id(session: Session, made: Made) -> str:
    return (await session.ask("refresh_project", project_uuid=made["project"]))["job_id"]


async def validation_uuid(session: Session, made: Made) -> str:
    await broken_chart(session.service, made["project"])
    await session.ask("validate_project", project_uuid=made["project"])
    found = await session.ask("get_validation_results", project_uuid=made["project"])
    return found["items"][0]["validation_uuid"]


async def agent_uuid(session: Session, made: Made) -> str:
    return (await session.ask("create_project_agent", name="Analyst", project_uuid=made["project"]))["uuid"]


async def thread_uuid(session: Session, made: Made) -> str:
    asked = {"prompt": "How many orders?", "project_uuid": made["project"]}
    return (await session.ask("generate_agent_message", agent_uuid=made["agent_uuid"], **asked))["thread_uuid"]


async def eval_uuid(session: Session, made: Made) -> str:
    what = {"title": "Basics", "prompts": [{"prompt": "How many orders?"}], "project_uuid": made["project"]}
    return (await session.ask("create_agent_evaluation", agent_uuid=made["agent_uuid"], **what))["eval_uuid"]


async def run_uuid(session: Session, made: Made) -> str:
    which = {key: made[key] for key in ("agent_uuid", "eval_uuid")}
    return (await session.ask("run_agent_evaluation", project_uuid=made["project"], **which))["run_uuid"]


# By the parameter that takes it; one that needs another stands after it.
MAKERS: Final[Mapping[str, Maker]] = {
    maker.__name__: maker
    for maker in (
        *(tile_uuid, tag_uuid, comment_id, scheduler_uuid, job_id, validation_uuid),
        *(agent_uuid, thread_uuid, eval_uuid, run_uuid),
    )
} | dict(arrangements_content.MAKERS)
NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "comment_id": ("tile_uuid",),
    "thread_uuid": ("agent_uuid",),
    "eval_uuid": ("agent_uuid",),
    "run_uuid": ("agent_uuid", "eval_uuid"),
}
# For what a tool does not take, but works on.
ELSEWHERE: Final = arrangements_content.ELSEWHERE | {
    "list_comments": "tile_uuid",
    "validate_project": "validation_uuid",
}


async def share(session: Session, made: Made) -> None:
    where = {"space_uuid": made["space"], "project_uuid": made["project"]}
    await session.ask("grant_user_space_access", user_uuid=EDITOR, role="editor", **where)
    await session.ask("grant_group_space_access", group_uuid=EVERYBODY, role="editor", **where)


async def assign(session: Session, made: Made) -> None:
    for who in ({"user_uuid": VIEWER}, {"group_uuid": EVERYBODY}):
        await session.ask("assign_role", role="developer", project_uuid=made["project"], **who)


# What a tool takes back or replaces must be there first.
BEFORE: Final[Mapping[str, Callable[[Session, Made], Awaitable[None]]]] = {
    **dict.fromkeys(
        [f"{verb}_{whose}_space_access" for verb in ("grant", "revoke") for whose in ("user", "group")], share
    ),
    **arrangements_content.BEFORE,
    **dict.fromkeys(["assign_role", "unassign_role", "list_role_assignments", "list_project_access"], assign),
}


async def arranged(session: Session, tool: str, made: Made) -> Made:
    """Make what a tool's call needs, and return the ids by the names of the parameters."""
    wanted = {name for name in MAKERS if name in TOOLS[tool].load().fields} | {ELSEWHERE.get(tool, "")}
    wanted |= {needed for name in wanted for needed in NEEDED.get(name, ())}
    for name, make in MAKERS.items():
        if name in wanted:
            made[name] = await make(session, made)
    if tool in BEFORE:
        await BEFORE[tool](session, made)
    return made


async def _attribute(session: Session, made: Made) -> None:
    listed = await session.ask("list_user_attributes")
    body: dict[str, Any] = {"name": f"attribute_{listed['total']}", "users": [], "groups": [], "attributeDefault": None}
    await _post(session.service, "/api/v1/org/attributes", body)


async def _roles(session: Session, made: Made) -> None:
    for user in (EDITOR, VIEWER, INVITED):
        await session.ask("assign_role", role="viewer", user_uuid=user, project_uuid=made["project"])


async def _run(session: Session, made: Made) -> None:
    await session.ask("send_scheduler_now", scheduler_uuid=await scheduler_uuid(session, made))


async def _agent_thread(session: Session, made: Made) -> None:
    await thread_uuid(session, {**made, "agent_uuid": await agent_uuid(session, made)})


# How one more comes to be of what a list shows.
LISTED: Final[Mapping[str, Callable[[Session, Made], Awaitable[object]]]] = {
    "list_project_access": _roles,
    "list_role_assignments": _roles,
    "list_user_attributes": _attribute,
    "list_comments": comment_id,
    "list_schedulers": scheduler_uuid,
    "get_scheduler_runs": _run,
    "get_validation_results": validation_uuid,
    "list_admin_agents": agent_uuid,
    "list_admin_agent_threads": _agent_thread,
    "list_project_agents": agent_uuid,
    "list_agent_threads": thread_uuid,
    "list_agent_evaluations": eval_uuid,
    "list_agent_evaluation_runs": run_uuid,
    **arrangements_content.LISTED,
}


async def broken_chart(service: httpx2.AsyncBaseTransport, project: str) -> None:
    """Save a chart of a field that does not exist: Lightdash does not check that."""
    query: dict[str, Any] = {
        **{"exploreName": "orders", "dimensions": ["orders_nope"], "metrics": [], "filters": {}, "sorts": []},
        **{"limit": 10, "tableCalculations": []},
    }
    body: dict[str, Any] = {
        **{"name": "Broken", "tableName": "orders", "metricQuery": query},
        **{"chartConfig": {"type": "table"}, "tableConfig": {"columnOrder": []}},
    }
    await _post(service, f"/api/v1/projects/{project}/saved", body)


async def _post(service: httpx2.AsyncBaseTransport, path: str, body: object) -> None:
    client = httpx2.AsyncClient(transport=service, base_url="http://lightdash")
    answer = await client.post(path, json=body, headers={"Authorization": f"ApiKey {Sandbox.token}"})
    assert answer.status_code in (200, 201), answer.text
