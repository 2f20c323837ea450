"""Explores: the tables people may query, and the dimensions and metrics they have."""

import re
import time
from collections.abc import Sequence
from typing import Literal

from pydantic import Field as Hidden

from aboveboard.errors import BadInput, Failure, NotFound, explain_unknown
from aboveboard.lightdash.client.api import Api, Model, Page, slice_page
from aboveboard.lightdash.client.explores.catalog_fields import CatalogField

FRESH = 60.0
"""Seconds that an explore's fields are remembered: a model asks many questions of one explore in a row."""

Kind = Literal["dimension", "metric"]


class ExploreSummary(Model):
    """An explore in a list."""

    name: str
    label: str
    description: str | None = None
    tags: list[str] | None = None


class Field(Model):
    """A dimension or metric; `id` is what queries take."""

    id: str
    label: str
    type: str
    kind: Kind
    table: str
    description: str | None = None
    granularities: list[str] | None = None
    """Of a date, what it can be cut to; `id` and one of them, joined by `_`, make the id of that."""
    name: str = Hidden(default="", exclude=True)
    sql: str = Hidden(default="", exclude=True)
    interval: str | None = Hidden(default=None, exclude=True)
    """Of a date, what it is cut to: MONTH, for one."""
    cut_from: str | None = Hidden(default=None, exclude=True)
    """Of what is cut from a date, the id of that date."""

    @property
    def is_number(self) -> bool:
        """Tell whether its values are numbers."""
        others = ("string", "date", "timestamp", "boolean")
        return self.type == "number" or (self.kind == "metric" and self.type not in others)

    @property
    def is_time(self) -> bool:
        """Tell whether its values are days or moments."""
        return self.type in ("date", "timestamp")

    @property
    def granularity(self) -> str | None:
        """Of what is cut from a date, the end of its id: month, for one; none where the id is not made that way."""
        start = f"{self.cut_from}_"
        return self.id.removeprefix(start) if self.id.startswith(start) else None


class Explore(Model):
    """An explore and every field that can be queried through it."""

    name: str
    label: str
    description: str | None = None
    base_table: str
    joined_tables: list[str]
    dimensions: list[Field]
    metrics: list[Field]

    def field(self, name: str, kind: Kind | None = None) -> Field:
        """Return a field by its id, or say which one may be meant."""
        wanted = {"dimension": self.dimensions, "metric": self.metrics}.get(kind or "", self.dimensions + self.metrics)
        for field in wanted:
            if field.id == name:
                return field
        for field in self.dimensions + self.metrics:
            if field.id == name:
                raise BadInput(f"{name} is a {field.kind}, not a {kind}: put it among the {field.kind}s.")
        noun = kind or "field"
        raise BadInput(explain_unknown(noun, name, [field.id for field in wanted], of=f"The explore {self.name}"))

    def brief(self) -> "Explore":
        """Return it with one entry for each date, not one more for each way to cut it."""
        whole = {field.id for field in self.dimensions}
        cuts: dict[str, list[str]] = {}
        kept: list[Field] = []
        for field in self.dimensions:
            if field.granularity and field.cut_from in whole:
                cuts.setdefault(field.cut_from, []).append(field.granularity)
            else:
                kept.append(field)
        dimensions = [field.model_copy(update={"granularities": cuts.get(field.id)}) for field in kept]
        return self.model_copy(update={"dimensions": dimensions})


class Lineage(Model):
    """Where a field's values come from: its SQL, and what that refers to."""

    field: str
    kind: str
    table: str
    sql: str
    compiled_sql: str | None = None
    tables: list[str]
    fields: list[str]


class ChartUse(Model):
    """A chart that uses a table."""

    uuid: str
    slug: str | None = None
    name: str
    space_name: str
    dashboard_name: str | None = None


class _RawField(Model):
    name: str
    label: str | None = None
    type: str
    table: str
    description: str | None = None
    hidden: bool = False
    sql: str = ""
    time_interval: str | None = None
    time_interval_base_dimension_name: str | None = None
    compiled_sql: str | None = None
    tables_references: list[str] | None = None

    @property
    def id(self) -> str:
        return f"{self.table}_{self.name}"

    @property
    def cut_from(self) -> str | None:
        base = self.time_interval_base_dimension_name
        return base and f"{self.table}_{base}"


class _RawTable(Model):
    description: str | None = None
    dimensions: dict[str, _RawField]
    metrics: dict[str, _RawField]


class _RawExplore(Model):
    name: str
    label: str | None = None
    base_table: str | None = None
    tables: dict[str, _RawTable]


class _CatalogTable(Model):
    name: str
    joined_tables: list[str] | None = None


class _Analytics(Model):
    charts: list[ChartUse]


