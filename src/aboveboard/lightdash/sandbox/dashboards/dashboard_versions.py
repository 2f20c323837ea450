"""The history of a dashboard: every set of tiles it ever had. Going back is one more version."""

import json
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.content.saved import version_head
from aboveboard.lightdash.sandbox.dashboards import dashboards
from aboveboard.lightdash.sandbox.dashboards.dashboard_edits import save_version
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import forbidden, missing
from aboveboard.sandbox.table import Table

DASHBOARD_VERSIONS_TABLE = Table(
    "dashboard_versions",
    "dashboard TEXT REFERENCES dashboards ON DELETE CASCADE, uuid TEXT, id INTEGER, tiles TEXT, tabs TEXT,"
    " filters TEXT, config TEXT, parameters TEXT, created_by TEXT, created_at TEXT, PRIMARY KEY (dashboard, uuid)",
    derived=TIMES | {"id"},
    json={"config", "filters", "parameters", "tabs", "tiles"},
)

routes = Routes()

_VERSIONS = (
    "SELECT dashboard_versions.*, first_name, last_name FROM dashboard_versions"
    " LEFT JOIN users ON users.uuid = created_by WHERE dashboard = ?"
)


@routes.get("/api/v1/dashboards/{dashboard}/history")
def get_history(call: Call) -> object:
    """The versions of a dashboard, the newest first, for those who may edit it."""
    row = _dashboard(call)
    versions = call.store.all(f"{_VERSIONS} ORDER BY id DESC", row["uuid"])
    return {"history": [version_head(version, "dashboard") for version in versions]}


@routes.get("/api/v1/dashboards/{dashboard}/version/{versionUuid}")
def get_version(call: Call) -> object:
    """A dashboard as it was: its tiles then, with its name and place of today."""
    _check(call)
    row = _dashboard(call)
    version = _find(call, row)
    names = {name: version[name] for name in dashboards.CONTENT}
    then = dict(row) | names | {"updated_at": version["created_at"], "updated_by": version["created_by"]}
    then |= {"author_first": version["first_name"], "author_last": version["last_name"]}
    space = dashboards.readable(call, row)
    tiles = sorted(json.loads(version["tiles"]), key=lambda tile: (tile["y"], tile["x"], tile["position"]))
    shown = dashboards.full(then, space, [_tile(call, tile) for tile in tiles])
    nothing: list[object] = []
    return version_head(version, "dashboard") | {"dashboard": shown, "chartVersionDifferences": nothing}


@routes.post("/api/v1/dashboards/{dashboard}/rollback/{versionUuid}")
def roll_back(call: Call) -> object:
    """Make a former version the newest one again; a chart that is gone by now leaves its tile empty."""
    _check(call)
    row = _dashboard(call)
    version = _find(call, row)
    tiles: list[dict[str, Any]] = json.loads(version["tiles"])
    known = {chart["uuid"] for chart in call.store.all("SELECT uuid FROM charts WHERE project = ?", row["project"])}
    kept = [tile | {"chart": tile["chart"] if tile["chart"] in known else None} for tile in tiles]
    with call.store.change():
        save_version(call, row["uuid"], kept, dashboards.content(version))
    return DONE


def _check(call: Call) -> None:
    checks = Checks(dict(call.params))
    checks.uuid4("versionUuid")
    checks.done()


def _dashboard(call: Call) -> Row:
    row = dashboards.by_name(call)
    refusal = forbidden("You don't have access to view the version history of this dashboard")
    dashboards.editable(call, row, refusal)
    return row


def _find(call: Call, row: Row) -> Row:
    version = call.store.one(f"{_VERSIONS} AND dashboard_versions.uuid = ?", row["uuid"], call.uuid("versionUuid"))
    if version is None:
        raise missing("Dashboard version not found")
    return version


def _tile(call: Call, tile: dict[str, Any]) -> dict[str, object]:
    properties = dict(tile["properties"])
    if tile["type"] == "saved_chart":
        chart = call.store.one("SELECT name, slug, kind, dashboard FROM charts WHERE uuid = ?", tile["chart"])
        properties |= {
            "savedChartUuid": tile["chart"] if chart else None,
            "belongsToDashboard": bool(chart and chart["dashboard"]),
            "chartName": chart["name"] if chart else None,
            "chartSlug": chart["slug"] if chart else None,
            "lastVersionChartKind": chart["kind"] if chart else None,
        }
    place: dict[str, object] = {name: tile[name] for name in ("uuid", "x", "y", "h", "w")}
    return place | {"tabUuid": tile["tab"], "type": tile["type"], "properties": properties}
