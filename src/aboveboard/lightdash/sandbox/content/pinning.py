"""Things pinned for everybody and people's own favourites. Both are toggles: a second call takes the mark away."""

import json
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.charts import charts
from aboveboard.lightdash.sandbox.content.saved import ITEM, author_fields, find_named, pin_fields, verification
from aboveboard.lightdash.sandbox.contracts import NUMBER, TEXT, Object, OneOf
from aboveboard.lightdash.sandbox.dashboards import dashboards
from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.spaces import spaces
from aboveboard.lightdash.sandbox.wire import forbidden, missing
from aboveboard.sandbox.table import Table

PINS_TABLE = Table(
    "pins",
    f"item TEXT PRIMARY KEY, project TEXT, {ITEM}, position INTEGER",
    indexes=("project",),
)

FAVORITES_TABLE = Table(
    "favorites",
    f"user TEXT REFERENCES users ON DELETE CASCADE, item TEXT, project TEXT, {ITEM}, PRIMARY KEY (user, item)",
)

routes = Routes()

_LIST = "/api/v1/projects/{project}/pinned-lists/{list}/items"
_FAVORITES = "/api/v1/projects/{project}/favorites"
_LAST = 100
_KINDS = ("chart", "dashboard", "space", "data_app")
_ORDERED = Object(data=Object(uuid=TEXT, pinnedListOrder=NUMBER), type=OneOf(*_KINDS))
_FAVORITE = Object(contentType=OneOf(*_KINDS), contentUuid=TEXT)
_SPACE = (
    "SELECT spaces.*, organization, pins.position AS pin, settings ->> '$.pinnedListUuid' AS pinned_list,"
    " (SELECT count(*) FROM dashboards WHERE space = spaces.uuid) AS boards,"
    " (SELECT count(*) FROM charts WHERE space = spaces.uuid) AS charts,"
    " (SELECT count(*) FROM spaces AS child WHERE child.parent = spaces.uuid) AS children,"
    " (SELECT json_group_array(user) FROM space_access WHERE space = spaces.uuid) AS people"
    " FROM spaces JOIN projects ON projects.uuid = spaces.project LEFT JOIN pins ON pins.item = spaces.uuid"
)


@routes.patch("/api/v1/saved/{chart}/pinning")
def pin_chart(call: Call) -> object:
    """Pin a chart, or unpin it."""
    row = charts.by_uuid(call)
    charts.editable(call, row)
    return _toggled(call, "chart", row)


@routes.patch("/api/v1/dashboards/{dashboard}/pinning")
def pin_dashboard(call: Call) -> object:
    """Pin a dashboard, or unpin it."""
    row = dashboards.by_name(call)
    dashboards.editable(call, row, forbidden())
    return _toggled(call, "dashboard", row)


@routes.patch("/api/v1/projects/{project}/spaces/{space}/pinning")
def pin_space(call: Call) -> object:
    """Pin a space, or unpin it."""
    row = call.store.one(f"{_SPACE} WHERE spaces.uuid = ?", call.uuid("space"))
    if row is None:
        raise missing(f"space with spaceUuid {call.params['space']} does not exist")
    mine = access.spaces_of(call.store, call.user).get(row["uuid"])
    if mine is None or not mine.may_manage:
        raise forbidden()
    _toggled(call, "space", row)
    return spaces.full(call, row["uuid"])


@routes.get(_LIST)
def list_pinned(call: Call) -> object:
    """What is pinned in a project and the caller may see; a list that nobody knows is empty."""
    project = access.project(call)
    known = json.loads(project["settings"])["pinnedListUuid"] == call.uuid("list")
    return _pinned(call, project["uuid"]) if known else []


@routes.patch(f"{_LIST}/order")
def order_pinned(call: Call) -> object:
    """Give pinned things their places; what is not pinned is passed over."""
    wanted = contracts.read_list(call.body, _ORDERED)
    project = access.project(call)
    if not access.role_in(call.store, call.user, project["uuid"]).may_make:
        raise forbidden()
    with call.store.change():
        for item in wanted:
            place = item["data"]
            call.store.run("UPDATE pins SET position = ? WHERE item = ?", place["pinnedListOrder"], place["uuid"])
    return list_pinned(call)


@routes.get(_FAVORITES)
def list_favorites(call: Call) -> object:
    """The caller's own favourites in a project, the newest first."""
    project = access.project(call)["uuid"]
    rows = call.store.all(
        "SELECT * FROM favorites WHERE user = ? AND project = ? ORDER BY rowid DESC", call.user["uuid"], project
    )
    return [shown for row in rows if (shown := _shown(call, row, pins=False))]


