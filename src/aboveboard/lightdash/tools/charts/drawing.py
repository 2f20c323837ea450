"""How a chart is drawn, from a kind and the columns that go where: what Lightdash's own pages would save for it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from aboveboard.errors import BadInput, explain_unknown

Kind = Literal[
    "table",
    "bar",
    "horizontal_bar",
    "line",
    "area",
    "scatter",
    "pie",
    "donut",
    "big_number",
    "funnel",
    "treemap",
    "gauge",
]
ChartType = Annotated[Kind | None, Field(description="What to draw.")]
X = Annotated[str | None, Field(description="Column along the axis; left out: the first that fits.")]
Y = Annotated[list[str] | None, Field(description="Columns to draw; left out: all metrics.")]
GroupBy = Annotated[str | None, Field(description="Dimension whose values become series, or columns of a table.")]
Stacked = Annotated[bool, Field(description="True: series stand on one another.")]

SERIES: Final[Mapping[str, dict[str, Any]]] = {
    "bar": {"type": "bar"},
    "horizontal_bar": {"type": "bar"},
    "line": {"type": "line"},
    "area": {"type": "line", "areaStyle": {}},
    "scatter": {"type": "scatter"},
}
"""One series of each kind that has axes, without its columns."""


@dataclass(frozen=True)
class Columns:
    """What a query gives, and which of it goes where."""

    dimensions: Sequence[str]
    numbers: Sequence[str]
    x: str | None
    y: Sequence[str] | None
    group_by: str | None

    @classmethod
    def of(cls, query: Mapping[str, Any], x: str | None, y: Sequence[str] | None, group_by: str | None) -> "Columns":
        """Read a query's columns, and refuse to draw one that it does not have."""
        dimensions: list[str] = list(query.get("dimensions") or [])
        calculations: list[dict[str, Any]] = query.get("tableCalculations") or []
        calculated = [str(one["name"]) for one in calculations]
        numbers: list[str] = [*(query.get("metrics") or []), *calculated]
        for name in filter(None, (x, *(y or ()))):
            if name not in (*dimensions, *numbers):
                raise BadInput(explain_unknown("column", name, [*dimensions, *numbers], of="The query"))
        if group_by is not None and group_by not in dimensions:
            raise BadInput(explain_unknown("dimension", group_by, dimensions, of="The query"))
        if group_by is not None and group_by == x:
            raise BadInput(f"{x} cannot be both x and group_by.")
        return cls(dimensions, numbers, x, y, group_by)

    @property
    def measured(self) -> list[str]:
        """What is drawn: what was named, or every number but the one along the axis."""
        return list(self.y or [one for one in self.numbers if one != self.x])

    def first_number(self, kind: str) -> str:
        """Return the one number that a kind of chart draws."""
        if not self.measured:
            raise BadInput(f"A {_words(kind)} draws a metric, and the query has none.")
        if self.y and len(self.y) > 1:
            raise BadInput(f"A {_words(kind)} draws one column: name one in y.")
        return self.measured[0]


def chart_parts(
    kind: Kind, query: Mapping[str, Any], *, x: str | None, y: Sequence[str] | None, group_by: str | None, stacked: bool
) -> dict[str, Any]:
    """Return the parts of a chart that say how it is drawn: `chartConfig`, and `pivotConfig` where it has one."""
    columns = Columns.of(query, x, y, group_by)
    if kind in SERIES:
        return _with_axes(kind, columns, stacked=stacked)
    if stacked:
        raise BadInput(f"A {_words(kind)} cannot be stacked: bar, line and area can.")
    return _WITHOUT_AXES[kind](kind, columns)


def axes(kind: Kind, columns: Columns) -> tuple[str, list[str]]:
    """Return the column along the axis, and those that are drawn over it."""
    x = _along(kind, columns)
    measured = [one for one in columns.measured if one != x]
    if not measured:
        raise BadInput(f"A {_words(kind)} chart needs a metric to draw: add one to the query.")
    return x, measured


