"""Saved charts, by UUID or slug; v2 paths also check the project."""

import json
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.content import saved, trash
from aboveboard.lightdash.sandbox.content.saved import (
    Record,
    author_fields,
    count_view,
    find,
    pin_fields,
    select_of,
    validation_errors,
    verification,
    visible,
)
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, as_uuid
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import forbidden, missing
from aboveboard.sandbox.table import Table

CHARTS_TABLE = Table(
    "charts",
    "uuid TEXT PRIMARY KEY, project TEXT, space TEXT REFERENCES spaces ON DELETE CASCADE, dashboard TEXT"
    " REFERENCES dashboards ON DELETE CASCADE, slug TEXT, name TEXT, description TEXT, explore TEXT, kind TEXT,"
    " query TEXT, chart_config TEXT, table_config TEXT, pivot_config TEXT, parameters TEXT, updated_by TEXT,"
    " created_at TEXT, updated_at TEXT, views INTEGER, first_viewed_at TEXT",
    derived=TIMES | {"first_viewed_at", "views"},
    json={"chart_config", "parameters", "pivot_config", "query", "table_config"},
    indexes=(
        "slug",
        "space",
    ),
)

routes = Routes()

CHARTS = select_of(
    "charts",
    ", dashboards.name AS dashboard_name, dashboards.slug AS dashboard_slug",
    " LEFT JOIN dashboards ON dashboards.uuid = charts.dashboard",
)
CONTENT = ("explore", "kind", "query", "chart_config", "table_config", "pivot_config", "parameters")
"""The columns that a version of a chart consists of."""
COLORS = ["#5470c6", "#fc8452", "#91cc75", "#fac858", "#ee6666", "#73c0de", "#3ba272", "#9a60b4", "#ea7ccc"]
PALETTE: dict[str, object] = {
    "colors": COLORS,
    "darkColors": None,
    "paletteUuid": None,
    "paletteName": None,
    "source": {"type": "default"},
}
_NO_ADVICE = ("Mon, 09 Dec 2024", "Sun, 09 Mar 2025", "")


@routes.get("/api/v1/projects/{project}/charts")
def list_charts(call: Call) -> object:
    """The charts that the caller may see, the newest first."""
    return [summary(call, row) for row in _visible(call)]


@routes.get("/api/v1/projects/{project}/chart-summaries", deprecated=_NO_ADVICE)
def list_summaries(call: Call) -> object:
    """The same charts, told in fewer words."""
    return [short(row) for row in _visible(call)]


@routes.get("/api/v1/saved/{chart}")
@routes.get("/api/v2/projects/{project}/saved/{chart}")
def get_chart(call: Call) -> object:
    """One chart, with its query."""
    row = by_name(call)
    space = readable(call, row)
    count_view(call.store, "charts", row)
    return full(row, space)


@routes.get("/api/v1/saved/{chart}/views")
def get_views(call: Call) -> object:
    """How often the chart was read; asking does not count."""
    row = by_uuid(call)
    readable(call, row)
    return {"views": row["views"], "firstViewedAt": row["first_viewed_at"]}


@routes.delete("/api/v1/saved/{chart}")
@routes.delete("/api/v2/projects/{project}/saved/{chart}")
def delete_chart(call: Call) -> object:
    """Remove a chart; tiles that showed it stay, empty."""
    row = by_name(call)
    editable(call, row)
    trash.remove(call, "chart", row)
    return DONE


def summary(call: Call, row: Row) -> dict[str, object]:
    """A chart as lists and spaces show it."""
    return {
        "uuid": row["uuid"],
        "name": row["name"],
        "spaceName": row["space_name"],
        "dashboardName": row["dashboard_name"],
        "organizationUuid": row["organization"],
        "projectUuid": row["project"],
        "dashboardUuid": row["dashboard"],
        "description": row["description"],
        "updatedAt": row["updated_at"],
        "updatedByUser": author_fields(row),
        "spaceUuid": row["space"],
        "views": row["views"],
        "firstViewedAt": row["first_viewed_at"],
        "chartType": json.loads(row["chart_config"])["type"],
        "chartKind": row["kind"],
        **pin_fields(row),
        "validationErrors": validation_errors(call.store, "chart", row["uuid"]),
        "slug": row["slug"],
        "source": "dbt_explore",
        "verification": verification(row),
    }


