"""Saved SQL charts: a statement, how to draw it, and running it."""

import json
from collections.abc import Mapping
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.charts.charts import PALETTE
from aboveboard.lightdash.sandbox.content import trash
from aboveboard.lightdash.sandbox.content.saved import author_fields, count_view, slug_of
from aboveboard.lightdash.sandbox.contracts import (
    ANYTHING,
    MAP,
    NUMBER,
    TEXT,
    All,
    Kind,
    List,
    Object,
    OneOf,
    Optional,
    Union,
)
from aboveboard.lightdash.sandbox.dashboards import dashboards
from aboveboard.lightdash.sandbox.queries.query_bodies import saved_query_body
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, as_uuid, storable
from aboveboard.lightdash.sandbox.sql import sql_runner
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import forbidden, missing
from aboveboard.sandbox.table import Table

SQL_CHARTS_TABLE = Table(
    "sql_charts",
    "uuid TEXT PRIMARY KEY, project TEXT, space TEXT REFERENCES spaces ON DELETE CASCADE, slug TEXT, name TEXT,"
    " description TEXT, sql TEXT, row_limit INTEGER, config TEXT, kind TEXT, version_uuid TEXT, created_by TEXT,"
    " updated_by TEXT, created_at TEXT, updated_at TEXT, views INTEGER, first_viewed_at TEXT",
    derived=TIMES | {"first_viewed_at", "version_uuid", "views"},
    json={"config"},
)

routes = Routes()

SQL_CHARTS = (
    "SELECT sql_charts.*, spaces.name AS space_name, spaces.slug AS space_slug, projects.organization AS organization,"
    " updater.first_name AS author_first, updater.last_name AS author_last,"
    " maker.first_name AS maker_first, maker.last_name AS maker_last"
    " FROM sql_charts JOIN spaces ON spaces.uuid = sql_charts.space"
    " JOIN projects ON projects.uuid = sql_charts.project"
    " LEFT JOIN users AS updater ON updater.uuid = sql_charts.updated_by"
    " LEFT JOIN users AS maker ON maker.uuid = sql_charts.created_by"
)
_KIND_NAMES = (
    "line horizontal_bar vertical_bar scatter area mixed pie table big_number funnel custom treemap gauge map sankey"
    " data_app_viz"
)
_KINDS = _KIND_NAMES.split()


def _config(kind: str) -> All:
    columns: dict[str, Kind] = {"columns": ANYTHING} if kind == "table" else {}
    return All(Object(type=OneOf(*_KINDS), metadata=Object(version=NUMBER)), Object(**columns, type=OneOf(kind)))


CONFIG = Union(*(_config(kind) for kind in ("vertical_bar", "line", "pie", "big_number", "table")))
"""How a chart is drawn."""

_NEW = Object(spaceUuid=TEXT, config=CONFIG, limit=NUMBER, sql=TEXT, description=ANYTHING, name=TEXT)
_CHANGED = Object(
    unversionedData=Optional(Object(spaceUuid=TEXT, description=ANYTHING, name=TEXT)),
    versionedData=Optional(Object(config=CONFIG, limit=NUMBER, sql=TEXT)),
)
_RUN = saved_query_body(savedSqlUuid=Optional(TEXT), slug=Optional(TEXT))
_RUN_ON_DASHBOARD = saved_query_body(
    dashboardSorts=List(ANYTHING),
    dashboardFilters=MAP,
    tileUuid=TEXT,
    dashboardUuid=TEXT,
    savedSqlUuid=Optional(TEXT),
    slug=Optional(TEXT),
)


@routes.post("/api/v1/projects/{project}/sqlRunner/saved")
def create_sql_chart(call: Call) -> object:
    """Save a statement as a chart; the same name again makes one more."""
    body = contracts.read(call.body, _NEW)
    project = access.project(call)
    if not sql_runner.may_run_sql(call):
        raise forbidden()
    space = access.spaces_of(call.store, call.user).get(as_uuid(body["spaceUuid"]))
    if space is None or not space.may_edit:
        raise forbidden("You don't have access to create this Saved SQL chart")
    slug = call.store.unique_slug("sql_charts", project["uuid"], slug_of(call.store, storable(body["name"], 255)))
    row = insert(call, project["uuid"], slug, body | {"space": space.space["uuid"]})
    return {"savedSqlUuid": row["uuid"], "slug": slug, "savedSqlVersionUuid": row["version_uuid"]}


@routes.get("/api/v1/projects/{project}/sqlRunner/saved/{chart}")
def get_sql_chart(call: Call) -> object:
    """One SQL chart by UUID."""
    return _get(call, _find(call))


@routes.get("/api/v1/projects/{project}/sqlRunner/saved/slug/{slug}")
def get_by_slug(call: Call) -> object:
    """One SQL chart by slug."""
    return _get(call, find_one(call, "slug", storable(call.params["slug"])))


@routes.patch("/api/v1/projects/{project}/sqlRunner/saved/{chart}")
def update_sql_chart(call: Call) -> object:
    """A new name or place, a new statement, or both; each new statement is one more version."""
    body = contracts.read(call.body, _CHANGED)
    unversioned, versioned = body.get("unversionedData"), body.get("versionedData")
    row = _find(call)
    if not _may_edit(call, row) or not sql_runner.may_run_sql(call):
        raise forbidden()
    version = None
    with call.store.change():
        if unversioned:
            space = access.spaces_of(call.store, call.user).get(as_uuid(unversioned["spaceUuid"]))
            if space is None or not space.may_edit:
                raise forbidden()
            call.store.run(
                "UPDATE sql_charts SET name = ?, description = ?, space = ? WHERE uuid = ?",
                storable(unversioned["name"], 255),
                unversioned["description"],
                space.space["uuid"],
                row["uuid"],
            )
        if versioned:
            version = replace(call, row["uuid"], versioned)
    return {"savedSqlUuid": row["uuid"], "savedSqlVersionUuid": version}


