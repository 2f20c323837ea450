"""What the query routes take: bodies whose faults the real server reports all at once, in a text within a text."""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from aboveboard.lightdash.sandbox.wire import ServiceError

_CONTEXTS = (
    "dashboardView autorefreshedDashboard exploreView filterAutocomplete chartView chartHistory sqlChartView sqlRunner"
    " viewUnderlyingData alert scheduledDelivery csvDownload gsheets scheduledGsheetsChart scheduledGsheetsDashboard"
    " scheduledGsheetsSqlChart scheduledChart scheduledDashboard calculateTotal calculateSubtotal embed ai"
    " mcp.run_metric_query mcp.run_sql mcp.search_field_values api cli metricsExplorer preAggregateMaterialization"
    " composeSqlRunner multiSourceQuery dataAppSample"
)
CONTEXTS = _CONTEXTS.split()
_FLOAT = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_MISSING = object()

Issue = dict[str, object]
Reader = Callable[[Any], Any]


class BadValue(Exception):
    """A value is not of the kind that its place wants."""


def text(value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise BadValue("invalid string value")
    return value


def number(value: Any) -> float:
    """A number, also one written as a text."""
    if isinstance(value, str) and _FLOAT.fullmatch(value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadValue("invalid float number")
    return int(value) if value == int(value) else value


def many(value: Any) -> list[Any]:
    """A list; anything else counts as a list of one."""
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def texts(value: Any) -> list[str]:
    """A list of texts; a single one counts as a list of one."""
    return [text(item) for item in many(value)]


def mapping(value: Any) -> dict[str, Any]:
    """An object."""
    if not isinstance(value, dict):
        raise BadValue("invalid object")
    return cast("dict[str, Any]", value)


def anything(value: Any) -> Any:
    """Whatever was sent."""
    return value


def one_of(choices: Iterable[str]) -> Reader:
    """One of a few words."""
    listed = list(choices)

    def read(value: Any) -> str:
        if value not in listed:
            raise BadValue("should be one of the following; [" + ",".join(f"'{choice}'" for choice in listed) + "]")
        return value

    return read


def read_fields(
    source: object, fields: Mapping[str, Reader], path: str = "body"
) -> tuple[dict[str, Any], dict[str, Issue]]:
    """What an object holds of the fields, and what is wrong with it; a name that ends in ? may be left out."""
    found: dict[str, Any] = {}
    wrong: dict[str, Issue] = {}
    given = as_mapping(source)
    for mark, read in fields.items():
        name = mark.rstrip("?")
        value = given.get(name, _MISSING)
        if value is _MISSING:
            if not mark.endswith("?"):
                wrong[f"{path}.{name}"] = {"message": f"'{name}' is required"}
            continue
        try:
            found[name] = read(value)
        except BadValue as error:
            wrong[f"{path}.{name}"] = {"message": str(error), "value": value}
    return found, wrong


def as_mapping(value: object) -> Mapping[str, Any]:
    """An object, or an empty one in place of anything else."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def refuse(body: object, wrong: Mapping[str, Issue]) -> None:
    """Answer 422 if anything is wrong with a body that is an intersection of types."""
    if wrong:
        listed = json.dumps([wrong], separators=(",", ":"), ensure_ascii=False)
        message = f"Could not match the intersection against every type. Issues: {listed}"
        data = {"body": {"message": message, "value": body}}
        raise ServiceError(422, "ValidateError", f"body: {message}", data)


def refuse_plainly(wrong: Mapping[str, Issue]) -> None:
    """Answer 422 if anything is wrong with a body of one type."""
    if wrong:
        message = ", ".join(f"{name}: {issue['message']}" for name, issue in wrong.items())
        raise ServiceError(422, "ValidateError", message, wrong)


def read_body(body: object, fields: Mapping[str, Reader]) -> dict[str, Any]:
    """The fields of a body that is an intersection of types."""
    found, wrong = read_fields(body, {**fields, "context?": one_of(CONTEXTS)})
    refuse(body, wrong)
    return found
