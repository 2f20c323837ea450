"""AI agents, on an instance with a licence; the open edition refuses all of it."""

import json
from sqlite3 import Row

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.agents.enterprise import unavailable
from aboveboard.lightdash.sandbox.contracts import ANYTHING, FLAG, NUMBER, TEXT, All, List, Maybe, Nullable, Object
from aboveboard.lightdash.sandbox.routes import DONE, Call, Created, Routes
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import forbidden, missing
from aboveboard.sandbox.table import Table

AGENTS_TABLE = Table(
    "agents",
    "uuid TEXT PRIMARY KEY, project TEXT REFERENCES projects ON DELETE CASCADE, settings TEXT, created_at TEXT,"
    " updated_at TEXT",
    derived=TIMES,
    json={"settings"},
)

routes = Routes()

AGENTS = "/api/v1/projects/{project}/aiAgents"
_AGENT = f"{AGENTS}/{{agent}}"
_TEXTS = List(TEXT)
_FIELDS = {
    "description": Nullable(TEXT),
    "projectUuid": TEXT,
    "version": NUMBER,
    "userAccess": _TEXTS,
    "integrations": List(ANYTHING),
    "tags": Nullable(_TEXTS),
    "instruction": Nullable(TEXT),
    "imageUrl": Nullable(TEXT),
    "groupAccess": _TEXTS,
    "spaceAccess": _TEXTS,
    "enableDataAccess": FLAG,
    "enableSelfImprovement": FLAG,
}
_NEW = All(Object(name=TEXT, **_FIELDS))
_CHANGED = All(Object(**{name: Maybe(kind) for name, kind in {"name": TEXT, **_FIELDS}.items()}), Object(uuid=TEXT))
_SETTINGS: dict[str, object] = {
    "name": "",
    "description": None,
    "version": 2,
    "userAccess": [],
    "integrations": [],
    "tags": None,
    "instruction": None,
    "imageUrl": None,
    "groupAccess": [],
    "spaceAccess": [],
    "enableDataAccess": False,
    "enableSelfImprovement": False,
    "enableContentTools": True,
    "enableUserContext": False,
    "enableSqlMode": False,
    "adminOnly": False,
    "modelConfig": None,
    "threadRetentionHours": None,
}


@routes.get(AGENTS)
def list_agents(call: Call) -> object:
    """The agents of a project."""
    licensed(call)
    project = access.project(call)["uuid"]
    rows = call.store.all("SELECT * FROM agents WHERE project = ? ORDER BY rowid", project)
    return [shown(call, row) for row in rows]


@routes.post(AGENTS)
def create_agent(call: Call) -> object:
    """A new agent, for those who may make content."""
    body = contracts.read(call.body, _NEW)
    licensed(call)
    project = _managed(call)
    uuid, now = call.store.new_uuid(), call.store.now()
    settings = {key: body.get(key, default) for key, default in _SETTINGS.items()}
    call.store.insert("agents", uuid=uuid, project=project, settings=settings, created_at=now, updated_at=now)
    return Created(shown(call, by_uuid(call, uuid)))


@routes.get(_AGENT)
def get_agent(call: Call) -> object:
    return shown(call, by_uuid(call))


@routes.patch(_AGENT)
def update_agent(call: Call) -> object:
    """Change what is sent of an agent."""
    body = contracts.read(call.body, _CHANGED)
    row = by_uuid(call)
    _managed(call)
    settings = json.loads(row["settings"]) | {key: body[key] for key in body if key in _SETTINGS}
    call.store.update("agents", row["uuid"], settings=settings, updated_at=call.store.now())
    return shown(call, by_uuid(call))


@routes.delete(_AGENT)
def delete_agent(call: Call) -> object:
    """Remove an agent with its threads and evaluations."""
    row = by_uuid(call)
    _managed(call)
    call.store.run("DELETE FROM agents WHERE uuid = ?", row["uuid"])
    return DONE


def licensed(call: Call) -> None:
    """Refuse as the open edition does, unless this instance has a licence."""
    if not call.store.options.enterprise:
        raise unavailable("aiAgentService")


def by_uuid(call: Call, uuid: str = "") -> Row:
    """The agent of the path, in the project of the path."""
    licensed(call)
    project = access.project(call)["uuid"]
    query = "SELECT * FROM agents WHERE uuid = ? AND project = ?"
    row = call.store.one(query, uuid or call.uuid("agent"), project)
    if row is None:
        raise missing(f"AI agent not found for uuid: {uuid or call.params['agent']}")
    return row


def _managed(call: Call) -> str:
    project = access.project(call)["uuid"]
    if not access.role_in(call.store, call.user, project).may_make:
        raise forbidden()
    return project


def shown(call: Call, row: Row) -> dict[str, object]:
    """An agent with its settings."""
    owner = {"organizationUuid": call.user["organization"], "projectUuid": row["project"]}
    settings = json.loads(row["settings"])
    times = {"createdAt": row["created_at"], "updatedAt": row["updated_at"]}
    source = "url" if settings["imageUrl"] else None
    return {"uuid": row["uuid"], **owner, **settings, "imageUrlSource": source, **times}
