"""Explores: find the tables, dimensions and metrics that can be queried."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from aboveboard.effects import READ
from aboveboard.errors import BadInput
from aboveboard.kit.call import Call
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Model, Page, slice_page
from aboveboard.lightdash.client.explores.catalog_fields import CatalogField, whole_fields
from aboveboard.lightdash.client.explores.explores import ChartUse, Explore, ExploreSummary, Lineage
from aboveboard.lightdash.client.explores.explores import Field as ExploreField
from aboveboard.lightdash.tools.parameters import ExploreName, Limit, PageNumber, ProjectUuid
from aboveboard.lightdash.tools.queries.waiting import await_end

tools = Toolset[LightdashClient]("explores", title="Explores", icon="M4 4h16v4H4zm0 6h7v10H4zm9 0h7v10h-7z")

FieldId = Annotated[str, Field(description="Field id such as orders_status, from get_explore.")]
SearchFields = Annotated[str | None, Field(description="Only those whose name, label or description has this text.")]

SUMMARY = ExploreSummary(name="orders", label="Orders")
STATUS = ExploreField(id="orders_status", label="Status", type="string", kind="dimension", table="orders")
DATE = ExploreField(
    id="orders_date",
    label="Date",
    type="date",
    kind="dimension",
    table="orders",
    granularities=["day", "month"],
)
COUNT = ExploreField(id="orders_count", label="Orders", type="count", kind="metric", table="orders")


class FieldFound(Model):
    """A field, the explore of its own table, and the others that join it."""

    id: str
    label: str
    kind: str
    explore: str
    also_in: list[str] | None = None
    description: str | None = None
    granularities: list[str] | None = None
    """Of a date, what it can be cut to, as get_explore tells it."""


class FieldValues(Model):
    """Values that a field has."""

    field: str
    values: list[Any]


@tools.tool("List Explores", READ, example=Page[ExploreSummary](items=[SUMMARY], total=1), core=True)
async def list_explores(
    lightdash: LightdashClient, project_uuid: ProjectUuid = None, limit: Limit = 50, page: PageNumber = 1
) -> Page[ExploreSummary]:
    """List the explores (queryable tables) of a project."""
    return await lightdash.explores.list(project_uuid, limit=limit, page=page)


@tools.tool(
    "Get Explore",
    READ,
    example=Explore(
        name="orders", label="Orders", base_table="orders", joined_tables=[], dimensions=[STATUS, DATE], metrics=[COUNT]
    ),
    core=True,
)
async def get_explore(lightdash: LightdashClient, explore: ExploreName, project_uuid: ProjectUuid = None) -> Explore:
    """Get an explore with every dimension and metric that run_metric_query can ask of it.

    A date is one dimension with granularities: orders_date by month is asked for as orders_date_month.
    """
    return (await lightdash.explores.get(project_uuid, explore)).brief()


@tools.tool("List Dimensions", READ, example=Page[ExploreField](items=[STATUS], total=1))
async def list_dimensions(
    lightdash: LightdashClient,
    explore: ExploreName,
    project_uuid: ProjectUuid = None,
    search: SearchFields = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[ExploreField]:
    """List the dimensions of an explore, those of joined tables included; a date's granularity ends its id: _month."""
    found = (await lightdash.explores.get(project_uuid, explore)).brief().dimensions
    return slice_page([field for field in found if _has(field, search)], ExploreField, limit=limit, page=page)


