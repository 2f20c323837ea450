"""Explores: what can be asked of the warehouse, and the SQL that a question becomes."""

import json
from collections.abc import Mapping
from sqlite3 import Row
from typing import Any, cast

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.charts.charts import CHARTS, short
from aboveboard.lightdash.sandbox.engine.describe import explore_json
from aboveboard.lightdash.sandbox.engine.fields import Dimension, Explore, Table
from aboveboard.lightdash.sandbox.engine.shop import EXPLORES
from aboveboard.lightdash.sandbox.engine.sql import quote_name
from aboveboard.lightdash.sandbox.queries import metric_queries
from aboveboard.lightdash.sandbox.routes import Call, Routes, storable
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.lightdash.sandbox.warehouse import SCHEMA
from aboveboard.lightdash.sandbox.wire import missing

routes = Routes()

_EXPLORERS = {"admin", "developer", "editor", "interactive_viewer"}


@routes.get("/api/v1/projects/{project}/explores")
def list_explores(call: Call) -> object:
    """The explores, short; `filtered` changes nothing where all tables are chosen."""
    project = access.project(call)
    return [
        {
            "name": one.name,
            "label": one.label,
            "tags": list(one.tags),
            "databaseName": SCHEMA,
            "schemaName": "" if one.virtual else SCHEMA,
            **({"type": "virtual"} if one.virtual else {"description": one.tables[one.base].description}),
        }
        for one in listed(call.store, project["uuid"])
    ]


@routes.get("/api/v1/projects/{project}/explores/{explore}")
def get_explore(call: Call) -> object:
    """One explore with its tables and fields."""
    project = access.project(call)
    return explore_json(find(call.store, project["uuid"], storable(call.params["explore"])))


@routes.get("/api/v1/projects/{project}/explores/{explore}/charts")
def list_charts(call: Call) -> object:
    """The charts over an explore that the caller may see; an explore nobody knows has none."""
    project = access.project(call)
    return [_chart(row) for row in charts_over(call, project["uuid"], call.params["explore"])]


@routes.post("/api/v1/projects/{project}/explores/{explore}/compileQuery")
def compile_query(call: Call) -> object:
    """The SQL of a query over the explore of the path, without what is not known there."""
    raw = metric_queries.read_flat(call.body)
    project = access.project(call)
    explore = find(call.store, project["uuid"], storable(call.params["explore"]))
    parameters = cast("Mapping[str, Any]", call.body).get("parameters")
    given = cast("Mapping[str, object]", parameters) if isinstance(parameters, dict) else None
    query = metric_queries.compiled(call.store, explore, raw, given, lenient=True)
    return {"query": query.sql.shown, "parameterReferences": list(query.parameters)}


def may_explore(user: Row) -> bool:
    """Whether a person may ask questions of their own."""
    return user["role"] in _EXPLORERS


def listed(store: Store, project: str) -> list[Explore]:
    """The explores that listings show."""
    views = store.all("SELECT * FROM virtual_views WHERE project = ? ORDER BY rowid", project)
    return [one for one in EXPLORES.values() if one.listed] + [_virtual(row) for row in views]


def find(store: Store, project: str, name: str) -> Explore:
    """An explore by name, listed or not."""
    row = store.one("SELECT * FROM virtual_views WHERE project = ? AND name = ?", project, name)
    found = _virtual(row) if row else EXPLORES.get(name)
    if found is None:
        raise missing(f'Explore "{name}" does not exist.')
    return found


def charts_over(call: Call, project: str, explore: str) -> list[Row]:
    """The charts over an explore that the caller may see."""
    spaces = access.spaces_of(call.store, call.user)
    rows = call.store.all(
        f"{CHARTS} WHERE charts.project = ? AND charts.explore = ? ORDER BY charts.rowid", project, explore
    )
    return [row for row in rows if spaces[row["space"]].role]


def _chart(row: Row) -> dict[str, object]:
    return short(row) | {"pinnedListUuid": None}


def _virtual(row: Row) -> Explore:
    """The explore that a saved SELECT makes."""
    name: str = row["name"]
    dimensions = {
        column["reference"]: Dimension(
            table=name,
            name=column["reference"],
            type=column["type"],
            sql=quote_name(column["reference"]),
            label=column["reference"].replace("_", " ").capitalize(),
        )
        for column in json.loads(row["columns"])
    }
    sql = row["sql"].strip().rstrip(";")
    # A comment at the end must not swallow the bracket.
    source = f"({sql}\n)" if "--" in sql else f"({sql})"
    table = Table(name, row["label"], "", "", dimensions, {}, source)
    return Explore(name, row["label"], name, {name: table}, virtual=True)