@routes.delete("/api/v1/projects/{project}/sqlRunner/saved/{chart}")
def delete_sql_chart(call: Call) -> object:
    """Remove a SQL chart, to the bin where there is one."""
    row = _find(call)
    if not _may_edit(call, row):
        raise forbidden("You don't have access to delete this Saved SQL chart")
    trash.remove(call, "chart", row, "sql_charts")
    return DONE


@routes.post("/api/v2/projects/{project}/query/sql-chart")
def run_sql_chart(call: Call) -> object:
    """Run a SQL chart by UUID or slug; whoever sees it may run it."""
    return _run(call, contracts.read(call.body, _RUN))


def _run(call: Call, body: Mapping[str, Any]) -> dict[str, object]:
    project = access.project(call)
    column, value = ("uuid", as_uuid(body["savedSqlUuid"])) if "savedSqlUuid" in body else ("slug", body.get("slug"))
    row = find_one(call, column, value)
    if not _sees(call, row):
        raise forbidden()
    limit = body.get("limit", row["row_limit"])
    return sql_runner.start(call, project, row["sql"], limit, body.get("parameters") or {})


@routes.post("/api/v2/projects/{project}/query/dashboard-sql-chart")
def run_dashboard_sql_chart(call: Call) -> object:
    """Run a SQL chart as a dashboard shows it; no filter of a dashboard names a column of its statement here."""
    body = contracts.read(call.body, _RUN_ON_DASHBOARD)
    dashboards.readable(call, dashboards.by_name(call, body["dashboardUuid"]))
    applied = {kind: list[object]() for kind in ("dimensions", "metrics", "tableCalculations")}
    return _run(call, body) | {"appliedDashboardFilters": applied}


def insert(call: Call, project: str, slug: str, body: Mapping[str, Any]) -> Row:
    """Save a new SQL chart."""
    uuid, now = call.store.new_uuid(), call.store.now()
    call.store.insert(
        "sql_charts",
        uuid=uuid,
        project=project,
        space=body["space"],
        slug=slug,
        name=body["name"],
        description=body["description"],
        sql=body["sql"],
        row_limit=body["limit"],
        config=body["config"],
        kind=body["config"]["type"],
        version_uuid=call.store.new_uuid(),
        created_by=call.user["uuid"],
        updated_by=call.user["uuid"],
        created_at=now,
        updated_at=now,
        views=0,
    )
    return call.store.all("SELECT * FROM sql_charts WHERE uuid = ?", uuid)[0]


def replace(call: Call, uuid: str, body: Mapping[str, Any]) -> str:
    """Give a SQL chart another statement; the id of the new version."""
    version = call.store.new_uuid()
    call.store.run(
        "UPDATE sql_charts SET sql = ?, row_limit = ?, config = ?, kind = ?, version_uuid = ?, updated_by = ?,"
        " updated_at = ? WHERE uuid = ?",
        body["sql"],
        body["limit"],
        json.dumps(body["config"], ensure_ascii=False),
        body["config"]["type"],
        version,
        call.user["uuid"],
        call.store.now(),
        uuid,
    )
    return version


def find_one(call: Call, column: str, value: object) -> Row:
    """A SQL chart of the project by one of its columns."""
    where = f"sql_charts.{column} = ? AND sql_charts.project = ?"
    row = call.store.one(f"{SQL_CHARTS} WHERE {where}", value, call.uuid("project"))
    if row is None:
        raise missing("Saved sql not found")
    return row


def _find(call: Call) -> Row:
    return find_one(call, "uuid", call.uuid("chart"))


def _sees(call: Call, row: Row) -> bool:
    space = access.spaces_of(call.store, call.user).get(row["space"])
    return bool(space and space.role)


def _may_edit(call: Call, row: Row) -> bool:
    space = access.spaces_of(call.store, call.user).get(row["space"])
    return bool(space and space.may_edit)


def _get(call: Call, row: Row) -> dict[str, object]:
    space = access.spaces_of(call.store, call.user).get(row["space"])
    if space is None or not space.role:
        raise forbidden("You don't have access to view this Saved SQL chart")
    count_view(call.store, "sql_charts", row)
    return {
        "savedSqlUuid": row["uuid"],
        "name": row["name"],
        "description": row["description"],
        "slug": row["slug"],
        "createdAt": row["created_at"],
        "createdBy": {
            "userUuid": row["created_by"],
            "firstName": row["maker_first"],
            "lastName": row["maker_last"],
        },
        "lastUpdatedAt": row["updated_at"],
        "lastUpdatedBy": author_fields(row),
        "sql": row["sql"],
        "limit": row["row_limit"],
        "config": json.loads(row["config"]),
        "chartKind": row["kind"],
        "space": {"uuid": row["space"], "name": row["space_name"], "userAccess": space.entry()},
        "project": {"projectUuid": row["project"]},
        "dashboard": None,
        "organization": {"organizationUuid": row["organization"]},
        "views": row["views"],
        "firstViewedAt": row["first_viewed_at"] or row["created_at"],
        "lastViewedAt": row["first_viewed_at"] or row["created_at"],
        "resolvedColorPalette": PALETTE,
    }
