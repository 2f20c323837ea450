"""Members, groups and roles of an organisation as code."""

import json
from typing import Any

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.contracts import ANYTHING, FLAG, TEXT, List, Maybe, Object, OneOf, Union
from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.wire import ServiceError, forbidden

routes = Routes()

_CODE = "/api/v2/orgs/{organization}/code"
_ROLE = Union(Object(type=OneOf("system"), name=TEXT), Object(type=OneOf("custom"), name=TEXT))
_USER = Object(role=_ROLE, disabled=Maybe(FLAG), email=TEXT, version=ANYTHING)
_GROUP = Object(members=List(TEXT), name=TEXT, version=ANYTHING)


@routes.get(f"{_CODE}/users")
@routes.get("/api/v2/orgs/{organization}/users/code")
def list_users(call: Call) -> object:
    """Every member with their address and role, for anybody of the organisation."""
    rows = call.store.all("SELECT * FROM users WHERE organization = ? ORDER BY email", _own(call))
    return {
        "users": [
            {"version": 1, "email": row["email"], "disabled": False, "role": {"type": "system", "name": row["role"]}}
            for row in rows
        ]
    }


@routes.post(f"{_CODE}/users")
def upsert_user(call: Call) -> object:
    """Give a member a role; new members are not made here."""
    body = contracts.read(call.body, _USER)
    organization = _admin(call)
    row = call.store.one("SELECT * FROM users WHERE email = ? AND organization = ?", body["email"], organization)
    if row is None or body["role"]["name"] not in access.ORGANIZATION_ROLES:
        raise ServiceError(400, "ParameterError", f"User is not a member of this organization: {body['email']}")
    same = row["role"] == body["role"]["name"]
    if not same:
        call.store.update("users", row["uuid"], role=body["role"]["name"])
    return {"action": "no changes" if same else "update", "lifecycle": "ready", "invitation": "not requested"}


@routes.get(f"{_CODE}/groups")
def list_groups(call: Call) -> object:
    """Every group with the addresses of its members."""
    rows = call.store.all("SELECT * FROM groups WHERE organization = ? ORDER BY name", _admin(call))
    return {"groups": [{"version": 1, "name": row["name"], "members": _emails(call, row["uuid"])} for row in rows]}


@routes.post(f"{_CODE}/groups")
def upsert_group(call: Call) -> object:
    """Make a group, or give it its members."""
    body: dict[str, Any] = contracts.read(call.body, _GROUP)
    organization = _admin(call)
    rows = call.store.all("SELECT uuid, email FROM users WHERE organization = ?", organization)
    known = {row["email"]: row["uuid"] for row in rows}
    unknown = [email for email in body["members"] if email not in known]
    if unknown:
        raise ServiceError(400, "ParameterError", f"Users are not members of this organization: {', '.join(unknown)}")
    row = call.store.one("SELECT * FROM groups WHERE organization = ? AND name = ?", organization, body["name"])
    if row and sorted(_emails(call, row["uuid"])) == sorted(body["members"]):
        return {"action": "no changes"}
    now, me = call.store.now(), call.user["uuid"]
    uuid = row["uuid"] if row else call.store.new_uuid()
    with call.store.change():
        if row is None:
            times = {"created_at": now, "updated_at": now}
            names = {"uuid": uuid, "organization": organization, "name": body["name"], "created_by": me}
            call.store.insert("groups", **names, **times)
        call.store.run("DELETE FROM group_members WHERE group_uuid = ?", uuid)
        for email in dict.fromkeys(body["members"]):
            call.store.insert("group_members", group_uuid=uuid, user_uuid=known[email])
    return {"action": "update" if row else "create"}


@routes.get(f"{_CODE}/roles")
def list_roles(call: Call) -> object:
    """Every role that the organisation made up."""
    rows = call.store.all("SELECT * FROM roles WHERE organization = ? ORDER BY name", _admin(call))
    return {
        "customRoles": [
            {"version": 1, "name": row["name"], "description": row["description"], "scopes": json.loads(row["scopes"])}
            for row in rows
        ]
    }


def _own(call: Call) -> str:
    """The caller's organisation; any other in the path is refused, one that is not there too."""
    if call.params["organization"].lower() != call.user["organization"]:
        raise forbidden()
    return call.user["organization"]


def _admin(call: Call) -> str:
    if call.user["role"] != "admin":
        raise forbidden()
    return _own(call)


def _emails(call: Call, group: str) -> list[str]:
    rows = call.store.all(
        "SELECT email FROM group_members JOIN users ON users.uuid = user_uuid WHERE group_uuid = ? ORDER BY email",
        group,
    )
    return [row["email"] for row in rows]
