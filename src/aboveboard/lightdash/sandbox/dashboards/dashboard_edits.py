"""Making and changing dashboards. Tiles are replaced as a whole, and each time that is a new version."""

import json
from collections.abc import Mapping
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.charts import chart_edits, charts
from aboveboard.lightdash.sandbox.dashboards.dashboard_bodies import (
    CREATE,
    UPDATE,
    WITH_CHARTS,
    read_filters,
    read_tabs,
    read_tiles,
)
from aboveboard.lightdash.sandbox.dashboards.dashboards import by_name, content, editable, full, no_access, tiles_of
from aboveboard.lightdash.sandbox.routes import Call, Created, Routes, as_uuid, storable
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.lightdash.sandbox.wire import forbidden, missing

routes = Routes()

_DASHBOARDS = "/api/v1/projects/{project}/dashboards"


@routes.post(_DASHBOARDS)
def create_dashboard(call: Call) -> object:
    """A new dashboard, or with duplicateFrom a copy of one."""
    body = contracts.read(call.body, CREATE)
    source = call.query.get("duplicateFrom")
    if isinstance(source, str):
        return Created(_shown(call, _duplicate(call, by_name(call, source), body)))
    space = _space(call, call.uuid("project"), body.get("spaceUuid"))
    tiles = read_tiles(call, body.get("tiles"))
    name = storable(str(body.get("name")), 255)
    slug = chart_edits.free_slug(call.store, "dashboards", space.space["project"], name)
    with call.store.change():
        uuid = add(call, space.space, tiles, body, name=name, slug=slug)
    return Created(_shown(call, uuid))


@routes.post(f"{_DASHBOARDS}/with-charts")
def create_with_charts(call: Call) -> object:
    """A new dashboard with charts that live in it alone, two in a row."""
    body = contracts.read(call.body, WITH_CHARTS)
    space = _space(call, call.uuid("project"), body["spaceUuid"]).space
    name = storable(body["name"], 255)
    slug = chart_edits.free_slug(call.store, "dashboards", space["project"], name)
    with call.store.change():
        uuid = add(call, space, [], {**body, "tabs": []}, name=name, slug=slug)
        tiles = [_chart_tile(call, uuid, space, place, chart) for place, chart in enumerate(body["charts"])]
        save_version(call, uuid, read_tiles(call, tiles), {})
    return Created(_shown(call, uuid))


@routes.patch("/api/v2/projects/{project}/dashboards/{dashboard}")
def update_dashboard(call: Call) -> object:
    """A new name, or new tiles with tabs."""
    contracts.read(call.body, UPDATE)
    return update_anything(call)


@routes.patch("/api/v1/dashboards/{dashboard}")
def update_anything(call: Call) -> object:
    """Whatever of a dashboard is sent; nothing at all will do."""
    row = by_name(call)
    editable(call, row)
    change(call, row, contracts.as_map(call.body))
    return _shown(call, row["uuid"])


@routes.patch(_DASHBOARDS)
def update_dashboards(call: Call) -> object:
    """New names and places for several dashboards."""
    listed = contracts.as_list(call.body)
    rows = [by_name(call, str(item.get("uuid"))) for item in listed]
    refusal = forbidden("You don't have access to some of the dashboards you are trying to update.")
    for row in rows:
        editable(call, row, refusal)
    for row, item in zip(rows, listed, strict=True):
        change(call, row, {key: item[key] for key in ("name", "description", "spaceUuid") if key in item})
    return [_shown(call, row["uuid"]) for row in rows]


def add(call: Call, space: Row, tiles: list[dict[str, Any]], body: Mapping[str, Any], *, name: str, slug: str) -> str:
    """Store a new dashboard with its first version; its UUID."""
    store, uuid, now = call.store, call.store.new_uuid(), call.store.now()
    description = body.get("description")
    store.insert(
        "dashboards",
        uuid=uuid,
        project=space["project"],
        space=space["uuid"],
        slug=slug,
        name=name,
        description=storable(description) if isinstance(description, str) else None,
        created_by=call.user["uuid"],
        updated_by=call.user["uuid"],
        created_at=now,
        updated_at=now,
        views=0,
    )
    save_version(call, uuid, tiles, body)
    return uuid


def change(call: Call, row: Row, body: Mapping[str, Any]) -> None:
    """Change what is sent of a dashboard, which is a new version if its tiles are."""
    changes: dict[str, object] = {}
    if body.get("name"):
        changes["name"] = storable(chart_edits.text_of(body["name"]) or "", 255)
    if "description" in body and (body.get("name") or body.get("spaceUuid")):  # alone, it is overlooked
        told = chart_edits.text_of(body["description"])
        changes["description"] = None if told is None else storable(told)
    if body.get("spaceUuid"):
        changes["space"] = _space(call, row["project"], body["spaceUuid"]).space["uuid"]
    tiles = read_tiles(call, body["tiles"]) if body.get("tiles") is not None else None
    with call.store.change():
        call.store.update("dashboards", row["uuid"], **changes)
        if tiles is not None:
            save_version(call, row["uuid"], tiles, body)


