"""AI agents of the whole organisation, for admins."""

from sqlite3 import Row

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.agents import agents
from aboveboard.lightdash.sandbox.agents.agent_threads import messages_of, person, thread_json
from aboveboard.lightdash.sandbox.agents.enterprise import unavailable
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.contracts import FLAG, Maybe, Object
from aboveboard.lightdash.sandbox.paging import list_body, read_page, wanted_page
from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.wire import forbidden
from aboveboard.sandbox.table import Table

AGENT_SETTINGS_TABLE = Table(
    "agent_settings",
    "organization TEXT PRIMARY KEY, visible INTEGER",
    flags={"visible"},
)

routes = Routes()

_RESEARCH_LIMITS = {
    **{"deadlineMs": 600_000, "maxWarehouseQueries": 50, "maxToolCalls": 100, "maxSteps": 50},
    "maxTokens": 1_000_000,
}


@routes.get("/api/v1/aiAgents/admin/agents")
def list_all_agents(call: Call) -> object:
    """Every agent of the organisation, for admins."""
    _admin(call)
    rows = call.store.all(
        "SELECT agents.* FROM agents JOIN projects ON projects.uuid = project WHERE organization = ?"
        " ORDER BY agents.rowid",
        call.user["organization"],
    )
    return [agents.shown(call, row) for row in rows]


@routes.get("/api/v1/aiAgents/admin/threads")
def list_all_threads(call: Call) -> object:
    """Every thread of the organisation, for admins."""
    checks = Checks(call.query)
    page, size = read_page(checks)
    agents, projects = checks.texts("agentUuids"), checks.texts("projectUuids")
    checks.done()
    _admin(call)
    rows = call.store.all(
        "SELECT threads.*, email, agents.project, projects.name AS project_name,"
        " agents.settings ->> '$.name' AS agent_name FROM threads"
        " JOIN agents ON agents.uuid = agent JOIN projects ON projects.uuid = agents.project"
        " LEFT JOIN users ON users.uuid = user WHERE projects.organization = ? ORDER BY threads.rowid DESC",
        call.user["organization"],
    )
    found = [
        _thread(call, row)
        for row in rows
        if (not agents or row["agent"] in agents) and (not projects or row["project"] in projects)
    ]
    answer = list_body(found, wanted_page(page, size))
    return answer | {"data": {"threads": answer["data"]}}


@routes.get("/api/v1/aiAgents/admin/settings")
def get_settings(call: Call) -> object:
    """Whether agents are shown at all, for admins."""
    computed = {"isCopilotEnabled": True, "isTrial": False, "defaultAiAgentModelOptions": list[object]()}
    return _organization_settings(call) | computed


@routes.patch("/api/v1/aiAgents/admin/settings")
def update_settings(call: Call) -> object:
    """Show agents to everybody, or hide them, for admins."""
    body = contracts.read(call.body, Object(aiAgentsVisible=Maybe(FLAG)))
    settings = _organization_settings(call)
    if "aiAgentsVisible" in body:
        call.store.run(
            "INSERT INTO agent_settings VALUES (?, ?) ON CONFLICT DO UPDATE SET visible = excluded.visible",
            settings["organizationUuid"],
            body["aiAgentsVisible"] in {True, "true"},
        )
    return _organization_settings(call)


def _organization_settings(call: Call) -> dict[str, object]:
    _admin(call, "aiOrganizationSettingsService")
    row = call.store.one("SELECT visible FROM agent_settings WHERE organization = ?", call.user["organization"])
    off = ("aiAgentReviews", "aiAgentMemory", "deepResearchRawSql", "mcpContentWrites")
    return {
        "organizationUuid": call.user["organization"],
        "aiAgentsVisible": row is None or bool(row["visible"]),
        **{f"{name}Enabled": False for name in off},
        "deepResearchLimits": dict(_RESEARCH_LIMITS),
        "defaultAiAgentModelConfig": None,
        "providerApiKeysSet": {"openai": False, "anthropic": False},
        "providerApiKeyHints": {"openai": None, "anthropic": None},
    }


def _admin(call: Call, service: str = "aiAgentAdminService") -> None:
    if not call.store.options.enterprise:
        raise unavailable(service)
    if call.user["role"] != "admin":
        raise forbidden()


def _thread(call: Call, row: Row) -> dict[str, object]:
    messages = messages_of(call.store, row["uuid"])
    scores = [message["score"] for message in messages if message["score"] is not None]
    votes = {"upvotes": sum(score > 0 for score in scores), "downvotes": sum(score < 0 for score in scores)}
    shown = {
        key: value
        for key, value in thread_json(call, row).items()
        if key in {"uuid", "title", "createdAt", "createdFrom"}
    }
    return {
        **shown,
        "user": person(call, row["user"]) | {"email": row["email"], "slackUserId": None},
        "slackThreadTs": None,
        "slackChannelId": None,
        "promptCount": len(messages),
        "feedbackSummary": {"total": len(scores), "neutral": scores.count(0), **votes},
        "project": {"uuid": row["project"], "name": row["project_name"]},
        "agent": {"uuid": row["agent"], "name": row["agent_name"], "imageUrl": None},
    }
