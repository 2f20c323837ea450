"""Running queries: metric queries, charts, tiles of dashboards, the rows behind a number, totals."""

import json
from collections.abc import Mapping
from sqlite3 import Row
from typing import Any, cast

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.charts.charts import CHARTS
from aboveboard.lightdash.sandbox.contracts import ANYTHING, MAP, NUMBER, TEXT, List, Object, Optional, literals
from aboveboard.lightdash.sandbox.dashboards.dashboards import DASHBOARDS
from aboveboard.lightdash.sandbox.engine.fields import Explore
from aboveboard.lightdash.sandbox.explores import explores
from aboveboard.lightdash.sandbox.queries import metric_queries, runs
from aboveboard.lightdash.sandbox.queries.query_bodies import query_body, saved_query_body
from aboveboard.lightdash.sandbox.routes import Call, Routes, as_uuid, is_uuid, storable
from aboveboard.lightdash.sandbox.wire import ServiceError, forbidden, missing

routes = Routes()

_KINDS = ("grandTotal", "columnTotal", "rowTotal", "columnSubtotal", "rowSubtotal")
_ON_DASHBOARD = saved_query_body(
    dashboardSorts=List(ANYTHING), dashboardFilters=MAP, dashboardUuid=TEXT, tileUuid=TEXT, chartUuid=TEXT
)
_UNDERLYING = query_body(
    underlyingDataSourceQueryUuid=TEXT,
    filters=MAP,
    underlyingDataItemId=Optional(TEXT),
    limit=Optional(NUMBER),
)
_GROUPS = ("dimensions", "metrics", "tableCalculations")


@routes.post("/api/v2/projects/{project}/query/metric-query")
def run_metric_query(call: Call) -> object:
    """Run a question of the caller's own."""
    body = metric_queries.read_nested(call.body)
    project = access.project(call)
    if not explores.may_explore(call.user):
        raise forbidden()
    return _start(call, project, body["query"], body["parameters"])


@routes.post("/api/v2/projects/{project}/query/chart")
def run_chart(call: Call) -> object:
    """Run a saved chart, by UUID or slug; whoever sees it may run it."""
    body = contracts.read(call.body, saved_query_body(chartUuid=TEXT))
    project = access.project(call)
    chart = _chart(call, project, body["chartUuid"])
    raw = json.loads(chart["query"]) | ({"limit": body["limit"]} if "limit" in body else {})
    return _start(call, project, raw, body.get("parameters") or {})


@routes.post("/api/v2/projects/{project}/query/dashboard-chart")
def run_dashboard_chart(call: Call) -> object:
    """Run a chart as a dashboard shows it, with the dashboard's filters; the tile need not be there."""
    body = contracts.read(call.body, _ON_DASHBOARD)
    project = access.project(call)
    chart = _chart(call, project, body["chartUuid"])
    _check_dashboard(call, project, body["dashboardUuid"])
    raw = json.loads(chart["query"])
    explore = explores.find(call.store, project["uuid"], chart["explore"])
    applied = _applicable(body["dashboardFilters"], explore, body["tileUuid"])
    raw["filters"] = _with_dashboard(call, contracts.as_map(raw.get("filters")), applied, body["tileUuid"])
    raw |= {"limit": body["limit"]} if "limit" in body else {}
    if body["dashboardSorts"]:
        raw["sorts"] = body["dashboardSorts"]
    started = _start(call, project, raw, body.get("parameters") or {})
    # This route alone keeps its warnings to itself.
    del started["warnings"]
    return started | {"appliedDashboardFilters": applied, "dateZoomApplied": False}


@routes.post("/api/v2/projects/{project}/query/underlying-data")
def run_underlying_data(call: Call) -> object:
    """The rows behind a number: every visible dimension, under the filters that the request brings."""
    body = contracts.read(call.body, _UNDERLYING)
    project = access.project(call)
    if not explores.may_explore(call.user):
        raise forbidden()
    source = runs.find_by(call.store, call.params["project"], body["underlyingDataSourceQueryUuid"], call.user["uuid"])
    explore = explores.find(call.store, project["uuid"], json.loads(source["request"])["exploreName"])
    shown = [one.id for one in explore.dimensions.values() if not one.hidden and one.interval is None]
    raw: dict[str, Any] = {
        "exploreName": explore.name,
        "dimensions": shown,
        "customDimensions": [],
        "filters": body["filters"],
        "metrics": [],
        "sorts": [],
        "limit": body.get("limit", 500),
        "tableCalculations": [],
        "additionalMetrics": [],
        "timezone": "UTC",
    }
    return _start(call, project, raw, {})


