"""Dashboards as code. A document names charts by their slugs, and a slug that nobody knows leaves an empty tile."""

from sqlite3 import Row
from typing import Any, cast

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.charts import charts
from aboveboard.lightdash.sandbox.code import changes, code_charts
from aboveboard.lightdash.sandbox.content.saved import slug_of, verification
from aboveboard.lightdash.sandbox.contracts import ANYTHING, TEXT, All, Maybe, Object, Pattern
from aboveboard.lightdash.sandbox.dashboards import dashboard_edits, dashboards
from aboveboard.lightdash.sandbox.dashboards.dashboard_bodies import read_tile
from aboveboard.lightdash.sandbox.routes import Call, Routes, storable
from aboveboard.lightdash.sandbox.wire import CrashError

routes = Routes()

_DASHBOARDS = "/api/v1/projects/{project}/code/dashboards"
_DOCUMENT = All(
    Object(
        name=TEXT,
        description=Maybe(TEXT),
        slug=Pattern("^[a-z0-9-]+$"),
        tabs=ANYTHING,
        version=ANYTHING,
        spaceSlug=TEXT,
    ),
    Object(tiles=ANYTHING),
)
_WORDS = ("title", "content", "text")
_SHOWN = {"markdown": ("title", "content", "hideFrame")}


@routes.get(_DASHBOARDS)
@routes.get("/api/v1/projects/{project}/dashboards/code")
def download(call: Call) -> object:
    """Dashboards as documents, at most a hundred."""
    project = code_charts.downloading(call, "dashboards")
    rows = call.store.all(f"{dashboards.DASHBOARDS} WHERE dashboards.project = ? ORDER BY dashboards.rowid", project)
    return code_charts.downloaded(
        call, "dashboards", rows, lambda row: _document(call, row), lambda row: _words(call, row)
    )


@routes.post(f"{_DASHBOARDS}/{{slug}}")
@routes.post("/api/v1/projects/{project}/dashboards/{slug}/code")
def upsert(call: Call) -> object:
    """Change the dashboard that the path names, or make one with the body's slug, unless that is there already."""
    body = contracts.read(call.body, _DOCUMENT, "dashboard")
    project = code_charts.uploading(call)
    tabs = [_tab(call, place, tab) for place, tab in enumerate(cast("list[dict[str, Any]]", body["tabs"]))]
    tiles = _tiles(call, project, body["tiles"], tabs)
    content = body | {"tabs": tabs, "filters": _with_ids(call, body.get("filters"))}
    row = _by_slug(call, project, call.params["slug"])
    if row is None:
        return _create(call, project, content, tiles)
    # Of what a document leaves out, these alone are kept.
    content = {"parameters": dashboards.content(row)["parameters"], **content}
    space, made = code_charts.space_of(call, project, body)
    name, description = storable(body["name"], 255), body.get("description", row["description"])
    with call.store.change():
        call.store.update("dashboards", row["uuid"], name=name, description=description, space=space)
        dashboard_edits.save_version(call, row["uuid"], tiles, content)
    used = charts.of_dashboard(call, row["uuid"])
    held = [uuid for uuid in dict.fromkeys(one["space"] for one in used) if uuid != space]
    beside = [changes.entry("no changes", changes.space(call.store, uuid)) for uuid in held]
    data = changes.dashboard(call.store, dashboards.by_name(call, row["uuid"]))
    return {
        "spaces": [*code_charts.space_changes(call, space, made), *beside],
        "dashboards": [changes.entry("update", data)],
        "charts": [changes.entry("no changes", changes.chart(one)) for one in used],
    }


def _create(call: Call, project: str, body: dict[str, Any], tiles: list[dict[str, Any]]) -> dict[str, object]:
    row = _by_slug(call, project, body["slug"])
    made: list[str] = []
    if row is None:
        uuid, made = code_charts.space_of(call, project, body)
        space = call.store.all("SELECT * FROM spaces WHERE uuid = ?", uuid)[0]
        name = storable(body["name"], 255)
        with call.store.change():
            new = dashboard_edits.add(call, space, tiles, body, name=name, slug=body["slug"])
        row = dashboards.by_name(call, new)
    spaces = [changes.entry("create", changes.space(call.store, uuid, new=True)) for uuid in made]
    data = changes.dashboard(call.store, row, slug_path=True)
    return {"dashboards": [changes.entry("create", data)], "charts": [], "spaces": spaces}


