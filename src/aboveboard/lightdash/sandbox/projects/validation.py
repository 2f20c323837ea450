"""Whether charts and dashboards still fit the project's explores: what is wrong, and dismissing it."""

import json
from collections.abc import Iterable
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.charts import charts
from aboveboard.lightdash.sandbox.charts.chart_edits import known_explores
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.content.saved import ITEM
from aboveboard.lightdash.sandbox.contracts import ANYTHING, List, Maybe, Object, OneOf
from aboveboard.lightdash.sandbox.dashboards import dashboards
from aboveboard.lightdash.sandbox.engine.shop import EXPLORES
from aboveboard.lightdash.sandbox.paging import Page, read_page
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, as_uuid, is_uuid
from aboveboard.lightdash.sandbox.schedules import scheduler_jobs
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import CrashError, forbidden, missing
from aboveboard.sandbox.table import Table

VALIDATIONS_TABLE = Table(
    "validations",
    f"uuid TEXT PRIMARY KEY, project TEXT REFERENCES projects ON DELETE CASCADE, {ITEM}, error TEXT, error_type"
    " TEXT, field_name TEXT, table_name TEXT, chart_name TEXT, created_at TEXT",
    derived=TIMES,
    indexes=(
        "chart",
        "dashboard",
    ),
)

routes = Routes()

_V1, _V2 = "/api/v1/projects/{project}/validate", "/api/v2/projects/{project}/validate"
_TARGETS = ("apps", "charts", "dashboards", "tables")
_BODY = Object(validationTargets=Maybe(List(OneOf(*_TARGETS))), explores=Maybe(ANYTHING))
_SORTS = ("name", "createdAt", "errorType", "source")
_LARGEST_NUMBER = 2**31
_RESULTS = (
    "SELECT validations.*, charts.name AS chart_title, charts.kind, charts.views AS chart_views,"
    " charts.space AS chart_space, charts.uuid AS chart_uuid, charts.updated_at AS chart_time,"
    " boards.name AS board_title, boards.slug AS board_slug, boards.views AS board_views,"
    " boards.space AS board_space, boards.uuid AS board_uuid,"
    " boards.updated_at AS board_time, first_name, last_name FROM validations"
    " LEFT JOIN charts ON charts.uuid = validations.chart"
    " LEFT JOIN dashboards AS boards ON boards.uuid = validations.dashboard"
    " LEFT JOIN users ON users.uuid = coalesce(charts.updated_by, boards.updated_by) WHERE validations.project = ?"
)
Problem = dict[str, Any]


@routes.post(_V1)
def validate(call: Call) -> object:
    """Look at everything again, or at some kinds of things; what was found before is forgotten."""
    body = contracts.read(call.body, _BODY)
    project = _developed(call)["uuid"]
    targets = body.get("validationTargets") or _TARGETS
    broken = _charts(call, project)
    found = [
        *(broken if "charts" in targets else []),
        *(_boards(call, project, broken) if "dashboards" in targets else []),
    ]
    now = call.store.now()
    with call.store.change():
        call.store.run("DELETE FROM validations WHERE project = ?", project)
        for one in found:
            call.store.insert("validations", uuid=call.store.new_uuid(), project=project, created_at=now, **one)
    return {"jobId": scheduler_jobs.start(call, project)}


@routes.post(f"{_V1}/chart/{{chart}}")
def validate_chart(call: Call) -> object:
    """Look at one chart, and keep nothing."""
    row = charts.by_name(call)
    charts.editable(call, row)
    return {"errors": [_unsaved(row, one) for one in _problems(call, row)]}


@routes.post(f"{_V1}/dashboard/{{dashboard}}")
def validate_dashboard(call: Call) -> object:
    """Look at one dashboard, and keep nothing."""
    row = dashboards.by_name(call)
    dashboards.editable(call, row, forbidden())
    found = [
        one for one in _boards(call, row["project"], _charts(call, row["project"])) if one["dashboard"] == row["uuid"]
    ]
    return {"errors": [_unsaved(row, one) for one in found]}


