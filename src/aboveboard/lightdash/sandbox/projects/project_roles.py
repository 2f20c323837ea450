"""Roles in a project, on top of those in the organisation: of people and of groups, in the new form and the old."""

from sqlite3 import Row

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.access import PROJECT_ROLES
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.contracts import FLAG, TEXT, Maybe, Object, OneOf
from aboveboard.lightdash.sandbox.people import groups
from aboveboard.lightdash.sandbox.people.roles import role_id, role_title
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import CrashError, ServiceError, forbidden, missing
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response

PROJECT_ACCESS_TABLE = Table(
    "project_access",
    "project TEXT REFERENCES projects ON DELETE CASCADE, user TEXT REFERENCES users ON DELETE CASCADE, role TEXT,"
    " created_at TEXT, PRIMARY KEY (project, user)",
    derived=TIMES,
)

PROJECT_GROUP_ACCESS_TABLE = Table(
    "project_group_access",
    "project TEXT REFERENCES projects ON DELETE CASCADE, group_uuid TEXT REFERENCES groups ON DELETE CASCADE,"
    " role TEXT, created_at TEXT, PRIMARY KEY (project, group_uuid)",
    derived=TIMES,
)

routes = Routes()

_ASSIGNMENTS = "/api/v2/projects/{project}/roles/assignments"
_ACCESS = "/api/v1/projects/{project}/access"
_GROUP = "/api/v1/groups/{group}/projects/{project}"
_BODY = Object(roleId=TEXT, sendEmail=Maybe(FLAG))
_ROLE = OneOf(*PROJECT_ROLES)
_GRANT = Object(sendEmail=FLAG, role=_ROLE, email=TEXT)
_REFUSAL = "You do not have permission to manage this project"
_USE_LIST = "Use GET /api/v2/projects/{projectId}/roles/assignments instead."
_ADMIN_FIRST = "You do not have permission to manage this organization"
_PEOPLE = (
    "SELECT project_access.*, email, first_name, last_name FROM project_access JOIN users ON users.uuid = user"
    " WHERE project = ?"
)


def _old(instead: str) -> tuple[str, str, str]:
    return "Tue, 26 Aug 2025", "Wed, 26 Nov 2025", f"Use {instead} instead."


@routes.get(_ASSIGNMENTS)
def list_assignments(call: Call) -> object:
    """Roles given in this project, not those of the organisation."""
    project = access.administered_project(call, _REFUSAL)["uuid"]
    people = call.store.all(f"{_PEOPLE} ORDER BY project_access.rowid", project)
    grouped = call.store.all(
        "SELECT project_group_access.*, name FROM project_group_access JOIN groups ON groups.uuid = group_uuid"
        " WHERE project = ? ORDER BY project_group_access.rowid",
        project,
    )
    found = [_listed(row, "user", row["user"], _name(row)) for row in people]
    return found + [_listed(row, "group", row["group_uuid"], row["name"]) for row in grouped]


@routes.post(f"{_ASSIGNMENTS}/user/{{userId}}")
def assign_user(call: Call) -> object:
    """Give a person a role, or another one than before."""
    body = contracts.read(call.body, _BODY)
    _check_user(call)
    project = access.administered_project(call, _REFUSAL)["uuid"]
    role = role_id(call, body["roleId"], PROJECT_ROLES)
    user = call.store.one("SELECT * FROM users WHERE uuid = ?", call.uuid("userId"))
    if user is None:
        raise missing(f"Cannot find user with uuid {call.params['userId']}")
    if user["organization"] != call.user["organization"]:
        raise forbidden()
    now = _grant(call, "project_access", project, "user", user["uuid"], role)
    return _assigned(call, role, "user", user["uuid"], _name(user), now)


@routes.delete(f"{_ASSIGNMENTS}/user/{{userId}}")
def unassign_user(call: Call) -> object:
    """Take a person's role in the project back."""
    _check_user(call)
    project = access.administered_project(call, _REFUSAL)["uuid"]
    uuid = call.uuid("userId")
    if call.store.one("SELECT 1 FROM users WHERE uuid = ?", uuid) is None:
        raise missing(f"User with uuid {call.params['userId']} not found")
    if call.store.one("SELECT 1 FROM project_access WHERE project = ? AND user = ?", project, uuid) is None:
        raise missing(f"Access with id {call.params['userId']} not found")
    call.store.run("DELETE FROM project_access WHERE project = ? AND user = ?", project, uuid)
    return DONE


