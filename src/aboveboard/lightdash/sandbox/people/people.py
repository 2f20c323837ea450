"""Members of the organisation: who they are, how they come in, what role they have, how they go."""

from datetime import timedelta
from sqlite3 import Row

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.contracts import TEXT, Maybe, Object, OneOf
from aboveboard.lightdash.sandbox.paging import list_body, read_page, wanted_page
from aboveboard.lightdash.sandbox.routes import DONE, Call, Created, Routes, as_uuid, storable
from aboveboard.lightdash.sandbox.store import TIMES, Store
from aboveboard.lightdash.sandbox.wire import ServiceError, forbidden, missing
from aboveboard.sandbox.table import Table

USERS_TABLE = Table(
    "users",
    "uuid TEXT PRIMARY KEY, id INTEGER, organization TEXT, email TEXT, first_name TEXT, last_name TEXT, role"
    " TEXT, is_pending INTEGER, created_at TEXT, updated_at TEXT",
    derived=TIMES,
    flags={"is_pending"},
)

TOKENS_TABLE = Table(
    "tokens",
    "token TEXT PRIMARY KEY, user TEXT",
    hidden="Who holds a token is no part of what a tool can change.",
)

routes = Routes()

_USE_USER_LIST = "Use the GET /api/v1/org/users list endpoint instead."
_USE_ASSIGNMENTS = (
    "Wed, 27 Aug 2025",
    "Thu, 27 Nov 2025",
    "Use the /api/v2/org/assignments/user/{userId} endpoint instead.",
)
_ROLE = OneOf(*access.ORGANIZATION_ROLES)
_INVITATION = Object(email=TEXT, role=Maybe(_ROLE), expiresAt=Maybe(TEXT))
_LIFE_OF_AN_INVITATION = timedelta(days=3)


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
    answer = list_body(members, wanted)
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
    return _user(_member(call, "uuid", uuid.lower()))


@routes.get("/api/v1/org/users/email/{email}", deprecated=_USE_USER_LIST)
def get_user_by_email(call: Call) -> object:
    """One member, by address."""
    return _user(_member(call, "email", storable(call.params["email"])))


@routes.patch("/api/v1/org/users/{userUuid}", deprecated=_USE_ASSIGNMENTS)
def update_role(call: Call) -> object:
    """Give a member another role."""
    body = contracts.read(call.body, Object(role=_ROLE))
    uuid = as_uuid(call.params["userUuid"])
    if call.user["role"] != "admin":
        raise forbidden()
    member = _member(call, "uuid", uuid)
    set_role(call.store, member, body["role"])
    return _user(_member(call, "uuid", uuid))


@routes.delete("/api/v1/org/user/{user}")
def delete_member(call: Call) -> object:
    """Remove a member; what they made stays."""
    uuid = call.uuid("user")
    row = call.store.one("SELECT * FROM users WHERE uuid = ?", uuid)
    if row is None:
        raise missing(f"Cannot find user with uuid {call.params['user']}")
    if call.user["role"] != "admin" or row["organization"] != call.user["organization"]:
        raise forbidden()
    _keep_an_admin(call.store, row, "")
    with call.store.change():
        call.store.run("DELETE FROM tokens WHERE user = ?", uuid)
        call.store.run("DELETE FROM users WHERE uuid = ?", uuid)
    return DONE


@routes.post("/api/v1/invite-links")
def invite(call: Call) -> object:
    """Ask somebody in; they are a member at once, though pending, and the wish for a date is ignored."""
    body = contracts.read(call.body, _INVITATION)
    if call.user["role"] != "admin":
        raise forbidden()
    email = storable(body["email"])
    known = call.store.one("SELECT * FROM users WHERE email = ?", email)
    if known and not (known["is_pending"] and known["organization"] == call.user["organization"]):
        raise _in_use(ours=known["organization"] == call.user["organization"])
    uuid = known["uuid"] if known else _add(call, email, body.get("role") or "member")
    code = call.store.new_uuid().replace("-", "")[:30]
    expires = (call.store.clock() + _LIFE_OF_AN_INVITATION).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    return Created(
        {
            "inviteCode": code,
            "expiresAt": expires,
            "inviteUrl": f"http://localhost/invite/{code}",
            "organizationUuid": call.user["organization"],
            "userUuid": uuid,
            "email": email,
            "purpose": "member",
        }
    )


def set_role(store: Store, member: Row, role: str) -> None:
    """Give a member another role, unless that leaves nobody in charge."""
    _keep_an_admin(store, member, role)
    store.update("users", member["uuid"], role=role, updated_at=store.now())


def _keep_an_admin(store: Store, member: Row, role: str) -> None:
    others = store.one(
        "SELECT 1 FROM users WHERE organization = ? AND role = 'admin' AND uuid <> ?",
        member["organization"],
        member["uuid"],
    )
    if member["role"] == "admin" and role != "admin" and others is None:
        raise forbidden("Organization must have at least one admin")


def _in_use(*, ours: bool) -> ServiceError:
    where = "your organization" if ours else "another organization"
    advice = "" if ours else ". Ask them to leave their organisation before inviting them."
    return ServiceError(400, "ParameterError", f"Email is already used by a user in {where}{advice}")


def _add(call: Call, email: str, role: str) -> str:
    store, uuid, now = call.store, call.store.new_uuid(), call.store.now()
    store.insert(
        "users",
        uuid=uuid,
        id=store.all("SELECT max(id) + 1 AS next FROM users")[0]["next"],
        organization=call.user["organization"],
        email=email,
        first_name="",
        last_name="",
        role=role,
        is_pending=True,
        created_at=now,
        updated_at=now,
    )
    return uuid


def _member(call: Call, column: str, value: str) -> Row:
    row = call.store.one(
        f"SELECT * FROM users WHERE {column} = ? AND organization = ?",  # noqa: S608 - one of two columns
        value,
        call.user["organization"],
    )
    if row is None:
        raise missing("No matching member found in organization")
    return row


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
