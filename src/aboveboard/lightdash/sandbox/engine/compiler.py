"""A metric query as SQL."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from aboveboard.lightdash.sandbox.contracts import as_map
from aboveboard.lightdash.sandbox.engine.expressions import with_references
from aboveboard.lightdash.sandbox.engine.fields import METRIC_TYPES, Dimension, Explore, Field, Metric
from aboveboard.lightdash.sandbox.engine.filters import Rule, compile_error, condition
from aboveboard.lightdash.sandbox.engine.query import MetricQuery, rules
from aboveboard.lightdash.sandbox.engine.sql import Sql, bind_value, join_sql, quiet, quote_name
from aboveboard.lightdash.sandbox.wire import ServiceError

_PARAMETER = re.compile(r"(\$\{(?:lightdash|ld)\.parameters\.[\w.]+\})")
_GROUPS = ("dimensions", "metrics", "tableCalculations")


@dataclass(frozen=True)
class Calculation:
    """A table calculation of a query."""

    name: str
    sql: str
    type: str
    big: bool
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class Compiled:
    """A statement, and what its columns are."""

    sql: Sql
    fields: Mapping[str, Field]
    calculations: Mapping[str, Calculation]
    sorted_by: Sequence[str]
    parameters: Sequence[str]

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in order."""
        return [*self.fields, *self.calculations]


def compile_query(
    explore: Explore, query: MetricQuery, now: datetime, parameters: Mapping[str, object], *, lenient: bool = False
) -> Compiled:
    """The statement for a query; a lenient one drops what it does not know instead of refusing it."""
    return _Compiler(explore, query, now, parameters, lenient=lenient).compile()