class Explores:
    """The explores of one instance's projects."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._known: dict[tuple[str, str], tuple[float, Explore]] = {}

    async def get(self, project: str | None, explore: str) -> Explore:
        key = (self._api.project(project), explore)
        known = self._known.get(key)
        if known is None or time.monotonic() - known[0] > FRESH:
            known = (time.monotonic(), _explore(await self._raw(project, explore)))
            self._known[key] = known
        return known[1]

    async def lineage(self, project: str | None, explore: str, field: str) -> Lineage:
        raw = await self._raw(project, explore)
        known = _explore(raw).field(field)
        table = raw.tables[known.table]
        found = table.dimensions if known.kind == "dimension" else table.metrics
        about = next(one for one in found.values() if one.id == field)
        return Lineage(
            field=field,
            kind=known.kind,
            table=known.table,
            sql=about.sql,
            compiled_sql=about.compiled_sql,
            tables=about.tables_references or [known.table],
            fields=sorted(set(re.findall(r"\$\{(?!TABLE\})([\w.]+)\}", about.sql))),
        )

    async def fields(self, project: str | None) -> list[CatalogField]:
        """Get every field once; Lightdash lists that of a joined table once more for each explore that joins it."""
        at = self._api.at("/api/v1/projects/{project:uuid}/dataCatalog", project)
        every = await self._api.get(at, list[CatalogField], {"type": "field"})
        return list({(one.field_type, one.id): one for one in every}.values())

    async def joining(self, project: str | None) -> dict[str, Sequence[str]]:
        """Get the names of the explores in which each table can be queried, its own first."""
        at = self._api.at("/api/v1/projects/{project:uuid}/dataCatalog", project)
        found: dict[str, list[str]] = {}
        for table in await self._api.get(at, list[_CatalogTable], {"type": "table"}):
            found.setdefault(table.name, []).insert(0, table.name)
            for joined in table.joined_tables or ():
                found.setdefault(joined, []).append(table.name)
        return {name: list(dict.fromkeys(explores)) for name, explores in found.items()}

    async def metrics(self, project: str | None, *, search: str | None, limit: int, page: int) -> Page[CatalogField]:
        at = self._api.at("/api/v1/projects/{project:uuid}/dataCatalog/metrics", project)
        return await self._api.get_page(at, CatalogField, {"search": search or None, "page": page, "pageSize": limit})

    async def uses(self, project: str | None, table: str) -> list[ChartUse]:
        at = self._api.at("/api/v1/projects/{project:uuid}/dataCatalog/{table}/analytics", project, table=table)
        found = (await self._api.get(at, _Analytics)).charts
        if not found:  # of a table that is not there, Lightdash shows no charts
            await self._raw(project, table)
        return found

    async def _raw(self, project: str | None, explore: str) -> _RawExplore:
        at = self._api.at("/api/v1/projects/{project:uuid}/explores/{explore}", project, explore=explore)
        try:
            return await self._api.get(at, _RawExplore)
        except NotFound as missing:
            raise await self._not_there(project, explore, missing) from None

    async def _not_there(self, project: str | None, explore: str, missing: NotFound) -> NotFound:
        """Say which explore may be meant; what Lightdash said stands where its list tells nothing more."""
        try:
            known = [one.name for one in await self._every(project)]
        except Failure:
            return missing
        if explore in known:
            return missing
        return NotFound(
            explain_unknown("explore", explore, known, of="The project"), status=missing.status, next_step=""
        )

    async def list(self, project: str | None, *, limit: int, page: int) -> Page[ExploreSummary]:
        return slice_page(await self._every(project), ExploreSummary, limit=limit, page=page)

    async def _every(self, project: str | None) -> "list[ExploreSummary]":
        at = self._api.at("/api/v1/projects/{project:uuid}/explores", project)
        return await self._api.get(at, list[ExploreSummary])


def _explore(raw: _RawExplore) -> Explore:
    base = raw.base_table or raw.name
    tables = raw.tables
    return Explore(
        name=raw.name,
        label=raw.label or raw.name,
        description=tables[base].description if base in tables else None,
        base_table=base,
        joined_tables=[name for name in tables if name != base],
        dimensions=[field for table in tables.values() for field in _fields(table.dimensions, "dimension")],
        metrics=[field for table in tables.values() for field in _fields(table.metrics, "metric")],
    )


def _fields(raw: dict[str, _RawField], kind: Kind) -> list[Field]:
    return [
        Field(
            id=field.id,
            label=field.label or field.name,
            type=field.type,
            kind=kind,
            table=field.table,
            description=field.description or None,
            name=field.name,
            sql=field.sql,
            interval=field.time_interval,
            cut_from=field.cut_from,
        )
        for field in raw.values()
        if not field.hidden
    ]
