"""Moving and deleting content, one thing or many, and what becomes of deleted things."""

from collections.abc import Mapping
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.charts import charts
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.content import trash
from aboveboard.lightdash.sandbox.content.saved import find_named
from aboveboard.lightdash.sandbox.contracts import TEXT, List, Nullable, Object, OneOf, Union
from aboveboard.lightdash.sandbox.dashboards import dashboards
from aboveboard.lightdash.sandbox.paging import Page, read_page
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, as_uuid, is_uuid
from aboveboard.lightdash.sandbox.wire import ServiceError, forbidden, missing

routes = Routes()

_ITEM = Union(
    Object(source=OneOf("dbt_explore", "sql"), contentType=OneOf("chart"), uuid=TEXT),
    *(Object(contentType=OneOf(kind), uuid=TEXT) for kind in ("dashboard", "space", "data_app")),
)
_MOVE_ACTION = Object(type=OneOf("move"), targetSpaceUuid=Nullable(TEXT))
_DELETE_ACTION = Object(type=OneOf("delete"))
_MOVE, _DELETE = Object(action=_MOVE_ACTION, item=_ITEM), Object(action=_DELETE_ACTION, item=_ITEM)
_MOVE_MANY, _DELETE_MANY = (Object(action=action, content=List(_ITEM)) for action in (_MOVE_ACTION, _DELETE_ACTION))
_KEPT = Object(item=_ITEM)
_MISSING = {
    "chart": "Saved query not found",
    "dashboard": "Dashboard not found",
    "space": "Space not found",
    "data_app": "App not found",
}
_TYPES = ("chart", "dashboard", "space", "data_app")
_TREE = (
    "WITH RECURSIVE tree AS (SELECT uuid FROM spaces WHERE uuid = ?"
    " UNION ALL SELECT spaces.uuid FROM spaces JOIN tree ON spaces.parent = tree.uuid) SELECT uuid FROM tree"
)


@routes.post("/api/v2/content/{project}/move")
def move(call: Call) -> object:
    """Put a thing into another space; a space may also go to the top."""
    body = contracts.read(call.body, _MOVE)
    _move(call, [body["item"]], body["action"].get("targetSpaceUuid"))
    return DONE


@routes.post("/api/v2/content/bulk-action/{project}/move")
def move_many(call: Call) -> object:
    """Move all of them, or none."""
    body = contracts.read(call.body, _MOVE_MANY)
    _move(call, body["content"], body["action"].get("targetSpaceUuid"))
    return DONE


@routes.post("/api/v2/content/{project}/delete")
def delete(call: Call) -> object:
    """Delete one thing."""
    body = contracts.read(call.body, _DELETE)
    _delete(call, access.project(call)["uuid"], body["item"])
    return DONE


@routes.post("/api/v2/content/bulk-action/{project}/delete")
def delete_many(call: Call) -> object:
    """Delete what can be deleted, and say what was passed over."""
    body = contracts.read(call.body, _DELETE_MANY)
    project = access.project(call)["uuid"]
    skipped: list[dict[str, object]] = []
    for item in body["content"]:
        try:
            _delete(call, project, item)
        except ServiceError as error:
            skipped.append({"uuid": item["uuid"], "contentType": item["contentType"], "reason": error.message})
    return {"deletedCount": len(body["content"]) - len(skipped), "skipped": skipped}


@routes.get("/api/v2/content/deleted")
def list_deleted(call: Call) -> object:
    """What waits in the bin: an admin sees all of it, others what they deleted themselves."""
    checks = Checks(call.query)
    projects = checks.texts("projectUuids")
    kinds = checks.texts("contentTypes", _TYPES) or list(_TYPES)
    people = checks.texts("deletedByUserUuids")
    search = (checks.text("search") or "").lower()
    number, size = read_page(checks)
    checks.done()
    contracts.require(call.query, "projectUuids")
    page = Page(number or 1, size or 10)
    rows = [row for uuid in projects for row in _deleted(call, uuid)]
    found = [
        row
        for row in rows
        if row["type"] in kinds and search in row["name"].lower() and (not people or row["deleted_by"] in people)
    ]
    shown = found[page.offset : page.offset + page.limit]
    return {"pagination": page.summary(len(found)), "data": [_deleted_item(row) for row in shown]}


