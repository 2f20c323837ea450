"""Making and changing saved charts. These routes are old and check next to nothing: what is missing crashes them."""

import json
from collections.abc import Mapping
from sqlite3 import Row
from typing import Any, cast

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.charts.charts import by_uuid, content, editable, full
from aboveboard.lightdash.sandbox.content.saved import slug_of
from aboveboard.lightdash.sandbox.engine.shop import EXPLORES
from aboveboard.lightdash.sandbox.routes import Call, Routes, as_uuid, storable
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.lightdash.sandbox.wire import CrashError, forbidden, missing

routes = Routes()

_QUERY: dict[str, object] = {
    "exploreName": None,
    "dimensions": [],
    "metrics": [],
    "filters": {},
    "sorts": [],
    "limit": 500,
    "metricOverrides": {},
    "tableCalculations": [],
    "additionalMetrics": [],
    "customDimensions": [],
    "timezone": "project_timezone",
}
_TYPES = (
    *("cartesian", "table", "big_number", "pie", "funnel", "custom", "treemap", "gauge", "map", "sankey"),
    "data_app_viz",
)


@routes.post("/api/v1/projects/{project}/saved")
def create_chart(call: Call) -> object:
    """A new chart, or with duplicateFrom a copy of one."""
    body = contracts.as_map(call.body)
    source = call.query.get("duplicateFrom")
    project = access.project(call)
    if isinstance(source, str):
        return full(*_created(call, _duplicate(call, project, by_uuid(call, source), body)))
    if not access.role_in(call.store, call.user, project["uuid"]).may_make:
        raise forbidden()
    if not isinstance(body.get("name"), str):
        raise CrashError
    _check_explore(call.store, project["uuid"], body.get("tableName"))
    wanted = body.get("spaceUuid")
    space = space_for(call, project["uuid"], wanted, f"Couldn't find access context for space {wanted}")
    name = storable(body["name"], 255)
    place = {"space": space.space["uuid"], "slug": free_slug(call.store, "charts", project["uuid"], name)}
    return full(
        *_created(call, add(call, project["uuid"], body, name=name, dashboard=body.get("dashboardUuid"), **place))
    )


@routes.patch("/api/v1/saved/{chart}")
def update_chart(call: Call) -> object:
    """A new name, description or place; the query stays, and so does the slug."""
    row = by_uuid(call)
    body = contracts.as_map(call.body)
    return _change(call, row, body)


@routes.patch("/api/v1/projects/{project}/saved")
def update_charts(call: Call) -> object:
    """The same for several charts; the first that is not there ends it."""
    listed = contracts.as_list(call.body)
    rows = [by_uuid(call, str(item.get("uuid"))) for item in listed]
    with call.store.change():
        return [_change(call, row, item) for row, item in zip(rows, listed, strict=True)]


def add(call: Call, project: str, body: Mapping[str, Any], **columns: object) -> str:
    """Store a new chart with its first version; its UUID."""
    store, uuid, now = call.store, call.store.new_uuid(), call.store.now()
    read = read_content(body)
    description = body.get("description")
    store.insert(
        "charts",
        uuid=uuid,
        project=project,
        description=storable(description) if isinstance(description, str) else None,
        **read,
        updated_by=call.user["uuid"],
        created_at=now,
        updated_at=now,
        views=0,
        **columns,
    )
    _add_version(store, uuid, read, call.user["uuid"], now)
    return uuid


def save_version(call: Call, uuid: str, columns: Mapping[str, object]) -> None:
    """Give a chart a new query and look, and keep the old ones in its history."""
    now = call.store.now()
    with call.store.change():
        call.store.update("charts", uuid, **columns, updated_by=call.user["uuid"], updated_at=now)
        _add_version(call.store, uuid, columns, call.user["uuid"], now)


def read_content(body: Mapping[str, Any]) -> dict[str, object]:
    """What a version of a chart consists of; a body without most of it, or of an unknown type, crashes.

    What may be left out, pivot and parameters, is then gone.
    """
    query, config = body.get("metricQuery"), body.get("chartConfig")
    if not isinstance(query, dict) or not isinstance(config, dict) or not isinstance(body.get("tableName"), str):
        raise CrashError
    given, look = cast("dict[str, Any]", query), cast("dict[str, Any]", config)
    if look.get("type") not in _TYPES:
        raise CrashError
    whole = {key: given.get(key, default) for key, default in _QUERY.items()}
    whole |= {key: value for key, value in given.items() if key not in _QUERY and key != "metadata"}
    whole["exploreName"] = given.get("exploreName") or body["tableName"]
    order = _column_order(whole, body.get("tableConfig"))
    for kind in ("dimensions", "metrics"):
        whole[kind] = sorted(whole[kind], key=order.index)
    return {
        "explore": body["tableName"],
        "kind": _kind(look),
        "query": whole,
        "chart_config": look,
        "table_config": {"columnOrder": order},
        "pivot_config": body.get("pivotConfig"),
        "parameters": body.get("parameters"),
    }


