"""What a view shows: which rows pass its filters, and in which order they come."""

from collections.abc import Mapping
from typing import Any, cast

_EMPTY: tuple[Any, ...] = (None, "", [])


def without_column(settings: dict[str, Any], column: int) -> dict[str, Any]:
    """A view's settings when a column is gone: what was about it is left out, of filters too."""

    def others(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [entry for entry in entries if entry["columnId"] != column]

    groups = [others(group) for group in settings["filter"]]
    return {
        **settings,
        "columnSettings": others(settings["columnSettings"]),
        "sort": others(settings["sort"]),
        "filter": [group for group in groups if group],
    }


def passes(settings: Mapping[str, Any], cells: Mapping[int, Any]) -> bool:
    """Whether a row passes: all conditions of one group, or there are none."""
    groups = [group for group in settings["filter"] if group]
    return not groups or any(all(_holds(one, cells.get(one["columnId"])) for one in group) for group in groups)


def _holds(condition: Mapping[str, Any], value: Any) -> bool:
    wanted, operator = condition["value"], condition["operator"]
    if wanted in ("@checked", "@unchecked"):
        return (value == "true") is (wanted == "@checked")
    if operator == "is-empty":
        return value in _EMPTY
    if operator in ("is-not-equal", "does-not-contain"):
        return not _holds({**condition, "operator": _OPPOSITE[operator]}, value)
    if value in _EMPTY:
        return False
    if isinstance(value, list):
        return any(_compared(operator, one, wanted) for one in cast("list[Any]", value))
    return _compared(operator, value, wanted)


_OPPOSITE = {"is-not-equal": "is-equal", "does-not-contain": "contains"}


def _compared(operator: str, value: Any, wanted: Any) -> bool:
    text, other = str(value).lower(), str(wanted).lower().removeprefix("@selection-id-")
    words = {"begins-with": text.startswith, "ends-with": text.endswith, "contains": text.__contains__}
    if operator in words:
        return words[operator](other)
    one, two = _number(value), _number(wanted)
    numbers = one is not None and two is not None
    left: Any = one if numbers else text
    right: Any = two if numbers else other
    greater, lower = bool(left > right), bool(left < right)
    return {
        "is-equal": left == right,
        "is-greater-than": greater,
        "is-greater-than-or-equal": not lower,
        "is-lower-than": lower,
        "is-lower-than-or-equal": not greater,
    }.get(operator, False)


def _number(value: object) -> float | None:
    try:
        return float(str(value))
    except ValueError:
        return None


def rank(value: object) -> tuple[int, float, str]:
    """Where a value stands in an order: nothing first, then numbers, then words."""
    if value in _EMPTY:
        return 0, 0.0, ""
    number = _number(value)
    return (1, number, "") if number is not None else (2, 0.0, str(value).lower())
