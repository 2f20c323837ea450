"""Fields, tables and explores in the words of the API."""

from collections.abc import Mapping

from aboveboard.lightdash.sandbox.engine.fields import Dimension, Explore, Field, Metric, Table
from aboveboard.lightdash.sandbox.warehouse import SCHEMA


def field_json(explore: Explore, one: Field) -> dict[str, object]:
    """A field as explores and query answers show it."""
    return _dimension(explore, one) if isinstance(one, Dimension) else _metric(explore, one)


def _common(explore: Explore, one: Field) -> dict[str, object]:
    label = explore.tables[one.table].label
    return {
        "sql": one.sql,
        "name": one.name,
        "type": one.type,
        "index": one.index,
        "label": one.label,
        "table": one.table,
        "groups": list(one.groups),
        "hidden": one.hidden,
        "tableLabel": label,
        "compiledSql": explore.compiled(one),
        "description": one.description or "",
        "tablesReferences": explore.references(one),
        **one.extra,
        **({"parameterReferences": one.parameters} if one.parameters else {}),
    }


def _dimension(explore: Explore, one: Dimension) -> dict[str, object]:
    if explore.virtual:
        kept = ("sql", "name", "type", "label", "table", "hidden", "tableLabel", "compiledSql", "tablesReferences")
        common = _common(explore, one)
        return {key: common[key] for key in kept} | {"fieldType": "dimension", "isIntervalBase": False}
    made = _common(explore, one) | {"fieldType": "dimension", "isIntervalBase": bool(one.intervals)}
    if one.interval and one.base:
        made |= {
            "timeInterval": one.interval.name,
            "timeIntervalBaseDimensionName": one.base.name,
            "timeIntervalBaseDimensionType": one.base.type,
        }
    return made


def _metric(explore: Explore, one: Field) -> dict[str, object]:
    of = one.of if isinstance(one, Metric) else None
    more: dict[str, object] = {
        "filters": [],
        "fieldType": "metric",
        "spotlight": {"categories": [], "visibility": "hide" if one.hidden else "show"},
        "compiledValueSql": explore.compiled_value(one),
        **({"dimensionReference": f"{one.table}_{of}"} if of else {}),
    }
    return _common(explore, one) | more


def table_json(explore: Explore, table: Table) -> dict[str, object]:
    """A table with its fields, as an explore shows it."""
    head: dict[str, object] = {
        "name": table.name,
        "label": table.label,
        "schema": "" if explore.virtual else SCHEMA,
        "metrics": {name: field_json(explore, one) for name, one in table.metrics.items()},
        "database": SCHEMA,
        "sqlTable": table.source,
        "dimensions": {name: field_json(explore, one) for name, one in table.dimensions.items()},
    }
    if explore.virtual:
        nothing: dict[str, object] = {"edges": [], "nodes": []}
        return head | {"lineageGraph": nothing}
    return head | {
        "sqlPath": f"{table.name}.sql",
        "ymlPath": f"models/{table.name}.yml",
        "primaryKey": [table.key],
        "description": table.description,
        "groupDetails": {},
        "lineageGraph": _lineage(table.name),
        "orderFieldsBy": "LABEL",
        "dbtPackageName": "corner_shop",
        "requiredFilters": [],
        **({"originalName": table.name} if table.name != explore.base else {}),
        **({"defaultTimeDimension": {"field": table.time, "interval": "MONTH"}} if table.time else {}),
    }


def _lineage(name: str) -> dict[str, object]:
    """The models that a table is made of; visits come as they are."""
    if name == "visits":
        return {name: []}
    return {name: [{"name": f"stg_{name}", "type": "model"}], f"stg_{name}": []}


def explore_json(explore: Explore) -> dict[str, object]:
    """An explore, whole."""
    head: dict[str, object] = {
        "name": explore.name,
        "tags": list(explore.tags),
        "label": explore.label,
        "tables": {name: table_json(explore, table) for name, table in explore.tables.items()},
        "baseTable": explore.base,
        "joinedTables": [
            {
                "sqlOn": join.sql_on,
                "table": join.table,
                "relationship": "many-to-one",
                "compiledSqlOn": explore.compiled_on(join),
                "tablesReferences": explore.joined_to(join),
            }
            for join in explore.joins
        ],
        "targetDatabase": "postgres",
    }
    if explore.virtual:
        return head | {"type": "virtual"}
    more: dict[str, object] = {
        "sqlPath": f"{explore.base}.sql",
        "ymlPath": f"models/{explore.base}.yml",
        "spotlight": {"categories": ["sales"] if explore.tags else [], "visibility": "show"},
        "caseSensitive": True,
    }
    return head | more


def fields_json(explore: Explore, fields: Mapping[str, Field]) -> dict[str, object]:
    """Some fields by id."""
    return {name: field_json(explore, one) for name, one in fields.items()}
