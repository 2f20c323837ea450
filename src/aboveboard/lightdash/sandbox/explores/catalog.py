"""The data catalog: tables and fields to browse and search, and which charts use them."""

import hashlib
import json
from collections.abc import Iterator
from sqlite3 import Row

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.engine.describe import field_json
from aboveboard.lightdash.sandbox.engine.fields import Dimension, Explore, Field, Metric
from aboveboard.lightdash.sandbox.explores import explores
from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.warehouse import SCHEMA
from aboveboard.lightdash.sandbox.wire import missing

routes = Routes()

_TABLE = "/api/v1/projects/{project}/dataCatalog/{table}"


@routes.get("/api/v1/projects/{project}/dataCatalog")
def list_catalog(call: Call) -> object:
    """Tables, or fields, or whatever matches a search; `filter` counts for searches alone."""
    checks = Checks(call.query)
    search = checks.text("search")
    kind = checks.choice("type", ("table", "field"))
    only = checks.choice("filter", ("tables", "dimensions", "metrics"))
    checks.done()
    project = access.project(call)
    found = explores.listed(call.store, project["uuid"])
    if search:
        return list(_search(call, project, found, search.casefold(), kind, only))
    if kind == "field":
        # A joined table's fields come once more for each explore that joins it.
        every = [(explore, table) for explore in found for table in explore.tables.values()]
        return [field_entry(explore, one) for explore, table in every for one in table.fields if not one.hidden]
    return [_table(explore) for explore in found]


@routes.get(f"{_TABLE}/metadata", deprecated="No replacement, this endpoint will be removed.")
def get_metadata(call: Call) -> object:
    """A table and its fields."""
    explore = _explore(call)
    if explore is None:
        raise missing(f"Explore with name {call.params['table']} not found")
    return {
        "name": explore.name,
        "label": explore.label,
        "description": explore.tables[explore.base].description,
        "modelName": explore.base,
        "source": f"models/{explore.base}.yml",
        "fields": [field_entry(explore, one) for one in shown_fields(explore)],
        "joinedTables": [join.table for join in explore.joins],
    }


@routes.get(f"{_TABLE}/analytics")
def get_analytics(call: Call) -> object:
    """The charts over a table; one that nobody knows has none, or those that outlived it."""
    project = access.project(call)
    return {"charts": [_chart(row) for row in explores.charts_over(call, project["uuid"], call.params["table"])]}


@routes.get(f"{_TABLE}/analytics/{{field}}")
def get_field_analytics(call: Call) -> object:
    """The charts that use a field, by its short name, the most viewed first."""
    project = access.project(call)
    rows = charts_with(call, project["uuid"], call.params["table"], call.params["field"])
    rows.sort(key=lambda row: -row["views"])
    return {"charts": [_chart(row) | {"viewsCount": row["views"]} for row in rows]}


@routes.get(f"{_TABLE}/filter-dimensions")
@routes.get(f"{_TABLE}/segment-dimensions")
def list_dimensions(call: Call) -> object:
    """The dimensions to filter a metric by, or to split it along."""
    explore = _explore(call)
    if explore is None:
        raise missing(f'Explore "{call.params["table"]}" does not exist.')
    base = explore.tables[explore.base].dimensions.values()
    return [field_json(explore, one) for one in base if one.type in {"string", "boolean"} and not one.hidden]


@routes.get("/api/v1/projects/{project}/catalog")
def get_old_catalog(call: Call) -> object:
    """The tables by database and schema."""
    project = access.project(call)
    tables = {
        table.name: table for one in explores.listed(call.store, project["uuid"]) for table in one.tables.values()
    }
    entries = {name: {"description": table.description, "sqlTable": table.source} for name, table in tables.items()}
    return {SCHEMA: {SCHEMA: entries}}


def shown_fields(explore: Explore) -> Iterator[Field]:
    """The fields of an explore's own table that people see."""
    table = explore.tables[explore.base]
    return (one for one in table.fields if not one.hidden)


