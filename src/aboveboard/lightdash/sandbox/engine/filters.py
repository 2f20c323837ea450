"""Filter rules as conditions: twenty operators over strings, numbers, booleans, dates and timestamps.

An operator without the values it needs lets everything pass, as on the real server.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from aboveboard.lightdash.sandbox.engine import periods
from aboveboard.lightdash.sandbox.engine.sql import Sql, bind_value, join_sql
from aboveboard.lightdash.sandbox.wire import ServiceError

TRUE = Sql(("true",))
_OPERATORS = (
    "isNull notNull equals notEquals startsWith endsWith include doesNotInclude lessThan lessThanOrEqual greaterThan"
    " greaterThanOrEqual inThePast notInThePast inTheNext inTheCurrent notInTheCurrent inBetween notInBetween"
    " inPeriodToDate"
)
OPERATORS = _OPERATORS.split()
_COMPARISONS = {"lessThan": "<", "lessThanOrEqual": "<=", "greaterThan": ">", "greaterThanOrEqual": ">="}


def compile_error(message: str) -> ServiceError:
    """The query cannot be turned into SQL."""
    return ServiceError(400, "CompileError", message)


@dataclass(frozen=True)
class Rule:
    """A rule, and the field it is about."""

    field: str
    type: str
    sql: Sql
    base: Sql  # of a time interval, what was cut
    operator: str
    values: Sequence[Any]
    settings: Mapping[str, Any]
    now: datetime

    def unsupported(self) -> ServiceError:
        """The operator makes no sense for fields of this type."""
        kind = "date" if self.type == "timestamp" else self.type
        return compile_error(
            "No function has been implemented to render SQL for the filter operator"
            f' "{self.operator}" on "{self.field}" field of type "{kind}"'
        )


def condition(rule: Rule) -> Sql:
    """What must hold for a row to pass."""
    if rule.operator == "isNull":
        return "(" + rule.sql + ") IS NULL"
    if rule.operator == "notNull":
        return "(" + rule.sql + ") IS NOT NULL"
    return _BY_TYPE[rule.type](rule)


def _equality(rule: Rule, values: Sequence[object]) -> Sql:
    listed = join_sql(",", [bind_value(value) for value in values])
    if rule.operator == "equals":
        return "(" + rule.sql + ") IN (" + listed + ")"
    return "((" + rule.sql + ") NOT IN (" + listed + ") OR (" + rule.sql + ") IS NULL)"


def _string(rule: Rule) -> Sql:
    if rule.operator in {"equals", "notEquals"}:
        return _equality(rule, [_text(value) for value in rule.values]) if rule.values else TRUE
    patterns = {"include": "%{}%", "doesNotInclude": "%{}%", "startsWith": "{}%", "endsWith": "%{}"}
    if rule.operator not in patterns:
        raise rule.unsupported()
    values = [patterns[rule.operator].format(_text(value)) for value in rule.values if value != ""]
    if not values:
        return TRUE
    word, glue = (" NOT LIKE ", "\n  AND\n  ") if rule.operator == "doesNotInclude" else (" LIKE ", "\n  OR\n  ")
    tests = join_sql(glue, ["(" + rule.sql + ")" + word + bind_value(value) for value in values])
    if rule.operator == "doesNotInclude":
        return "(" + tests + " OR (" + rule.sql + ") IS NULL)"
    return "(" + tests + ")" if len(values) > 1 else tests


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _number(rule: Rule) -> Sql:
    if rule.operator in {"equals", "notEquals"}:
        return _equality(rule, [_float(value) for value in rule.values]) if rule.values else TRUE
    if rule.operator in _COMPARISONS:
        if not rule.values:
            return TRUE
        return "(" + rule.sql + f") {_COMPARISONS[rule.operator]} (" + bind_value(_float(rule.values[0])) + ")"
    if rule.operator not in {"inBetween", "notInBetween"}:
        raise rule.unsupported()
    if len(rule.values) < 2:
        return TRUE
    low, high = bind_value(_float(rule.values[0])), bind_value(_float(rule.values[1]))
    if rule.operator == "inBetween":
        return "((" + rule.sql + ") >= (" + low + ") AND (" + rule.sql + ") <= (" + high + "))"
    return "((" + rule.sql + ") < (" + low + ") OR (" + rule.sql + ") > (" + high + "))"


def _float(value: object) -> float:
    try:
        number = float(value) if isinstance(value, int | float | str) else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise compile_error(f'Invalid number value in filter: "{value}". Expected a valid number.')
    return int(number) if number == int(number) else number


def _boolean(rule: Rule) -> Sql:
    wanted = rule.values[:1] in ([True], ["true"], ["True"], [1])
    word = str(wanted).lower()
    if rule.operator == "equals":
        return "(" + rule.sql + f") = {word}"
    if rule.operator == "notEquals":
        return "((" + rule.sql + f") != {word} OR (" + rule.sql + ") IS NULL)"
    raise rule.unsupported()


def _date(rule: Rule) -> Sql:
    if rule.operator in {"equals", "notEquals", *_COMPARISONS}:
        return _date_compared(rule)
    if rule.operator == "inBetween":
        low, high = (bind_value(_moment(rule, value)) for value in (*rule.values, None, None)[:2])
        return "((" + rule.sql + ") >= (" + low + ") AND (" + rule.sql + ") <= (" + high + "))"
    if rule.operator == "inPeriodToDate":
        return _to_date(rule)
    return _relative(rule)


def _date_compared(rule: Rule) -> Sql:
    value = bind_value(_moment(rule, rule.values[0] if rule.values else None))
    if rule.operator == "notEquals":
        return "((" + rule.sql + ") != (" + value + ") OR (" + rule.sql + ") IS NULL)"
    return "(" + rule.sql + f") {_COMPARISONS.get(rule.operator, '=')} (" + value + ")"


def _relative(rule: Rule) -> Sql:
    unit = periods.UNITS.get(rule.settings.get("unitOfTime") or "days", "DAY")
    completed = bool(rule.settings.get("completed"))
    last = "<"
    if rule.operator in {"inThePast", "notInThePast"}:
        start, end = periods.past(rule.now, _count(rule), unit, completed=completed)
    elif rule.operator == "inTheNext":
        start, end = periods.following(rule.now, _count(rule), unit, completed=completed)
    elif rule.operator in {"inTheCurrent", "notInTheCurrent"}:
        start, end = periods.current(rule.now, unit)
        completed = False
    else:
        raise rule.unsupported()
    last = "<" if completed else "<="
    low, high = bind_value(_written(rule, start)), bind_value(_written(rule, end))
    span = "((" + rule.sql + ") >= (" + low + ") AND (" + rule.sql + f") {last} (" + high + "))"
    return "NOT " + span if rule.operator.startswith("not") else span


def _count(rule: Rule) -> int:
    return int(_float(rule.values[0])) if rule.values else 0


def _to_date(rule: Rule) -> Sql:
    unit = rule.settings.get("unitOfTime")
    if unit == "years":
        return "(DATE_PART('DOY', " + rule.base + f") <= {rule.now.timetuple().tm_yday})"
    if unit == "months":
        return "(DATE_PART('DAY', " + rule.base + f") <= {rule.now.day})"
    if unit in {"quarters", "weeks"}:
        name = periods.UNITS[unit]
        passed = "JULIANDAY(DATE_TRUNC('DAY', " + rule.base + f")) - JULIANDAY(DATE_TRUNC('{name}', " + rule.base + "))"
        return "((" + passed + f") <= {periods.day_of(rule.now, name)})"
    raise compile_error("Period to date filter requires a unitOfTime setting (weeks, months, quarters, or years)")


def _moment(rule: Rule, value: object) -> str:
    """A date that came with the request, as the warehouse writes it."""
    try:
        at = datetime.fromisoformat(str(value))
    except ValueError:
        # What the real server's date library makes of something it cannot read.
        return "Invalid date"
    return _written(rule, at.astimezone(UTC).replace(tzinfo=None) if at.tzinfo else at)


def _written(rule: Rule, at: datetime) -> str:
    return at.strftime("%Y-%m-%d" if rule.type == "date" else "%Y-%m-%d %H:%M:%S")


_BY_TYPE: Mapping[str, Callable[[Rule], Sql]] = {
    "string": _string,
    "number": _number,
    "boolean": _boolean,
    "date": _date,
    "timestamp": _date,
}
