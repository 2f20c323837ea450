"""The SQL runner: any SELECT over the warehouse, its tables and their columns, for developers and admins."""

import re
from collections.abc import Mapping
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.contracts import TEXT
from aboveboard.lightdash.sandbox.engine.shop import PARAMETERS
from aboveboard.lightdash.sandbox.engine.sql import Sql, bind_value, join_sql
from aboveboard.lightdash.sandbox.engine.values import sql_type, sql_value
from aboveboard.lightdash.sandbox.queries import runs
from aboveboard.lightdash.sandbox.queries.query_bodies import saved_query_body
from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.lightdash.sandbox.warehouse import SCHEMA, Result, WarehouseError
from aboveboard.lightdash.sandbox.wire import ServiceError, forbidden, missing

routes = Routes()

_PARAMETER = re.compile(r"(\$\{(?:lightdash|ld)\.parameters\.\w+\})")
_ATTRIBUTE = re.compile(r"\$\{(?:lightdash|ld)\.attributes\.(\w+)\}")
_CALLED = re.compile(r"(\w+)\s*\(.*", re.DOTALL)
_COUNTED = r"\b(?:count)\s*\([^()]*\)\s*(?:as\s+)?\"?{}\"?(?!\w)"


@routes.post("/api/v2/projects/{project}/query/sql")
def run_sql(call: Call) -> object:
    """Run a statement; one that the warehouse does not take is refused at once."""
    body = contracts.read(call.body, saved_query_body(sql=TEXT))
    project = access.project(call)
    if not may_run_sql(call):
        raise forbidden()
    return start(call, project, body["sql"], body.get("limit"), body.get("parameters") or {})


@routes.get("/api/v1/projects/{project}/sqlRunner/tables")
def list_tables(call: Call) -> object:
    """The tables of the warehouse by database and schema."""
    _check(call)
    return {SCHEMA: {SCHEMA: {table: dict[str, str]() for table in call.store.warehouse.tables()}}}


@routes.get("/api/v1/projects/{project}/sqlRunner/fields")
def list_fields(call: Call) -> object:
    """The columns of a table and their types."""
    _check(call)
    schema, table = (call.query.get(name) for name in ("schemaName", "tableName"))
    if not schema:
        raise ServiceError(400, "ParameterError", "Schema name is required")
    if not table:
        raise ServiceError(400, "ParameterError", "Table name is required")
    columns = call.store.warehouse.columns(str(table)) if schema == SCHEMA else {}
    if not columns:
        raise missing(
            f'Could not find table "{table}" in schema "{schema}" of database "{SCHEMA}".'
            " Please verify the table exists and you have access to it."
        )
    return {name: "number" if kind == "integer" else kind for name, kind in columns.items()}


def may_run_sql(call: Call) -> bool:
    """Whether a person may write SQL."""
    return access.role_in(call.store, call.user, call.uuid("project")).may_develop


def start(call: Call, project: Row, sql: str, limit: float | None, parameters: Mapping[str, Any]) -> dict[str, object]:
    """Take a statement, as a query of its own or for a saved SQL chart."""
    statement, used = _prepared(sql, parameters)
    try:
        result = None if limit is not None and limit < 0 else _run(call.store, statement, limit)
    except WarehouseError as error:
        raise runs.refused(error) from error
    started = runs.start(
        call, project, "sql", {"sql": sql, "limit": limit}, runs.pace_of_sql(sql), lambda: _rows(sql, result)
    )
    return started | {"parameterReferences": list(used), "usedParametersValues": used, "resolvedTimezone": None}


def _check(call: Call) -> None:
    access.project(call)
    if not may_run_sql(call):
        raise forbidden()


def _prepared(sql: str, parameters: Mapping[str, Any]) -> tuple[Sql, dict[str, Any]]:
    attribute = _ATTRIBUTE.search(sql)
    if attribute:
        raise forbidden(f'Missing user attribute "{attribute[1]}": "{sql}"')
    used: dict[str, Any] = {}
    pieces: list[Sql] = []
    for part in _PARAMETER.split(sql):
        name = part[2:-1].rpartition(".")[2] if _PARAMETER.fullmatch(part) else ""
        if name:
            used[name] = parameters.get(name, PARAMETERS.get(name, {}).get("default"))
        pieces.append(bind_value(used[name]) if name else Sql((part,)))
    return join_sql("", pieces), used


def _run(store: Store, statement: Sql, limit: float | None) -> Result:
    return store.warehouse.run(statement.text, statement.values, None if limit is None else round(limit))


def _rows(sql: str, result: Result | None) -> runs.Rows:
    if result is None:
        raise WarehouseError("LIMIT must not be negative")
    names = [_column(name, sql) for name in result.columns]
    # A name that comes twice means its last column, at the place of its first.
    places = {name: place for place, name in enumerate(names)}
    big = {name: bool(name == "count" or re.search(_COUNTED.format(re.escape(name)), sql, re.I)) for name in places}
    return runs.Rows(
        {name: sql_type([row[place] for row in result.rows]) for name, place in places.items()},
        [[sql_value(row[place], big=big[name]) for name, place in places.items()] for row in result.rows],
    )


def _column(name: str, sql: str) -> str:
    """A name in quotes stays as it is, any other is folded; without one a column is called by its function, if any."""
    if '"{}"'.format(name.replace('"', '""')) in sql:
        return name
    if re.fullmatch(r"[A-Za-z_]\w*", name):
        return name.lower()
    called = _CALLED.fullmatch(name)
    return called[1].lower() if called else "?column?"
