"""Tiles of a dashboard: what they show, and where a new one goes."""

from typing import Any, Literal

from aboveboard.errors import BadInput, Failure
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.charts import ChartDetails
from aboveboard.lightdash.client.dashboards.dashboards import DashboardDetails
from aboveboard.lightdash.client.dashboards.filters import filters_in_words
from aboveboard.lightdash.client.name_lookup import resolve_name
from aboveboard.lightdash.client.sql.charts import SqlChart
from aboveboard.naming import Candidate

Shown = tuple[Literal["saved_chart", "sql_chart", "markdown"], dict[str, Any]]
"""The kind of a tile, and what of its properties says what it shows."""
WIDTH, HEIGHT = 18, 9
"""Half of a dashboard's 36 columns, and as many rows as a chart needs to be read."""


def chart_tile(chart: ChartDetails | SqlChart) -> Shown:
    """Show a chart."""
    if isinstance(chart, SqlChart):
        return "sql_chart", {"savedSqlUuid": chart.saved_sql_uuid, "chartName": chart.name}
    return "saved_chart", {"savedChartUuid": chart.uuid, "chartName": chart.name}


def with_tile(
    dashboard: DashboardDetails,
    kind: str,
    properties: dict[str, Any],
    *,
    title: str | None = None,
    tab: str | None = None,
    width: int = WIDTH,
    height: int = HEIGHT,
) -> list[dict[str, Any]]:
    """Return the tiles of a dashboard, and one more below them: on this tab, or on the first where there are tabs."""
    tab = tab or next((one.uuid for one in dashboard.tabs), None)
    below = max((tile.y + tile.h for tile in dashboard.tiles if tile.tab_uuid == tab), default=0)
    place = {"x": 0, "y": below, "w": width, "h": height, "tabUuid": tab}
    new = {"type": kind, "properties": {"title": title or "", **properties}, **place}
    return [*(tile.content() for tile in dashboard.tiles), new]


def chosen_tab(dashboard: DashboardDetails, given: str | None) -> str | None:
    """Return the UUID of a tab that is given by it or by its name; refuse one that is not there."""
    tabs = [Candidate(one.uuid, [one.name, one.uuid]) for one in dashboard.tabs]
    if given is None and tabs:
        known = ", ".join(f"{one.name} ({one.uuid})" for one in dashboard.tabs)
        raise BadInput(f"This dashboard has tabs: give tab_uuid, one of {known}.")
    return None if given is None else resolve_name("tab", given, tabs, of=dashboard.name)


async def filters_on(
    lightdash: LightdashClient, dashboard: DashboardDetails, chart: ChartDetails | SqlChart
) -> list[str] | None:
    """Tell which of a dashboard's filters apply to a chart that is new on it; None where it has none to apply."""
    told = filters_in_words(dashboard.filters)
    if not told:
        return None
    if isinstance(chart, SqlChart):
        return []  # a column of it has to be chosen first
    try:
        explore = await lightdash.explores.get(dashboard.project_uuid, chart.table_name)
    except Failure:
        return None  # a chart may outlive its explore
    known = {field.id for field in (*explore.dimensions, *explore.metrics)}
    return [words for field, rules in told.items() if field in known for words in rules]
