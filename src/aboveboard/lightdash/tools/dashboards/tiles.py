"""Tiles of a dashboard: what they show, and where a new one goes."""

from typing import Any, Literal

from aboveboard.errors import BadInput, unknown
from aboveboard.lightdash.client.charts import ChartDetails
from aboveboard.lightdash.client.dashboards import DashboardDetails
from aboveboard.lightdash.client.sql.charts import SqlChart

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


def check_tab(dashboard: DashboardDetails, tab: str | None) -> None:
    """Refuse a tab that is not there."""
    tabs = [one.uuid for one in dashboard.tabs]
    if tab is None and tabs:
        raise BadInput("This dashboard has tabs: give tab_uuid, one of " + ", ".join(tabs) + ".")
    if tab is not None and tab not in tabs:
        raise BadInput(unknown("tab", tab, tabs, of=dashboard.name))
