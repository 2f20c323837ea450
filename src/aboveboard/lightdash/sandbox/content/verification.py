"""Charts and dashboards that an admin vouches for. Unlike a pin this is no toggle: verifying again is as before."""

from sqlite3 import Row

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.charts import charts
from aboveboard.lightdash.sandbox.content.saved import ITEM
from aboveboard.lightdash.sandbox.dashboards import dashboards
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes
from aboveboard.lightdash.sandbox.wire import forbidden
from aboveboard.sandbox.table import Table

VERIFICATIONS_TABLE = Table(
    "verifications",
    f"item TEXT PRIMARY KEY, uuid TEXT, project TEXT, {ITEM}, verified_by TEXT, verified_at TEXT",
    derived={"verified_at"},
)

routes = Routes()

_VERIFIED = (
    "SELECT verifications.*, first_name, last_name FROM verifications LEFT JOIN users ON users.uuid = verified_by"
    " WHERE project = ? ORDER BY verifications.rowid"
)


@routes.post("/api/v1/saved/{chart}/verification")
@routes.post("/api/v1/dashboards/{dashboard}/verification")
def verify(call: Call) -> object:
    """Vouch for a chart or a dashboard."""
    kind, row = _named(call)
    _admin(call, row, f"Only admins can verify {kind}s")
    return _verify(call, kind, row)


@routes.delete("/api/v1/saved/{chart}/verification")
@routes.delete("/api/v1/dashboards/{dashboard}/verification")
def unverify(call: Call) -> object:
    """No longer vouch for it; what nobody vouches for is no error."""
    kind, row = _named(call)
    _admin(call, row, f"Only admins can remove {kind} verification")
    call.store.run("DELETE FROM verifications WHERE item = ?", row["uuid"])
    return DONE


def _named(call: Call) -> tuple[str, Row]:
    return ("chart", charts.by_uuid(call)) if "chart" in call.params else ("dashboard", dashboards.by_name(call))


@routes.get("/api/v1/projects/{project}/content-verification")
def list_verified(call: Call) -> object:
    """What admins vouch for in a project, for those who may make content there."""
    project = access.known_project(call)
    role = access.role(call, project)
    if role is None or not role.may_make:
        raise forbidden("You do not have permission to view verified content")
    return [_listed(call, mark) for mark in call.store.all(_VERIFIED, project["uuid"])]


@routes.get("/api/v1/projects/{project}/verified-content-homepage")
def list_for_homepage(call: Call) -> object:
    """The same things as lists show them elsewhere, though these do not tell who vouches."""
    project = access.project(call)["uuid"]
    spaces = access.spaces_of(call.store, call.user)
    found: list[dict[str, object]] = []
    for mark in call.store.all(_VERIFIED, project):
        row = _content(call, mark)
        if row["space"] in spaces and spaces[row["space"]].role:
            found.append((charts if mark["chart"] else dashboards).summary(call, row) | {"verification": None})
    return found


def _admin(call: Call, row: Row, message: str) -> None:
    project = call.store.all("SELECT * FROM projects WHERE uuid = ?", row["project"])[0]
    role = access.role(call, project)
    if role is None or not role.may_administer:
        raise forbidden(message)


def _verify(call: Call, kind: str, row: Row) -> dict[str, object]:
    now = call.store.now()
    call.store.run(
        f"INSERT INTO verifications (item, uuid, project, {kind}, verified_by, verified_at) VALUES (?, ?, ?, ?, ?, ?)"  # noqa: S608 - one of two
        " ON CONFLICT DO UPDATE SET verified_by = excluded.verified_by, verified_at = excluded.verified_at",
        row["uuid"],
        call.store.new_uuid(),
        row["project"],
        row["uuid"],
        call.user["uuid"],
        now,
    )
    me = call.user
    names = {"userUuid": me["uuid"], "firstName": me["first_name"], "lastName": me["last_name"]}
    return {"verifiedBy": names, "verifiedAt": now}


def _content(call: Call, mark: Row) -> Row:
    select, table = (charts.CHARTS, "charts") if mark["chart"] else (dashboards.DASHBOARDS, "dashboards")
    return call.store.all(f"{select} WHERE {table}.uuid = ?", mark["item"])[0]


def _listed(call: Call, mark: Row) -> dict[str, object]:
    row = _content(call, mark)
    by = {"userUuid": mark["verified_by"], "firstName": mark["first_name"], "lastName": mark["last_name"]}
    return {
        "uuid": mark["uuid"],
        "contentUuid": row["uuid"],
        "name": row["name"],
        "description": row["description"],
        "spaceUuid": row["space"],
        "spaceName": row["space_name"],
        "views": row["views"],
        "lastUpdatedAt": row["updated_at"],
        "verifiedBy": by,
        "verifiedAt": mark["verified_at"],
        "contentType": "chart" if mark["chart"] else "dashboard",
        "slug": row["slug"],
        **({"chartKind": row["kind"], "exploreName": row["explore"]} if mark["chart"] else {}),
    }
