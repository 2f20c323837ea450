"""Metric queries in requests: how they are read, checked, compiled and run."""

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.contracts import (
    ANYTHING,
    MAP,
    NUMBER,
    TEXT,
    All,
    Kind,
    List,
    Maybe,
    Object,
    OneOf,
    Optional,
    Problems,
    Union,
)
from aboveboard.lightdash.sandbox.engine import describe
from aboveboard.lightdash.sandbox.engine.compiler import Compiled, compile_query
from aboveboard.lightdash.sandbox.engine.fields import Explore
from aboveboard.lightdash.sandbox.engine.filters import OPERATORS
from aboveboard.lightdash.sandbox.engine.query import KEYS, MetricQuery
from aboveboard.lightdash.sandbox.engine.shop import PARAMETERS
from aboveboard.lightdash.sandbox.engine.values import column_type, formatted_value, raw_value
from aboveboard.lightdash.sandbox.queries.query_bodies import query_body
from aboveboard.lightdash.sandbox.queries.runs import Rows
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.lightdash.sandbox.warehouse import WarehouseError
from aboveboard.lightdash.sandbox.wire import CrashError, ServiceError

_FIELDS: dict[str, Kind] = {
    "exploreName": TEXT,
    "filters": MAP,
    "dimensions": List(TEXT),
    "metrics": List(TEXT),
    "sorts": List(ANYTHING),
    "limit": NUMBER,
    "tableCalculations": List(ANYTHING),
}
# The two routes that take a query name what is missing in orders of their own.
_BACKWARDS = ("tableCalculations", "limit", "sorts", "filters", "metrics", "dimensions", "exploreName")


class _Filter:
    """A rule, or a group of such, which may hold groups again."""

    def read(self, value: Any, name: str, parent: str, wrong: Problems) -> Any:
        """The rule or group as it is."""
        return _RULE.read(value, name, parent, wrong)


_GROUP = Union(Object(**{"or": List(_Filter())}), Object(**{"and": List(_Filter())}))
_RULE = Union(_GROUP, Object(operator=Optional(OneOf(*OPERATORS))))
_FILTERS = Object(dimensions=Maybe(_GROUP), metrics=Maybe(_GROUP), tableCalculations=Maybe(_GROUP))
_NESTED = query_body(parameters=Optional(MAP), query=Object(**_FIELDS))
_FLAT = All(Object(**{name: _FILTERS if name == "filters" else _FIELDS[name] for name in _BACKWARDS}))


def read_nested(body: object) -> dict[str, Any]:
    """A body with a query in it, as the newer route takes it."""
    found = contracts.read(body, _NESTED)
    return {"parameters": dict[str, Any]()} | found | {"query": _known(found["query"])}


def read_flat(body: object) -> dict[str, Any]:
    """A body that is a query, as the older route takes it; it looks at the filters too."""
    return _known(contracts.read(body, _FLAT))


def _known(query: Mapping[str, Any]) -> dict[str, Any]:
    return {key: query[key] for key in KEYS if key in query}


def compiled(
    store: Store,
    explore: Explore,
    raw: Mapping[str, Any],
    parameters: Mapping[str, object] | None = None,
    *,
    lenient: bool = False,
) -> Compiled:
    """The SQL of a query, as of the sandbox's clock."""
    zone = raw.get("timezone")
    if zone and zone != "project_timezone":
        _check_zone(str(zone))
    values = {name: config.get("default") for name, config in PARAMETERS.items()} | dict(parameters or {})
    try:
        return compile_query(explore, MetricQuery.read(raw), store.clock(), values, lenient=lenient)
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        # The real server does not look into most of a query either, and breaks on what has another shape.
        raise CrashError from error


def _check_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ServiceError(400, "ParameterError", f"Invalid timezone: {name}") from error


def run(store: Store, raw: Mapping[str, Any], query: Compiled) -> Rows:
    """The rows of a compiled query; a fault that only the warehouse sees is raised as such."""
    if float(raw.get("limit", 0)) < 0:
        raise WarehouseError("LIMIT must not be negative")
    for name in query.sorted_by:
        if name not in query.columns:
            raise WarehouseError(f'column "{name}" does not exist')
    result = store.warehouse.run(query.sql.text, query.sql.values)
    columns = {**query.fields, **query.calculations}
    return Rows(
        {name: column_type(one) for name, one in columns.items()},
        [
            # Without any field, a row still has SQLite's one column.
            [
                (raw_value(one, cell), formatted_value(one, cell))
                for one, cell in zip(columns.values(), row, strict=False)
            ]
            for row in result.rows
        ],
    )


def head(explore: Explore, raw: Mapping[str, Any], query: Compiled, parameters: Mapping[str, Any]) -> dict[str, object]:
    """What the answer to a query says about it."""
    values = {name: parameters.get(name, PARAMETERS[name]["default"]) for name in query.parameters}
    calculations = {one.name: one.raw for one in query.calculations.values()}
    return {
        "metricQuery": dict(raw),
        "fields": describe.fields_json(explore, query.fields) | calculations,
        "warnings": [],
        "parameterReferences": list(query.parameters),
        "usedParametersValues": values,
        "resolvedTimezone": "UTC",
    }