@routes.patch(_FAVORITES)
def toggle_favorite(call: Call) -> object:
    """Make something a favourite, or no longer."""
    body = contracts.read(call.body, _FAVORITE)
    project = access.project(call)["uuid"]
    kind = body["contentType"]
    row = _named(call, kind, body["contentUuid"], project)
    if row is None:
        unknown = {"chart": "Saved query not found", "dashboard": "Dashboard not found", "data_app": "App not found"}
        raise missing(unknown.get(kind, f"space with spaceUuid {body['contentUuid']} does not exist"))
    space = access.spaces_of(call.store, call.user).get(row["uuid"] if kind == "space" else row["space"])
    if space is None or not space.role:
        raise forbidden()
    owned = (call.user["uuid"], row["uuid"])
    favorite = call.store.one("SELECT 1 FROM favorites WHERE user = ? AND item = ?", *owned) is None
    if favorite:
        place = {"user": call.user["uuid"], "item": row["uuid"], "project": project, kind: row["uuid"]}
        call.store.insert("favorites", **place)
    else:
        call.store.run("DELETE FROM favorites WHERE user = ? AND item = ?", *owned)
    return {"isFavorite": favorite, "contentType": kind, "contentUuid": body["contentUuid"]}


def _named(call: Call, kind: str, name: str, project: str) -> Row | None:
    select = {"chart": charts.CHARTS, "dashboard": dashboards.DASHBOARDS, "space": _SPACE}.get(kind)
    return find_named(call, select, f"{kind}s", name, project) if select else None


def _toggled(call: Call, kind: str, row: Row) -> dict[str, object]:
    store, project = call.store, row["project"]
    pin = store.one("SELECT 1 FROM pins WHERE item = ?", row["uuid"]) is None
    with store.change():
        if pin:
            settings = json.loads(store.all("SELECT settings FROM projects WHERE uuid = ?", project)[0]["settings"])
            if settings["pinnedListUuid"] is None:
                store.update("projects", project, settings=settings | {"pinnedListUuid": store.new_uuid()})
            store.insert("pins", item=row["uuid"], project=project, position=_LAST, **{kind: row["uuid"]})
        else:
            store.run("DELETE FROM pins WHERE item = ?", row["uuid"])
    settings = json.loads(store.all("SELECT settings FROM projects WHERE uuid = ?", project)[0]["settings"])
    place = row["uuid"] if kind == "space" else row["space"]
    listed = {"pinnedListUuid": settings["pinnedListUuid"], "isPinned": pin}
    return {"projectUuid": project, "spaceUuid": place, **listed}


def _pinned(call: Call, project: str) -> list[dict[str, object]]:
    rows = call.store.all(
        "SELECT * FROM pins WHERE project = ?"
        " ORDER BY position, CASE WHEN space THEN 0 WHEN chart THEN 1 ELSE 2 END, rowid",
        project,
    )
    return [shown for row in rows if (shown := _shown(call, row, pins=True))]


def _shown(call: Call, mark: Row, *, pins: bool) -> dict[str, object] | None:
    """What a pin or a favourite is about, if the caller may see it; a favourite does not tell that it is pinned."""
    kind = next(kind for kind in ("chart", "dashboard", "space") if mark[kind])
    row = _named(call, kind, mark["item"], mark["project"])
    if row is None:
        return None
    space = access.spaces_of(call.store, call.user).get(row["uuid"] if kind == "space" else row["space"])
    if space is None or not space.role:
        return None
    place = pin_fields(row) if pins else {"pinnedListUuid": None, "pinnedListOrder": None}
    return {"type": kind, "data": place | (_space(row) if kind == "space" else _saved(kind, row))}


def _saved(kind: str, row: Row) -> dict[str, Any]:
    return {
        "uuid": row["uuid"],
        "slug": row["slug"],
        "spaceUuid": row["space"],
        "description": row["description"],
        "name": row["name"],
        "views": row["views"],
        "firstViewedAt": row["first_viewed_at"],
        "updatedAt": row["updated_at"],
        "updatedByUser": author_fields(row),
        "verification": verification(row),
        **({"chartKind": row["kind"]} if kind == "chart" else {}),
    }


def _space(row: Row) -> dict[str, Any]:
    people = json.loads(row["people"])
    return {
        "organizationUuid": row["organization"],
        "projectUuid": row["project"],
        "uuid": row["uuid"],
        "name": row["name"],
        "inheritParentPermissions": bool(row["inherits"]),
        "dashboardCount": row["boards"],
        "chartCount": row["charts"],
        "childSpaceCount": row["children"],
        "appCount": 0,
        "parentSpaceUuid": row["parent"],
        "path": row["path"],
        "access": people,
        "accessListLength": len(people),
    }
