"""Which values a field has: the search behind filters. It knows strings only."""

from sqlite3 import Row
from typing import Any, cast

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.contracts import NUMBER, TEXT, Optional
from aboveboard.lightdash.sandbox.engine.compiler import compile_query
from aboveboard.lightdash.sandbox.engine.fields import Dimension, Explore
from aboveboard.lightdash.sandbox.engine.filters import compile_error
from aboveboard.lightdash.sandbox.engine.query import MetricQuery
from aboveboard.lightdash.sandbox.engine.shop import EXPLORES
from aboveboard.lightdash.sandbox.explores import explores
from aboveboard.lightdash.sandbox.queries import runs
from aboveboard.lightdash.sandbox.queries.query_bodies import query_body
from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.wire import ServiceError, missing

routes = Routes()

_MOST, _USUAL = 5000, 50
_SEARCH = query_body(search=TEXT, fieldId=TEXT, table=TEXT, limit=Optional(NUMBER))


@routes.post("/api/v2/projects/{project}/query/field-values")
def run_field_values(call: Call) -> object:
    """The values of a dimension that hold a text, as a query."""
    body = contracts.read(call.body, _SEARCH)
    project = access.project(call)
    limit = _limit(body.get("limit", _USUAL))
    explore, one = _field(call, project, body["table"], body["fieldId"])
    pace = runs.pace_of_explore(explore.name)
    request = {"fieldId": one.id, "table": explore.name, "search": body["search"]}

    def run() -> runs.Rows:
        values = _values(call, explore, one, body["search"], limit, body.get("filters"))
        return runs.Rows({one.id: "string"}, [[(value, value)] for value in values], keep_columns=True)

    started = runs.start(call, project, "field-values", request, pace, run)
    return started | {"valueFieldId": one.id, "labelFieldId": None}


@routes.post("/api/v1/projects/{project}/field/{field}/search")
def search_field(call: Call) -> object:
    """The same at once; an older route that checks its input by hand."""
    body = contracts.as_map(call.body)
    project = access.project(call)
    limit = _limit(body.get("limit"))
    if not body.get("table"):
        raise ServiceError(400, "ParameterError", 'Field value search requires a non-empty "table"')
    explore, one = _field(call, project, str(body["table"]), call.params["field"])
    search = str(body.get("search") or "")
    values = _values(call, explore, one, search, limit, body.get("filters"))
    return {
        "search": search,
        "results": values,
        "resultsWithLabels": [{"value": value, "label": _labels(one).get(value, value)} for value in values],
        "refreshedAt": call.store.clock().strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "cached": False,
    }


def _limit(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ServiceError(400, "ParameterError", "Query limit must be a non-negative integer")
    if value > _MOST:
        raise ServiceError(400, "ParameterError", f"Query limit can not exceed {_MOST}")
    return value


def _field(call: Call, project: Row, table: str, name: str) -> tuple[Explore, Dimension]:
    known = {one.name for one in explores.listed(call.store, project["uuid"])} | set(EXPLORES)
    if table not in known:
        raise missing(f"Explore {table} does not exist")
    explore = explores.find(call.store, project["uuid"], table)
    metric = explore.metrics.get(name)
    if metric:
        problem = f"Searching by field is only available for dimensions, but {name} is a {metric.type}"
        raise ServiceError(400, "ParameterError", problem)
    one = explore.dimensions.get(name)
    if one is None:
        raise missing(f"Can't dimension with id: {name}")
    if one.type != "string":
        raise compile_error(
            'No function has been implemented to render SQL for the filter operator "include" on'
            f' "{name}" field of type "{one.type}"'
        )
    return explore, one


def _values(call: Call, explore: Explore, one: Dimension, search: str, limit: int, filters: object) -> list[str]:
    rules: list[Any] = [{"target": {"fieldId": one.id}, "operator": "notNull"}]
    rules += [{"and": _others(filters, one.id)}] if isinstance(filters, dict) else []
    query = MetricQuery(
        explore.name, [one.id], filters={"dimensions": {"and": rules}}, sorts=[{"fieldId": one.id}], limit=_MOST * 10
    )
    compiled = compile_query(explore, query, call.store.clock(), {})
    rows = call.store.warehouse.run(compiled.sql.text, compiled.sql.values).rows
    return [str(row[0]) for row in rows if search.casefold() in str(row[0]).casefold()][:limit]


def _others(group: Any, field: str) -> list[Any]:
    """The rules about other fields: one about the field itself would hide what is searched for."""
    items: object = group.get("and") or group.get("or")
    rules = [contracts.as_map(item) for item in cast("list[object]", items)] if isinstance(items, list) else []
    return [rule for rule in rules if contracts.as_map(rule.get("target")).get("fieldId") != field]


def _labels(one: Dimension) -> dict[str, str]:
    suggested: Any = one.extra.get("filterAutocomplete") or {}
    return {item["value"]: item["label"] for item in suggested.get("values", [])}
