"""The filter language: a list of conditions that must all hold, with `and` and `or` groups inside.

    [{"field": "orders_status", "operator": "equals", "values": ["completed"]},
     {"or": [{"field": "orders_order_date", "operator": "inThePast", "values": ["3"], "unit": "months"},
             {"field": "orders_order_date", "operator": "isNull"}]}]

Lightdash takes far more, ignores what it does not know and puts metrics elsewhere. Here every word is checked.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, cast

from aboveboard.errors import BadInput, explain_unknown
from aboveboard.lightdash.client.explores.explores import Explore, Field

NEEDS_NOTHING = ("isNull", "notNull")
NEEDS_VALUES = (
    "equals",
    "notEquals",
    "startsWith",
    "endsWith",
    "include",
    "doesNotInclude",
    "lessThan",
    "lessThanOrEqual",
    "greaterThan",
    "greaterThanOrEqual",
)
NEEDS_TWO = ("inBetween", "notInBetween")
NEEDS_COUNT = ("inThePast", "notInThePast", "inTheNext")
NEEDS_UNIT = ("inTheCurrent", "notInTheCurrent", "inPeriodToDate")
OPERATORS = (*NEEDS_NOTHING, *NEEDS_VALUES, *NEEDS_TWO, *NEEDS_COUNT, *NEEDS_UNIT)
UNITS = ("milliseconds", "seconds", "minutes", "hours", "days", "weeks", "months", "quarters", "years")
KEYS = ("field", "operator", "values", "unit", "completed")

PATTERNS = ("startsWith", "endsWith", "include", "doesNotInclude")
WEEK: Final = "WEEK"
# A date that is cut to a period is the first day of it, and equals no other.
FIRST_DAYS: Mapping[str | None, Callable[[datetime], datetime]] = {
    "MONTH": lambda at: at.replace(day=1),
    "QUARTER": lambda at: at.replace(month=at.month - (at.month - 1) % 3, day=1),
    "YEAR": lambda at: at.replace(month=1, day=1),
    WEEK: lambda at: at,
}
FROM_FIRST_DAY = ("lessThan", "greaterThanOrEqual", "inBetween", "notInBetween")
"""What begins or ends where the week of its first value begins."""

Condition = dict[str, Any]

_RULE: Final = {
    "field": {"type": "string"},
    "operator": {"type": "string"},
    "values": {"type": "array", "items": {"type": "string"}},
    "unit": {"type": "string"},
}
SHAPE: Final = {
    "type": "object",
    "properties": {
        **_RULE,
        "completed": {"type": "boolean"},
        "or": {"type": "array", "items": {"type": "object", "properties": _RULE}},
    },
}
"""What is published of a condition: values as text, and alternatives one level deep. Numbers, true and false are taken
as they are too, and so are groups within groups, which no schema that all clients take can say."""


def lightdash_filters(conditions: Sequence[object], explore: Explore) -> dict[str, Any]:
    """Check the conditions and write them as Lightdash wants them."""
    writer = _Writer(explore)
    sides: dict[str, list[Condition]] = {"dimension": [], "metric": []}
    for condition in conditions:
        kind, written = writer.write(condition)
        sides[kind].append(written)
    named = {"dimensions": sides["dimension"], "metrics": sides["metric"]}
    return {side: {"id": side, "and": written} for side, written in named.items() if written}


class _Writer:
    """Writes conditions, each with an id of its own, as Lightdash requires."""

    def __init__(self, explore: Explore) -> None:
        self._explore = explore
        self._count = 0

    def write(self, condition: object) -> tuple[str, Condition]:
        """Return the side a condition belongs to and how Lightdash writes it."""
        if not isinstance(condition, dict):
            raise BadInput(
                f"A filter must be an object such as {{'field': ..., 'operator': ...}}, and {condition!r} is not."
            )
        said = cast("dict[str, Any]", condition)
        for key in said:
            if key not in (*KEYS, "and", "or"):
                raise BadInput(explain_unknown("key", key, (*KEYS, "and", "or"), of="A filter"))
        given = {key: value for key, value in said.items() if not _says_nothing(key, value)} or said
        self._count += 1
        return self._group(given) if "and" in given or "or" in given else self._rule(given)

    def _group(self, given: Condition) -> tuple[str, Condition]:
        ident = f"group-{self._count}"
        if len(given) != 1:
            raise BadInput("A group has one key, 'and' or 'or', and nothing beside it.")
        word, inner = next(iter(given.items()))
        if not isinstance(inner, list) or not inner:
            raise BadInput(f"{word!r} must hold a list of filters with at least one in it.")
        written = [self.write(one) for one in cast("list[object]", inner)]
        kinds = {kind for kind, _ in written}
        if len(kinds) > 1:
            raise BadInput(f"An {word!r} group holds dimensions or metrics, not both: Lightdash filters them apart.")
        return kinds.pop(), {"id": ident, word: [rule for _, rule in written]}

    def _rule(self, given: Condition) -> tuple[str, Condition]:
        ident = f"filter-{self._count}"
        name, operator = given.get("field"), given.get("operator")
        if not isinstance(name, str) or not isinstance(operator, str):
            raise BadInput("A filter needs a 'field' and an 'operator', both as text.")
        field = self._explore.field(name)
        if operator not in OPERATORS:
            raise BadInput(explain_unknown("operator", operator, OPERATORS, of="A filter"))
        values = _values(field, operator, given)
        if operator in ("equals", "notEquals") and field.is_time and field.interval == WEEK:
            return field.kind, _weeks(ident, field, operator, values)
        if operator == "notInBetween" and field.is_time:
            return field.kind, {"id": ident, "or": _outside(ident, field, values)}
        rule: Condition = {"id": ident, "target": {"fieldId": field.id}, "operator": operator, "values": values}
        if operator in (*NEEDS_COUNT, *NEEDS_UNIT):
            rule["settings"] = {"unitOfTime": _unit(field, operator, given), "completed": _completed(operator, given)}
        elif extra := {"unit", "completed"} & given.keys():
            raise BadInput(f"{operator} takes no {' and no '.join(sorted(extra))}: only relative periods do.")
        return field.kind, rule


def _says_nothing(key: str, value: object) -> bool:
    """Tell whether a key is only there because a client fills in all that it knows."""
    return value is None or value in ("", []) or (key == "completed" and value is False)


def _outside(ident: str, field: Field, values: list[Any]) -> list[Condition]:
    """Write notInBetween as two comparisons: Lightdash has none for dates."""
    parts = zip(("lessThan", "greaterThan"), values, strict=True)
    return [_comparison(ident, field, word, [one]) for word, one in parts]


def _weeks(ident: str, field: Field, operator: str, values: list[Any]) -> Condition:
    """Write that a week is one of these, or none: whichever day weeks begin with, one of any seven days begins one."""
    spans = [(f"{ident}-{at}", [_first_of_week(value), value]) for at, value in enumerate(values, 1)]
    if operator == "equals":
        return {"id": ident, "or": [_comparison(own, field, "inBetween", span) for own, span in spans]}
    # As Lightdash means it, what is empty is no week that is named.
    others = [[*_outside(own, field, span), _comparison(own, field, "isNull", [])] for own, span in spans]
    return {"id": ident, "and": [{"id": own, "or": rules} for (own, _), rules in zip(spans, others, strict=True)]}


def _comparison(ident: str, field: Field, operator: str, values: list[Any]) -> Condition:
    target = {"fieldId": field.id}
    return {"id": f"{ident}-{operator}", "target": target, "operator": operator, "values": values}


def _values(field: Field, operator: str, given: Condition) -> list[Any]:
    raw: Any = given.get("values")
    values: list[Any] = cast("list[Any]", raw) if isinstance(raw, list) else [] if raw is None else [raw]
    if operator in (*NEEDS_NOTHING, *NEEDS_UNIT):
        if values:
            raise BadInput(f"{operator} takes no values.")
        return [] if operator in NEEDS_NOTHING else [1]
    if operator in NEEDS_COUNT:
        if len(values) != 1 or not _is_whole(values[0]):
            raise BadInput(f"{operator} takes one whole number in values, such as [3], and a unit.")
        return [int(values[0])]
    if not values:
        raise BadInput(f"{operator} on {field.id} needs values.")
    if operator in NEEDS_TWO and len(values) != 2:
        raise BadInput(f"{operator} on {field.id} needs two values: from and to.")
    fitting = [_fitting(field, operator, _checked(field, value)) for value in values]
    if field.is_time and field.interval == WEEK and operator in FROM_FIRST_DAY:
        fitting[0] = _first_of_week(fitting[0])
    return fitting


def _first_of_week(value: str) -> str:
    """Return the first day with which the week of this one can begin: which it is, the warehouse's settings decide."""
    return date.fromordinal(max(datetime.fromisoformat(value).toordinal() - 6, 1)).isoformat()


