"""The caller and the caller's organisation."""

from collections.abc import Mapping
from sqlite3 import Row

from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import CrashError
from aboveboard.sandbox.table import Table

ORGANIZATIONS_TABLE = Table(
    "organizations",
    "uuid TEXT PRIMARY KEY, name TEXT, created_at TEXT",
    derived=TIMES,
)

routes = Routes()

_OPEN_TO_VIEWERS = ("Dashboard", "SavedChart", "Space")


@routes.get("/api/v1/org")
def organization(call: Call) -> object:
    """The caller's organisation."""
    row = own_organization(call)
    projects = call.store.one("SELECT 1 FROM projects WHERE organization = ?", row["uuid"])
    host = "127.0.0.1" if call.user["role"] == "admin" else None
    return {
        "organizationUuid": row["uuid"],
        "name": row["name"],
        "createdAt": row["created_at"],
        "needsProject": projects is None,
        "pgWire": {"enabled": False, "tlsRequired": True, "host": host, "port": None},
    }


@routes.get("/api/v1/user")
def user(call: Call) -> object:
    """The caller."""
    me, home = call.user, own_organization(call)
    return {
        "userUuid": me["uuid"],
        "userId": me["id"],
        "email": me["email"],
        "firstName": me["first_name"],
        "lastName": me["last_name"],
        "isTrackingAnonymized": False,
        "isMarketingOptedIn": True,
        "isSetupComplete": True,
        "role": me["role"],
        "roleUuid": None,
        "isActive": True,
        "timezone": None,
        "avatarUrl": None,
        "avatarGradient": None,
        "isPending": bool(me["is_pending"]),
        "createdAt": me["created_at"],
        "updatedAt": me["updated_at"],
        "abilityRules": _ability_rules(me),
        "type": "registered",
        "id": me["uuid"],
        "organizationUuid": home["uuid"],
        "organizationName": home["name"],
        "organizationCreatedAt": home["created_at"],
        "requestContext": {"ip": call.address, "userAgent": call.headers.get("user-agent", "")},
        "impersonation": None,
    }


def own_organization(call: Call) -> Row:
    """The row of the caller's organisation."""
    row = call.store.one("SELECT * FROM organizations WHERE uuid = ?", call.user["organization"])
    if row is None:
        raise CrashError
    return row


def _ability_rules(me: Row) -> list[dict[str, object]]:
    """The first rules of the real list, which has up to 207; the sandbox itself decides by role."""
    home = {"organizationUuid": me["organization"]}
    shared = home | {"access": {"$elemMatch": {"userUuid": me["uuid"]}}}
    rules = [
        _rule("view", "OrganizationMemberProfile", home),
        _rule("view", "JobStatus", {"createdByUserUuid": me["uuid"]}),
        _rule("view", "PinnedItems", home),
        *(_rule("view", subject, home | {"inheritsFromOrgOrProject": True}) for subject in _OPEN_TO_VIEWERS),
        *(_rule("view", subject, shared) for subject in _OPEN_TO_VIEWERS),
        *(_rule("view", subject, home) for subject in ("Project", "Organization", "Tags")),
        _rule("manage", "ExportCsv", home),
    ]
    if me["role"] in {"admin", "developer", "editor"}:
        rules += [_rule("manage", subject, home) for subject in _OPEN_TO_VIEWERS]
    return [*rules, _rule("manage", "PersonalAccessToken", {})]


def _rule(action: str, subject: str, conditions: Mapping[str, object]) -> dict[str, object]:
    return {"action": action, "subject": subject, "conditions": conditions}
