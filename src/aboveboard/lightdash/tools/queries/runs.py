"""Running what is saved: one chart, or every tile of a dashboard at once."""

import time
from collections.abc import Mapping
from itertools import chain
from typing import Annotated, Any

import anyio
from pydantic import Field

from aboveboard.effects import READ
from aboveboard.errors import Failure
from aboveboard.kit.call import Call
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Model
from aboveboard.lightdash.client.dashboards.dashboards import DashboardDetails, Tile
from aboveboard.lightdash.client.dashboards.filters import filters_in_words
from aboveboard.lightdash.client.queries.queries import Progress
from aboveboard.lightdash.client.sql.charts import SqlChart
from aboveboard.lightdash.tools.parameters import OfProject
from aboveboard.lightdash.tools.queries.queries import RESULT, Parameters, Rows, columns_of, limit_of, tools
from aboveboard.lightdash.tools.queries.results import TEXT_BUDGET, QueryResult, result_of
from aboveboard.lightdash.tools.queries.saved import either_chart
from aboveboard.lightdash.tools.queries.waiting import BUDGET, await_rows, submit_in_time

AT_ONCE = 6
"""Tiles that run at the same time: a dashboard may have fifty, and the warehouse others to serve."""


class TileResult(Model):
    """What one tile shows, or why it shows nothing."""

    tile_uuid: str
    title: str
    chart_uuid: str
    filters: list[str] | None = None
    """The dashboard's filters that applied to it."""
    result: QueryResult | None = None
    error: str | None = None

    def as_text(self, budget: int) -> str:
        """Return the tile's title, the filters that applied, and its table."""
        filters = f"Dashboard filters: {'; '.join(self.filters)}\n" if self.filters else ""
        return f"## {self.title}\n{filters}{self.error or (self.result.as_text(budget) if self.result else '')}"


class DashboardResult(Model):
    """What every chart tile of a dashboard shows."""

    uuid: str
    name: str
    url: str
    tiles: list[TileResult]

    def as_text(self) -> str:
        """Return one table per tile, which share what a model can read at once."""
        share = TEXT_BUDGET // max(len(self.tiles), 1)
        tables = "\n\n".join(tile.as_text(share) for tile in self.tiles)
        return f"# {self.name}\n\n{tables or 'No tile shows a chart.'}\n\nOpen it: {self.url}"


@tools.tool("Run Chart", READ, example=RESULT, core=True)
async def run_chart(
    lightdash: LightdashClient,
    call: Call,
    chart: Annotated[str, Field(description="Chart UUID, slug or name.")],
    limit: Annotated[int | None, Field(description="Rows at most; left out, what the chart says.", ge=1)] = None,
    parameters: Parameters = None,
    rows: Rows = 100,
    project_uuid: OfProject = None,
) -> QueryResult:
    """Run a saved chart, or a SQL chart, and return its rows."""
    if limit is not None:
        await lightdash.instance.check_limit(limit)
    saved = await either_chart(lightdash, chart, project_uuid)
    if isinstance(saved, SqlChart):
        project = lightdash.project(project_uuid)
        await lightdash.projects.check_parameters(project, parameters)
        return await _run_sql_chart(
            lightdash, call, saved, project, limit=limit, rows=rows, parameters=parameters or {}
        )
    project = saved.project_uuid
    await lightdash.projects.check_parameters(project, parameters)
    submitted = await lightdash.queries.run_chart(project, saved.uuid, limit=limit, parameters=parameters or {})
    order, most = columns_of(submitted), limit_of(submitted)
    return await await_rows(lightdash, call, project, submitted, rows=rows, order=order, limit=most, url=saved.url)


async def _run_sql_chart(
    lightdash: LightdashClient,
    call: Call,
    saved: SqlChart,
    project: str,
    *,
    limit: int | None,
    rows: int,
    parameters: Mapping[str, Any],
) -> QueryResult:
    statement = lightdash.queries.run_sql_chart(project, saved.saved_sql_uuid, limit=limit, parameters=parameters)
    submitted, left = await submit_in_time(call, statement)
    most = limit or saved.limit
    return await await_rows(lightdash, call, project, submitted, rows=rows, limit=most, url=saved.url, budget=left)


@tools.tool(
    "Run Dashboard",
    READ,
    example=DashboardResult(uuid="1f48...", name="Sales", url="https://...", tiles=[]),
    core=True,
)
async def run_dashboard(
    lightdash: LightdashClient,
    call: Call,
    dashboard: Annotated[str, Field(description="Dashboard UUID, slug or name.")],
    parameters: Parameters = None,
    rows: Annotated[int, Field(description="Rows to show per tile.", ge=1, le=200)] = 20,
    project_uuid: OfProject = None,
) -> DashboardResult:
    """Run every chart tile of a dashboard and return what each shows, and which of the dashboard's filters applied."""
    found = await lightdash.dashboards.get(dashboard, project_uuid)
    await lightdash.projects.check_parameters(found.project_uuid, parameters)
    values = {**found.parameter_values, **(parameters or {})}
    tiles = [tile for tile in found.tiles if _chart_of(tile)]
    results: dict[str, TileResult] = {}
    gate = anyio.CapacityLimiter(AT_ONCE)
    started = time.monotonic()

    async def progress(_: float) -> None:
        await call.progress(time.monotonic() - started, BUDGET, f"{len(results)} of {len(tiles)} tiles")

    async def run(tile: Tile) -> None:
        async with gate:
            left = started + BUDGET - time.monotonic()
            results[tile.uuid] = await _run_tile(
                lightdash, found, tile, rows, parameters=values, budget=left, progress=progress
            )
            await progress(0)

    async with anyio.create_task_group() as tasks:
        for tile in tiles:
            tasks.start_soon(run, tile)
    shown = [results[tile.uuid] for tile in tiles]
    return DashboardResult(uuid=found.uuid, name=found.name, url=str(found.url), tiles=shown)


async def _run_tile(
    lightdash: LightdashClient,
    dashboard: DashboardDetails,
    tile: Tile,
    rows: int,
    *,
    parameters: Mapping[str, Any],
    budget: float,
    progress: Progress,
) -> TileResult:
    chart = _chart_of(tile)
    title = str(tile.properties.get("title") or tile.properties.get("chartName") or chart)
    about: dict[str, Any] = {"tile_uuid": tile.uuid, "title": title, "chart_uuid": chart}
    project = dashboard.project_uuid
    try:
        submitted = await lightdash.queries.run_tile(dashboard, tile, parameters=parameters)
        poll = await lightdash.queries.wait(
            project, submitted.query_uuid, page=1, size=rows, budget=budget, progress=progress
        )
    except Failure as failure:
        return TileResult(**about, error=str(failure))  # one broken tile must not hide the others
    result = result_of(submitted, poll, rows=rows, order=columns_of(submitted), limit=limit_of(submitted))
    applied = filters_in_words(submitted.applied_dashboard_filters or {}, tile.uuid)
    return TileResult(**about, filters=[*chain(*applied.values())] or None, result=result)


def _chart_of(tile: Tile) -> str:
    """Return the UUID of the chart or SQL chart on a tile; text, headings and videos have none."""
    return str(tile.properties.get("savedChartUuid") or tile.properties.get("savedSqlUuid") or "")