class _Compiler:
    def __init__(
        self, explore: Explore, query: MetricQuery, now: datetime, parameters: Mapping[str, object], *, lenient: bool
    ) -> None:
        self._explore, self._query, self._now = explore, query, now.replace(tzinfo=None)
        self._parameters, self._lenient = parameters, lenient
        self._metrics: dict[str, Metric] = {**explore.metrics, **self._additional()}
        self._known: dict[str, Field] = {}
        self._calculations: dict[str, Calculation] = {}

    def compile(self) -> Compiled:
        query = self._query
        dimensions = self._chosen("dimension", query.dimensions, self._explore.dimensions)
        metrics = self._chosen("metric", query.metrics, self._metrics)
        self._known = {**dimensions, **metrics}
        self._calculations = {one.name: one for one in self._read_calculations()}
        where, having, after = (self._group(query.filters.get(name), name) for name in _GROUPS)
        hidden = {
            rule: self._metrics[rule]
            for rule in _targets(query.filters.get("metrics"))
            if rule in self._metrics and rule not in metrics
        }
        inner = self._select(dimensions, {**metrics, **hidden}, where)
        sql = self._outer(inner, having, after) if having or after or self._calculations else inner
        order = [str(sort.get("fieldId")) for sort in query.sorts]
        return Compiled(
            sql + self._order() + self._limit(), self._known, self._calculations, order, self._used(hidden.values())
        )

    def _chosen(self, kind: str, wanted: Sequence[str], known: Mapping[str, Field]) -> dict[str, Field]:
        unknown = [name for name in wanted if name not in known]
        if unknown and not self._lenient:
            raise _unknown(kind, unknown[0])
        return {name: known[name] for name in wanted if name in known}

    def _additional(self) -> dict[str, Metric]:
        made: dict[str, Metric] = {}
        for raw in self._query.additional:
            table, name, kind = (str(raw.get(key)) for key in ("table", "name", "type"))
            if table not in self._explore.tables or kind not in METRIC_TYPES:
                raise _unknown("metric", f"{table}_{name}")
            sql = with_references(str(raw.get("sql")), lambda reference: "${" + self._reference(reference) + "}")
            shown = {key: raw[key] for key in ("round", "format") if key in raw}
            label = str(raw.get("label") or name)
            one = Metric(table=table, name=name, type=kind, sql=sql, label=label, extra=shown, big="count" in kind)
            made[one.id] = one
        return made

    def _reference(self, reference: str) -> str:
        """A name that a metric's SQL may hold: its table, or a field of the explore."""
        table, _, name = reference.rpartition(".")
        known = {one.name: one for one in self._explore.tables[table].fields} if table in self._explore.tables else {}
        if reference != "TABLE" and name not in known:
            raise compile_error(f'Model has a reference to an unknown field: "{reference}"')
        return reference

    def _read_calculations(self) -> Iterable[Calculation]:
        for raw in self._query.calculations:
            used: list[Field] = []
            sql = with_references(str(raw.get("sql")), lambda name, used=used: self._calculated(name, used))
            big = bool(used) and all(isinstance(one, Metric) and one.big for one in used)
            yield Calculation(str(raw.get("name")), sql, str(raw.get("type") or "number"), big, raw)

    def _calculated(self, reference: str, used: list[Field]) -> str:
        known = {f"{one.table}.{one.name}": name for name, one in self._known.items()}
        if reference not in known:
            raise compile_error(
                f'Table calculation contains a reference "{reference}" to a field or table calculation that'
                " isn't included in the query."
            )
        used.append(self._known[known[reference]])
        return quote_name(known[reference])

    def _select(self, dimensions: Mapping[str, Field], metrics: Mapping[str, Field], where: Sql | None) -> Sql:
        chosen = {**dimensions, **metrics}
        columns = join_sql(
            ",\n", [self._with_values(one, "  ", f" AS {quote_name(name)}") for name, one in chosen.items()]
        )
        columns = columns if chosen else quiet("  1")
        base = self._explore.tables[self._explore.base]
        sql = "SELECT\n" + columns + f"\nFROM {base.source} AS {quote_name(base.name)}\n" + self._joins(chosen.values())
        if where:
            sql = sql + "\nWHERE " + where
        if dimensions:
            sql = sql + "\nGROUP BY " + ",".join(str(place) for place in range(1, len(dimensions) + 1))
        return sql

    def _with_values(self, one: Field, before: str = "", after: str = "") -> Sql:
        """A field's SQL with the project's parameters as values."""
        parts = [self._parameter(part) for part in _PARAMETER.split(self._explore.compiled(one))]
        return before + join_sql("", parts) + after

    def _parameter(self, part: str) -> Sql:
        return (
            bind_value(self._parameters.get(part[2:-1].split(".", 2)[2]))
            if _PARAMETER.fullmatch(part)
            else Sql((part,))
        )

    def _joins(self, chosen: Iterable[Field]) -> str:
        filtered = [self._explore.dimensions.get(name) for name in _targets(self._query.filters.get("dimensions"))]
        needed = {table for one in (*chosen, *filtered) if one for table in self._explore.references(one)}
        for join in reversed(self._explore.joins):
            if join.table in needed:
                needed.update(self._explore.joined_to(join))
        return "".join(
            f"LEFT OUTER JOIN {self._explore.tables[join.table].source} AS {quote_name(join.table)}\n"
            f"  ON {self._explore.compiled_on(join)}\n"
            for join in self._explore.joins
            if join.table in needed
        )

    def _outer(self, inner: Sql, having: Sql | None, after: Sql | None) -> Sql:
        """Around the metrics: what is calculated from them, and filters on either."""
        columns = [f"  {quote_name(name)}" for name in self._known]
        columns += [f"  {one.sql} AS {quote_name(one.name)}" for one in self._calculations.values()]
        sql = "WITH metrics AS (\n" + inner + "\n)\nSELECT\n" + ",\n".join(columns) + "\nFROM metrics"
        if having:
            sql = sql + "\nWHERE " + having
        return "SELECT\n  *\nFROM (\n" + sql + "\n) AS calculated\nWHERE " + after if after else sql

    def _group(self, group: object, kind: str) -> Sql | None:
        """A filter group in brackets, or nothing where it holds no rule."""
        inside = cast("dict[str, Any]", group) if isinstance(group, dict) else {}
        glue = "OR" if "or" in inside else "AND"
        items = cast("list[dict[str, Any]]", inside.get("or") or inside.get("and") or [])
        pieces = [self._group(item, kind) if "operator" not in item else self._rule(item, kind) for item in items]
        found = ["(\n  " + piece + "\n)" for piece in pieces if piece]
        return "(" + join_sql(f" {glue} ", found) + ")" if found else None

    def _rule(self, raw: Mapping[str, Any], kind: str) -> Sql:
        target = str(as_map(raw.get("target")).get("fieldId"))
        if raw.get("disabled"):
            return Sql(("1=1",))
        found = self._target(target, kind)
        values = raw.get("values")
        if found is None:
            if self._lenient:
                return Sql((_lost(target, kind, raw),))
            raise _unknown("dimension" if kind == "dimensions" else "metric", target)
        sql, base, type_ = found
        settings = as_map(raw.get("settings"))
        listed = cast("list[Any]", values) if isinstance(values, list) else []
        return condition(Rule(target, type_, sql, base, str(raw.get("operator")), listed, settings, self._now))

    def _target(self, name: str, kind: str) -> tuple[Sql, Sql, str] | None:
        """The SQL of what a rule is about, the SQL before a date was cut, and the type."""
        if kind == "dimensions":
            one = self._explore.dimensions.get(name)
            return one and (self._with_values(one), self._with_values(_base(one)), one.type)
        column = Sql((quote_name(name),))
        if kind == "metrics":
            metric = self._metrics.get(name)
            return metric and (column, column, metric.value_type)
        calculation = self._calculations.get(name)
        return calculation and (column, column, calculation.type)

    def _order(self) -> Sql:
        sorts = [_sorted(sort) for sort in self._query.sorts]
        return "\nORDER BY " + join_sql(", ", sorts) if sorts else Sql()

    def _limit(self) -> Sql:
        return "\nLIMIT " + bind_value(self._query.rows)

    def _used(self, more: Iterable[Field]) -> list[str]:
        return sorted({name for one in (*self._known.values(), *more) for name in one.parameters})


def _base(one: Dimension) -> Dimension:
    return one.base or one


def _sorted(sort: Mapping[str, Any]) -> Sql:
    column = quote_name(str(sort.get("fieldId"))) + (" DESC" if sort.get("descending") else "")
    nulls = sort.get("nullsFirst")
    if nulls is not None:
        return Sql((f"{column} NULLS {'FIRST' if nulls else 'LAST'}",))
    # Postgres holds empty values to be the largest, SQLite the smallest.
    return column + quiet(" NULLS FIRST" if sort.get("descending") else " NULLS LAST")


def _targets(group: object) -> list[str]:
    return [str(as_map(rule.get("target")).get("fieldId")) for rule in rules(group)]


def _unknown(kind: str, name: str) -> ServiceError:
    return ServiceError(400, "FieldReferenceError", f"Tried to reference {kind} with unknown field id: {name}")


def _lost(target: str, kind: str, raw: Mapping[str, Any]) -> str:
    listed: list[object] = raw.get("values") or []
    values = ", ".join(f'"{value}"' for value in listed)
    noun = "dimension" if kind == "dimensions" else "metric"
    error = f"/* ERROR: Filter has a reference to an unknown {noun}: {target} */"
    return f"{error} {target} {raw.get('operator')} ({values})"
