"""Projects of the organisation."""

import json

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.sandbox.table import Table

PROJECTS_TABLE = Table(
    "projects",
    "uuid TEXT PRIMARY KEY, organization TEXT, slug TEXT, name TEXT, type TEXT, created_by TEXT, upstream TEXT,"
    " settings TEXT, created_at TEXT",
    derived=TIMES,
    json={"settings"},
)

routes = Routes()


@routes.get("/api/v1/org/projects")
def list_projects(call: Call) -> object:
    """All projects of the organisation."""
    rows = call.store.all(
        "SELECT projects.*, settings ->> '$.warehouseConnection.type' AS warehouse,"
        " first_name || ' ' || last_name AS author"
        " FROM projects LEFT JOIN users ON users.uuid = created_by WHERE projects.organization = ?"
        " ORDER BY projects.rowid",
        call.user["organization"],
    )
    visible = [] if call.user["role"] == "member" else rows
    return [
        {
            "name": row["name"],
            "projectUuid": row["uuid"],
            "slug": row["slug"],
            "type": row["type"],
            "createdByUserUuid": row["created_by"],
            "createdByUserName": row["author"],
            "createdAt": row["created_at"],
            "upstreamProjectUuid": row["upstream"],
            "warehouseType": row["warehouse"],
            "expiresAt": None,
            "provisioningSource": None,
        }
        for row in visible
    ]


@routes.get("/api/v1/projects/{project}")
def get_project(call: Call) -> object:
    """One project; its UUID is repeated as it was written in the path."""
    row = access.project(call)
    settings = json.loads(row["settings"])
    return {
        "organizationUuid": row["organization"],
        "projectUuid": call.params["project"],
        "slug": row["slug"],
        "name": row["name"],
        "type": row["type"],
        "dbtConnection": settings["dbtConnection"],
        "warehouseConnection": settings["warehouseConnection"],
        "pinnedListUuid": settings["pinnedListUuid"],
        "dbtVersion": "v1.12",
        "schedulerTimezone": "UTC",
        "queryTimezone": None,
        "useProjectTimezoneInFilters": False,
        "schedulerFailureNotifyRecipients": False,
        "schedulerFailureIncludeContact": False,
        "schedulerFailureContactOverride": None,
        "createdByUserUuid": row["created_by"],
        "hasDefaultUserSpaces": False,
        **({"projectDefaults": settings["projectDefaults"]} if "projectDefaults" in settings else {}),
        "colorPaletteUuid": None,
        "expiresAt": None,
        "provisioningSource": None,
        "agentSqlScope": None,
    }
