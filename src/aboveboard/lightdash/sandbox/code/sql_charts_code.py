"""SQL charts as code: all of them in one list, and one at a time written back by slug."""

import json
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.contracts import NUMBER, TEXT, All, Object
from aboveboard.lightdash.sandbox.routes import Call, Routes, storable
from aboveboard.lightdash.sandbox.sql import sql_charts
from aboveboard.lightdash.sandbox.sql.sql_charts import SQL_CHARTS
from aboveboard.lightdash.sandbox.wire import forbidden, missing

routes = Routes()

_DOCUMENT = All(
    Object(slug=TEXT, limit=NUMBER, sql=TEXT, chartKind=TEXT, version=NUMBER, spaceSlug=TEXT, name=TEXT),
    Object(config=sql_charts.CONFIG),
)


@routes.get("/api/v1/projects/{project}/code/sqlCharts")
@routes.get("/api/v1/projects/{project}/sqlCharts/code")
def list_sql_charts(call: Call) -> object:
    """The SQL charts as code, those asked for or all; unknown ids are named, and no error."""
    wanted = Checks(call.query).texts("ids")
    project = access.project(call)
    rows = call.store.all(f"{SQL_CHARTS} WHERE sql_charts.project = ? ORDER BY sql_charts.slug", project["uuid"])
    spaces = access.spaces_of(call.store, call.user)
    found = [
        row for row in rows if spaces[row["space"]].role and (not wanted or {row["slug"], row["uuid"]} & {*wanted})
    ]
    known = {name for row in found for name in (row["slug"], row["uuid"])}
    return {
        "sqlCharts": [_code(call, row) for row in found],
        "missingIds": [name for name in wanted if name not in known],
        "spaces": [
            {"contentType": "space", "spaceName": name, "slug": slug}
            for slug, name in {row["space_slug"]: row["space_name"] for row in found}.items()
        ],
        "total": len(found),
        "offset": len(found),
    }


@routes.post("/api/v1/projects/{project}/code/sqlCharts/{slug}")
def upsert_sql_chart(call: Call) -> object:
    """Make or replace the SQL chart with the slug of the path."""
    body = contracts.read(call.body, _DOCUMENT, "sqlChart")
    row = call.store.one("SELECT * FROM projects WHERE uuid = ?", call.uuid("project"))
    if row is None:
        raise missing(f"Cannot find project with id: {call.params['project']}")
    slug = storable(call.params["slug"])
    if row["organization"] != call.user["organization"] or call.user["role"] not in {"admin", "developer"}:
        raise forbidden(f'You don\'t have permission to upload content as code to this project (content slug "{slug}")')
    space = call.store.one("SELECT * FROM spaces WHERE project = ? AND slug = ?", row["uuid"], body["spaceSlug"])
    if space is None:
        raise missing(f"Space with slug {body['spaceSlug']} not found")
    old = call.store.one("SELECT * FROM sql_charts WHERE project = ? AND slug = ?", row["uuid"], slug)
    with call.store.change():
        uuid = _write(call, old, row["uuid"], body | {"space": space["uuid"]})
    data = {"uuid": uuid, "name": body["name"], "slug": slug if old else body["slug"], "spaceSlug": space["slug"]}
    return {"charts": [{"action": "update" if old else "create", "data": data}], "spaces": [], "dashboards": []}


def _write(call: Call, old: Row | None, project: str, body: dict[str, Any]) -> str:
    if old is None:
        return sql_charts.insert(call, project, body["slug"], {"description": None, **body})["uuid"]
    call.store.run(
        "UPDATE sql_charts SET name = ?, description = ?, space = ? WHERE uuid = ?",
        body["name"],
        body.get("description"),
        body["space"],
        old["uuid"],
    )
    sql_charts.replace(call, old["uuid"], body)
    return old["uuid"]


def _code(call: Call, row: Row) -> dict[str, object]:
    return {
        "name": row["name"],
        "description": row["description"],
        "slug": row["slug"],
        "sql": row["sql"],
        "limit": row["row_limit"],
        "config": json.loads(row["config"]),
        "chartKind": row["kind"],
        "updatedAt": row["updated_at"],
        "spaceSlug": row["space_slug"],
        "version": 1,
        "contentType": "sql_chart",
        "downloadedAt": call.store.clock().strftime("%Y-%m-%dT%H:%M:%S.000Z"),
    }