def _with_axes(kind: Kind, columns: Columns, *, stacked: bool) -> dict[str, Any]:
    if stacked and kind == "scatter":
        raise BadInput("A scatter chart cannot be stacked: bar, line and area can.")
    x, measured = axes(kind, columns)
    together = columns.group_by is None
    series = [
        {
            **SERIES[kind],
            "encode": {"xRef": {"field": x}, "yRef": {"field": one}},
            **({"stack": "stack-all-series" if together else one} if stacked else {}),
        }
        for one in measured
    ]
    layout = {
        "xField": x,
        "yField": measured,
        **({"flipAxes": True} if kind == "horizontal_bar" else {}),
        **({"stack": True} if stacked else {}),
    }
    config = {"layout": layout, "eChartsConfig": {"series": series}}
    return {"chartConfig": {"type": "cartesian", "config": config}, **_pivot(columns)}


def _along(kind: Kind, columns: Columns) -> str:
    """Return the column along the axis, and see to it that every value of it stands for one point of a series."""
    if kind == "scatter":
        return columns.x or next(iter([*columns.numbers[:-1], *columns.dimensions, *columns.numbers]))
    free = [one for one in columns.dimensions if one != columns.group_by]
    if not free and columns.x is None:
        raise BadInput(f"A {_words(kind)} chart needs a dimension along its axis: add one to the query.")
    x = columns.x or free[0]
    if spare := [one for one in free if one != x]:
        raise BadInput(
            f"The query has a row for every {', '.join(columns.dimensions)}, more than one for each {x}.",
            next_step=f"Leave {spare[0]} out of the dimensions, or make it group_by.",
        )
    return x


def _pivot(columns: Columns) -> dict[str, Any]:
    return {} if columns.group_by is None else {"pivotConfig": {"columns": [columns.group_by]}}


def _table(kind: Kind, columns: Columns) -> dict[str, Any]:
    if columns.x or columns.y:
        raise BadInput("A table shows every column of the query: leave out x and y.")
    return {"chartConfig": {"type": kind, "config": {}}, **_pivot(columns)}


def _pie(kind: Kind, columns: Columns) -> dict[str, Any]:
    metric = columns.first_number(kind)
    config = {"groupFieldIds": groups(kind, columns)[:1], "metricId": metric, "isDonut": kind == "donut"}
    return {"chartConfig": {"type": "pie", "config": config}}


def _treemap(kind: Kind, columns: Columns) -> dict[str, Any]:
    config = {"groupFieldIds": groups(kind, columns), "sizeMetricId": columns.first_number(kind)}
    return {"chartConfig": {"type": kind, "config": config}}


def groups(kind: Kind, columns: Columns) -> list[str]:
    """Return the dimensions that a whole is divided by, the first one first."""
    named = columns.group_by or columns.x
    if not columns.dimensions:
        raise BadInput(f"A {_words(kind)} needs a dimension to divide by: add one to the query.")
    return [named, *(one for one in columns.dimensions if one != named)] if named else list(columns.dimensions)


def _one_number(kind: Kind, columns: Columns) -> dict[str, Any]:
    _no_groups(kind, columns)
    return {"chartConfig": {"type": kind, "config": {"selectedField": columns.first_number(kind)}}}


def _funnel(kind: Kind, columns: Columns) -> dict[str, Any]:
    _no_groups(kind, columns)
    if not columns.dimensions and len(columns.measured) > 1:
        return {"chartConfig": {"type": kind, "config": {"dataInput": "row"}}}  # a step for each metric
    return {"chartConfig": {"type": kind, "config": {"dataInput": "column", "fieldId": columns.first_number(kind)}}}


def _no_groups(kind: Kind, columns: Columns) -> None:
    if columns.group_by:
        raise BadInput(f"A {_words(kind)} has no series: leave out group_by.")


def _words(kind: str) -> str:
    return kind.replace("_", " ")


_WITHOUT_AXES: Final[Mapping[str, Callable[[Kind, Columns], dict[str, Any]]]] = {
    "table": _table,
    "pie": _pie,
    "donut": _pie,
    "big_number": _one_number,
    "funnel": _funnel,
    "treemap": _treemap,
    "gauge": _one_number,
}
