"""The filters of a dashboard in words: which of them a tile is shown with."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from aboveboard.lightdash.client.queries.filters import NEEDS_UNIT

MOST_VALUES: Final = 5
"""Values of a filter that are told; of more, their number."""


def filters_in_words(filters: Mapping[str, Any], tile: str | None = None) -> dict[str, list[str]]:
    """Tell the filters that are switched on, by the field that each is about on a tile, or on a new one."""
    told: dict[str, list[str]] = {}
    for rule in _rules(filters):
        field = _field(rule, tile)
        if field is not None and not rule.get("disabled"):
            told.setdefault(field, []).append(_in_words(field, rule))
    return told


def _rules(filters: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for side in ("dimensions", "metrics", "tableCalculations"):
        yield from cast("list[Mapping[str, Any]]", filters.get(side) or [])


def _field(rule: Mapping[str, Any], tile: str | None) -> str | None:
    """Return the field that a filter is about on a tile; of one that leaves the tile out, none."""
    targets = cast("Mapping[str, Any]", rule.get("tileTargets") or {})
    target = targets.get(tile or "", rule.get("target"))
    return str(cast("Mapping[str, Any]", target).get("fieldId")) if isinstance(target, Mapping) else None


def _in_words(field: str, rule: Mapping[str, Any]) -> str:
    operator = str(rule.get("operator"))
    values = [] if operator in NEEDS_UNIT else cast("list[Any]", rule.get("values") or [])
    shown = ", ".join(one if isinstance(one, str) else json.dumps(one) for one in values[:MOST_VALUES])
    more = f"and {len(values) - MOST_VALUES} more" if len(values) > MOST_VALUES else ""
    period = cast("Mapping[str, Any]", rule.get("settings") or {})
    whole = "completed" if period.get("completed") else ""
    return " ".join(part for part in (field, operator, shown, more, whole, str(period.get("unitOfTime") or "")) if part)
