"""Scheduled deliveries of charts and dashboards."""

import json
import re
from collections.abc import Mapping
from sqlite3 import Row
from typing import Any, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.charts import charts
from aboveboard.lightdash.sandbox.charts.chart_edits import free_slug
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.contracts import ANYTHING, FLAG, TEXT, List, Nullable, Object, OneOf
from aboveboard.lightdash.sandbox.dashboards import dashboards
from aboveboard.lightdash.sandbox.paging import list_body, read_page, wanted_page
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, as_uuid, storable
from aboveboard.lightdash.sandbox.wire import CrashError, ServiceError, forbidden, missing

routes = Routes()

SCHEDULERS = (
    "SELECT schedulers.*, first_name, last_name, charts.name AS chart_name, charts.space AS chart_space,"
    " dashboards.name AS dashboard_name, dashboards.space AS dashboard_space, projects.name AS project_name,"
    " projects.organization AS organization, coalesce(projects.settings ->> '$.schedulerTimezone', 'UTC') AS zone"
    " FROM schedulers JOIN projects ON projects.uuid = schedulers.project"
    " LEFT JOIN users ON users.uuid = schedulers.created_by LEFT JOIN charts ON charts.uuid = schedulers.chart"
    " LEFT JOIN dashboards ON dashboards.uuid = schedulers.dashboard"
)
_FORMAT = OneOf("csv", "xlsx", "image", "gsheets", "pdf")
_APP = {"appUuid": Nullable(TEXT), "appName": Nullable(TEXT)}
_LAST = {"options": ANYTHING, "includeLinks": FLAG, "targets": List(ANYTHING)}
_FOR_CHART = Object(name=TEXT, cron=TEXT, enabled=FLAG, format=_FORMAT, **_APP, **_LAST)
_FOR_DASHBOARD = Object(name=TEXT, cron=TEXT, enabled=FLAG, format=_FORMAT, **_LAST)
_HOURLY = re.compile(r"\d+ \S+ \S+ \S+ \S+")
_MORE = ("thresholds", "notificationFrequency", "filters", "parameters", "customViewportWidth")
_SORTS = ("name", "createdAt")


@routes.post("/api/v1/saved/{chart}/schedulers")
def create_for_chart(call: Call) -> object:
    """A new delivery of a chart, switched on whatever the body says."""
    body = contracts.read(call.body, _FOR_CHART)
    chart = charts.by_uuid(call)
    _may_schedule(call, chart)
    return _shown(call, _add(call, chart["project"], body, {"thresholds"}, chart=chart["uuid"]))


@routes.post("/api/v1/dashboards/{dashboard}/schedulers")
def create_for_dashboard(call: Call) -> object:
    """A new delivery of a dashboard, switched on whatever the body says."""
    body = contracts.read(call.body, _FOR_DASHBOARD)
    board = dashboards.by_name(call)
    _may_schedule(call, board)
    more = {"selectedTabs": None} | body
    return _shown(call, _add(call, board["project"], more, {"selectedTabs"}, dashboard=board["uuid"]))


@routes.get("/api/v1/saved/{chart}/schedulers", deprecated=("Mon, 26 Jan 2026", "Sun, 26 Apr 2026", ""))
def list_of_chart(call: Call) -> object:
    """The deliveries of a chart, all of them."""
    return [_listed(row) for row in _of_chart(call)]


@routes.get("/api/v2/saved/{chart}/schedulers")
def list_pages_of_chart(call: Call) -> object:
    """The deliveries of a chart, all or a page."""
    return _paged(call, _of_chart(call))


@routes.get("/api/v2/dashboards/{dashboard}/schedulers")
def list_pages_of_dashboard(call: Call) -> object:
    """The deliveries of a dashboard, all or a page."""
    board = dashboards.by_name(call)
    dashboards.readable(call, board)
    return _paged(call, call.store.all(f"{SCHEDULERS} WHERE schedulers.dashboard = ?", board["uuid"]))


@routes.get("/api/v1/schedulers/{project}/list")
def list_schedulers(call: Call) -> object:
    """Everybody's deliveries in a project, for those who look after it."""
    project = looked_after(call)
    rows = call.store.all(f"{SCHEDULERS} WHERE schedulers.project = ? ORDER BY schedulers.rowid", project["uuid"])
    return _paged(call, rows)


@routes.get("/api/v1/schedulers/user-schedulers")
def list_own(call: Call) -> object:
    """The caller's own deliveries, for those who can make some anywhere."""
    if not access.may_make_anywhere(call.store, call.user):
        raise forbidden()
    query = f"{SCHEDULERS} WHERE schedulers.created_by = ? ORDER BY schedulers.rowid"
    return _paged(call, call.store.all(query, call.user["uuid"]))