def by_name(call: Call) -> Row:
    """The chart that the path names by UUID or slug."""
    row = find(call, CHARTS, "charts", "chart")
    if row is None:
        raise missing("Saved query not found")
    return row


def by_uuid(call: Call, uuid: str = "") -> Row:
    """A chart by its UUID alone, from the path if none is given."""
    row = call.store.one(f"{CHARTS} WHERE charts.uuid = ?", as_uuid(uuid or call.params["chart"]))
    if row is None:
        raise missing("Saved query not found")
    return row


def of_dashboard(call: Call, dashboard: str) -> list[Row]:
    """The charts that a dashboard shows."""
    shown = "SELECT chart FROM tiles WHERE tiles.dashboard = ?"
    return call.store.all(f"{CHARTS} WHERE charts.uuid IN ({shown})", dashboard)


def readable(call: Call, row: Row) -> access.SpaceAccess:
    """The caller's access to the chart's space, if there is any."""
    return saved.readable(call, row, forbidden("You don't have access to the space this chart belongs to"))


def editable(call: Call, row: Row, message: str = "") -> access.SpaceAccess:
    """The caller's access to the chart's space, if it lets them change the chart."""
    return saved.editable(call, row, forbidden(message) if message else forbidden())


def full(row: Record, space: access.SpaceAccess) -> dict[str, object]:
    """A chart with its query, and what the caller may do with it."""
    return {**plain(row), "inheritsFromOrgOrProject": space.open, "access": [space.entry()]}


def content(row: Record) -> dict[str, Any]:
    """What a version of a chart consists of, in the words of a body; what it does not have is left out."""
    names = {
        "metricQuery": "query",
        "parameters": "parameters",
        "chartConfig": "chart_config",
        "tableConfig": "table_config",
        "pivotConfig": "pivot_config",
    }
    held = {name: json.loads(row[column]) for name, column in names.items() if row[column] is not None}
    return {"tableName": row["explore"], **held}


def plain(row: Record) -> dict[str, object]:
    """A chart with its query."""
    return {
        "uuid": row["uuid"],
        "projectUuid": row["project"],
        "name": row["name"],
        "description": row["description"],
        "merge": None,
        "updatedAt": row["updated_at"],
        "updatedByUser": author_fields(row),
        **content(row),
        "organizationUuid": row["organization"],
        "spaceUuid": row["space"],
        "spaceName": row["space_name"],
        # The real server knows the place in the list, but does not say it here.
        **(pin_fields(row) | {"pinnedListOrder": None}),
        "dashboardUuid": row["dashboard"],
        "dashboardName": row["dashboard_name"],
        "dashboardSlug": row["dashboard_slug"],
        "colorPalette": COLORS,
        "colorPaletteUuid": None,
        "resolvedColorPalette": PALETTE,
        "slug": row["slug"],
        "verification": verification(row),
    }


def _visible(call: Call) -> list[Row]:
    project = access.project(call)
    rows = call.store.all(
        f"{CHARTS} WHERE charts.project = ? ORDER BY charts.updated_at DESC, charts.rowid DESC", project["uuid"]
    )
    return visible(call, rows)


def short(row: Row) -> dict[str, object]:
    """A chart in fewer words."""
    return {
        "uuid": row["uuid"],
        "name": row["name"],
        "description": row["description"],
        "spaceUuid": row["space"],
        "spaceName": row["space_name"],
        "projectUuid": row["project"],
        "organizationUuid": row["organization"],
        "pinnedListUuid": pin_fields(row)["pinnedListUuid"],
        "chartKind": row["kind"],
        "dashboardUuid": row["dashboard"],
        "dashboardName": row["dashboard_name"],
        "dashboardSlug": row["dashboard_slug"],
        "updatedAt": row["updated_at"],
        "slug": row["slug"],
        "viewsCount": row["views"],
        "chartType": json.loads(row["chart_config"])["type"],
    }