@routes.post(f"{_ASSIGNMENTS}/group/{{group}}")
@routes.patch(f"{_ASSIGNMENTS}/group/{{group}}")
def assign_group(call: Call) -> object:
    """Give a group a role, or another one than before."""
    body = contracts.read(call.body, _BODY)
    project = access.project(call)["uuid"]
    if call.user["role"] != "admin":
        raise forbidden(_ADMIN_FIRST)
    group = groups.by_uuid(call)
    role = role_id(call, body["roleId"], PROJECT_ROLES)
    now = _grant(call, "project_group_access", project, "group_uuid", group["uuid"], role)
    return _assigned(call, role, "group", group["uuid"], group["name"], now)


@routes.delete(f"{_ASSIGNMENTS}/group/{{group}}")
def unassign_group(call: Call) -> object:
    """Take a group's role in the project back; one that had none is no error."""
    project, group = access.administered_project(call, _REFUSAL)["uuid"], groups.by_uuid(call)
    call.store.run("DELETE FROM project_group_access WHERE project = ? AND group_uuid = ?", project, group["uuid"])
    return DONE


@routes.get(f"{_ASSIGNMENTS}/user/{{userId}}/set")
@routes.get(f"{_ASSIGNMENTS}/group/{{group}}/set")
def get_set(call: Call) -> object:
    """Several roles at once need a licence."""
    access.project(call)
    raise forbidden("Custom roles require a Lightdash Enterprise license")


@routes.get(_ACCESS)
def list_access(call: Call) -> object:
    """People with a role of their own in the project, in the old form; anybody of the organisation may ask."""
    project = access.project(call)["uuid"]
    rows = call.store.all(f"{_PEOPLE} ORDER BY project_access.rowid", project)
    return [_person(row) | {"hasMultipleRoles": False} for row in rows]


@routes.post(_ACCESS)
def grant_access(call: Call) -> object:
    """Give somebody a role by e-mail address; a second time is refused."""
    body = contracts.read(call.body, _GRANT)
    project = access.administered_project(call)["uuid"]
    email = body["email"]
    user = call.store.one("SELECT * FROM users WHERE email = ? AND organization = ?", email, call.user["organization"])
    if user is None:
        raise missing(f"Can't find user with email {email} in the organization")
    if call.store.one("SELECT 1 FROM project_access WHERE project = ? AND user = ?", project, user["uuid"]):
        raise ServiceError(409, "AlreadyExistsError", f"This user email {email} already has access to this project")
    _grant(call, "project_access", project, "user", user["uuid"], body["role"])
    return DONE


@routes.get("/api/v1/projects/{project}/user/{user}", deprecated=_USE_LIST)
def get_access(call: Call) -> object:
    """One person's role of their own in the project."""
    project = access.project(call)["uuid"]
    row = call.store.one(f"{_PEOPLE} AND user = ?", project, call.uuid("user"))
    if row is None:
        raise missing(f"User UUID {call.params['user']} is not found in project {call.params['project']}")
    return _person(row)


@routes.patch(f"{_ACCESS}/{{user}}", deprecated=_old("ProjectRolesController.UpdateProjectUserRoleAssignment"))
def update_access(call: Call) -> object:
    """Another role for somebody who has one; for anybody else nothing happens, and it is no error."""
    body = contracts.read(call.body, Object(role=_ROLE))
    project = access.administered_project(call)["uuid"]
    user = call.uuid("user")
    call.store.run("UPDATE project_access SET role = ? WHERE project = ? AND user = ?", body["role"], project, user)
    return DONE


@routes.delete(f"{_ACCESS}/{{user}}", deprecated=_old("ProjectRolesController.DeleteProjectUserRoleAssignment"))
def revoke_access(call: Call) -> object:
    """Take somebody's role in the project back; nobody's will do."""
    user, project = call.uuid("user"), access.administered_project(call)["uuid"]
    call.store.run("DELETE FROM project_access WHERE project = ? AND user = ?", project, user)
    return DONE