@routes.get("/api/v1/schedulers/{scheduler}")
def get_scheduler(call: Call) -> object:
    """One delivery with its recipients, for whoever may see what is delivered."""
    return shown(by_uuid(call))


@routes.patch("/api/v1/schedulers/{scheduler}")
def update_scheduler(call: Call) -> object:
    """A delivery anew: what is left out is gone, but for its name, message, format and options."""
    row = _editable(call)
    body = contracts.as_map(call.body)
    if "cron" not in body:
        raise CrashError
    _check(body)
    kept = {"name": row["name"], "message": row["message"], "format": row["format"]}
    kept |= {"options": json.loads(row["options"]), **({} if row["dashboard"] is None else {"selectedTabs": None})}
    changes = _columns(call, kept | body, {"selectedTabs"} if row["dashboard"] else set())
    call.store.update("schedulers", row["uuid"], **changes, updated_at=call.store.now())
    return _shown(call, row["uuid"])


@routes.patch("/api/v1/schedulers/{scheduler}/enabled")
def set_enabled(call: Call) -> object:
    """Switch a delivery on or off."""
    body = contracts.read(call.body, Object(enabled=FLAG))
    row = _editable(call)
    enabled = body["enabled"] in {True, "true"}
    call.store.update("schedulers", row["uuid"], enabled=enabled, updated_at=call.store.now())
    return _shown(call, row["uuid"])


@routes.delete("/api/v1/schedulers/{scheduler}")
def delete_scheduler(call: Call) -> object:
    """Remove a delivery."""
    call.store.run("DELETE FROM schedulers WHERE uuid = ?", _editable(call)["uuid"])
    return DONE


@routes.patch("/api/v1/schedulers/{project}/reassign-owner")
def reassign(call: Call) -> object:
    """Give deliveries to somebody else, who must be allowed to make some."""
    body = contracts.read(call.body, Object(schedulerUuids=List(TEXT), newOwnerUserUuid=TEXT))
    project = looked_after(call)
    uuids = [as_uuid(uuid) for uuid in body["schedulerUuids"]]
    known = {row["uuid"] for row in call.store.all("SELECT * FROM schedulers WHERE project = ?", project["uuid"])}
    unknown = [uuid for uuid in uuids if uuid not in known]
    if unknown:
        raise missing(f"Schedulers not found or not in project: {', '.join(unknown)}")
    owner = call.store.one("SELECT * FROM users WHERE uuid = ?", as_uuid(body["newOwnerUserUuid"]))
    if owner is None or not access.role_in(call.store, owner, project["uuid"]).may_make:
        raise forbidden("New owner does not have permission to create scheduled deliveries")
    for uuid in uuids:
        call.store.update("schedulers", uuid, created_by=owner["uuid"], updated_at=call.store.now())
    return [_shown(call, uuid) for uuid in uuids]


def looked_after(call: Call) -> Row:
    """The project of the path, for those who look after it."""
    project = access.project(call)
    if not access.role_in(call.store, call.user, project["uuid"]).may_develop:
        raise forbidden()
    return project


def by_uuid(call: Call, uuid: str = "") -> Row:
    """The delivery of the path, for whoever may see what is delivered."""
    row = call.store.one(f"{SCHEDULERS} WHERE schedulers.uuid = ?", as_uuid(uuid or call.params["scheduler"]))
    if row is None:
        raise missing("Scheduler not found")
    space = access.spaces_of(call.store, call.user).get(row["chart_space"] or row["dashboard_space"])
    if space is None or not space.role:
        raise forbidden()
    return row


def checked(body: Mapping[str, Any]) -> None:
    """Refuse a delivery without a name, with a bad rhythm, time zone or recipients."""
    if not body.get("name"):
        raise ServiceError(400, "ParameterError", "You must give a name to this scheduled delivery")
    _check(body)


def _check(body: Mapping[str, Any]) -> None:
    if not _HOURLY.fullmatch(str(body.get("cron"))):
        raise ServiceError(400, "ParameterError", "Frequency not allowed, custom input is limited to hourly")
    try:
        ZoneInfo(str(body.get("timezone") or "UTC"))
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ServiceError(400, "ParameterError", "Timezone string is not valid") from error
    if not isinstance(body.get("targets"), list):
        raise ServiceError(400, "ParameterError", "Targets is required and must be an array")


def _editable(call: Call) -> Row:
    row = by_uuid(call)
    if row["created_by"] != call.user["uuid"] and not access.role_in(call.store, call.user, row["project"]).may_make:
        raise forbidden()
    return row


