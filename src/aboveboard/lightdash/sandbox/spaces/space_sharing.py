"""Whom a space is shared with: people and groups, each with a role of their own there."""

from sqlite3 import Row

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.contracts import TEXT, Object, OneOf
from aboveboard.lightdash.sandbox.paging import list_body, read_page, wanted_page
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, as_uuid
from aboveboard.lightdash.sandbox.spaces.spaces import manageable
from aboveboard.lightdash.sandbox.wire import CrashError, forbidden, missing
from aboveboard.sandbox.table import Table

SPACE_GROUP_ACCESS_TABLE = Table(
    "space_group_access",
    "space TEXT REFERENCES spaces ON DELETE CASCADE, group_uuid TEXT REFERENCES groups ON DELETE CASCADE, role"
    " TEXT, PRIMARY KEY (space, group_uuid)",
)

routes = Routes()

_SPACE = "/api/v1/projects/{project}/spaces/{space}"
_ROLE = OneOf(*access.SPACE_ROLES)
_USER_SHARE = Object(spaceRole=_ROLE, userUuid=TEXT)
_GROUP_SHARE = Object(spaceRole=_ROLE, groupUuid=TEXT)


@routes.get(f"{_SPACE}/access")
def list_access(call: Call) -> object:
    """Everybody who may see the space; a private one has few."""
    checks = Checks(call.query)
    page, size = read_page(checks)
    direct = checks.flag("directOnly")
    checks.done()
    uuid = call.uuid("space")
    mine = access.spaces_of(call.store, call.user).get(uuid)
    if mine is None or not mine.role:
        raise forbidden()
    people = call.store.all("SELECT * FROM users WHERE organization = ? ORDER BY id", call.user["organization"])
    found = [access.spaces_of(call.store, person)[uuid] for person in people]
    entries = [one.person_entry() for one in found if one.role and (one.direct or not direct)]
    return list_body(entries, wanted_page(page, size))


@routes.post(f"{_SPACE}/share")
def share(call: Call) -> object:
    """Give a person a role, or another one than before."""
    body = contracts.read(call.body, _USER_SHARE)
    space = manageable(call)
    user = call.store.one("SELECT * FROM users WHERE uuid = ?", as_uuid(body["userUuid"]))
    if user is None or user["organization"] != call.user["organization"]:
        raise missing("Cannot share space: user is not a member of this organization")
    _give_role(call, "space_access", space, user["uuid"], body["spaceRole"])
    return DONE


@routes.delete(f"{_SPACE}/share/{{user}}")
def revoke(call: Call) -> object:
    """Take the role back; a person who had none is no error."""
    user, space = call.uuid("user"), manageable(call)
    call.store.run("DELETE FROM space_access WHERE space = ? AND user = ?", space, user)
    return DONE


@routes.post(f"{_SPACE}/group/share")
def share_with_group(call: Call) -> object:
    """Give a group a role; a group that is not there crashes."""
    body = contracts.read(call.body, _GROUP_SHARE)
    space, group = manageable(call), _group(call, as_uuid(body["groupUuid"]))
    _give_role(call, "space_group_access", space, group["uuid"], body["spaceRole"])
    return DONE


@routes.delete(f"{_SPACE}/group/share/{{group}}")
def revoke_from_group(call: Call) -> object:
    """Take the group's role back."""
    group, space = call.uuid("group"), manageable(call)
    call.store.run("DELETE FROM space_group_access WHERE space = ? AND group_uuid = ?", space, group)
    return DONE


def _give_role(call: Call, table: str, space: str, receiver: str, role: str) -> None:
    sql = f"INSERT INTO {table} VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET role = excluded.role"  # noqa: S608 - one of two
    call.store.run(sql, space, receiver, role)


def _group(call: Call, uuid: str) -> Row:
    row = call.store.one("SELECT * FROM groups WHERE uuid = ? AND organization = ?", uuid, call.user["organization"])
    if row is None:
        raise CrashError
    return row
