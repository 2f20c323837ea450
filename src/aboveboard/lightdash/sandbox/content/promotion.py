"""Promoting content from a project to the one upstream of it: what would change there, and doing it.

Nothing looks at whose project it is: the real server lets an admin of any organisation promote a chart it can name.
"""

import json
from sqlite3 import Row

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.charts import chart_edits, charts
from aboveboard.lightdash.sandbox.code import changes
from aboveboard.lightdash.sandbox.dashboards import dashboard_edits, dashboards
from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.spaces import spaces
from aboveboard.lightdash.sandbox.wire import ServiceError, forbidden, missing

routes = Routes()

Changes = dict[str, list[dict[str, object]]]


@routes.get("/api/v1/saved/{chart}/promoteDiff")
def chart_diff(call: Call) -> object:
    """What promoting a chart would create or change upstream."""
    row, upstream = _chart(call)
    return {
        "spaces": [_space_change(call, row, upstream)],
        "dashboards": [],
        "charts": [_chart_change(call, row, upstream)],
    }


@routes.post("/api/v1/saved/{chart}/promote")
def promote_chart(call: Call) -> object:
    """Create a chart upstream, or make the one with its slug the same."""
    row, upstream = _chart(call)
    twin = _carry_chart(call, row, upstream, _carry_space(call, row["space"], upstream))
    return changes.chart(twin, old=row["uuid"])


@routes.get("/api/v1/dashboards/{dashboard}/promoteDiff")
def dashboard_diff(call: Call) -> object:
    """What promoting a dashboard with its charts would create or change upstream."""
    row, upstream = _dashboard(call)
    shown = _charts_of(call, row)
    twin = _twin(call, "dashboards", row, upstream)
    data = changes.dashboard(call.store, twin or row) | {"projectUuid": upstream}
    action = "create" if twin is None else "update"
    return {
        "spaces": [_space_change(call, row, upstream)],
        "dashboards": [changes.entry(action, data)],
        "charts": [_chart_change(call, one, upstream) for one in shown],
        "sqlCharts": [],
        "dataApps": [],
    }


@routes.post("/api/v1/dashboards/{dashboard}/promote")
def promote_dashboard(call: Call) -> object:
    """Create a dashboard with its charts upstream, or make the one with its slug the same, as a new version."""
    row, upstream = _dashboard(call)
    space = _carry_space(call, row["space"], upstream)
    twins = {
        one["uuid"]: _carry_chart(call, one, upstream, _carry_space(call, one["space"], upstream))["uuid"]
        for one in _charts_of(call, row)
    }
    columns = ("uuid", "position", "tab", "type", "x", "y", "w", "h")
    tiles = [
        {name: tile[name] for name in columns}
        | {"chart": twins.get(tile["chart"]), "properties": json.loads(tile["properties"])}
        for tile in call.store.all("SELECT * FROM tiles WHERE dashboard = ? ORDER BY position", row["uuid"])
    ]
    body = dashboards.content(row)
    there = call.store.all("SELECT * FROM spaces WHERE uuid = ?", space)[0]
    twin = _twin(call, "dashboards", row, upstream)
    with call.store.change():
        if twin is None:
            described = body | {"description": row["description"]}
            uuid = dashboard_edits.add(call, there, tiles, described, name=row["name"], slug=row["slug"])
        else:
            uuid = twin["uuid"]
            call.store.update("dashboards", uuid, name=row["name"], description=row["description"], space=space)
            dashboard_edits.save_version(call, uuid, tiles, body)
    return changes.dashboard(call.store, dashboards.by_name(call, uuid))


@routes.get("/api/v1/projects/{project}/upstreamDiff")
def upstream_diff(call: Call) -> object:
    """How a project's fields differ from those upstream, which are the same here."""
    project = access.project(call)
    if project["upstream"] is None:
        text = "Project is not a preview and has no upstream project to compare against"
        raise ServiceError(400, "ParameterError", text)
    return {"upstreamProjectUuid": project["upstream"], "fields": []}


def _chart(call: Call) -> tuple[Row, str]:
    row = charts.by_uuid(call)
    return row, _upstream(call, row, "chart")


def _dashboard(call: Call) -> tuple[Row, str]:
    row = dashboards.by_name(call)
    return row, _upstream(call, row, "dashboard")


def _upstream(call: Call, row: Row, kind: str) -> str:
    project = call.store.all("SELECT * FROM projects WHERE uuid = ?", row["project"])[0]
    if project["upstream"] is None:
        raise missing(f"This {kind} does not have an upstream project")
    role = access.role(call, project)
    ours = role is not None and role.may_make
    if not ours and not (role is None and call.user["role"] == "admin"):
        text = f"Failed to promote {kind}: you don't have access to edit this {kind} in the origin project."
        raise forbidden(text)
    return project["upstream"]


def _charts_of(call: Call, row: Row) -> list[Row]:
    return charts.of_dashboard(call, row["uuid"])


def _twin(call: Call, table: str, row: Row, upstream: str) -> Row | None:
    select = charts.CHARTS if table == "charts" else dashboards.DASHBOARDS
    return call.store.one(f"{select} WHERE {table}.project = ? AND {table}.slug = ?", upstream, row["slug"])


def _space_change(call: Call, row: Row, upstream: str) -> dict[str, object]:
    found = changes.find_space(call.store, upstream, changes.code_slug(row["space_path"]))
    if found:
        return changes.entry("no changes", changes.space(call.store, found["uuid"]))
    return changes.entry("create", changes.space(call.store, row["space"]) | {"projectUuid": upstream})


def _chart_change(call: Call, row: Row, upstream: str) -> dict[str, object]:
    twin = _twin(call, "charts", row, upstream)
    if twin is None:
        return changes.entry("create", changes.chart(row) | {"projectUuid": upstream})
    action = "no changes" if _same(row, twin) else "update"
    return changes.entry(action, changes.chart(twin, old=row["uuid"]))


def _same(row: Row, twin: Row) -> bool:
    return all(row[name] == twin[name] for name in ("name", "description", "space_path", *charts.CONTENT))


def _carry_space(call: Call, uuid: str, upstream: str) -> str:
    """The space of the same path upstream, made like this one where it is not there."""
    row = call.store.all("SELECT * FROM spaces WHERE uuid = ?", uuid)[0]
    found = changes.find_space(call.store, upstream, changes.code_slug(row["path"]))
    if found:
        return found["uuid"]
    above = None
    if row["parent"]:
        parent = _carry_space(call, row["parent"], upstream)
        above = call.store.all("SELECT * FROM spaces WHERE uuid = ?", parent)[0]
    with call.store.change():
        return spaces.add(call, upstream, above, row["name"], row["slug"], inherits=bool(row["inherits"]))


def _carry_chart(call: Call, row: Row, upstream: str, space: str) -> Row:
    twin = _twin(call, "charts", row, upstream)
    if twin is None:
        body = {"description": row["description"], **charts.content(row)}
        with call.store.change():
            uuid = chart_edits.add(call, upstream, body, name=row["name"], slug=row["slug"], space=space)
        return charts.by_uuid(call, uuid)
    if not _same(row, twin):
        call.store.update("charts", twin["uuid"], name=row["name"], description=row["description"], space=space)
        chart_edits.save_version(call, twin["uuid"], {name: row[name] for name in charts.CONTENT})
    return charts.by_uuid(call, twin["uuid"])