def _by_slug(call: Call, project: str, slug: str) -> Row | None:
    query = f"{dashboards.DASHBOARDS} WHERE dashboards.project = ? AND dashboards.slug = ?"
    return call.store.one(query, project, storable(slug))


def _tab(call: Call, place: int, tab: dict[str, Any]) -> dict[str, Any]:
    slug = tab.get("slug") or slug_of(call.store, str(tab.get("name")))
    shown = {"uuid": tab.get("uuid") or call.store.new_uuid(), "name": tab.get("name")}
    return {**shown, "order": tab.get("order", place), "slug": slug, "hidden": bool(tab.get("hidden"))}


def _tiles(call: Call, project: str, tiles: object, tabs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if not isinstance(tiles, list):
        raise CrashError
    by_slug = {tab["slug"]: tab["uuid"] for tab in tabs}
    known = {tab["uuid"] for tab in tabs}
    rows: list[dict[str, Any]] = []
    for place, tile in enumerate(cast("list[dict[str, Any]]", tiles)):
        row = read_tile(call, place, {key: value for key, value in tile.items() if key != "uuid"})
        slug = tile["properties"].get("chartSlug")
        chart = call.store.one("SELECT uuid FROM charts WHERE project = ? AND slug = ?", project, slug)
        tab = tile.get("tabUuid")
        place_of = by_slug.get(str(tile.get("tabSlug")), tab if tab in known else None)
        rows.append(row | {"chart": chart["uuid"] if chart else None, "tab": place_of})
    return rows


def _with_ids(call: Call, filters: object) -> dict[str, object]:
    given = cast("dict[str, list[dict[str, object]]]", filters) if isinstance(filters, dict) else {}
    return {kind: [{"id": call.store.new_uuid(), **rule} for rule in rules] for kind, rules in given.items()}


def _document(call: Call, row: Row) -> dict[str, object]:
    held = dashboards.content(row)
    tabs, filters = held["tabs"], held["filters"]
    slugs = {tab["uuid"]: tab.get("slug") or slug_of(call.store, tab["name"]) for tab in tabs}
    filters["dimensions"] = [
        {key: value for key, value in rule.items() if key != "id"} | {"tileTargets": rule.get("tileTargets", {})}
        for rule in filters["dimensions"]
    ]
    return {
        "name": row["name"],
        "description": row["description"],
        "updatedAt": row["updated_at"],
        "tiles": [_tile(tile, slugs) for tile in dashboards.tiles_of(call.store, row["uuid"])],
        "filters": filters,
        "tabs": [
            {"slug": slugs[tab["uuid"]], **{name: tab[name] for name in ("name", "order", "hidden")}} for tab in tabs
        ],
        "slug": row["slug"],
        **{name: held[name] for name in ("config", "parameters") if held[name] is not None},
        "spaceSlug": changes.code_slug(row["space_path"]),
        "version": 1,
        "contentType": "dashboard",
        "downloadedAt": call.store.clock().strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "verification": verification(row),
    }


def _words(call: Call, row: Row) -> dict[str, object]:
    """The words of a document, for translators."""
    told = {} if row["description"] is None else {"description": row["description"]}
    tiles = [
        {"type": tile["type"], "properties": {name: properties[name] for name in _WORDS if name in properties}}
        for tile in dashboards.tiles_of(call.store, row["uuid"])
        if (properties := cast("dict[str, Any]", tile["properties"]))
    ]
    return {"name": row["name"], **told, "tiles": tiles}


def _tile(tile: dict[str, Any], tabs: dict[str, str]) -> dict[str, object]:
    properties: dict[str, Any] = tile["properties"]
    chart = properties.get("chartSlug") if tile["type"] == "saved_chart" else None
    names = _SHOWN.get(tile["type"], tuple(properties))
    shown = {name: properties[name] for name in names}
    if tile["type"] == "saved_chart":
        shown = {name: properties[name] for name in ("title", "hideTitle", "chartSlug", "chartName")}
    place = {name: tile[name] for name in ("x", "y", "h", "w", "type")}
    tab = {"tabSlug": tabs.get(tile["tabUuid"])}
    return place | {"properties": shown} | tab | ({"tileSlug": chart} if chart else {})