@tools.tool(
    "List Metrics",
    READ,
    example=Page[FieldFound](
        items=[FieldFound(id="orders_count", label="Orders", kind="metric", explore="orders")], total=1
    ),
)
async def list_metrics(
    lightdash: LightdashClient,
    project_uuid: ProjectUuid = None,
    search: SearchFields = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[FieldFound]:
    """List the metrics of a project's catalog, over all explores."""
    found = await lightdash.explores.metrics(project_uuid, search=search, limit=limit, page=page)
    items = [_found(field) for field in found.items]
    return Page[FieldFound](items=items, total=found.total, next_page=found.next_page)


@tools.tool(
    "Search Fields",
    READ,
    example=Page[FieldFound](
        items=[FieldFound(id="orders_status", label="Status", kind="dimension", explore="orders")], total=1
    ),
    core=True,
)
async def search_fields(
    lightdash: LightdashClient,
    pattern: Annotated[str, Field(description="Regular expression, any case, over ids, labels, descriptions.")],
    project_uuid: ProjectUuid = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[FieldFound]:
    """Find dimensions and metrics by a pattern, over all explores; also_in names those that join a field's table.

    A date is one entry with granularities: by month, its id ends in _month.
    """
    try:
        wanted = re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    except re.error as error:
        raise BadInput(f"pattern is not a regular expression: {error}.") from None
    every = whole_fields(await lightdash.explores.fields(project_uuid))
    hits = [_found(one.field, list(one.cuts)) for one in every if wanted.search(one.text)]
    found = slice_page(hits, FieldFound, limit=limit, page=page)
    joining = await lightdash.explores.joining(project_uuid) if found.items else {}
    items = [one.model_copy(update={"also_in": _others(one, joining)}) for one in found.items]
    return found.model_copy(update={"items": items})


def _others(field: FieldFound, joining: Mapping[str, Sequence[str]]) -> list[str] | None:
    return [name for name in joining.get(field.explore, ()) if name != field.explore] or None


@tools.tool("Search Field Values", READ, example=FieldValues(field="orders_status", values=["completed"]), core=True)
async def search_field_values(
    lightdash: LightdashClient,
    call: Call,
    explore: ExploreName,
    field: FieldId,
    search: Annotated[str, Field(description="Only values with this text.")] = "",
    project_uuid: ProjectUuid = None,
    limit: Annotated[int, Field(description="How many at most.", ge=1, le=100)] = 20,
) -> FieldValues:
    """Find the values a text dimension has, to filter by them."""
    known = (await lightdash.explores.get(project_uuid, explore)).field(field, "dimension")
    if known.type != "string":
        raise BadInput(f"{field} is a {known.type}: only the values of text dimensions can be searched.")
    submitted = await lightdash.queries.field_values(project_uuid, known.table, field, search=search, limit=limit)
    result = await await_end(lightdash, call, project_uuid, submitted, rows=limit)
    return FieldValues(field=field, values=[row[0] for row in result.rows])


@tools.tool(
    "Get Field Lineage",
    READ,
    example=Lineage(
        field="orders_count",
        kind="metric",
        table="orders",
        sql="${TABLE}.order_id",
        tables=["orders"],
        fields=[],
    ),
)
async def get_field_lineage(
    lightdash: LightdashClient, explore: ExploreName, field: FieldId, project_uuid: ProjectUuid = None
) -> Lineage:
    """Tell where a field comes from: its SQL, and the tables and fields that SQL refers to."""
    return await lightdash.explores.lineage(project_uuid, explore, field)


@tools.tool(
    "Get Table Analytics",
    READ,
    example=Page[ChartUse](items=[ChartUse(uuid="6513...", name="Orders by status", space_name="Sales")], total=1),
)
async def get_table_analytics(
    lightdash: LightdashClient,
    table: Annotated[str, Field(description="Table name, which is an explore's base table.")],
    project_uuid: ProjectUuid = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[ChartUse]:
    """List the charts that use a table."""
    return slice_page(await lightdash.explores.uses(project_uuid, table), ChartUse, limit=limit, page=page)


def _found(field: CatalogField, cuts: list[str] | None = None) -> FieldFound:
    return FieldFound(
        id=field.id,
        label=field.label,
        kind=field.field_type,
        explore=field.table_name,
        description=field.description,
        granularities=cuts or None,
    )


def _has(field: ExploreField, search: str | None) -> bool:
    cuts = [f"{field.id}_{one}\n{field.label} {one}" for one in field.granularities or ()]
    text = "\n".join([field.id, field.label, field.description or "", *cuts]).lower()
    return search is None or search.lower() in text
