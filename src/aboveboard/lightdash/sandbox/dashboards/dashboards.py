"""Dashboards with their tiles and tabs, by UUID or slug; v2 paths also check the project."""

import json
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.content import saved, trash
from aboveboard.lightdash.sandbox.content.saved import (
    Record,
    author_fields,
    count_view,
    find,
    find_named,
    pin_fields,
    select_of,
    validation_errors,
    verification,
    visible,
)
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, as_uuid
from aboveboard.lightdash.sandbox.store import TIMES, Store
from aboveboard.lightdash.sandbox.wire import CrashError, ServiceError, forbidden, missing
from aboveboard.sandbox.table import Table

DASHBOARDS_TABLE = Table(
    "dashboards",
    "uuid TEXT PRIMARY KEY, project TEXT, space TEXT REFERENCES spaces ON DELETE CASCADE, slug TEXT, name TEXT,"
    " description TEXT, tabs TEXT, filters TEXT, config TEXT, parameters TEXT, version_uuid TEXT, version_id"
    " INTEGER, created_by TEXT, updated_by TEXT, created_at TEXT, updated_at TEXT, views INTEGER, first_viewed_at"
    " TEXT",
    derived=TIMES | {"first_viewed_at", "version_id", "version_uuid", "views"},
    json={"config", "filters", "parameters", "tabs"},
    indexes=(
        "slug",
        "space",
    ),
)

TILES_TABLE = Table(
    "tiles",
    "dashboard TEXT REFERENCES dashboards ON DELETE CASCADE, uuid TEXT, position INTEGER, tab TEXT, type TEXT, x"
    " INTEGER, y INTEGER, w INTEGER, h INTEGER, chart TEXT REFERENCES charts ON DELETE SET NULL, properties TEXT,"
    " PRIMARY KEY (dashboard, uuid)",
    json={"properties"},
    indexes=(
        "dashboard",
        "chart",
    ),
)

routes = Routes()

DASHBOARDS = select_of(
    "dashboards",
    ", (SELECT json_group_array(DISTINCT type) FROM tiles WHERE tiles.dashboard = dashboards.uuid) AS tile_types",
)
CONTENT = ("tabs", "filters", "config", "parameters")
"""The columns that a version of a dashboard consists of, beside its tiles."""
_TILES = (
    "SELECT tiles.*, coalesce(charts.name, sql_charts.name) AS chart_name,"
    " coalesce(charts.slug, sql_charts.slug) AS chart_slug, charts.kind AS chart_kind, charts.dashboard AS owner"
    " FROM tiles LEFT JOIN charts ON charts.uuid = tiles.chart"
    " LEFT JOIN sql_charts ON sql_charts.uuid = json_extract(tiles.properties, '$.savedSqlUuid')"
    " WHERE tiles.dashboard = ? ORDER BY y, x, position"
)


@routes.get("/api/v1/projects/{project}/dashboards")
def list_dashboards(call: Call) -> object:
    """The dashboards the caller may see: a project without any, or none at all, is an empty list and no error."""
    rows = call.store.all(f"{DASHBOARDS} WHERE dashboards.project = ? ORDER BY dashboards.rowid", call.uuid("project"))
    chart = call.query.get("chartUuid")
    if isinstance(chart, str):
        holders = call.store.all("SELECT dashboard FROM tiles WHERE chart = ?", as_uuid(chart))
        rows = [row for row in rows if row["uuid"] in {holder["dashboard"] for holder in holders}]
    return [_listed(call, row) for row in visible(call, rows)]


@routes.get("/api/v1/dashboards/{dashboard}")
@routes.get("/api/v2/projects/{project}/dashboards/{dashboard}")
def get_dashboard(call: Call) -> object:
    """One dashboard; the views it shows do not count this one."""
    row = by_name(call)
    space = readable(call, row)
    answer = full(row, space, tiles_of(call.store, row["uuid"]))
    count_view(call.store, "dashboards", row)
    return answer


@routes.get("/api/v1/dashboards/{dashboard}/views")
def get_views(call: Call) -> object:
    """A route of the real server that always fails."""
    readable(call, by_name(call))
    raise CrashError


@routes.delete("/api/v1/dashboards/{dashboard}")
@routes.delete("/api/v2/projects/{project}/dashboards/{dashboard}")
def delete_dashboard(call: Call) -> object:
    """Remove a dashboard, and the charts that live in it alone."""
    row = by_name(call)
    editable(call, row)
    trash.remove(call, "dashboard", row)
    return DONE