def save_version(call: Call, uuid: str, tiles: list[dict[str, Any]], body: Mapping[str, Any]) -> None:
    """Give a dashboard new tiles, tabs, filters and settings, and keep the old ones; what is not sent is gone."""
    store, now, version = call.store, call.store.now(), call.store.new_uuid()
    number = (_last(store, "SELECT max(id) AS last FROM dashboard_versions") or 0) + 1
    tabs = read_tabs(body.get("tabs"))
    known = {tab["uuid"] for tab in tabs}
    placed = [tile | {"tab": tile["tab"] if tile["tab"] in known else None} for tile in tiles]
    changes = {
        "tabs": tabs,
        "filters": read_filters(body.get("filters")),
        "config": json.dumps(body.get("config")),
        "parameters": body.get("parameters"),
    }
    author = {"version_uuid": version, "version_id": number, "updated_by": call.user["uuid"], "updated_at": now}
    store.update("dashboards", uuid, **changes, **author)
    store.run("DELETE FROM tiles WHERE dashboard = ?", uuid)
    for tile in placed:
        store.insert("tiles", dashboard=uuid, **tile)
    store.insert(
        "dashboard_versions",
        dashboard=uuid,
        uuid=version,
        id=number,
        tiles=placed,
        **changes,
        created_by=call.user["uuid"],
        created_at=now,
    )


def _last(store: Store, sql: str) -> int | None:
    return store.all(sql)[0]["last"]


def _space(call: Call, project: str, wanted: object) -> access.SpaceAccess:
    spaces = access.spaces_of(call.store, call.user)
    if wanted is None:
        return chart_edits.space_for(call, project, None, "")
    uuid = as_uuid(str(wanted))
    if call.store.one("SELECT 1 FROM spaces WHERE uuid = ?", uuid) is None:
        raise missing(f"space with spaceUuid {wanted} does not exist")
    if uuid not in spaces or not spaces[uuid].may_edit:
        raise no_access()
    return spaces[uuid]


def _shown(call: Call, uuid: str) -> dict[str, object]:
    row = by_name(call, uuid)
    space = access.spaces_of(call.store, call.user)[row["space"]]
    return full(row, space, tiles_of(call.store, uuid))


def _chart_tile(call: Call, dashboard: str, space: Row, place: int, chart: Mapping[str, Any]) -> dict[str, Any]:
    name = storable(str(chart.get("name")), 255)
    slug = chart_edits.free_slug(call.store, "charts", space["project"], name)
    uuid = chart_edits.add(
        call, space["project"], chart, name=name, slug=slug, space=space["uuid"], dashboard=dashboard
    )
    corner = {"x": 18 * (place % 2), "y": 9 * (place // 2), "w": 18, "h": 9}
    return {"type": "saved_chart", **corner, "properties": {"savedChartUuid": uuid}}


def _duplicate(call: Call, row: Row, body: Mapping[str, Any]) -> str:
    """Charts that live in the dashboard alone are copied with it; the ids of the tiles are not new."""
    editable(call, row)
    store = call.store
    space = store.all("SELECT * FROM spaces WHERE uuid = ?", row["space"])[0]
    columns = ("uuid", "position", "tab", "type", "x", "y", "w", "h", "chart", "properties")
    tiles = [
        {column: tile[column] for column in columns} | {"properties": json.loads(tile["properties"])}
        for tile in store.all("SELECT * FROM tiles WHERE dashboard = ? ORDER BY position", row["uuid"])
    ]
    copy = {"description": body.get("dashboardDesc"), **content(row)}
    name = storable(str(body.get("dashboardName")), 255)
    with store.change():
        slug = store.unique_slug("dashboards", row["project"], row["slug"])
        uuid = add(call, space, tiles, copy, name=name, slug=slug)
        for chart in store.all("SELECT * FROM charts WHERE dashboard = ?", row["uuid"]):
            _copy_chart(call, chart, uuid)
    return uuid


def _copy_chart(call: Call, chart: Row, dashboard: str) -> None:
    body = {"description": chart["description"], **charts.content(chart)}
    slug = call.store.unique_slug("charts", chart["project"], chart["slug"])
    place = {"space": chart["space"], "dashboard": dashboard}
    copy = chart_edits.add(call, chart["project"], body, name=chart["name"], slug=slug, **place)
    call.store.run("UPDATE tiles SET chart = ? WHERE dashboard = ? AND chart = ?", copy, dashboard, chart["uuid"])
