"""A metric query, checked against its explore before it is sent: Lightdash drops or misreads what it does not know."""

from collections.abc import Sequence
from typing import Any

from pydantic import ConfigDict

from aboveboard.errors import BadInput, unknown
from aboveboard.lightdash.client.api import Model
from aboveboard.lightdash.client.explores import Explore
from aboveboard.lightdash.client.filters import lightdash_filters


class Calculation(Model):
    """A column computed from others, in SQL with fields such as `${orders.count}`."""

    model_config = ConfigDict(extra="forbid")

    name: str
    sql: str


def metric_query(
    explore: Explore,
    *,
    dimensions: Sequence[str],
    metrics: Sequence[str],
    filters: Sequence[object],
    sort: Sequence[str],
    limit: int,
    calculations: Sequence[Calculation] = (),
) -> dict[str, Any]:
    """Write a query as Lightdash wants it, or say what is wrong with it."""
    asked = [explore.field(name, "dimension").id for name in dict.fromkeys(dimensions)]
    measured = [explore.field(name, "metric").id for name in dict.fromkeys(metrics)]
    if not asked and not measured:
        raise BadInput("Name at least one dimension or metric: get_explore shows them.")
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
    }


def _sorted(order: str, columns: list[str]) -> dict[str, Any]:
    name = order.removeprefix("-")
    if name not in columns:
        raise BadInput(unknown("column", name, columns, of="The result") + " A sort must be by a column of the query.")
    return {"fieldId": name, "descending": order.startswith("-")}
