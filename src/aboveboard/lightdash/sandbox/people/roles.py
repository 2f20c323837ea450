"""Roles of an organisation: those every instance has, those it made up, and who has which."""

import json
import re
from sqlite3 import Row
from typing import cast

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.contracts import ANYTHING, TEXT, List, Maybe, Nullable, Object
from aboveboard.lightdash.sandbox.people import people
from aboveboard.lightdash.sandbox.routes import DONE, Call, Created, Routes, as_uuid, storable
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import CrashError, ServiceError, forbidden, missing
from aboveboard.sandbox.table import Table

ROLES_TABLE = Table(
    "roles",
    "uuid TEXT PRIMARY KEY, organization TEXT, name TEXT, description TEXT, scopes TEXT, created_by TEXT,"
    " created_at TEXT, updated_at TEXT",
    derived=TIMES,
    json={"scopes"},
)

routes = Routes()

_ROLES = "/api/v2/orgs/{orgUuid}/roles"
_VIEWING = (
    *("view:Dashboard", "view:JobStatus@self", "view:SavedChart", "view:Space", "view:Project", "view:PinnedItems"),
    *("view:DashboardComments", "view:Tags", "manage:ExportCsv", "view:MetricsTree", "view:SpotlightTableConfig"),
    "view:AiAgentThread@self",
)
_SCOPES = {
    "viewer": _VIEWING,
    "interactive_viewer": (*_VIEWING, "manage:Explore", "view:UnderlyingData", "create:DashboardComments"),
    "editor": (*_VIEWING, "manage:Explore", "manage:SavedChart", "manage:Dashboard", "manage:Space", "manage:Tags"),
    "developer": (*_VIEWING, "manage:Explore", "manage:SavedChart", "manage:SqlRunner", "manage:Validation"),
    "admin": (*_VIEWING, "manage:Explore", "manage:SavedChart", "manage:SqlRunner", "manage:Project"),
}
_SUBJECTS = re.compile(r"(view|create|update|delete|manage|promote):[A-Z]\w*(@\w+)?")
_NEW = Object(name=TEXT, description=Maybe(TEXT), scopes=Maybe(List(TEXT)))
_CHANGED = Object(name=Maybe(TEXT), description=Maybe(TEXT), scopes=Maybe(Object()))
_ASSIGNMENT = Object(roleId=TEXT)
_SET = Object(customRoleUuids=ANYTHING, systemRole=Nullable(TEXT))
_NEEDS_LICENSE = "Custom roles require a Lightdash Enterprise license"


@routes.get(_ROLES)
def list_roles(call: Call) -> object:
    """All roles; a filter that is neither system nor user is ignored."""
    organization = _organization(call)
    wanted = call.query.get("roleTypeFilter")
    found = [] if wanted == "user" else [_system_role(name) for name in access.PROJECT_ROLES]
    if wanted != "system":
        rows = call.store.all("SELECT * FROM roles WHERE organization = ? ORDER BY rowid", organization)
        found += [_role(row) | {"scopes": json.loads(row["scopes"])} for row in rows]
    return found


@routes.post(_ROLES)
def create_role(call: Call) -> object:
    """A new role of the organisation's own."""
    body = contracts.read(call.body, _NEW)
    organization = _managed(call)
    return Created(_role(_add(call, organization, body["name"], body.get("description"), body.get("scopes") or [])))


@routes.get(f"{_ROLES}/{{roleUuid}}")
def get_role(call: Call) -> object:
    """One role that the organisation made up; the others have no page of their own."""
    checks = Checks(dict(call.params))
    checks.uuid4("roleUuid")
    checks.done()
    _organization(call)
    row = _find(call, call.params["roleUuid"])
    return _role(row) | {"scopes": json.loads(row["scopes"])}


@routes.patch(f"{_ROLES}/{{roleUuid}}")
def update_role(call: Call) -> object:
    """A new name, or scopes more and fewer."""
    body = contracts.read(call.body, _CHANGED)
    name = call.params["roleUuid"]
    organization = _managed(call)
    if name in access.PROJECT_ROLES:
        raise ServiceError(400, "ParameterError", f'Cannot update system role "{name}"')
    row = _find(call, name)
    change = cast("dict[str, list[str]]", body.get("scopes") or {})
    scopes = [scope for scope in json.loads(row["scopes"]) if scope not in change.get("remove", [])]
    scopes += [scope for scope in change.get("add", []) if scope not in scopes]
    title = _free_name(call, organization, body["name"], row["uuid"]) if body.get("name") else row["name"]
    description = body.get("description", row["description"])
    now = call.store.now()
    call.store.update("roles", row["uuid"], name=title, description=description, scopes=scopes, updated_at=now)
    return _role(_find(call, name)) | {"scopes": scopes}


@routes.delete(f"{_ROLES}/{{roleUuid}}")
def delete_role(call: Call) -> object:
    """Remove a role that the organisation made up."""
    name = call.params["roleUuid"]
    _organization(call)
    if name in access.PROJECT_ROLES:
        raise ServiceError(400, "ParameterError", "Cannot remove system roles")
    call.store.run("DELETE FROM roles WHERE uuid = ?", _find(call, name)["uuid"])
    return DONE


@routes.get(f"{_ROLES}/{{roleUuid}}/assignees")
def list_assignees(call: Call) -> object:
    """A route of the real server that always fails."""
    _organization(call)
    raise CrashError


@routes.post(f"{_ROLES}/{{roleUuid}}/duplicate")
def duplicate_role(call: Call) -> object:
    """A role of the organisation's own that starts as a copy of another."""
    body = contracts.read(call.body, Object(name=TEXT))
    organization, name = _managed(call), call.params["roleUuid"]
    if name in access.PROJECT_ROLES:
        description, scopes = _title(name), list(_SCOPES[name])
    else:
        source = _find(call, name)
        description, scopes = source["description"], json.loads(source["scopes"])
    row = _add(call, organization, body["name"], description, scopes)
    return Created(_role(row) | {"scopes": scopes})


