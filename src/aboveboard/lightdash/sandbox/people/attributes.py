"""Attributes of people, by which explores can be narrowed to what somebody may see; for admins."""

import json
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.contracts import ANYTHING, TEXT, List, Maybe, Object
from aboveboard.lightdash.sandbox.routes import DONE, Call, Created, Routes, as_uuid, storable
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import CrashError, forbidden
from aboveboard.sandbox.table import Table

USER_ATTRIBUTES_TABLE = Table(
    "user_attributes",
    "uuid TEXT PRIMARY KEY, organization TEXT, name TEXT, description TEXT, defaults TEXT, users TEXT, groups"
    " TEXT, created_at TEXT, UNIQUE (organization, name)",
    derived=TIMES,
    json={"defaults", "groups", "users"},
)

routes = Routes()

_ATTRIBUTES = "/api/v1/org/attributes"
_BODY = Object(
    groups=List(ANYTHING), users=List(ANYTHING), name=TEXT, description=Maybe(TEXT), attributeDefault=Maybe(TEXT)
)


@routes.get(_ATTRIBUTES)
def list_attributes(call: Call) -> object:
    """The organisation's attributes, with whom they are set for."""
    _admin(call)
    rows = call.store.all(
        "SELECT * FROM user_attributes WHERE organization = ? ORDER BY rowid", call.user["organization"]
    )
    return [_attribute(call, row) for row in rows]


@routes.post(_ATTRIBUTES)
def create_attribute(call: Call) -> object:
    """A new attribute; a name that is there already crashes."""
    body = contracts.read(call.body, _BODY)
    _admin(call)
    uuid = call.store.new_uuid()
    home = {"uuid": uuid, "organization": call.user["organization"], "created_at": call.store.now()}
    call.store.insert("user_attributes", **home, **_columns(body))
    return Created(_attribute(call, _find(call, uuid)))


@routes.put(f"{_ATTRIBUTES}/{{attribute}}")
def replace_attribute(call: Call) -> object:
    """Everything of an attribute anew; one that is not there crashes."""
    body = contracts.read(call.body, _BODY)
    uuid = _find(call, call.uuid("attribute"))["uuid"]
    call.store.update("user_attributes", uuid, **_columns(body))
    return Created(_attribute(call, _find(call, uuid)))


@routes.delete(f"{_ATTRIBUTES}/{{attribute}}")
def delete_attribute(call: Call) -> object:
    """Remove an attribute; one that is not there crashes."""
    call.store.run("DELETE FROM user_attributes WHERE uuid = ?", _find(call, call.uuid("attribute"))["uuid"])
    return DONE


def _admin(call: Call) -> None:
    if call.user["role"] != "admin":
        raise forbidden()


def _find(call: Call, uuid: str) -> Row:
    _admin(call)
    row = call.store.one("SELECT * FROM user_attributes WHERE uuid = ?", uuid)
    if row is None:
        raise CrashError
    if row["organization"] != call.user["organization"]:
        raise forbidden()
    return row


def _columns(body: dict[str, Any]) -> dict[str, object]:
    default = body.get("attributeDefaults") or body.get("attributeDefault")
    return {
        "name": storable(body["name"], 255),
        "description": body.get("description"),
        "defaults": json.dumps([default] if isinstance(default, str) else default),
        "users": [{"userUuid": as_uuid(one["userUuid"]), "values": _values(one)} for one in body["users"]],
        "groups": [{"groupUuid": as_uuid(one["groupUuid"]), "values": _values(one)} for one in body["groups"]],
    }


def _values(one: dict[str, Any]) -> list[str]:
    return [str(value) for value in contracts.as_list(one.get("values")) or [one.get("value")]]


def _attribute(call: Call, row: Row) -> dict[str, object]:
    defaults = json.loads(row["defaults"])
    users = [_with_email(call, one) for one in json.loads(row["users"])]
    return {
        "uuid": row["uuid"],
        "createdAt": row["created_at"],
        "name": row["name"],
        "organizationUuid": row["organization"],
        "description": row["description"],
        "attributeDefaults": defaults,
        "attributeDefault": defaults[0] if defaults else None,
        "users": users,
        "groups": [one | {"value": one["values"][0]} for one in json.loads(row["groups"])],
    }


def _with_email(call: Call, one: dict[str, Any]) -> dict[str, object]:
    user = call.store.one("SELECT email FROM users WHERE uuid = ?", one["userUuid"])
    return {**one, "value": one["values"][0], "email": user["email"] if user else ""}