@routes.post("/api/v2/content/{project}/restore")
def restore(call: Call) -> object:
    """Bring a deleted thing back to where it was."""
    item = _in_bin(call)
    if item["space"] and call.store.one("SELECT 1 FROM spaces WHERE uuid = ?", item["space"]) is None:
        raise ServiceError(400, "ParameterError", "Cannot restore: the space it was in has been deleted")
    trash.bring_back(call.store, item)
    return DONE


@routes.delete("/api/v2/content/{project}/permanent")
def delete_for_good(call: Call) -> object:
    """Throw a deleted thing away."""
    call.store.run("DELETE FROM trash WHERE uuid = ?", _in_bin(call)["uuid"])
    return DONE


def _move(call: Call, items: list[dict[str, Any]], target: str | None) -> None:
    project = access.project(call)["uuid"]
    moves = [_prepared_move(call, project, item, target) for item in items]
    with call.store.change():
        for table, uuid, values in moves:
            call.store.update(table, uuid, **values)
            if table == "spaces":
                _rename_paths(call, uuid)


def _prepared_move(
    call: Call, project: str, item: Mapping[str, Any], target: str | None
) -> tuple[str, str, dict[str, object]]:
    kind = item["contentType"]
    row = _live(call, kind, as_uuid(item["uuid"]), item.get("source"))
    if row["project"] != project:
        raise missing(f"{kind.capitalize()} not found")
    spaces = access.spaces_of(call.store, call.user)
    here = spaces[row["uuid"] if kind == "space" else row["space"]]
    if not (here.may_manage if kind == "space" else here.may_edit):
        raise forbidden(f"You don't have access to update this {kind.capitalize()}")
    if target is None and kind != "space":
        raise ServiceError(400, "ParameterError", f"You cannot move a {kind} outside of a space")
    goal = _goal(spaces, project, target) if target else None
    if kind == "space":
        _check_tree(call, row["uuid"], goal)
        return "spaces", row["uuid"], {"parent": goal}
    return _table(kind, item.get("source")), row["uuid"], {"space": goal}


def _goal(spaces: Mapping[str, access.SpaceAccess], project: str, target: str) -> str:
    """The space to move something to."""
    goal = spaces.get(as_uuid(target))
    if goal is None or goal.space["project"] != project:
        raise missing(f"Couldn't find access context for space {target}")
    if not goal.may_edit:
        raise forbidden("You don't have access to this space")
    return goal.space["uuid"]


def _check_tree(call: Call, uuid: str, goal: str | None) -> None:
    if goal in {one["uuid"] for one in call.store.all(_TREE, uuid)}:
        text = "You cannot move a space into one of its own nested-spaces. Please choose a different location."
        raise ServiceError(400, "ParameterError", text)


def _rename_paths(call: Call, uuid: str) -> None:
    """A space's path follows its parents'."""
    for one in call.store.all(_TREE, uuid):
        row = call.store.all("SELECT slug, parent FROM spaces WHERE uuid = ?", one["uuid"])[0]
        above = call.store.one("SELECT path FROM spaces WHERE uuid = ?", row["parent"])
        path = row["slug"].replace("-", "_")
        call.store.update("spaces", one["uuid"], path=f"{above['path']}.{path}" if above else path)


def _delete(call: Call, project: str, item: Mapping[str, Any]) -> None:
    kind, source = item["contentType"], item.get("source")
    row = _named(call, kind, item["uuid"], source)
    if row is None or row["project"] != project:
        raise missing(_MISSING[kind])
    space = access.spaces_of(call.store, call.user)[row["uuid"] if kind == "space" else row["space"]]
    if not (space.may_manage if kind == "space" else space.may_edit):
        raise forbidden()
    trash.remove(call, kind, row, _table(kind, source))


