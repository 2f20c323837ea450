"""Spaces as code, and the other things that can be read as code."""

import json
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.code import changes
from aboveboard.lightdash.sandbox.code.code_charts import downloading, uploading
from aboveboard.lightdash.sandbox.contracts import ANYTHING, FLAG, TEXT, List, Maybe, Object, OneOf
from aboveboard.lightdash.sandbox.routes import Call, Routes, storable
from aboveboard.lightdash.sandbox.schedules.schedulers import SCHEDULERS
from aboveboard.lightdash.sandbox.wire import ServiceError, missing

routes = Routes()

_CODE = "/api/v1/projects/{project}/code"
_ROLE = OneOf("viewer", "editor", "admin")
_ACCESS = Object(
    inheritParentPermissions=FLAG,
    projectMemberAccessRole=ANYTHING,
    users=List(Object(email=TEXT, role=_ROLE)),
    groups=List(Object(name=TEXT, role=_ROLE)),
)
_SPACE = Object(spaceName=TEXT, contentType=OneOf("space"), slug=TEXT, access=Maybe(_ACCESS))

Receivers = dict[str, dict[str, str]]


@routes.get(f"{_CODE}/spaces")
@routes.get("/api/v1/projects/{project}/spaces/code")
def list_spaces(call: Call) -> object:
    """Every space with whom it is shared."""
    project = downloading(call, "spaces")
    rows = call.store.all("SELECT * FROM spaces WHERE project = ? ORDER BY rowid", project)
    return {"spaces": [_document(call, row) for row in rows], "skipped": []}


@routes.post(f"{_CODE}/spaces")
def upsert_space(call: Call) -> object:
    """Make a space with its parents, or give it its name, and the access that the document tells, if any."""
    body = contracts.read(call.body, _SPACE, "space")
    slug = storable(body["slug"])
    project = uploading(call, slug)
    row = changes.find_space(call.store, project, slug)
    if row is None and call.query.get("skipSpaceCreate") == "true":
        raise missing(f"Space {slug} does not exist, skipping creation")
    receivers = _receivers(call, body["access"]) if body.get("access") else None
    before = _document(call, row) if row else None
    with call.store.change():
        uuid = row["uuid"] if row else changes.make_space(call, project, slug, public=False)[0]
        call.store.update("spaces", uuid, name=storable(body["spaceName"], 255))
        if receivers:
            call.store.update("spaces", uuid, inherits=body["access"]["inheritParentPermissions"])
            _share(call, uuid, receivers)
    now = _document(call, call.store.all("SELECT * FROM spaces WHERE uuid = ?", uuid)[0])
    return {"action": "CREATE" if before is None else "NO_CHANGES" if now == before else "UPDATE"}


def _receivers(call: Call, shared: dict[str, Any]) -> Receivers:
    """Whom a document names, by table and UUID, with the role that they get; somebody unknown is an error."""
    found: Receivers = {"space_access": {}, "space_group_access": {}}
    own = call.user["organization"]
    for one in shared["users"]:
        row = call.store.one("SELECT uuid FROM users WHERE email = ? AND organization = ?", one["email"], own)
        if row is None:
            raise ServiceError(400, "ParameterError", f"User {one['email']} is not a member of this organization")
        found["space_access"][row["uuid"]] = one["role"]
    for one in shared["groups"]:
        row = call.store.one("SELECT uuid FROM groups WHERE name = ? AND organization = ?", one["name"], own)
        if row is None:
            raise ServiceError(400, "ParameterError", f"Group {one['name']} does not exist in this organization")
        found["space_group_access"][row["uuid"]] = one["role"]
    return found


def _share(call: Call, space: str, receivers: Receivers) -> None:
    """Share a space with these, and with nobody else."""
    for table, roles in receivers.items():
        call.store.run(f"DELETE FROM {table} WHERE space = ?", space)  # noqa: S608 - one of two
        for uuid, role in roles.items():
            call.store.run(f"INSERT INTO {table} VALUES (?, ?, ?)", space, uuid, role)  # noqa: S608 - one of two


@routes.get(f"{_CODE}/scheduledDeliveries")
def list_deliveries(call: Call) -> object:
    """Every scheduled delivery."""
    project = downloading(call, "scheduled deliveries")
    rows = call.store.all(
        "SELECT delivery.*, coalesce(charts.slug, dashboards.slug) AS content_slug"  # noqa: S608 - fixed text
        f" FROM ({SCHEDULERS} WHERE schedulers.project = ?) AS delivery"
        " LEFT JOIN charts ON charts.uuid = delivery.chart"
        " LEFT JOIN dashboards ON dashboards.uuid = delivery.dashboard",
        project,
    )
    return {"scheduledDeliveries": [_delivery(call, row) for row in rows], "skipped": []}


@routes.get(f"{_CODE}/alerts")
def list_alerts(call: Call) -> object:
    """There are no alerts."""
    downloading(call, "alerts")
    return {"alerts": [], "skipped": []}


@routes.get(f"{_CODE}/googleSheets")
def list_google_sheets(call: Call) -> object:
    """There are no spreadsheets to fill."""
    downloading(call, "google sheets")
    return {"googleSheetsSyncs": [], "skipped": []}


def _document(call: Call, row: Row) -> dict[str, object]:
    people = call.store.all(
        "SELECT email, space_access.role FROM space_access JOIN users ON users.uuid = user WHERE space = ?", row["uuid"]
    )
    groups = call.store.all(
        "SELECT name, role FROM space_group_access JOIN groups ON groups.uuid = group_uuid WHERE space = ?", row["uuid"]
    )
    shared = {
        "inheritParentPermissions": bool(row["inherits"]),
        "projectMemberAccessRole": None,
        "users": [{"email": one["email"], "role": one["role"]} for one in people],
        "groups": [{"name": one["name"], "role": one["role"]} for one in groups],
    }
    head = {"contentType": "space", "spaceName": row["name"], "slug": changes.code_slug(row["path"])}
    return {**head, "version": 1, "access": shared}


def _delivery(call: Call, row: Row) -> dict[str, object]:
    more = json.loads(row["more"])
    nothing = ("filters", "parameters", "customViewportWidth", "selectedTabs")
    return {
        "contentType": "scheduled_delivery",
        "version": 1,
        "slug": row["slug"],
        "name": row["name"],
        "message": row["message"],
        "cron": row["cron"],
        "timezone": row["timezone"],
        "enabled": bool(row["enabled"]),
        "includeLinks": bool(row["include_links"]),
        "plainTextEmail": False,
        "targets": [_target(target) for target in json.loads(row["targets"])],
        "downloadedAt": call.store.clock().strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "format": row["format"],
        "options": json.loads(row["options"]),
        "resource": {"type": "chart" if row["chart"] else "dashboard", "slug": row["content_slug"]},
        **{name: more.get(name) for name in nothing},
    }


def _target(target: dict[str, str]) -> dict[str, str]:
    kind = "slack" if "channel" in target else "email"
    return {"type": kind} | {key: value for key, value in target.items() if key != "uuid"}
