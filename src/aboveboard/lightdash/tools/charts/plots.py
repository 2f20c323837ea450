"""What a picture shows, before it is drawn: points and names, made of a query's rows and of how a chart is set up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal, cast, get_args

from aboveboard.errors import BadInput
from aboveboard.lightdash.tools.charts.drawing import Columns, Kind, axes, groups
from aboveboard.lightdash.tools.queries.results import QueryResult

Drawable = Literal["bar", "horizontal_bar", "line", "area", "scatter", "pie", "donut", "big_number", "funnel"]
DRAWABLE: Final[tuple[str, ...]] = get_args(Drawable)
MOST_SERIES: Final = 10
MOST_SLICES: Final = 8
MOST_STEPS: Final = 12
OTHERS: Final = "Others"
NOTHING: Final = "(none)"


@dataclass(frozen=True)
class Series:
    """One line, one colour of bars, or the one row of slices."""

    name: str
    values: Sequence[float | None]


@dataclass(frozen=True)
class Plot:
    """All that a picture shows."""

    kind: Kind
    title: str
    along: Sequence[Any]
    """What stands along the axis: dates, numbers or words."""
    series: Sequence[Series]
    x_label: str = ""
    y_label: str = ""
    stacked: bool = False
    notes: Sequence[str] = ()
    """What is not shown."""


@dataclass(frozen=True)
class Setup:
    """How a chart is to be drawn."""

    kind: Kind
    x: str | None = None
    y: Sequence[str] | None = None
    group_by: str | None = None
    stacked: bool = False

    @classmethod
    def of_chart(cls, config: Mapping[str, Any], pivot: Mapping[str, Any] | None) -> "Setup":
        """Read how a saved chart is drawn, as far as a picture here can follow."""
        kind, about = str(config.get("type")), cast("dict[str, Any]", config.get("config") or {})
        if kind == "cartesian":
            return cls._with_axes(about, pivot)
        if kind == "pie":
            named = cast("list[str]", about.get("groupFieldIds") or [None])
            metric = about.get("metricId")
            donut = about.get("isDonut", True)
            return cls("donut" if donut else "pie", x=named[0], y=[metric] if metric else None)
        if kind == "big_number":
            field = about.get("selectedField")
            return cls("big_number", y=[field] if field else None)
        if kind == "funnel":
            return cls("funnel", y=[about["fieldId"]] if about.get("fieldId") else None)
        raise BadInput(
            f"No picture is made here of a chart of the kind {kind}.",
            next_step=f"Say chart_type to see it otherwise ({', '.join(DRAWABLE)}), or read its rows with run_chart.",
        )

    @classmethod
    def _with_axes(cls, about: Mapping[str, Any], pivot: Mapping[str, Any] | None) -> "Setup":
        layout = cast("dict[str, Any]", about.get("layout") or {})
        drawn = cast("dict[str, Any]", about.get("eChartsConfig") or {})
        series = cast("list[dict[str, Any]]", drawn.get("series") or [{}])
        first = series[0]
        kind = str(first.get("type", "bar"))
        if kind == "line" and "areaStyle" in first:
            kind = "area"
        if kind == "bar" and layout.get("flipAxes"):
            kind = "horizontal_bar"
        columns = cast("list[str]", (pivot or {}).get("columns") or [None])
        return cls(
            cast("Kind", kind),
            x=layout.get("xField"),
            y=cast("list[str] | None", layout.get("yField")),
            group_by=columns[0],
            stacked=bool(layout.get("stack") or first.get("stack")),
        )


def plot_of(result: QueryResult, setup: Setup, title: str) -> Plot:
    """Make a picture's points of a query's rows."""
    if setup.kind not in DRAWABLE:
        raise BadInput(f"No picture is made here of a {setup.kind}: choose {', '.join(DRAWABLE)}.")
    if not result.rows:
        raise BadInput("The query has no rows: there is nothing to draw.")
    columns = _columns(result, setup)
    table = _Table(result)
    if setup.kind == "big_number":
        return _one_number(table, setup, columns, title)
    if setup.kind in ("pie", "donut", "funnel"):
        return _slices(table, setup, columns, title)
    return _over_an_axis(table, setup, columns, title)


def _columns(result: QueryResult, setup: Setup) -> Columns:
    numbers = [one.id for one in result.columns if one.type == "number"]
    query = {"dimensions": [one.id for one in result.columns if one.id not in numbers], "metrics": numbers}
    return Columns.of(query, setup.x, setup.y, setup.group_by)


class _Table:
    """Rows, by the ids of their columns."""

    def __init__(self, result: QueryResult) -> None:
        self._at = {one.id: at for at, one in enumerate(result.columns)}
        self._about = {one.id: one for one in result.columns}
        self.rows = result.rows
        self.more = result.total_rows - len(result.rows)

    def label(self, column: str) -> str:
        return self._about[column].label

    def values(self, column: str) -> list[Any]:
        kind = self._about[column].type
        return [
            _moment(row[self._at[column]]) if kind in ("date", "timestamp") else row[self._at[column]]
            for row in self.rows
        ]

    def numbers(self, column: str) -> list[float | None]:
        return [float(one) if isinstance(one, int | float) else None for one in self.values(column)]

    def left_out(self) -> list[str]:
        return [f"{self.more} more rows are not shown."] if self.more > 0 else []


def _moment(value: Any) -> Any:
    """Return a date in UTC, and what is none as it came."""
    try:
        read = datetime.fromisoformat(str(value))
        return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, OverflowError):
        return value


def _one_number(table: _Table, setup: Setup, columns: Columns, title: str) -> Plot:
    column = columns.first_number(setup.kind)
    return Plot(setup.kind, title, [table.label(column)], [Series(table.label(column), table.numbers(column)[:1])])


def _slices(table: _Table, setup: Setup, columns: Columns, title: str) -> Plot:
    if setup.kind == "funnel" and not columns.dimensions:
        steps = [(table.label(one), table.numbers(one)[0] or 0.0) for one in columns.measured]
    else:
        value = columns.first_number(setup.kind)
        names = table.values(groups(setup.kind, columns)[0])
        steps = [(_name(name), number or 0.0) for name, number in zip(names, table.numbers(value), strict=True)]
    notes = table.left_out()
    if setup.kind == "funnel":
        if len(steps) > MOST_STEPS:
            notes = [*notes, f"Only the first {MOST_STEPS} of {len(steps)} steps are shown."]
        steps = steps[:MOST_STEPS]
    else:
        steps, more = _largest(steps)
        notes = [*notes, *more]
    names, numbers = [name for name, _ in steps], [number for _, number in steps]
    return Plot(setup.kind, title, names, [Series("", numbers)], notes=notes)


def _largest(slices: list[tuple[str, float]]) -> tuple[list[tuple[str, float]], list[str]]:
    """Put small slices together, as nobody could tell them apart."""
    if any(number < 0 for _, number in slices):
        raise BadInput("A pie has no slice for a negative number: draw bars.")
    ordered = sorted(slices, key=lambda one: -one[1])
    if len(ordered) <= MOST_SLICES:
        return ordered, []
    kept, rest = ordered[: MOST_SLICES - 1], ordered[MOST_SLICES - 1 :]
    return [*kept, (OTHERS, sum(number for _, number in rest))], [f"{OTHERS}: {len(rest)} smaller ones together."]


def _over_an_axis(table: _Table, setup: Setup, columns: Columns, title: str) -> Plot:
    x, measured = axes(setup.kind, columns)
    along = table.values(x)
    notes = table.left_out()
    if columns.group_by is None:
        series = [Series(table.label(one), table.numbers(one)) for one in measured]
    else:
        along, series = _grouped(
            along, table.values(columns.group_by), [(table.label(one), table.numbers(one)) for one in measured]
        )
    along, series = _in_time(along, series)
    if len(series) > MOST_SERIES:
        series = sorted(series, key=lambda one: -sum(abs(value or 0.0) for value in one.values))[:MOST_SERIES]
        notes = [*notes, f"Only the {MOST_SERIES} largest series are shown."]
    y_label = table.label(measured[0]) if len(measured) == 1 else ""
    return Plot(setup.kind, title, along, series, table.label(x), y_label, setup.stacked, notes)


def _in_time(along: list[Any], series: list[Series]) -> tuple[list[Any], list[Series]]:
    """Put dates in their order, whatever the order of the rows."""
    if not all(isinstance(one, datetime) for one in along):
        return along, series
    order = sorted(range(len(along)), key=lambda at: along[at])
    return [along[at] for at in order], [Series(one.name, [one.values[at] for at in order]) for one in series]


def _grouped(
    along: Sequence[Any], groups_of: Sequence[Any], measured: Sequence[tuple[str, Sequence[float | None]]]
) -> tuple[list[Any], list[Series]]:
    """Turn rows of (place, group, number) into one series a group over all places."""
    places = {place: at for at, place in enumerate(dict.fromkeys(along))}
    made: dict[tuple[str, str], list[float | None]] = {}
    for label, numbers in measured:
        for place, group, number in zip(along, groups_of, numbers, strict=True):
            key = (_name(group), label)
            made.setdefault(key, [None] * len(places))[places[place]] = number
    single = len(measured) == 1
    return list(places), [
        Series(group if single else f"{group}, {label}", values) for (group, label), values in made.items()
    ]


def _name(value: Any) -> str:
    if value is None or value == "":
        return NOTHING
    return f"{value:%Y-%m-%d}" if isinstance(value, datetime) else str(value)
