"""A metric query, checked against its explore before it is sent: Lightdash drops or misreads what it does not know."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

from pydantic import ConfigDict
from pydantic import Field as PydanticField

from aboveboard.errors import BadInput, explain_unknown
from aboveboard.lightdash.client.api import Model
from aboveboard.lightdash.client.explores.explores import Explore
from aboveboard.lightdash.client.queries.filters import lightdash_filters


class Calculation(Model):
    """A column computed from others, in SQL with fields such as `${orders.count}`."""

    model_config = ConfigDict(extra="forbid")

    name: str
    sql: str


class CustomMetric(Model):
    """A metric made up for one query: a dimension, and how it is summed up."""

    model_config = ConfigDict(extra="forbid")

    name: str = PydanticField(pattern=r"^\w+$")
    dimension: str
    type: Literal["average", "count", "count_distinct", "max", "median", "min", "sum"]


def metric_query(
    explore: Explore,
    *,
    dimensions: Sequence[str],
    metrics: Sequence[str],
    filters: Sequence[object],
    sort: Sequence[str],
    limit: int,
    calculations: Sequence[Calculation] = (),
    custom_metrics: Sequence[CustomMetric] = (),
) -> dict[str, Any]:
    """Write a query as Lightdash wants it, or say what is wrong with it."""
    asked = _ids(explore, "dimension", dimensions)
    own = [_own_metric(explore, one) for one in custom_metrics]
    named = [f"{one['table']}_{one['name']}" for one in own]
    measured = [*_ids(explore, "metric", metrics, own=named), *(one for one in named if one not in metrics)]
    _check_columns(asked, measured)
    columns = [*asked, *measured, *(calculation.name for calculation in calculations)]
    return {
        "exploreName": explore.name,
        "dimensions": asked,
        "metrics": measured,
        "filters": lightdash_filters(filters, explore),
        "sorts": [_sorted(order, columns) for order in sort],
        "limit": limit,
        "tableCalculations": [
            {"name": calculation.name, "displayName": calculation.name, "sql": calculation.sql}
            for calculation in calculations
        ],
        **({"additionalMetrics": own} if own else {}),
    }


def _own_metric(explore: Explore, metric: CustomMetric) -> dict[str, Any]:
    about = explore.field(metric.dimension, "dimension")
    known = {"table": about.table, "sql": about.sql, "label": metric.name}
    return {"name": metric.name, "type": metric.type, **known, "baseDimensionName": about.name}


def changed_query(
    query: Mapping[str, Any],
    explore: Explore | None,
    *,
    dimensions: Sequence[str] | None,
    metrics: Sequence[str] | None,
    filters: Sequence[object] | None,
    sort: Sequence[str] | None,
    limit: int | None,
) -> dict[str, Any]:
    """Return a saved query with what is given in place of what was; the rest is neither changed nor checked.

    The explore is needed for dimensions, metrics and filters only. Those that the query has or defines itself will do.
    """
    new = dict(query)
    if explore is not None and dimensions is not None:
        own = [str(one.get("id")) for one in _listed(query, "customDimensions")]
        new["dimensions"] = _ids(explore, "dimension", dimensions, own=[*query.get("dimensions", []), *own])
    if explore is not None and metrics is not None:
        own = [f"{one.get('table')}_{one.get('name')}" for one in _listed(query, "additionalMetrics")]
        new["metrics"] = _ids(explore, "metric", metrics, own=[*query.get("metrics", []), *own])
    if dimensions is not None or metrics is not None:
        _check_columns(new.get("dimensions"), new.get("metrics"))
    if explore is not None and filters is not None:
        new["filters"] = lightdash_filters(filters, explore)
    if sort is not None:
        calculated = [str(one.get("name")) for one in _listed(query, "tableCalculations")]
        columns = [*new.get("dimensions", []), *new.get("metrics", []), *calculated]
        new["sorts"] = [_sorted(order, columns) for order in sort]
    if limit is not None:
        new["limit"] = limit
    return new


def _listed(query: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    return query.get(name) or []


def _ids(
    explore: Explore, kind: Literal["dimension", "metric"], names: Sequence[str], *, own: Collection[str] = ()
) -> list[str]:
    return [name if name in own else explore.field(name, kind).id for name in dict.fromkeys(names)]


def _check_columns(dimensions: Sequence[str] | None, metrics: Sequence[str] | None) -> None:
    if not dimensions and not metrics:
        raise BadInput("Name at least one dimension or metric: get_explore shows them.")


def _sorted(order: str, columns: list[str]) -> dict[str, Any]:
    name = order.removeprefix("-")
    if name not in columns:
        raise BadInput(
            explain_unknown("column", name, columns, of="The result") + " A sort must be by a column of the query."
        )
    return {"fieldId": name, "descending": order.startswith("-")}
