"""Explores and what they are made of: tables, dimensions, metrics, joins."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from aboveboard.lightdash.sandbox.engine.intervals import Interval
from aboveboard.lightdash.sandbox.engine.sql import quote_name

_REFERENCE = re.compile(r"\$\{(?!lightdash\.)([\w.]+)\}")
_PARAMETER = re.compile(r"\$\{(?:lightdash|ld)\.parameters\.([\w.]+)\}")
_AGGREGATES = {
    "count": "COUNT({})",
    "count_distinct": "COUNT(DISTINCT {})",
    "sum": "SUM({})",
    "average": "AVG({})",
    "min": "MIN({})",
    "max": "MAX({})",
    "median": "MEDIAN({})",
}
_OWN_TYPES = {"string", "number", "boolean", "date", "timestamp"}
METRIC_TYPES = frozenset(_AGGREGATES) | _OWN_TYPES


@dataclass(frozen=True, kw_only=True)
class Field:
    """What dimensions and metrics have in common."""

    table: str
    name: str
    type: str
    sql: str
    label: str
    description: str | None = None
    index: int = 0
    groups: tuple[str, ...] = ()
    hidden: bool = False
    extra: Mapping[str, object] = field(default_factory=dict[str, object])

    @property
    def id(self) -> str:
        """The name by which queries ask for it."""
        return f"{self.table}_{self.name}"

    @property
    def parameters(self) -> list[str]:
        """The project parameters that its SQL asks for."""
        return sorted(set(_PARAMETER.findall(self.sql)))


@dataclass(frozen=True, kw_only=True)
class Dimension(Field):
    """Something to group and filter by."""

    intervals: tuple[str, ...] = ()
    interval: Interval | None = None
    base: "Dimension | None" = None

    def spread(self) -> Iterator["Dimension"]:
        """The dimension, and one for each of its time intervals."""
        yield self
        for name in self.intervals:
            interval = Interval(name)
            yield Dimension(
                table=self.table,
                name=f"{self.name}_{interval.suffix}",
                type=interval.type(self.type),
                sql=interval.sql(self.sql),
                label=f"{self.label} {interval.label}",
                description=self.description,
                index=self.index,
                groups=(*self.groups, self.label),
                hidden=self.hidden,
                interval=interval,
                base=self,
            )

    @property
    def column_type(self) -> str:
        """The type of the column in a result."""
        if self.interval and self.base:
            return self.interval.column_type(self.base.type)
        return self.type


@dataclass(frozen=True, kw_only=True)
class Metric(Field):
    """Something to count or add up."""

    of: str | None = None
    big: bool = False  # Postgres counts in 64 bits, which arrive as text

    @property
    def value_type(self) -> str:
        return self.type if self.type in _OWN_TYPES else "number"


@dataclass(frozen=True)
class Table:
    """A table of the warehouse as the semantic layer sees it."""

    name: str
    label: str
    description: str
    key: str
    dimensions: Mapping[str, Dimension]
    metrics: Mapping[str, Metric]
    source: str
    time: str | None = None  # the dimension that its metrics are plotted over

    @property
    def fields(self) -> Iterator[Field]:
        """All of its fields, dimensions first."""
        yield from self.dimensions.values()
        yield from self.metrics.values()


@dataclass(frozen=True)
class Join:
    """A table that an explore brings in, always with one row for each of the rows it is joined to."""

    table: str
    sql_on: str


@dataclass(frozen=True)
class Explore:
    """A base table and what is joined to it."""

    name: str
    label: str
    base: str
    tables: Mapping[str, Table]
    joins: tuple[Join, ...] = ()
    tags: tuple[str, ...] = ()
    listed: bool = True
    virtual: bool = False

    @cached_property
    def dimensions(self) -> dict[str, Dimension]:
        """Every dimension by id."""
        return {one.id: one for table in self.tables.values() for one in table.dimensions.values()}

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        """Every metric by id."""
        return {one.id: one for table in self.tables.values() for one in table.metrics.values()}

    def compiled(self, one: Field) -> str:
        """The SQL of a field, references replaced; project parameters are still in it."""
        inside = self.compiled_value(one)
        return _AGGREGATES[one.type].format(inside) if isinstance(one, Metric) and one.type in _AGGREGATES else inside

    def compiled_value(self, one: Field) -> str:
        """The SQL of a field before it is aggregated."""

        def replace(found: re.Match[str]) -> str:
            name = found[1]
            if name == "TABLE":
                return quote_name(one.table)
            table, _, rest = name.rpartition(".")
            return f"({self.compiled(self._named(table or one.table, rest))})"

        return _REFERENCE.sub(replace, one.sql)

    def references(self, one: Field) -> list[str]:
        """The tables that a field's SQL reads."""
        found = {one.table}
        for name in _REFERENCE.findall(one.sql):
            table, _, rest = name.rpartition(".")
            if name != "TABLE":
                found.update(self.references(self._named(table or one.table, rest)))
        return sorted(found)

    def compiled_on(self, join: Join) -> str:
        """The condition of a join."""

        def replace(found: re.Match[str]) -> str:
            table, _, rest = found[1].rpartition(".")
            return f"({self.compiled(self._named(table, rest))})"

        return _REFERENCE.sub(replace, join.sql_on)

    def joined_to(self, join: Join) -> list[str]:
        """The tables that the condition of a join reads."""
        return sorted({name.rpartition(".")[0] for name in _REFERENCE.findall(join.sql_on)})

    def _named(self, table: str, name: str) -> Field:
        found = self.tables[table]
        return found.dimensions[name] if name in found.dimensions else found.metrics[name]