@routes.get(_V1)
def list_all(call: Call) -> object:
    """All that is wrong. An admin of any organisation may look: the real server does not check whose project it is."""
    owner = access.known_project(call)
    mine = access.role(call, owner)
    if call.user["role"] not in {"admin", "developer"} and not (mine and mine.may_develop):
        raise forbidden()
    if call.query.get("jobId"):
        return []
    rows = call.store.all(f"{_RESULTS} ORDER BY validations.rowid", owner["uuid"])
    return [_result(row) for row in rows]


@routes.get(_V2)
def list_results(call: Call) -> object:
    """One page of what is wrong; a page past the end says that there is nothing at all."""
    checks = Checks(call.query)
    number, size = read_page(checks)
    search = (checks.text("searchQuery") or "").lower()
    sort = checks.literal("sortBy", _SORTS)
    backwards = checks.literal("sortDirection", ("asc", "desc")) == "desc"
    sources = checks.texts("sourceTypes")
    checks.done()
    page = Page(number or 1, size or 20)
    rows = [_new_result(row) for row in call.store.all(f"{_RESULTS} ORDER BY validations.rowid", _seen(call))]
    known = [one for one in sources if one in {"chart", "dashboard", "table"}]
    found = [one for one in rows if search in str(one["name"]).lower() and (not known or one["source"] in known)]
    if sort:
        found.sort(key=lambda one: str(one[sort]), reverse=backwards)
    shown = found[page.offset : page.offset + page.limit]
    return {"data": shown, "pagination": page.summary(len(found) if shown else 0)}


@routes.get(f"{_V2}/summary")
def get_summary(call: Call) -> object:
    """What is wrong, grouped by what is to blame."""
    rows = call.store.all(f"{_RESULTS} ORDER BY validations.rowid", _seen(call))
    groups: dict[tuple[str, str | None, str | None], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["error_type"], row["table_name"], row["field_name"]), []).append(row)
    affected = {row["chart_uuid"] or row["board_uuid"] for row in rows}
    listed = [_group(*key, group) for key, group in groups.items()]
    return {"totalErrors": len(rows), "totalAffectedItems": len(affected), "groups": listed}


@routes.get(f"{_V2}/{{validation}}")
def get_result(call: Call) -> object:
    """One thing that is wrong."""
    return _new_result(_find(call, _seen(call)))


@routes.delete(f"{_V1}/{{validation}}")
def dismiss(call: Call) -> object:
    """Strike one thing off the list, until the next validation finds it again."""
    call.store.run("DELETE FROM validations WHERE uuid = ?", _find(call, _seen(call))["uuid"])
    return DONE


def _developed(call: Call) -> Row:
    project = access.project(call)
    if not access.role_in(call.store, call.user, project["uuid"]).may_develop:
        raise forbidden()
    return project


def _seen(call: Call) -> str:
    return _developed(call)["uuid"]


def _find(call: Call, project: str) -> Row:
    """A result by its UUID; a number was its id once, and is no longer known."""
    name = call.params["validation"]
    if name.isdecimal() and int(name) < _LARGEST_NUMBER:
        raise missing(f"Validation {name} not found")
    if not is_uuid(name):
        raise CrashError
    row = call.store.one(f"{_RESULTS} AND validations.uuid = ?", project, as_uuid(name))
    if row is None:
        raise missing(f"Validation {name} not found")
    return row


def _charts(call: Call, project: str) -> list[Problem]:
    rows = call.store.all("SELECT * FROM charts WHERE project = ? ORDER BY rowid", project)
    return [one for row in rows for one in _problems(call, row)]


