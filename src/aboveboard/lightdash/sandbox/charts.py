"""Saved charts, by UUID or slug; v2 paths also check the project."""

import json
from sqlite3 import Row

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes
from aboveboard.lightdash.sandbox.saved import count_view, find, updated_by
from aboveboard.lightdash.sandbox.wire import forbidden, missing

routes = Routes()

CHARTS = (
    "SELECT charts.*, spaces.name AS space_name, projects.organization AS organization,"
    " users.first_name AS author_first, users.last_name AS author_last,"
    " dashboards.name AS dashboard_name, dashboards.slug AS dashboard_slug"
    " FROM charts JOIN spaces ON spaces.uuid = charts.space JOIN projects ON projects.uuid = charts.project"
    " LEFT JOIN users ON users.uuid = charts.updated_by LEFT JOIN dashboards ON dashboards.uuid = charts.dashboard"
)
_COLORS = ["#5470c6", "#fc8452", "#91cc75", "#fac858", "#ee6666", "#73c0de", "#3ba272", "#9a60b4", "#ea7ccc"]


@routes.get("/api/v1/saved/{chart}")
@routes.get("/api/v2/projects/{project}/saved/{chart}")
def get_chart(call: Call) -> object:
    """One chart, with its query."""
    row = _find(call)
    space = _space(call, row)
    if space is None or not space.role:
        raise forbidden("You don't have access to the space this chart belongs to")
    count_view(call.store, "charts", row)
    return _full(row, space)


@routes.delete("/api/v1/saved/{chart}")
@routes.delete("/api/v2/projects/{project}/saved/{chart}")
def delete_chart(call: Call) -> object:
    """Remove a chart; tiles that showed it stay, empty."""
    row = _find(call)
    space = _space(call, row)
    if space is None or not space.may_edit:
        raise forbidden()
    call.store.run("DELETE FROM charts WHERE uuid = ?", row["uuid"])
    return DONE


def summary(row: Row) -> dict[str, object]:
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
        "updatedByUser": updated_by(row),
        "spaceUuid": row["space"],
        "views": row["views"],
        "firstViewedAt": row["first_viewed_at"],
        "chartType": json.loads(row["chart_config"])["type"],
        "chartKind": row["kind"],
        "pinnedListUuid": None,
        "pinnedListOrder": None,
        "validationErrors": [],
        "slug": row["slug"],
        "source": "dbt_explore",
        "verification": None,
    }


def _find(call: Call) -> Row:
    row = find(call, CHARTS, "charts", "chart")
    if row is None:
        raise missing("Saved query not found")
    return row


def _space(call: Call, row: Row) -> access.SpaceAccess | None:
    return access.spaces_of(call.store, call.user).get(row["space"])


def _full(row: Row, space: access.SpaceAccess) -> dict[str, object]:
    return {
        "uuid": row["uuid"],
        "projectUuid": row["project"],
        "name": row["name"],
        "description": row["description"],
        "tableName": row["explore"],
        "merge": None,
        "updatedAt": row["updated_at"],
        "updatedByUser": updated_by(row),
        "metricQuery": json.loads(row["query"]),
        "chartConfig": json.loads(row["chart_config"]),
        "tableConfig": json.loads(row["table_config"]),
        "organizationUuid": row["organization"],
        "spaceUuid": row["space"],
        "spaceName": row["space_name"],
        "pinnedListUuid": None,
        "pinnedListOrder": None,
        "dashboardUuid": row["dashboard"],
        "dashboardName": row["dashboard_name"],
        "dashboardSlug": row["dashboard_slug"],
        "colorPalette": _COLORS,
        "colorPaletteUuid": None,
        "resolvedColorPalette": {
            "colors": _COLORS,
            "darkColors": None,
            "paletteUuid": None,
            "paletteName": None,
            "source": {"type": "default"},
        },
        "slug": row["slug"],
        "verification": None,
        "inheritsFromOrgOrProject": space.open,
        "access": [space.entry()],
    }
