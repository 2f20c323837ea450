"""Members and groups of the organisation."""

from sqlite3 import Row

from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.paging import listed, read_page, wanted_page
from aboveboard.lightdash.sandbox.routes import Call, Routes, storable
from aboveboard.lightdash.sandbox.wire import forbidden, missing

routes = Routes()

_USE_USER_LIST = "Use the GET /api/v1/org/users list endpoint instead."
_USE_GROUP = "Use GET /api/v1/groups/{groupUuid}?includeMembers=N instead."
_MEMBERS = (
    "SELECT group_uuid, users.uuid AS uuid, email, first_name, last_name FROM group_members"
    " JOIN users ON users.uuid = user_uuid WHERE group_uuid = ? ORDER BY users.rowid LIMIT ?"
)


@routes.get("/api/v1/org/users")
def list_users(call: Call) -> object:
    """Members of the organisation, all or one page."""
    checks = Checks(call.query)
    page, size = read_page(checks)
    include_groups = checks.number("includeGroups")
    search = storable(checks.text("searchQuery") or "").lower()
    checks.done()
    wanted = wanted_page(page, size)
    rows = call.store.all("SELECT * FROM users WHERE organization = ? ORDER BY id", call.user["organization"])
    members = [_user(row) for row in rows if search in f"{row['email']} {row['first_name']} {row['last_name']}".lower()]
    answer = listed(members, wanted)
    if include_groups:
        shown = members if wanted is None else members[wanted.offset : wanted.offset + wanted.limit]
        for member in shown:
            member["groups"] = _groups_of(call, member["userUuid"], int(include_groups))
    return answer


@routes.get("/api/v1/org/users/{userUuid}", deprecated=_USE_USER_LIST)
def get_user(call: Call) -> object:
    """One member."""
    checks = Checks(dict(call.params))
    uuid = checks.uuid4("userUuid")
    checks.done()
    return _member(call, "uuid", uuid.lower())


@routes.get("/api/v1/org/users/email/{email}", deprecated=_USE_USER_LIST)
def get_user_by_email(call: Call) -> object:
    """One member, by address."""
    return _member(call, "email", storable(call.params["email"]))


@routes.get("/api/v1/org/groups")
def list_groups(call: Call) -> object:
    """Only admins see groups; for anybody else the list is empty and no error."""
    checks = Checks(call.query)
    page, size = read_page(checks)
    include_members = checks.number("includeMembers")
    search = storable(checks.text("searchQuery") or "").lower()
    checks.done()
    rows = call.store.all("SELECT * FROM groups WHERE organization = ? ORDER BY rowid", call.user["organization"])
    seen = [row for row in rows if call.user["role"] == "admin" and search in row["name"].lower()]
    groups = [_group(row) for row in seen]
    for group in groups if include_members else []:
        members = call.store.all(_MEMBERS, group["uuid"], int(include_members or 0))
        group["members"] = [{"groupUuid": group["uuid"]} | _group_member(row) for row in members]
        group["memberUuids"] = [row["uuid"] for row in members]
    return listed(groups, wanted_page(page, size), pagination_first=True)


@routes.get("/api/v1/groups/{group}")
def get_group(call: Call) -> object:
    """One group, for admins."""
    checks = Checks(call.query)
    include_members = checks.number("includeMembers")
    checks.done()
    row = _find_group(call)
    if not include_members:
        return _group(row)
    members = call.store.all(_MEMBERS, row["uuid"], int(include_members))
    return _group(row) | {
        "members": [_group_member(member) for member in members],
        "memberUuids": [member["uuid"] for member in members],
    }


@routes.get("/api/v1/groups/{group}/members", deprecated=_USE_GROUP)
def list_group_members(call: Call) -> object:
    """The members of a group, for admins."""
    group = _find_group(call)
    return [_group_member(row) for row in call.store.all(_MEMBERS, group["uuid"], -1)]


def _member(call: Call, column: str, value: str) -> dict[str, object]:
    row = call.store.one(
        f"SELECT * FROM users WHERE {column} = ? AND organization = ?",  # noqa: S608 - one of two columns
        value,
        call.user["organization"],
    )
    if row is None:
        raise missing("No matching member found in organization")
    return _user(row)


def _user(row: Row) -> dict[str, object]:
    return {
        "userUuid": row["uuid"],
        "firstName": row["first_name"],
        "lastName": row["last_name"],
        "email": row["email"],
        "organizationUuid": row["organization"],
        "role": row["role"],
        "hasMultipleRoles": False,
        "isActive": True,
        "isInviteExpired": False,
        "isPending": bool(row["is_pending"]),
        "userCreatedAt": row["created_at"],
        "userUpdatedAt": row["updated_at"],
        "avatarUrl": None,
        "avatarGradient": None,
    }


def _groups_of(call: Call, user: object, most: int) -> list[dict[str, object]]:
    rows = call.store.all(
        "SELECT uuid, name FROM groups JOIN group_members ON group_uuid = uuid WHERE user_uuid = ?"
        " ORDER BY groups.rowid LIMIT ?",
        user,
        most,
    )
    return [{"uuid": row["uuid"], "name": row["name"]} for row in rows]


def _find_group(call: Call) -> Row:
    row = call.store.one("SELECT * FROM groups WHERE uuid = ?", call.uuid("group"))
    if row is None:
        raise missing("No group found")
    if call.user["role"] != "admin" or row["organization"] != call.user["organization"]:
        raise forbidden()
    return row


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


def _group_member(row: Row) -> dict[str, object]:
    return {
        "userUuid": row["uuid"],
        "email": row["email"],
        "firstName": row["first_name"],
        "lastName": row["last_name"],
    }
