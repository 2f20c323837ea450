"""Groups of people, for admins."""

from collections.abc import Sequence
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.contracts import TEXT, All, List, Maybe, Object
from aboveboard.lightdash.sandbox.paging import list_body, read_page, wanted_page
from aboveboard.lightdash.sandbox.routes import DONE, Call, Created, Routes, as_uuid, storable
from aboveboard.lightdash.sandbox.store import TIMES, Store
from aboveboard.lightdash.sandbox.wire import ServiceError, forbidden, json_response, missing
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response

GROUPS_TABLE = Table(
    "groups",
    "uuid TEXT PRIMARY KEY, organization TEXT, name TEXT, created_by TEXT, updated_by TEXT, created_at TEXT,"
    " updated_at TEXT",
    derived=TIMES,
)

GROUP_MEMBERS_TABLE = Table(
    "group_members",
    "group_uuid TEXT REFERENCES groups ON DELETE CASCADE, user_uuid TEXT REFERENCES users ON DELETE CASCADE,"
    " PRIMARY KEY (group_uuid, user_uuid)",
)

routes = Routes()

_USE_GROUP = "Use GET /api/v1/groups/{groupUuid}?includeMembers=N instead."
_USE_PATCH = "Use PATCH /api/v1/groups/{groupUuid} with the full member set instead."
_MEMBERS = (
    "SELECT group_uuid, users.uuid AS uuid, email, first_name, last_name FROM group_members"
    " JOIN users ON users.uuid = user_uuid WHERE group_uuid = ? ORDER BY group_members.rowid LIMIT ?"
)
_PEOPLE = Maybe(List(Object(userUuid=TEXT)))
_NEW = All(Object(name=TEXT), Object(members=_PEOPLE))
_CHANGED = Object(name=Maybe(TEXT), members=_PEOPLE)


@routes.get("/api/v1/org/groups")
def list_groups(call: Call) -> object:
    """Only admins see groups; for anybody else the list is empty and no error."""
    checks = Checks(call.query)
    page, size = read_page(checks)
    include_members = checks.number("includeMembers")
    search = storable(checks.text("searchQuery") or "").lower()
    checks.done()
    rows = call.store.all("SELECT * FROM groups WHERE organization = ? ORDER BY rowid", call.user["organization"])
    fitting = [row for row in rows if search in row["name"].lower()]
    groups = [_group(row) for row in fitting if call.user["role"] == "admin"]
    for group in groups if include_members else []:
        members = call.store.all(_MEMBERS, group["uuid"], int(include_members or 0))
        group["members"] = [{"groupUuid": group["uuid"]} | _member(row) for row in members]
        group["memberUuids"] = [row["uuid"] for row in members]
    wanted = wanted_page(page, size)
    answer = list_body(groups, wanted, pagination_first=True)
    # Who may not see a group may still see how many there are.
    return answer if wanted is None else answer | {"pagination": wanted.summary(len(fitting))}


@routes.post("/api/v1/org/groups")
def create_group(call: Call) -> object:
    """A new group; people of the list who are not in the organisation are left out in silence."""
    body = contracts.read(call.body, _NEW)
    if call.user["role"] != "admin":
        raise forbidden()
    name = _free_name(call, body["name"])
    uuid, now = call.store.new_uuid(), call.store.now()
    times = {"created_at": now, "updated_at": now}
    with call.store.change():
        home = call.user["organization"]
        call.store.insert("groups", uuid=uuid, organization=home, name=name, created_by=call.user["uuid"], **times)
        _set_members(call.store, uuid, _known(call, _uuids(body)))
    return Created(_with_members(call, uuid))


@routes.get("/api/v1/groups/{group}")
def get_group(call: Call) -> object:
    checks = Checks(call.query)
    include_members = checks.number("includeMembers")
    checks.done()
    row = by_uuid(call)
    return _with_members(call, row["uuid"], int(include_members)) if include_members else _group(row)


@routes.patch("/api/v1/groups/{group}")
def update_group(call: Call) -> object:
    """A new name, or another set of members."""
    body = contracts.read(call.body, _CHANGED)
    row = by_uuid(call)
    name = _free_name(call, body["name"], row["uuid"]) if body.get("name") is not None else row["name"]
    wanted = _uuids(body)
    unknown = [uuid for uuid in wanted if uuid not in _known(call, wanted)]
    if unknown:
        raise ServiceError(400, "ParameterError", f"Some provided user UUIDs are invalid: {', '.join(unknown)}")
    with call.store.change():
        author = {"updated_by": call.user["uuid"], "updated_at": call.store.now()}
        call.store.update("groups", row["uuid"], name=name, **author)
        if body.get("members") is not None:
            _set_members(call.store, row["uuid"], wanted)
    return _with_members(call, row["uuid"])


