"""The caller's own account: tokens, notifications, credentials for the warehouse."""

import json
from sqlite3 import Row

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.contracts import MAP, TEXT, Object
from aboveboard.lightdash.sandbox.organization import organization
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, storable
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import CrashError, missing
from aboveboard.sandbox.table import Table

WAREHOUSE_CREDENTIALS_TABLE = Table(
    "warehouse_credentials",
    "uuid TEXT PRIMARY KEY, user TEXT REFERENCES users ON DELETE CASCADE, name TEXT, credentials TEXT, created_at"
    " TEXT, updated_at TEXT",
    derived=TIMES,
    json={"credentials"},
)

routes = Routes()

_CREDENTIALS = "/api/v1/user/warehouseCredentials"
_TOKENS = "/api/v1/user/me/personal-access-tokens"
_BODY = Object(credentials=MAP, name=TEXT)
_FLAGS_ON = {"user-groups-enabled"}


@routes.get("/api/v1/user/account")
def get_account(call: Call) -> object:
    """Who is calling, and how: the real server repeats the whole token here."""
    home = organization.own_organization(call)
    shown = contracts.as_map(organization.user(call))
    hidden = {"organizationUuid", "organizationName", "organizationCreatedAt", "requestContext", "impersonation"}
    person = {key: value for key, value in shown.items() if key not in hidden}
    names = {"organizationUuid": home["uuid"], "name": home["name"], "createdAt": home["created_at"]}
    return {
        "authentication": {"type": "pat", "source": call.headers["authorization"]},
        "organization": names,
        "user": person,
        "requestContext": shown["requestContext"],
    }


@routes.get("/api/v1/user/me/allowedOrganizations")
def list_allowed_organizations(call: Call) -> object:
    """No other organisation would take the caller in."""
    return []


@routes.get("/api/v1/user/onboarding")
def get_onboarding(call: Call) -> object:
    """What the caller was shown around."""
    return {"completedTours": {"memoryTour": False}}


@routes.get("/api/v1/notifications")
def list_notifications(call: Call) -> object:
    """Nobody was notified of anything."""
    contracts.require(call.query, "type")
    return []


@routes.get("/api/v2/feature-flag")
def list_flags(call: Call) -> object:
    """No list, outside of previews."""
    raise missing("Feature flag management is only available in preview environments")


@routes.get("/api/v2/feature-flag/{flag}")
def get_flag(call: Call) -> object:
    """Whether a feature is on; one that nobody knows is off."""
    return {"id": call.params["flag"], "enabled": call.params["flag"] in _FLAGS_ON}


@routes.get(_TOKENS)
def list_tokens(call: Call) -> object:
    """The caller's tokens, which are known here by their person."""
    made = {"createdAt": call.user["created_at"], "lastUsedAt": call.user["updated_at"]}
    nothing = {"rotatedAt": None, "expiresAt": None}
    return [{"uuid": call.user["uuid"], **made, **nothing, "description": "Sandbox token"}]


@routes.patch(f"{_TOKENS}/{{token}}/rotate")
def rotate_token(call: Call) -> object:
    """No token can be changed here."""
    contracts.read(call.body, Object(expiresAt=TEXT))
    call.uuid("token")
    raise missing("Personal access token not found")


@routes.get(_CREDENTIALS)
def list_credentials(call: Call) -> object:
    """The caller's own credentials, without their secrets."""
    rows = call.store.all("SELECT * FROM warehouse_credentials WHERE user = ? ORDER BY rowid", call.user["uuid"])
    return [_credentials(row) for row in rows]


@routes.post(_CREDENTIALS)
def create_credentials(call: Call) -> object:
    """New credentials; the password is not kept."""
    body = contracts.read(call.body, _BODY)
    uuid, now = call.store.new_uuid(), call.store.now()
    kept = {key: value for key, value in body["credentials"].items() if key in {"type", "user"}}
    times = {"created_at": now, "updated_at": now}
    owned = {"user": call.user["uuid"], "name": storable(body["name"], 255)}
    call.store.insert("warehouse_credentials", uuid=uuid, credentials=kept, **owned, **times)
    return _credentials(_find(call, uuid))


@routes.patch(f"{_CREDENTIALS}/{{credentials}}")
def update_credentials(call: Call) -> object:
    """Other credentials under another name; somebody else's cannot be saved."""
    body = contracts.read(call.body, _BODY)
    row = _find(call, call.uuid("credentials"))
    kept = {key: value for key, value in body["credentials"].items() if key in {"type", "user"}}
    changes = {"name": storable(body["name"], 255), "credentials": kept, "updated_at": call.store.now()}
    call.store.update("warehouse_credentials", row["uuid"], **changes)
    return _credentials(_find(call, row["uuid"]))


@routes.delete(f"{_CREDENTIALS}/{{credentials}}")
def delete_credentials(call: Call) -> object:
    """Remove credentials; somebody else's stay, and it is no error."""
    query = "DELETE FROM warehouse_credentials WHERE uuid = ? AND user = ?"
    call.store.run(query, call.uuid("credentials"), call.user["uuid"])
    return DONE


def _find(call: Call, uuid: str) -> Row:
    query = "SELECT * FROM warehouse_credentials WHERE uuid = ? AND user = ?"
    row = call.store.one(query, uuid, call.user["uuid"])
    if row is None:
        raise CrashError(message="Could not save credentials.")
    return row


def _credentials(row: Row) -> dict[str, object]:
    return {
        "uuid": row["uuid"],
        "userUuid": row["user"],
        "name": row["name"],
        "createdAt": row["created_at"],
        "updatedAt": row["updated_at"],
        "credentials": json.loads(row["credentials"]),
        "project": None,
    }
