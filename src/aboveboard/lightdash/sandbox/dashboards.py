"""Dashboards with their tiles and tabs, by UUID or slug; v2 paths also check the project."""

import json
from sqlite3 import Row

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, as_uuid
from aboveboard.lightdash.sandbox.saved import count_view, find, updated_by
from aboveboard.lightdash.sandbox.wire import forbidden, missing

routes = Routes()

DASHBOARDS = (
    "SELECT dashboards.*, spaces.name AS space_name, projects.organization AS organization,"
    " users.first_name AS author_first, users.last_name AS author_last,"
    " (SELECT json_group_array(DISTINCT type) FROM tiles WHERE tiles.dashboard = dashboards.uuid) AS tile_types"
    " FROM dashboards JOIN spaces ON spaces.uuid = dashboards.space"
    " JOIN projects ON projects.uuid = dashboards.project LEFT JOIN users ON users.uuid = dashboards.updated_by"
)
_TILES = (
    "SELECT tiles.*, charts.name AS chart_name, charts.slug AS chart_slug, charts.kind AS chart_kind,"
    " charts.dashboard AS owner FROM tiles LEFT JOIN charts ON charts.uuid = tiles.chart"
    " WHERE tiles.dashboard = ? ORDER BY position"
)


@routes.get("/api/v1/projects/{project}/dashboards")
def list_dashboards(call: Call) -> object:
    """The dashboards the caller may see: a project without any, or none at all, is an empty list and no error."""
    spaces = access.spaces_of(call.store, call.user)
    rows = call.store.all(f"{DASHBOARDS} WHERE dashboards.project = ? ORDER BY dashboards.rowid", call.uuid("project"))
    chart = call.query.get("chartUuid")
    if isinstance(chart, str):
        holders = call.store.all("SELECT dashboard FROM tiles WHERE chart = ?", as_uuid(chart))
        rows = [row for row in rows if row["uuid"] in {holder["dashboard"] for holder in holders}]
    return [_listed(row) for row in rows if row["space"] in spaces and spaces[row["space"]].role]


@routes.get("/api/v1/dashboards/{dashboard}")
@routes.get("/api/v2/projects/{project}/dashboards/{dashboard}")
def get_dashboard(call: Call) -> object:
    """One dashboard; the views it shows do not count this one."""
    row = _find(call)
    space = _space(call, row)
    if not space.role:
        raise _no_access()
    answer = _full(row, space, call.store.all(_TILES, row["uuid"]))
    count_view(call.store, "dashboards", row)
    return answer


@routes.delete("/api/v1/dashboards/{dashboard}")
@routes.delete("/api/v2/projects/{project}/dashboards/{dashboard}")
def delete_dashboard(call: Call) -> object:
    """Remove a dashboard, and the charts that live in it alone."""
    row = _find(call)
    if not _space(call, row).may_edit:
        raise _no_access()
    call.store.run("DELETE FROM dashboards WHERE uuid = ?", row["uuid"])
    return DONE


def summary(row: Row) -> dict[str, object]:
    """A dashboard as spaces show it."""
    return {
        "organizationUuid": row["organization"],
        "name": row["name"],
        "description": row["description"],
        "uuid": row["uuid"],
        "slug": row["slug"],
        "projectUuid": row["project"],
        "updatedAt": row["updated_at"],
        "updatedByUser": updated_by(row),
        "spaceUuid": row["space"],
        "views": row["views"],
        "firstViewedAt": row["first_viewed_at"],
        "pinnedListUuid": None,
        "pinnedListOrder": None,
        "validationErrors": [],
        "verification": None,
    }


def _listed(row: Row) -> dict[str, object]:
    return summary(row) | {"tileTypes": sorted(json.loads(row["tile_types"]))}


def _find(call: Call) -> Row:
    row = find(call, DASHBOARDS, "dashboards", "dashboard")
    if row is None:
        raise missing("Dashboard not found")
    return row


def _space(call: Call, row: Row) -> access.SpaceAccess:
    space = access.spaces_of(call.store, call.user).get(row["space"])
    if space is None:
        raise _no_access()
    return space


def _no_access() -> Exception:
    return forbidden("You don't have access to the space this dashboard belongs to")


def _full(row: Row, space: access.SpaceAccess, tiles: list[Row]) -> dict[str, object]:
    return {
        "organizationUuid": row["organization"],
        "projectUuid": row["project"],
        "dashboardVersionId": row["version_id"],
        "versionUuid": row["version_uuid"],
        "uuid": row["uuid"],
        "name": row["name"],
        "verification": None,
        "description": row["description"],
        "updatedAt": row["updated_at"],
        "pinnedListUuid": None,
        "pinnedListOrder": None,
        "tiles": [_tile(tile) for tile in tiles],
        "tabs": json.loads(row["tabs"]),
        "filters": json.loads(row["filters"]),
        "spaceUuid": row["space"],
        "spaceName": row["space_name"],
        "views": row["views"],
        "firstViewedAt": row["first_viewed_at"],
        "updatedByUser": updated_by(row),
        "slug": row["slug"],
        "config": json.loads(row["config"]),
        "colorPaletteUuid": None,
        "inheritsFromOrgOrProject": space.open,
        "access": [space.entry()],
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
    place = {name: row[name] for name in ("uuid", "x", "y", "h", "w")}
    return place | {"tabUuid": row["tab"], "type": row["type"], "properties": properties}
