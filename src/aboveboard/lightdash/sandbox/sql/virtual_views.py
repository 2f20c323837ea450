"""Virtual views: explores made of a SELECT, by people who may run SQL."""

import json
from sqlite3 import Row

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.contracts import TEXT, List, Object, OneOf
from aboveboard.lightdash.sandbox.engine.shop import EXPLORES
from aboveboard.lightdash.sandbox.queries import runs
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, storable
from aboveboard.lightdash.sandbox.sql import sql_runner
from aboveboard.lightdash.sandbox.warehouse import WarehouseError
from aboveboard.lightdash.sandbox.wire import ServiceError, forbidden, missing
from aboveboard.sandbox.table import Table

VIRTUAL_VIEWS_TABLE = Table(
    "virtual_views",
    "project TEXT, name TEXT, label TEXT, sql TEXT, columns TEXT, PRIMARY KEY (project, name)",
    json={"columns"},
)

routes = Routes()


_VIEW = Object(
    columns=List(Object(reference=TEXT, type=OneOf("boolean", "date", "number", "string", "timestamp"))),
    sql=TEXT,
    name=TEXT,
)


@routes.post("/api/v1/projects/{project}/sqlRunner/virtual-view")
def create_view(call: Call) -> object:
    """Make an explore of a SELECT."""
    body = contracts.read(call.body, _VIEW)
    project = _project(call)
    if body["name"] in EXPLORES or _find(call, project, body["name"]):
        raise ServiceError(409, "AlreadyExistsError", "Virtual view with this name already exists")
    _check(call, body["sql"])
    call.store.insert(
        "virtual_views",
        project=project["uuid"],
        name=storable(body["name"], 255),
        label=_label(body["name"]),
        sql=body["sql"],
        columns=body["columns"],
    )
    return {"name": body["name"]}


@routes.on("PUT", "/api/v1/projects/{project}/sqlRunner/virtual-view/{name}")
def update_view(call: Call) -> object:
    """Another SELECT for the same explore."""
    body = contracts.read(call.body, _VIEW)
    project = _project(call)
    if _find(call, project, call.params["name"]) is None:
        raise missing("Virtual view not found")
    _check(call, body["sql"])
    call.store.run(
        "UPDATE virtual_views SET label = ?, sql = ?, columns = ? WHERE project = ? AND name = ?",
        _label(body["name"]),
        body["sql"],
        json.dumps(body["columns"]),
        project["uuid"],
        call.params["name"],
    )
    return {"name": call.params["name"]}


@routes.delete("/api/v1/projects/{project}/sqlRunner/virtual-view/{name}")
def delete_view(call: Call) -> object:
    """Remove a virtual view; what is none stays, and that is no error."""
    project = _project(call)
    call.store.run("DELETE FROM virtual_views WHERE project = ? AND name = ?", project["uuid"], call.params["name"])
    return DONE


@routes.get("/api/v1/projects/{project}/code/virtualViews")
def list_views(call: Call) -> object:
    """The virtual views as code."""
    project = _project(call)
    rows = call.store.all("SELECT * FROM virtual_views WHERE project = ? ORDER BY name", project["uuid"])
    return {
        "virtualViews": [
            {
                "contentType": "virtual_view",
                "version": 1,
                "slug": row["name"],
                "name": row["name"],
                "sql": row["sql"],
                "columns": json.loads(row["columns"]),
                "parameters": None,
            }
            for row in rows
        ],
        "skipped": [],
        "missingSlugs": [],
    }


def _project(call: Call) -> Row:
    project = access.project(call)
    if not sql_runner.may_run_sql(call):
        raise forbidden()
    return project


def _find(call: Call, project: Row, name: str) -> Row | None:
    return call.store.one("SELECT * FROM virtual_views WHERE project = ? AND name = ?", project["uuid"], storable(name))


def _check(call: Call, sql: str) -> None:
    """Only what runs alone may stand inside another statement: it cannot close the brackets around it."""
    try:
        call.store.warehouse.run(sql, limit=0)
    except WarehouseError as error:
        raise runs.refused(error) from error


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()
