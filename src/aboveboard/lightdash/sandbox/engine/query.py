"""A metric query: what is asked of an explore."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

_KEYS = (
    "exploreName dimensions metrics filters sorts limit metricOverrides dimensionOverrides tableCalculations"
    " additionalMetrics customDimensions timezone pivotDimensions metadata"
)
KEYS = _KEYS.split()
"""What a query may hold; the real server drops anything else in silence."""

_LIST = list[dict[str, Any]]


@dataclass(frozen=True)
class MetricQuery:
    """A query, read from the form that requests and saved charts have."""

    explore: str
    dimensions: Sequence[str] = ()
    metrics: Sequence[str] = ()
    filters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    sorts: Sequence[Mapping[str, Any]] = ()
    limit: float = 500
    calculations: Sequence[Mapping[str, Any]] = ()
    additional: Sequence[Mapping[str, Any]] = ()

    @staticmethod
    def read(raw: Mapping[str, Any]) -> "MetricQuery":
        """A query from its JSON."""
        return MetricQuery(
            str(raw["exploreName"]),
            list(dict.fromkeys(cast("list[str]", raw.get("dimensions") or []))),
            list(dict.fromkeys(cast("list[str]", raw.get("metrics") or []))),
            raw.get("filters") or {},
            cast("_LIST", raw.get("sorts") or []),
            float(raw.get("limit", 500)),
            cast("_LIST", raw.get("tableCalculations") or []),
            cast("_LIST", raw.get("additionalMetrics") or []),
        )

    @property
    def rows(self) -> int:
        """The limit as Postgres rounds it."""
        return math.floor(self.limit + 0.5)


def rules(group: object) -> list[dict[str, Any]]:
    """All rules of a filter group, however deep."""
    if isinstance(group, list):
        return [rule for item in cast("list[object]", group) for rule in rules(item)]
    if not isinstance(group, dict):
        return []
    inside = cast("dict[str, Any]", group)
    if "and" in inside or "or" in inside:
        return rules(inside.get("and") or []) + rules(inside.get("or") or [])
    return [inside] if "operator" in inside else []
