"""Metric queries in requests: how they are read, checked, compiled and run."""

import json
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from aboveboard.lightdash.sandbox import forms
from aboveboard.lightdash.sandbox.engine import describe
from aboveboard.lightdash.sandbox.engine.compiler import Compiled, compile_query
from aboveboard.lightdash.sandbox.engine.fields import Explore
from aboveboard.lightdash.sandbox.engine.filters import OPERATORS
from aboveboard.lightdash.sandbox.engine.query import KEYS, MetricQuery
from aboveboard.lightdash.sandbox.engine.shop import PARAMETERS
from aboveboard.lightdash.sandbox.engine.values import column_type, formatted_value, raw_value
from aboveboard.lightdash.sandbox.forms import Issue, Reader
from aboveboard.lightdash.sandbox.runs import Rows
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.lightdash.sandbox.warehouse import WarehouseError
from aboveboard.lightdash.sandbox.wire import CrashError, ServiceError

_READERS: dict[str, Reader] = {
    "exploreName": forms.text,
    "filters": forms.mapping,
    "dimensions": forms.texts,
    "metrics": forms.texts,
    "sorts": forms.many,
    "limit": forms.number,
    "tableCalculations": forms.many,
}
# The two routes that take a query name what is missing in orders of their own.
_BACKWARDS = ("tableCalculations", "limit", "sorts", "filters", "metrics", "dimensions", "exploreName")
_OPTIONAL = [key for key in KEYS if key not in _READERS]


def read_nested(body: object) -> dict[str, Any]:
    """A body with a query in it, as the newer route takes it."""
    fields = {"query": forms.mapping, "context?": forms.one_of(forms.CONTEXTS), "parameters?": forms.mapping}
    found, wrong = forms.read_fields(body, fields)
    if "query" in found:
        found["query"], inner = _read(found["query"], _READERS, "body.query")
        wrong |= inner
    forms.refuse(body, wrong)
    return {"parameters": dict[str, Any]()} | found


def read_flat(body: object) -> dict[str, Any]:
    """A body that is a query, as the older route takes it; it looks at the filters too."""
    found, wrong = _read(body, {name: _READERS[name] for name in _BACKWARDS}, "body")
    wrong |= _wrong_filters(found.get("filters") or {})
    forms.refuse(body, wrong)
    return found


def _read(raw: object, readers: dict[str, Reader], path: str) -> tuple[dict[str, Any], dict[str, Issue]]:
    fields = {**readers, **{f"{name}?": forms.anything for name in _OPTIONAL}}
    found, wrong = forms.read_fields(raw, fields, path)
    return {key: found[key] for key in KEYS if key in found}, wrong


def _wrong_filters(filters: Mapping[str, Any]) -> dict[str, Issue]:
    for kind, group in filters.items():
        rules: list[object] = forms.as_mapping(group).get("and") or []
        for place, item in enumerate(rules):
            rule = forms.as_mapping(item)
            if "operator" in rule and rule["operator"] not in OPERATORS:
                path = f"body.filters.{kind}"
                return {path: _bad_operator(path, place, rule, group)}
    return {}


def _bad_operator(path: str, place: int, rule: Mapping[str, Any], group: object) -> Issue:
    """What the validator says of a rule that is neither a group nor a rule it knows, union within union."""
    here = f"and.${place}"
    choices = ",".join(f"'{operator}'" for operator in OPERATORS)
    wrong: Issue = {"message": f"should be one of the following; [{choices}]", "value": rule["operator"]}
    no_group = _union([_needed(f"{here}.or", "or"), _needed(f"{here}.and", "and")], rule)
    no_rule = _union([{here: no_group}, {f"{here}.operator": wrong}], rule)
    return _union([_needed(f"{path}.or", "or"), {here: no_rule}], group)


def _needed(path: str, name: str) -> dict[str, Issue]:
    return {path: {"message": f"'{name}' is required"}}


def _union(issues: list[dict[str, Issue]], value: object) -> Issue:
    listed = json.dumps(issues, separators=(",", ":"), ensure_ascii=False)
    return {"message": f"Could not match the union against any of the items. Issues: {listed}", "value": value}


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