@routes.get("/api/v1/projects/{project}/groupAccesses")
def list_group_access(call: Call) -> object:
    """Groups with a role in the project."""
    project = access.administered_project(call)["uuid"]
    rows = call.store.all("SELECT * FROM project_group_access WHERE project = ? ORDER BY rowid", project)
    return [_grouped(row["project"], row["group_uuid"], row["role"]) for row in rows]


@routes.post(_GROUP, deprecated=_old("ProjectRoleAssignments"))
def grant_group_access(call: Call) -> object:
    """Give a group a role in the old form; a second time fails."""
    body = contracts.read(call.body, Object(role=_ROLE), "projectGroupAccess")
    group, project = groups.by_uuid(call)["uuid"], access.administered_project(call)["uuid"]
    if _has_group(call, project, group):
        raise _database_error("add")
    _grant(call, "project_group_access", project, "group_uuid", group, body["role"])
    return _grouped(project, group, body["role"])


@routes.patch(_GROUP, deprecated=_old("ProjectRoleAssignments"))
def update_group_access(call: Call) -> object:
    """Give a group another role; one that has none fails."""
    body = contracts.read(call.body, Object(role=_ROLE), "projectGroupAccess")
    group, project = groups.by_uuid(call)["uuid"], access.administered_project(call)["uuid"]
    if not _has_group(call, project, group):
        raise _database_error("update")
    _grant(call, "project_group_access", project, "group_uuid", group, body["role"])
    return _grouped(project, group, body["role"])


@routes.delete(_GROUP, deprecated=_old("ProjectRoleAssignments"))
def revoke_group_access(call: Call) -> object:
    """Take a group's role back; one that had none is no error."""
    group, project = groups.by_uuid(call)["uuid"], access.administered_project(call)["uuid"]
    if not _has_group(call, project, group):
        return Response(204)
    call.store.run("DELETE FROM project_group_access WHERE project = ? AND group_uuid = ?", project, group)
    return DONE


def _check_user(call: Call) -> None:
    checks = Checks(dict(call.params))
    checks.uuid4("userId")
    checks.done()


def _grant(call: Call, table: str, project: str, column: str, uuid: str, role: str) -> str:
    now = call.store.now()
    call.store.run(
        f"INSERT INTO {table} (project, {column}, role, created_at) VALUES (?, ?, ?, ?)"  # noqa: S608 - one of two tables
        " ON CONFLICT DO UPDATE SET role = excluded.role",
        project,
        uuid,
        role,
        now,
    )
    return now


def _has_group(call: Call, project: str, group: str) -> bool:
    query = "SELECT 1 FROM project_group_access WHERE project = ? AND group_uuid = ?"
    return call.store.one(query, project, group) is not None


def _database_error(verb: str) -> ServiceError:
    return CrashError("UnexpectedDatabaseError", f"Failed to {verb} project access")


def _name(row: Row) -> str:
    return f"{row['first_name']} {row['last_name']}"


def _listed(row: Row, kind: str, uuid: str, name: str) -> dict[str, object]:
    system = row["role"] in PROJECT_ROLES
    return {
        "roleId": row["role"],
        "roleName": row["role"],
        "ownerType": "system" if system else "user",
        "assigneeType": kind,
        "assigneeId": uuid,
        "assigneeName": name,
        "hasMultipleRoles": False,
        "projectId": row["project"],
        "createdAt": row["created_at"],
        "updatedAt": row["created_at"],
    }


def _assigned(call: Call, role: str, kind: str, uuid: str, name: str, now: str) -> dict[str, object]:
    return {
        "roleId": role,
        "roleName": role_title(call, role),
        "ownerType": "user",
        "assigneeType": kind,
        "assigneeId": uuid,
        "assigneeName": name,
        "projectId": call.params["project"],
        "createdAt": now,
        "updatedAt": now,
    }


def _person(row: Row) -> dict[str, object]:
    return {
        "userUuid": row["user"],
        "email": row["email"],
        "role": row["role"],
        "firstName": row["first_name"],
        "projectUuid": row["project"],
        "lastName": row["last_name"],
    }


def _grouped(project: str, group: str, role: str) -> dict[str, object]:
    return {"projectUuid": project, "groupUuid": group, "role": role}