def field_entry(explore: Explore, one: Field) -> dict[str, object]:
    """A field as the catalog lists it."""
    basic = one.value_type if isinstance(one, Metric) else one.type
    return {
        "name": one.name,
        "label": one.label,
        "description": one.description or "",
        "tableLabel": explore.tables[one.table].label,
        "tableName": one.table,
        "fieldType": "dimension" if isinstance(one, Dimension) else "metric",
        "basicType": basic,
        "fieldValueType": one.type,
        "type": "field",
        "aiHints": None,
        "tags": list(explore.tags),
        "categories": [],
        "catalogSearchUuid": "",
        "icon": None,
        "owner": None,
    }


def found_entry(call: Call, project: str, explore: Explore, one: Field, rank: float) -> dict[str, object]:
    """A field as a search finds it."""
    more: dict[str, object] = {
        "requiredAttributes": {},
        "anyAttributes": {},
        "chartUsage": len(charts_with(call, project, explore.name, one.name)),
        "catalogSearchUuid": identity(project, one.id),
        "searchRank": rank,
    }
    return field_entry(explore, one) | more


def identity(project: str, name: str) -> str:
    """The id under which the catalog keeps an item."""
    digest = hashlib.sha256(f"catalog {project} {name}".encode()).hexdigest()
    return f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-a{digest[17:20]}-{digest[20:32]}"


def rank(search: str, *texts: str | None) -> float:
    """How well texts match a search: every word must begin some word of them."""
    words = " ".join(text or "" for text in texts).casefold().replace("_", " ").split()
    wanted = [part for part in search.casefold().replace("_", " ").split() if any(map(str.isalnum, part))]
    if not wanted or not all(any(word.startswith(part) for word in words) for part in wanted):
        return 0
    exact = sum(part in words for part in wanted)
    return round((1 + exact) / (1 + len(wanted)) * 0.9, 6)


def charts_with(call: Call, project: str, table: str, field: str) -> list[Row]:
    """The charts over a table that use one of its fields."""
    name = f"{table}_{field}"
    return [
        row
        for row in explores.charts_over(call, project, table)
        if name in (query := json.loads(row["query"]))["dimensions"] or name in query["metrics"]
    ]


def _search(
    call: Call, project: Row, found: list[Explore], search: str, kind: str | None, only: str | None
) -> Iterator[dict[str, object]]:
    hits: list[tuple[float, dict[str, object]]] = []
    for explore in found:
        score = rank(search, explore.name, explore.label, explore.tables[explore.base].description)
        if score and kind != "field" and only in {None, "tables"}:
            entry = _table(explore) | {"catalogSearchUuid": identity(project["uuid"], explore.name)}
            more: dict[str, object] = {"requiredAttributes": {}, "anyAttributes": {}, "searchRank": score}
            hits.append((score, entry | more))
        if kind == "table" or only == "tables":
            continue
        for one in shown_fields(explore):
            score = rank(search, one.name, one.label, one.description)
            if score and only in {None, "metrics" if isinstance(one, Metric) else "dimensions"}:
                hits.append((score, found_entry(call, project["uuid"], explore, one, score)))
    yield from (entry for _, entry in sorted(hits, key=lambda hit: -hit[0]))


def _explore(call: Call) -> Explore | None:
    project = access.project(call)
    known = {one.name: one for one in explores.listed(call.store, project["uuid"])}
    return known.get(call.params["table"])


def _table(explore: Explore) -> dict[str, object]:
    return {
        "name": explore.name,
        "label": explore.label,
        "description": explore.tables[explore.base].description,
        "type": "table",
        "joinedTables": [join.table for join in explore.joins],
        "tags": list(explore.tags),
        "catalogSearchUuid": "",
        "categories": [],
        "icon": None,
        "aiHints": None,
    }


def _chart(row: Row) -> dict[str, object]:
    return {
        "name": row["name"],
        "uuid": row["uuid"],
        "slug": row["slug"],
        "description": row["description"],
        "spaceUuid": row["space"],
        "spaceName": row["space_name"],
        "dashboardName": row["dashboard_name"],
        "dashboardUuid": row["dashboard"],
        "chartKind": row["kind"],
    }