def _table(kind: str, source: str | None) -> str:
    return "sql_charts" if source == "sql" else trash.KINDS.get(kind, kind)


def _live(call: Call, kind: str, uuid: str, source: str | None) -> Row:
    row = _named(call, kind, uuid, source)
    if row is None:
        raise missing(_MISSING[kind])
    return row


def _named(call: Call, kind: str, name: str, source: str | None) -> Row | None:
    """A thing by its UUID, charts and dashboards by their slug too."""
    if kind == "chart" and source != "sql":
        return find_named(call, charts.CHARTS, "charts", name, None)
    if kind == "dashboard":
        return find_named(call, dashboards.DASHBOARDS, "dashboards", name, None)
    if kind == "data_app":
        return None
    table = _table(kind, source)
    return call.store.one(f"SELECT * FROM {table} WHERE uuid = ?", as_uuid(name))  # noqa: S608 - one of two tables


def _deleted(call: Call, project: str) -> list[Row]:
    owner = call.store.one("SELECT * FROM projects WHERE uuid = ?", as_uuid(project))
    if owner is None or owner["organization"] != call.user["organization"]:
        raise forbidden()
    everything = access.role_in(call.store, call.user, owner["uuid"]).may_administer
    return call.store.all(
        "SELECT trash.*, spaces.name AS space_name, projects.organization, first_name, last_name FROM trash"
        " JOIN projects ON projects.uuid = trash.project LEFT JOIN spaces ON spaces.uuid = trash.space"
        " LEFT JOIN users ON users.uuid = deleted_by WHERE trash.project = ?1 AND (?2 OR deleted_by = ?3)"
        " ORDER BY trash.rowid DESC",
        owner["uuid"],
        everything,
        call.user["uuid"],
    )


def _deleted_item(row: Row) -> dict[str, object]:
    kind = row["type"]
    item: dict[str, object] = {
        "uuid": row["uuid"],
        "name": row["name"],
        "description": row["description"],
        "contentType": kind,
        "deletedAt": row["deleted_at"],
        "deletedBy": {"userUuid": row["deleted_by"], "firstName": row["first_name"], "lastName": row["last_name"]},
        "spaceUuid": row["space"],
        "spaceName": row["space_name"],
        "projectUuid": row["project"],
        "organizationUuid": row["organization"],
    }
    if kind == "space":
        # A space is its own: the document wants one here, and no recording shows another.
        item |= {"spaceUuid": row["uuid"], "spaceName": row["name"]}
    if kind == "chart":
        item |= {"chartKind": row["kind"], "source": row["source"]}
    if row["source"] != "sql":
        item["schedulerCount"] = trash.held(row, "schedulers")
    if kind != "chart":
        item["chartCount"] = trash.held(row, "charts")
    if kind == "space":
        nested = {"nestedSpaceCount": trash.held(row, "spaces") - 1, "appCount": 0}
        item |= {"dashboardCount": trash.held(row, "dashboards")} | nested
    return item


def _in_bin(call: Call) -> Row:
    item = contracts.read(call.body, _KEPT)["item"]
    access.project(call)
    name = item["uuid"]
    row = call.store.one("SELECT * FROM trash WHERE uuid = ?", as_uuid(name)) if is_uuid(name) else None
    if row is None or row["type"] != item["contentType"] or row["project"] != call.uuid("project"):
        raise missing(_MISSING[item["contentType"]])
    if not _is_theirs(call, row):
        mine = access.role_in(call.store, call.user, row["project"])
        if not mine.may_administer:
            raise forbidden()
    return row


def _is_theirs(call: Call, item: Row) -> bool:
    """Whether one who is no admin may bring it back: who deleted a chart or a space, who made a SQL chart."""
    if item["type"] == "dashboard":
        return False
    theirs = item["deleted_by"] if item["type"] == "space" or item["source"] != "sql" else trash.maker(item)
    return theirs == call.user["uuid"]