def _fitting(field: Field, operator: str, value: Any) -> Any:
    """Return the value as it means what it says: to Lightdash, % and _ stand for any text, and a month is a day."""
    if operator in PATTERNS and isinstance(value, str) and ("%" in value or "_" in value):
        raise BadInput(
            f"{operator} takes no % and no _: to Lightdash they stand for any text, so {value!r} would match more.",
            next_step="search_field_values finds the values that there are, for equals.",
        )
    if field.is_time and field.interval in FIRST_DAYS:
        return FIRST_DAYS[field.interval](datetime.fromisoformat(value)).date().isoformat()
    return value


def _checked(field: Field, value: Any) -> Any:
    """Return the value, or say that it is none of the field's kind: Lightdash would compare it as text."""
    if field.is_time and not _is_moment(value):
        raise BadInput(f"{field.id} is a {field.type}: {value!r} must be a date such as 2026-01-31.")
    if field.is_number and not _is_number(value):
        raise BadInput(f"{field.id} is a number, and {value!r} is not.")
    if field.type == "boolean" and value in ("true", "false"):
        return value == "true"
    if field.type == "boolean" and not isinstance(value, bool):
        raise BadInput(f"{field.id} is true or false, and {value!r} is neither.")
    if field.type == "string" and not isinstance(value, str):
        raise BadInput(f"{field.id} is text, and {value!r} is not.")
    return value


def _unit(field: Field, operator: str, given: Condition) -> str:
    if not field.is_time:
        raise BadInput(f"{operator} is for dates, and {field.id} is a {field.type}.")
    unit = given.get("unit")
    if unit not in UNITS:
        raise BadInput(explain_unknown("unit", str(unit or ""), UNITS, of=operator))
    return unit


def _completed(operator: str, given: Condition) -> bool:
    completed = given.get("completed", False)
    if "completed" in given and operator in NEEDS_UNIT:
        raise BadInput(f"{operator} takes no completed: only {', '.join(NEEDS_COUNT)} do.")
    if not isinstance(completed, bool):
        raise BadInput("completed must be true or false: whether only whole periods count.")
    return completed


def _is_whole(value: object) -> bool:
    if isinstance(value, str):
        return re.fullmatch(r"0*[1-9]\d{0,8}", value, re.ASCII) is not None
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_number(value: object) -> bool:
    if isinstance(value, str):
        return re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", value, re.ASCII | re.IGNORECASE) is not None
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_moment(value: object) -> bool:
    try:
        datetime.fromisoformat(cast("Any", value))
    except (TypeError, ValueError):
        return False
    return True