def _may_schedule(call: Call, row: Row) -> None:
    space = access.spaces_of(call.store, call.user).get(row["space"])
    if space is None or not space.role or not space.project_role.may_make:
        raise forbidden()


def _of_chart(call: Call) -> list[Row]:
    chart = charts.by_uuid(call)
    charts.readable(call, chart)
    return call.store.all(f"{SCHEDULERS} WHERE schedulers.chart = ? ORDER BY schedulers.rowid", chart["uuid"])


def _paged(call: Call, rows: list[Row]) -> object:
    checks = Checks(call.query)
    page, size = read_page(checks)
    search = (checks.text("searchQuery") or "").lower()
    sort = checks.literal("sortBy", _SORTS)
    backwards = checks.literal("sortDirection", ("asc", "desc")) == "desc"
    checks.done()
    found = [_listed(row) for row in rows if search in row["name"].lower()]
    if sort:
        found.sort(key=lambda item: str(item[sort]), reverse=backwards)
    return list_body(found, wanted_page(page, size), pagination_first=True)


def _add(call: Call, project: str, body: Mapping[str, Any], more: set[str], **place: str) -> str:
    _check(body)
    uuid, now = call.store.new_uuid(), call.store.now()
    slug = free_slug(call.store, "schedulers", project, body["name"])
    columns = _columns(call, body, more)
    author = {"created_by": call.user["uuid"], "created_at": now, "updated_at": now}
    call.store.insert("schedulers", uuid=uuid, project=project, slug=slug, enabled=True, **place, **columns, **author)
    return uuid


def _columns(call: Call, body: Mapping[str, Any], more: set[str]) -> dict[str, object]:
    targets = cast("list[dict[str, object]]", body["targets"])
    kept = {*_MORE, *more}
    return {
        "name": storable(body["name"], 255),
        "message": body.get("message"),
        "cron": body["cron"],
        "timezone": body.get("timezone"),
        "format": body["format"],
        "options": body["options"],
        "more": {key: body[key] for key in body if key in kept} | {"plainTextEmail": bool(body.get("plainTextEmail"))},
        "targets": [_stored_target(call, target) for target in targets],
        "include_links": bool(body.get("includeLinks", True)),
    }


def _stored_target(call: Call, target: Mapping[str, object]) -> dict[str, object]:
    """A target under the id it says that it has, or a new one."""
    known = next((value for key, value in target.items() if key.endswith("TargetUuid")), None)
    told = {
        key: value for key, value in target.items() if key in {"recipient", "channel", "webhook", "googleChatWebhook"}
    }
    return {"uuid": known or call.store.new_uuid(), **told}


def _shown(call: Call, uuid: str) -> dict[str, object]:
    return shown(call.store.all(f"{SCHEDULERS} WHERE schedulers.uuid = ?", uuid)[0])


def _listed(row: Row) -> dict[str, object]:
    return shown(row) | {"projectSchedulerTimezone": row["zone"], "projectName": row["project_name"]}


def shown(row: Row) -> dict[str, object]:
    """A delivery with its recipients."""
    nothing = dict.fromkeys(("savedSqlUuid", "savedSqlName", "appUuid", "appName"))
    return {
        "schedulerUuid": row["uuid"],
        "slug": row["slug"],
        "name": row["name"],
        "message": row["message"],
        "createdAt": row["created_at"],
        "updatedAt": row["updated_at"],
        "createdBy": row["created_by"],
        "createdByName": f"{row['first_name']} {row['last_name']}",
        "cron": row["cron"],
        **({} if row["timezone"] is None else {"timezone": row["timezone"]}),
        "savedChartUuid": row["chart"],
        "savedChartName": row["chart_name"],
        "dashboardUuid": row["dashboard"],
        "dashboardName": row["dashboard_name"],
        **nothing,
        "format": row["format"],
        "options": json.loads(row["options"]),
        "enabled": bool(row["enabled"]),
        "includeLinks": bool(row["include_links"]),
        **json.loads(row["more"]),
        "projectUuid": row["project"],
        "targets": [_target(row, target) for target in json.loads(row["targets"])],
    }


def _target(row: Row, target: dict[str, Any]) -> dict[str, object]:
    kind = "Slack" if "channel" in target else "MsTeams" if "webhook" in target else "Email"
    times = {"createdAt": row["created_at"], "updatedAt": row["updated_at"], "schedulerUuid": row["uuid"]}
    return {f"scheduler{kind}TargetUuid": target["uuid"], **times, **{k: v for k, v in target.items() if k != "uuid"}}
