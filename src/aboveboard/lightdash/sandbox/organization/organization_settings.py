"""Settings of the organisation, its colour palettes, and the small things its pages ask for."""

import json
from sqlite3 import Row

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.contracts import NUMBER, TEXT, UNDEFINED, List, Maybe, Object, OneOf, Union
from aboveboard.lightdash.sandbox.routes import DONE, Call, Created, Routes, storable
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import CrashError, forbidden
from aboveboard.sandbox.table import Table

ORGANIZATION_SETTINGS_TABLE = Table(
    "organization_settings",
    "organization TEXT PRIMARY KEY, expiry INTEGER",
)

COLOR_PALETTES_TABLE = Table(
    "color_palettes",
    "uuid TEXT PRIMARY KEY, organization TEXT, name TEXT, colors TEXT, dark_colors TEXT, created_at TEXT",
    derived=TIMES,
    json={"colors", "dark_colors"},
)

routes = Routes()

_SETTINGS = "/api/v1/org/settings"
_PALETTES = "/api/v1/org/color-palettes"
_LONGEST = 259200
_NUMBER = Maybe(Union(NUMBER, OneOf(None), UNDEFINED))
_BODY = Object(queryLimit=_NUMBER, csvCellsLimit=_NUMBER, scheduledDeliveryExpirationSeconds=_NUMBER)
_PALETTE = Object(colors=List(TEXT), name=TEXT)


@routes.get(_SETTINGS)
def get_settings(call: Call) -> object:
    """The organisation's settings, for admins."""
    _admin(call)
    return _settings(call)


@routes.patch(_SETTINGS)
def update_settings(call: Call) -> object:
    """Change a setting; limits are not everybody's to change."""
    body = contracts.read(call.body, _BODY)
    _admin(call)
    if {"queryLimit", "csvCellsLimit"} & body.keys():
        raise forbidden("Organization limits are not enabled for this organization.")
    if "scheduledDeliveryExpirationSeconds" in body:
        call.store.run(
            "INSERT INTO organization_settings (organization, expiry) VALUES (?, ?)"
            " ON CONFLICT DO UPDATE SET expiry = excluded.expiry",
            call.user["organization"],
            body["scheduledDeliveryExpirationSeconds"],
        )
    return _settings(call)


@routes.get(_PALETTES)
def list_palettes(call: Call) -> object:
    """The organisation's palettes."""
    rows = call.store.all(
        "SELECT * FROM color_palettes WHERE organization = ? ORDER BY rowid", call.user["organization"]
    )
    return [_palette(row) | {"isActive": False} for row in rows]


@routes.post(_PALETTES)
def create_palette(call: Call) -> object:
    """A new palette."""
    body = contracts.read(call.body, _PALETTE)
    _admin(call)
    uuid = call.store.new_uuid()
    home = {"organization": call.user["organization"], "created_at": call.store.now()}
    look = {"colors": body["colors"], "dark_colors": json.dumps(body.get("darkColors"))}
    call.store.insert("color_palettes", uuid=uuid, name=storable(body["name"], 255), **look, **home)
    return Created(_palette(_find(call, uuid)))


@routes.patch(f"{_PALETTES}/{{palette}}")
def update_palette(call: Call) -> object:
    """A new name or new colours; another organisation's palette crashes."""
    body = contracts.read(call.body, Object(name=Maybe(TEXT), colors=Maybe(List(TEXT))))
    _admin(call)
    row = _find(call, call.uuid("palette"))
    call.store.update("color_palettes", row["uuid"], **{key: body[key] for key in ("name", "colors") if key in body})
    return _palette(_find(call, row["uuid"]))


@routes.delete(f"{_PALETTES}/{{palette}}")
def delete_palette(call: Call) -> object:
    """Remove a palette; one that is not there is no error."""
    _admin(call)
    query = "DELETE FROM color_palettes WHERE uuid = ? AND organization = ?"
    call.store.run(query, call.uuid("palette"), call.user["organization"])
    return DONE


@routes.get("/api/v1/org/brand")
def get_brand(call: Call) -> object:
    """No brand is set."""
    return None


@routes.get("/api/v1/org/designs")
def list_designs(call: Call) -> object:
    """No designs are there."""
    return []


@routes.get("/api/v1/org/impersonation")
def get_impersonation(call: Call) -> object:
    """Nobody may act as somebody else."""
    return {"organizationUuid": call.user["organization"], "impersonationEnabled": False}


@routes.get("/api/v1/org/access")
def get_access(call: Call) -> object:
    """The organisation is open."""
    return {"status": "active"}


@routes.get("/api/v1/org/jobs/create-project/active")
def get_active_creation(call: Call) -> object:
    """No project is being made."""
    return None


def _admin(call: Call) -> None:
    if call.user["role"] != "admin":
        raise forbidden()


def _settings(call: Call) -> dict[str, object]:
    row = call.store.one("SELECT expiry FROM organization_settings WHERE organization = ?", call.user["organization"])
    off = ("oidcLinking", "oidcToEmailLinking", "supportImpersonation", "semanticLayerPgwire")
    channels = ("Email", "Slack", "MsTeams", "GoogleChat")
    return {
        **{f"{name}Enabled": False for name in off},
        "scheduledDeliveryExpirationSeconds": (row["expiry"] if row else None) or _LONGEST,
        **{f"scheduledDeliveryExpirationSeconds{name}": None for name in channels},
        "queryLimit": 5000,
        "csvCellsLimit": 100000,
        "corsAllowedDomains": [],
    }


def _find(call: Call, uuid: str) -> Row:
    query = "SELECT * FROM color_palettes WHERE uuid = ? AND organization = ?"
    row = call.store.one(query, uuid, call.user["organization"])
    if row is None:
        raise CrashError
    return row


def _palette(row: Row) -> dict[str, object]:
    return {
        "colorPaletteUuid": row["uuid"],
        "organizationUuid": row["organization"],
        "name": row["name"],
        "colors": json.loads(row["colors"]),
        "darkColors": json.loads(row["dark_colors"]),
        "createdAt": row["created_at"],
    }