def summary(call: Call, row: Row) -> dict[str, object]:
    """A dashboard as spaces show it."""
    return {
        "organizationUuid": row["organization"],
        "name": row["name"],
        "description": row["description"],
        "uuid": row["uuid"],
        "slug": row["slug"],
        "projectUuid": row["project"],
        "updatedAt": row["updated_at"],
        "updatedByUser": author_fields(row),
        "spaceUuid": row["space"],
        "views": row["views"],
        "firstViewedAt": row["first_viewed_at"],
        **pin_fields(row),
        "validationErrors": validation_errors(call.store, "dashboard", row["uuid"]),
        "verification": verification(row),
    }


def _listed(call: Call, row: Row) -> dict[str, object]:
    return summary(call, row) | {"tileTypes": sorted(json.loads(row["tile_types"]))}


def by_name(call: Call, name: str = "") -> Row:
    """The dashboard that the path names by UUID or slug, or that has the name given."""
    if name:
        row = find_named(call, DASHBOARDS, "dashboards", name, None)
    else:
        row = find(call, DASHBOARDS, "dashboards", "dashboard")
    if row is None:
        raise missing("Dashboard not found")
    return row


def readable(call: Call, row: Row, refusal: ServiceError | None = None) -> access.SpaceAccess:
    """The caller's access to the dashboard's space, if there is any."""
    return saved.readable(call, row, refusal or no_access())


def editable(call: Call, row: Row, refusal: ServiceError | None = None) -> access.SpaceAccess:
    """The caller's access to the dashboard's space, if it lets them change the dashboard."""
    return saved.editable(call, row, refusal or no_access())


def no_access() -> ServiceError:
    """The usual refusal."""
    return forbidden("You don't have access to the space this dashboard belongs to")


def tiles_of(store: Store, dashboard: str) -> list[dict[str, object]]:
    """The tiles of a dashboard, with what they show."""
    return [_tile(row) for row in store.all(_TILES, dashboard)]


def full(row: Record, space: access.SpaceAccess, tiles: list[dict[str, object]]) -> dict[str, object]:
    """A dashboard with its tiles, and what the caller may do with it."""
    return {**plain(row, tiles), "inheritsFromOrgOrProject": space.open, "access": [space.entry()]}


def content(row: Record) -> dict[str, Any]:
    """What a version of a dashboard consists of beside its tiles; what it does not have is null."""
    return {name: json.loads(row[name] or "null") for name in CONTENT}


def plain(row: Record, tiles: list[dict[str, object]]) -> dict[str, object]:
    """A dashboard with its tiles."""
    held = content(row)
    parameters = {} if held["parameters"] is None else {"parameters": held["parameters"]}
    return {
        "organizationUuid": row["organization"],
        "projectUuid": row["project"],
        "dashboardVersionId": row["version_id"],
        "versionUuid": row["version_uuid"],
        "uuid": row["uuid"],
        "name": row["name"],
        "verification": verification(row),
        "description": row["description"],
        "updatedAt": row["updated_at"],
        **pin_fields(row),
        "tiles": tiles,
        "tabs": held["tabs"],
        "filters": held["filters"],
        **parameters,
        "spaceUuid": row["space"],
        "spaceName": row["space_name"],
        "views": row["views"],
        "firstViewedAt": row["first_viewed_at"],
        "updatedByUser": author_fields(row),
        "slug": row["slug"],
        "config": held["config"],
        "colorPaletteUuid": None,
    }


def _tile(row: Row) -> dict[str, object]:
    properties = json.loads(row["properties"])
    if row["type"] == "saved_chart":
        properties |= {
            "savedChartUuid": row["chart"],
            "belongsToDashboard": row["owner"] is not None,
            "chartName": row["chart_name"],
            "chartSlug": row["chart_slug"],
            "lastVersionChartKind": row["chart_kind"],
        }
    if row["type"] == "sql_chart":
        properties |= {"chartName": row["chart_name"], "chartSlug": row["chart_slug"]}
    place = {name: row[name] for name in ("uuid", "x", "y", "h", "w")}
    return place | {"tabUuid": row["tab"], "type": row["type"], "properties": properties}