@routes.post("/api/v2/projects/{project}/query/{query}/calculate-total")
def calculate_total(call: Call) -> object:
    """The metrics of a query over everything, as one more query."""
    kind = contracts.read(call.body, Object(kind=literals(_KINDS)))["kind"]
    project = access.project(call)
    source = runs.find(call)
    raw = json.loads(source["request"])
    explore = explores.find(call.store, project["uuid"], raw.get("exploreName", "sql_query_explorer"))
    if kind not in {"grandTotal", "columnTotal"}:
        name = "Row totals" if kind == "rowTotal" else "Subtotals"
        raise ServiceError(400, "NotSupportedError", f"{name} are only supported for pivoted queries")
    total: dict[str, Any] = {
        "limit": 1,
        "sorts": [],
        "filters": raw["filters"],
        "metrics": raw["metrics"],
        "timezone": "UTC",
        "dimensions": [],
        "exploreName": explore.name,
        "tableCalculations": [],
        "compiledTableCalculations": [],
        "compiledAdditionalMetrics": [],
        "compiledCustomDimensions": [],
        "customDimensions": [],
        "additionalMetrics": raw.get("additionalMetrics") or [],
    }
    return _start(call, project, total, {})


def _start(call: Call, project: Row, raw: dict[str, Any], parameters: Mapping[str, Any]) -> dict[str, object]:
    explore = explores.find(call.store, project["uuid"], str(raw.get("exploreName")))
    query = metric_queries.compiled(call.store, explore, raw, parameters)
    started = runs.start(
        call,
        project,
        "metric",
        raw,
        runs.pace_of_explore(explore.name),
        lambda: metric_queries.run(call.store, raw, query),
    )
    return started | metric_queries.head(explore, raw, query, parameters)


def _chart(call: Call, project: Row, name: str) -> Row:
    column, value = ("uuid", as_uuid(name)) if is_uuid(name) else ("slug", storable(name))
    row = call.store.one(f"{CHARTS} WHERE charts.{column} = ? AND charts.project = ?", value, project["uuid"])
    if row is None:
        raise missing("Saved query not found")
    if not access.spaces_of(call.store, call.user)[row["space"]].role:
        raise forbidden()
    return row


def _check_dashboard(call: Call, project: Row, name: str) -> None:
    column, value = ("uuid", as_uuid(name)) if is_uuid(name) else ("slug", storable(name))
    where = f"dashboards.{column} = ? AND dashboards.project = ?"
    if call.store.one(f"{DASHBOARDS} WHERE {where}", value, project["uuid"]) is None:
        raise missing("Dashboard not found")


def _applicable(filters: Mapping[str, Any], explore: Explore, tile: str) -> dict[str, list[Mapping[str, Any]]]:
    """The dashboard's filters that mean something to this chart."""
    known = {"dimensions": explore.dimensions, "metrics": explore.metrics}
    return {
        kind: [rule for rule in _listed(filters.get(kind)) if _field_for(rule, tile) in known.get(kind, {})]
        for kind in _GROUPS
    }


def _field_for(rule: Mapping[str, Any], tile: str) -> str | None:
    """The field that a dashboard's rule is about on one tile; a tile may be left out."""
    target = contracts.as_map(rule.get("tileTargets")).get(tile, rule.get("target"))
    return contracts.as_map(target).get("fieldId")


def _with_dashboard(
    call: Call, own: Mapping[str, Any], applied: Mapping[str, list[Mapping[str, Any]]], tile: str
) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for kind in _GROUPS:
        added = [
            {
                **{key: value for key, value in rule.items() if key not in {"tileTargets", "label", "target"}},
                "target": {"fieldId": _field_for(rule, tile)},
            }
            for rule in applied[kind]
        ]
        before = [own[kind]] if own.get(kind) else []
        merged[kind] = {"id": call.store.new_uuid(), "and": before + added}
    return merged


def _listed(value: object) -> list[Mapping[str, Any]]:
    return [contracts.as_map(item) for item in cast("list[object]", value)] if isinstance(value, list) else []