def space_for(call: Call, project: str, wanted: object, unknown: str) -> access.SpaceAccess:
    """The space to put something into: the one asked for, or the first that the caller may edit."""
    spaces = access.spaces_of(call.store, call.user)
    if wanted is None:
        able = [one for one in spaces.values() if one.space["project"] == project and one.may_edit]
        if not able:
            raise forbidden()
        return min(able, key=lambda one: one.space["uuid"])
    uuid = as_uuid(str(wanted))
    if call.store.one("SELECT 1 FROM spaces WHERE uuid = ?", uuid) is None:
        raise missing(unknown)
    if uuid not in spaces or not spaces[uuid].may_edit:
        raise forbidden()
    return spaces[uuid]


def free_slug(store: Store, table: str, project: str, name: str) -> str:
    """A slug for a new thing of this name."""
    return store.unique_slug(table, project, slug_of(store, name))


def text_of(value: object) -> str | None:
    """A value as an old route stores it where it expects a text."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def known_explores(store: Store, project: str) -> set[str]:
    """The names of a project's explores, those that somebody made from SQL included."""
    rows = store.all("SELECT name FROM virtual_views WHERE project = ?", project)
    return {*EXPLORES, *(row["name"] for row in rows)}


def _check_explore(store: Store, project: str, name: object) -> None:
    if isinstance(name, str) and name not in known_explores(store, project):
        raise missing(f'Explore "{name}" does not exist.')


def _created(call: Call, uuid: str) -> tuple[Row, access.SpaceAccess]:
    row = by_uuid(call, uuid)
    return row, access.spaces_of(call.store, call.user)[row["space"]]


def _duplicate(call: Call, project: Row, row: Row, body: Mapping[str, Any]) -> str:
    editable(call, row)
    name = storable(str(body.get("chartName") or f"Copy of {row['name']}"), 255)
    copy = {"description": body.get("chartDesc"), **content(row)}
    slug = call.store.unique_slug("charts", project["uuid"], row["slug"])
    return add(call, project["uuid"], copy, name=name, slug=slug, space=row["space"], dashboard=row["dashboard"])


def _change(call: Call, row: Row, body: Mapping[str, Any]) -> dict[str, object]:
    editable(call, row, "You don't have access to the space this chart belongs to")
    changes: dict[str, object] = {}
    for field in ("name", "description"):
        if field in body:
            changes[field] = storable(text_of(body[field]) or "", 255 if field == "name" else None)
    if body.get("spaceUuid"):
        changes["space"] = space_for(call, row["project"], body["spaceUuid"], "Space not found").space["uuid"]
    call.store.update("charts", row["uuid"], **changes)
    return full(*_created(call, row["uuid"]))


def _add_version(store: Store, chart: str, columns: Mapping[str, object], author: str, now: str) -> None:
    uuid = store.new_uuid()
    store.insert("chart_versions", chart=chart, uuid=uuid, **columns, created_by=author, created_at=now)


def _kind(config: Mapping[str, Any]) -> str:
    """What a chart looks like, in one word."""
    if config["type"] != "cartesian":
        return config["type"]
    inside = contracts.as_map(config.get("config"))
    series = contracts.as_list(contracts.as_map(inside.get("eChartsConfig")).get("series"))
    shapes = {"area" if one.get("areaStyle") is not None else str(one.get("type")) for one in series} or {"bar"}
    if len(shapes) > 1:
        return "mixed"
    shape = shapes.pop()
    flipped = bool(contracts.as_map(inside.get("layout")).get("flipAxes"))
    return {"bar": "horizontal_bar" if flipped else "vertical_bar"}.get(shape, shape)


def _column_order(query: Mapping[str, Any], config: object) -> list[str]:
    """The columns of the query in the order asked for; one that was not mentioned comes first."""
    wanted = contracts.as_list(contracts.as_map(config).get("columnOrder"))
    fields = [*query["dimensions"], *query["metrics"], *(one["name"] for one in query["tableCalculations"])]
    # A dimension of the chart's own stands in it twice: by its id, and by its name in the place of the id.
    columns = [*((name, name) for name in fields), *((one["id"], one["name"]) for one in query["customDimensions"])]
    placed = [(wanted.index(place) if place in wanted else -1, name) for place, name in columns]
    return [name for _, name in sorted(placed, key=lambda one: one[0])]