@routes.get(f"{_ROLES}/assignments")
def list_assignments(call: Call) -> object:
    """Every member's role in the organisation."""
    rows = call.store.all("SELECT * FROM users WHERE organization = ? ORDER BY id", _organization(call))
    return [
        {
            "roleId": row["role"],
            "roleName": row["role"],
            "assigneeType": "user",
            "ownerType": "system",
            "assigneeId": row["uuid"],
            "organizationId": row["organization"],
            "createdAt": row["created_at"],
            "updatedAt": row["updated_at"],
            "hasMultipleRoles": False,
        }
        for row in rows
    ]


@routes.post(f"{_ROLES}/assignments/user/{{userId}}")
def assign(call: Call) -> object:
    """Give a member a role; somebody of another organisation gets none, though the answer looks as if."""
    body = contracts.read(call.body, _ASSIGNMENT)
    _check_user(call)
    organization = _managed(call)
    role = role_id(call, body["roleId"], access.ORGANIZATION_ROLES)
    user = call.store.one("SELECT * FROM users WHERE uuid = ?", call.uuid("userId"))
    if user is None:
        raise missing(f"Cannot find user with uuid {call.params['userId']}")
    if user["organization"] == organization:
        people.set_role(call.store, user, role)
    now = call.store.now()
    return {
        "roleId": role,
        "roleName": role,
        "ownerType": "system",
        "assigneeType": "user",
        "assigneeId": user["uuid"],
        "assigneeName": f"{user['first_name']} {user['last_name']}",
        "organizationId": organization,
        "createdAt": now,
        "updatedAt": now,
    }


@routes.get(f"{_ROLES}/assignments/user/{{userId}}/set")
def get_set(call: Call) -> object:
    """Several roles at once need a licence."""
    _organization(call)
    raise forbidden(_NEEDS_LICENSE)


@routes.put(f"{_ROLES}/assignments/user/{{userId}}/set")
def put_set(call: Call) -> object:
    """Several roles at once need a licence."""
    contracts.read(call.body, _SET)
    return get_set(call)


def role_id(call: Call, wanted: str, known: tuple[str, ...]) -> str:
    """A role by its word or, if the organisation made it up, its UUID; any other word crashes."""
    return wanted if wanted in known else _find(call, wanted)["uuid"]


def role_title(call: Call, role: str) -> str:
    """What people call a role."""
    return _title(role) if role in access.PROJECT_ROLES else _find(call, role)["name"]


def _title(name: str) -> str:
    return name.replace("_", " ").title()


def _check_user(call: Call) -> None:
    checks = Checks(dict(call.params))
    checks.uuid4("userId")
    checks.done()


def _organization(call: Call) -> str:
    """The UUID of the path's organisation, for its admins."""
    checks = Checks(dict(call.params))
    uuid = checks.uuid4("orgUuid").lower()
    checks.done()
    if call.store.one("SELECT 1 FROM organizations WHERE uuid = ?", uuid) is None:
        raise missing("Cannot find organization")
    if call.user["organization"] != uuid or call.user["role"] != "admin":
        raise forbidden()
    return uuid


def _managed(call: Call) -> str:
    if call.user["organization"] == call.params["orgUuid"].lower() and call.user["role"] != "admin":
        raise forbidden("You do not have permission to manage this organization")
    return _organization(call)


def _find(call: Call, name: str) -> Row:
    row = call.store.one(
        "SELECT * FROM roles WHERE uuid = ? AND organization = ?", as_uuid(name), call.user["organization"]
    )
    if row is None:
        raise missing(f"Role with uuid {name} not found")
    return row


def _free_name(call: Call, organization: str, name: str, own: str = "") -> str:
    if name.lower() in access.ORGANIZATION_ROLES:
        text = f'Cannot create role with name "{name}", this is reserved for system roles'
        raise ServiceError(400, "ParameterError", text)
    query = "SELECT 1 FROM roles WHERE organization = ? AND name = ? AND uuid <> ?"
    if call.store.one(query, organization, name, own):
        text = f'A role named "{name}" already exists in this organization'
        raise ServiceError(409, "AlreadyExistsError", text)
    return storable(name, 255)


def _add(call: Call, organization: str, name: str, description: str | None, scopes: list[str]) -> Row:
    title = _free_name(call, organization, name)
    if any(not _SUBJECTS.fullmatch(scope) for scope in scopes):
        raise forbidden("Cannot grant permissions exceeding your own")
    uuid, now = call.store.new_uuid(), call.store.now()
    call.store.insert(
        "roles",
        uuid=uuid,
        organization=organization,
        name=title,
        description=description,
        scopes=scopes,
        created_by=call.user["uuid"],
        created_at=now,
        updated_at=now,
    )
    return _find(call, uuid)


def _system_role(name: str) -> dict[str, object]:
    nothing = dict.fromkeys(("organizationUuid", "createdAt", "updatedAt", "createdBy"))
    title = {"roleUuid": name, "name": _title(name), "description": _title(name)}
    return {**title, "ownerType": "system", "level": "project", "scopes": list(_SCOPES[name]), **nothing}


def _role(row: Row) -> dict[str, object]:
    return {
        "roleUuid": row["uuid"],
        "name": row["name"],
        "description": row["description"],
        "level": "project",
        "organizationUuid": row["organization"],
        "createdBy": row["created_by"],
        "createdAt": row["created_at"],
        "updatedAt": row["updated_at"],
        "ownerType": "user",
    }
