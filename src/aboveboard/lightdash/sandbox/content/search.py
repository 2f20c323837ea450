"""Search in one project: content by its words, tables and fields by a part of their names."""

import re
from sqlite3 import Row

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.charts import charts
from aboveboard.lightdash.sandbox.content.content import matches, words
from aboveboard.lightdash.sandbox.content.saved import verification
from aboveboard.lightdash.sandbox.dashboards import dashboards
from aboveboard.lightdash.sandbox.engine.fields import Explore, Metric
from aboveboard.lightdash.sandbox.engine.shop import EXPLORES
from aboveboard.lightdash.sandbox.routes import Call, Routes, storable
from aboveboard.lightdash.sandbox.store import Store

routes = Routes()

_TYPES = {
    "dashboard": "dashboards",
    "saved_chart": "savedCharts",
    "space": "spaces",
    "table": "tables",
    "field": "fields",
}
_MOST = 10


@routes.get("/api/v1/projects/{project}/search/{query}")
def search(call: Call) -> object:
    """What the caller may see of a project and what its explores have to offer."""
    project = access.project(call)["uuid"]
    query = storable(call.params["query"])
    # A path or a question stays one word, which nothing begins with.
    wanted = {query} if {"/", "?"} & set(query) else words(query)
    explores = _explores(call, project)
    allowed = {one.space["uuid"] for one in access.visible(access.spaces_of(call.store, call.user).values())}
    found: dict[str, list[dict[str, object]]] = {
        "spaces": [],
        "dashboards": [_board(call, row) for row in _boards(call, project, wanted) if row["space"] in allowed],
        "savedCharts": [_chart(call, row) for row in _charts(call, project, wanted) if row["space"] in allowed],
        "sqlCharts": [],
        "tables": [hit for explore in explores for hit in _tables(explore, query)],
        "fields": [hit for explore in explores for hit in _fields(explore, query)],
    }
    only = _TYPES.get(str(call.query.get("type")))
    shown = {key: hits[:_MOST] if only in {None, key} else [] for key, hits in found.items()}
    return {**shown, "pages": [], "dashboardTabs": [], "dataApps": []}


def _explores(call: Call, project: str) -> list[Explore]:
    """What there is to explore, for those who may."""
    if access.role_in(call.store, call.user, project).name in {"member", "viewer"}:
        return []
    return [explore for explore in EXPLORES.values() if explore.listed]


def _charts(call: Call, project: str, wanted: set[str]) -> list[Row]:
    rows = call.store.all(f"{charts.CHARTS} WHERE charts.project = ? ORDER BY charts.rowid", project)
    return [row for row in rows if wanted and matches(row, wanted)]


def _boards(call: Call, project: str, wanted: set[str]) -> list[Row]:
    """Dashboards with such words, or with a chart that has them."""
    found = {row["uuid"] for row in _charts(call, project, wanted)}
    tiles = call.store.all("SELECT dashboard, chart FROM tiles WHERE chart IS NOT NULL")
    holders = {tile["dashboard"] for tile in tiles if tile["chart"] in found}
    query = f"{dashboards.DASHBOARDS} WHERE dashboards.project = ? ORDER BY dashboards.rowid"
    rows = call.store.all(query, project)
    return [row for row in rows if wanted and (row["uuid"] in holders or matches(row, wanted))]


def _person(store: Store, uuid: str | None) -> dict[str, object] | None:
    row = store.one("SELECT * FROM users WHERE uuid = ?", uuid)
    return {"firstName": row["first_name"], "lastName": row["last_name"], "userUuid": row["uuid"]} if row else None


def _saved(call: Call, row: Row, author: str | None) -> dict[str, object]:
    maker, editor = _person(call.store, author) or {}, _person(call.store, row["updated_by"]) or {}
    names = ("FirstName", "LastName", "UserUuid")
    return {
        "uuid": row["uuid"],
        "slug": row["slug"],
        "name": row["name"],
        "description": row["description"],
        "projectUuid": row["project"],
        "spaceUuid": row["space"],
        "search_rank": 0.583333,
        "viewsCount": row["views"],
        "firstViewedAt": row["first_viewed_at"],
        "lastModified": row["updated_at"],
        **{f"createdBy{name}": maker.get(name[0].lower() + name[1:]) for name in names},
        **{f"lastUpdatedBy{name}": editor.get(name[0].lower() + name[1:]) for name in names},
        "validationErrors": [],
        "createdBy": maker or None,
        "lastUpdatedBy": editor or None,
        "verification": verification(row),
    }


def _board(call: Call, row: Row) -> dict[str, object]:
    inside = charts.of_dashboard(call, row["uuid"])
    shown = [
        {
            "uuid": one["uuid"],
            "name": one["name"],
            "description": one["description"],
            "chartType": one["kind"],
            "viewsCount": one["views"],
            "verification": verification(one),
        }
        for one in inside
    ]
    return _saved(call, row, row["created_by"]) | {"charts": shown}


def _chart(call: Call, row: Row) -> dict[str, object]:
    return _saved(call, row, row["updated_by"]) | {"chartType": row["kind"]}


def _count(query: str, *texts: str | None) -> int:
    """How often some part of a text is what was asked for, letter by letter."""
    return sum(len(re.findall(re.escape(query), text, re.IGNORECASE)) for text in texts if text)


def _tables(explore: Explore, query: str) -> list[dict[str, object]]:
    source = {"explore": explore.name, "exploreLabel": explore.label}
    return [
        {"name": one.name, "label": one.label, "description": one.description, **source, "regexMatchCount": number}
        for one in explore.tables.values()
        if (number := _count(query, one.label, one.description))
    ]


def _fields(explore: Explore, query: str) -> list[dict[str, object]]:
    source = {"explore": explore.name, "exploreLabel": explore.label}
    return [
        {
            "name": one.name,
            "label": one.label,
            "description": one.description,
            "type": one.type,
            "fieldType": "metric" if isinstance(one, Metric) else "dimension",
            "table": one.table,
            "tableLabel": explore.tables[one.table].label,
            **source,
            "regexMatchCount": number,
        }
        for table in explore.tables.values()
        for one in table.fields
        if not one.hidden and (number := _count(query, one.label, one.description))
    ]