@routes.delete("/api/v1/groups/{group}")
def delete_group(call: Call) -> object:
    """Remove a group and what it gave its members."""
    call.store.run("DELETE FROM groups WHERE uuid = ?", by_uuid(call)["uuid"])
    return DONE


@routes.get("/api/v1/groups/{group}/members", deprecated=_USE_GROUP)
def list_members(call: Call) -> object:
    """The members of a group."""
    return [_member(row) for row in call.store.all(_MEMBERS, by_uuid(call)["uuid"], -1)]


@routes.put("/api/v1/groups/{group}/members/{user}", deprecated=_USE_PATCH)
def add_member(call: Call) -> object:
    """Add a person; one who is in already, or whom nobody knows, changes nothing and is no error."""
    group, user = by_uuid(call)["uuid"], call.uuid("user")
    if _is_member(call.store, group, user) or user not in _known(call, [user]):
        return Response(204)
    call.store.insert("group_members", group_uuid=group, user_uuid=user)
    return json_response({"status": "ok"}, 201)


@routes.delete("/api/v1/groups/{group}/members/{user}", deprecated=_USE_PATCH)
def remove_member(call: Call) -> object:
    """Take a person out; one who was not in is no error."""
    group, user = by_uuid(call)["uuid"], call.uuid("user")
    if not _is_member(call.store, group, user):
        return Response(204)
    call.store.run("DELETE FROM group_members WHERE group_uuid = ? AND user_uuid = ?", group, user)
    return DONE


def by_uuid(call: Call) -> Row:
    """The group of the path, for admins of its organisation."""
    row = call.store.one("SELECT * FROM groups WHERE uuid = ?", call.uuid("group"))
    if row is None:
        raise missing("No group found")
    if call.user["role"] != "admin" or row["organization"] != call.user["organization"]:
        raise forbidden()
    return row


def _free_name(call: Call, name: str, own: str = "") -> str:
    taken = call.store.one(
        "SELECT 1 FROM groups WHERE organization = ? AND name = ? AND uuid <> ?", call.user["organization"], name, own
    )
    if taken:
        raise ServiceError(409, "AlreadyExistsError", "Group name already exists")
    return storable(name, 255)


def _uuids(body: dict[str, Any]) -> list[str]:
    return [as_uuid(member["userUuid"]) for member in contracts.as_list(body.get("members"))]


def _known(call: Call, uuids: Sequence[str]) -> list[str]:
    rows = call.store.all("SELECT uuid FROM users WHERE organization = ?", call.user["organization"])
    ours = {row["uuid"] for row in rows}
    return [uuid for uuid in uuids if uuid in ours]


def _set_members(store: Store, group: str, users: Sequence[str]) -> None:
    store.run("DELETE FROM group_members WHERE group_uuid = ?", group)
    for user in dict.fromkeys(users):
        store.insert("group_members", group_uuid=group, user_uuid=user)


def _is_member(store: Store, group: str, user: str) -> bool:
    row = store.one("SELECT 1 FROM group_members WHERE group_uuid = ? AND user_uuid = ?", group, user)
    return row is not None


def _with_members(call: Call, uuid: str, most: int = -1) -> dict[str, object]:
    row = call.store.all("SELECT * FROM groups WHERE uuid = ?", uuid)[0]
    members = call.store.all(_MEMBERS, uuid, most)
    return _group(row) | {
        "members": [_member(member) for member in members],
        "memberUuids": [member["uuid"] for member in members],
    }


def _group(row: Row) -> dict[str, object]:
    return {
        "uuid": row["uuid"],
        "name": row["name"],
        "createdAt": row["created_at"],
        "createdByUserUuid": row["created_by"],
        "updatedAt": row["updated_at"],
        "updatedByUserUuid": row["updated_by"],
        "organizationUuid": row["organization"],
    }


def _member(row: Row) -> dict[str, object]:
    return {
        "userUuid": row["uuid"],
        "email": row["email"],
        "firstName": row["first_name"],
        "lastName": row["last_name"],
    }