def _problems(call: Call, row: Row) -> Iterable[Problem]:
    base: Problem = {"chart": row["uuid"], "chart_name": row["name"], "table_name": row["explore"]}
    query = json.loads(row["query"])
    if row["explore"] not in known_explores(call.store, row["project"]):
        text = f"Model error: the model '{row['explore']}' no longer exists"
        yield base | {"error": text, "error_type": "model"}
        return
    explore = EXPLORES.get(row["explore"])
    added = {f"{one.get('table')}_{one.get('name')}" for one in query["additionalMetrics"]}
    dimensions = {str(one.get("id")) for one in query["customDimensions"]} | set(explore.dimensions if explore else ())
    known = {"dimension": dimensions, "metric": {*explore.metrics, *added}} if explore else {}
    for kind, fields in known.items():
        for field in query[f"{kind}s"]:
            if field not in fields:
                text = f"{kind.capitalize()} error: the field '{field}' no longer exists"
                yield base | {"error": text, "error_type": kind, "field_name": field}
    for one in query["additionalMetrics"] if explore else ():
        field = f"{one.get('table')}_{one['baseDimensionName']}" if one.get("baseDimensionName") else ""
        if field and field not in dimensions:
            text = f"Custom metric error: the base dimension '{field}' no longer exists"
            yield base | {"error": text, "error_type": "custom metric", "field_name": field}


def _boards(call: Call, project: str, broken: list[Problem]) -> list[Problem]:
    names = {one["chart"]: one["chart_name"] for one in broken}
    tiles = call.store.all(
        "SELECT DISTINCT dashboard, chart FROM tiles JOIN dashboards ON dashboards.uuid = dashboard WHERE project = ?",
        project,
    )
    return [
        {
            "dashboard": tile["dashboard"],
            "chart_name": names[tile["chart"]],
            "error": f"The chart '{names[tile['chart']]}' is broken on this dashboard.",
            "error_type": "chart",
        }
        for tile in tiles
        if tile["chart"] in names
    ]


def _unsaved(row: Row, one: Problem) -> dict[str, object]:
    kind = "chart" if "chart" in one else "dashboard"
    names = {"tableName": "table_name", "errorType": "error_type", "error": "error", "fieldName": "field_name"}
    head = {f"{kind}Uuid": row["uuid"], "name": row["name"], "projectUuid": row["project"], "source": kind}
    return head | {"chartName": one["chart_name"]} | {ours: one[key] for ours, key in names.items() if key in one}


def _place(row: Row) -> dict[str, object]:
    if row["chart_uuid"]:
        return {"chartUuid": row["chart_uuid"], "chartViews": row["chart_views"], "chartKind": row["kind"]}
    return {
        "dashboardUuid": row["board_uuid"],
        "dashboardSlug": row["board_slug"],
        "dashboardViews": row["board_views"],
    }


def _result(row: Row) -> dict[str, object]:
    chart = row["chart_uuid"] is not None
    fields = {"fieldName": row["field_name"], "tableName": row["table_name"]}
    return {
        "createdAt": row["created_at"],
        **_place(row),
        "projectUuid": row["project"],
        "error": row["error"],
        "name": row["chart_title"] if chart else row["board_title"],
        "lastUpdatedBy": f"{row['first_name']} {row['last_name']}",
        "lastUpdatedAt": row["chart_time"] if chart else row["board_time"],
        "validationUuid": row["uuid"],
        "validationId": None,
        "spaceUuid": row["chart_space"] if chart else row["board_space"],
        "errorType": row["error_type"],
        **{key: value for key, value in fields.items() if value is not None},
        **({} if chart else {"chartName": row["chart_name"]}),
        "source": "chart" if chart else "dashboard",
    }


def _new_result(row: Row) -> dict[str, object]:
    return _result(row) | {"chartName": row["chart_name"]}


def _group(kind: str, table: str | None, field: str | None, rows: list[Row]) -> dict[str, object]:
    content = [
        {
            "uuid": row["chart_uuid"] or row["board_uuid"],
            "name": row["chart_title"] or row["board_title"],
            "source": "chart" if row["chart_uuid"] else "dashboard",
            "views": row["chart_views"] if row["chart_uuid"] else row["board_views"],
            "errorCount": 1,
        }
        for row in rows
    ]
    found = sum(row["chart_uuid"] is not None for row in rows)
    return {
        "groupKey": f"{kind}:{table or ''}:{field or ''}",
        "errorType": kind,
        "tableName": table,
        "fieldName": field,
        "errorCount": len(rows),
        "affectedCharts": found,
        "affectedDashboards": len(rows) - found,
        "affectedTables": 0,
        "affectedDataApps": 0,
        "sampleError": rows[0]["error"],
        "affectedContent": content[:5],
        "hasMoreAffectedContent": len(content) > 5,
    }
