"""Sending deliveries now, and what became of those that were sent. There is no mail server, and no error for it."""

import json
from sqlite3 import Row

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.charts import charts
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.contracts import TEXT, Object
from aboveboard.lightdash.sandbox.dashboards import dashboards
from aboveboard.lightdash.sandbox.paging import list_body, read_page, wanted_page
from aboveboard.lightdash.sandbox.routes import Call, Routes, as_uuid
from aboveboard.lightdash.sandbox.schedules import scheduler_jobs, schedulers
from aboveboard.lightdash.sandbox.wire import forbidden, missing

routes = Routes()

_SWITCHED_OFF = "Scheduler is disabled, skipping scheduled delivery."
_USE_RUNS = "Use GET /api/v1/schedulers/{projectUuid}/runs instead."
_NO_REPLACEMENT = "This endpoint will be removed; there is no replacement."
_RUNS = (
    "SELECT scheduler_runs.*, run_user.first_name AS run_first, run_user.last_name AS run_last, delivery.*"  # noqa: S608 - fixed text
    f" FROM scheduler_runs JOIN ({schedulers.SCHEDULERS}) AS delivery ON delivery.uuid = scheduler_runs.scheduler"
    " LEFT JOIN users AS run_user ON run_user.uuid = scheduler_runs.user"
)


@routes.post("/api/v1/schedulers/{scheduler}/send")
def send(call: Call) -> object:
    """Deliver now; one that is switched off is accepted too, and its job fails."""
    row = schedulers.by_uuid(call)
    if not access.role_in(call.store, call.user, row["project"]).may_make:
        raise forbidden()
    error = None if row["enabled"] else _SWITCHED_OFF
    job = scheduler_jobs.start(call, row["project"], error=error, first="scheduled")
    now = call.store.now()
    times = {"scheduled_at": now, "finished_at": call.store.now()}
    call.store.insert(
        "scheduler_runs", id=int(job), scheduler=row["uuid"], user=call.user["uuid"], error=error, **times
    )
    return {"jobId": job}


@routes.post("/api/v1/schedulers/send")
def send_unsaved(call: Call) -> object:
    """Deliver once what is no saved delivery."""
    body = contracts.as_map(call.body)
    schedulers.checked(body)
    if body.get("savedChartUuid"):
        row = charts.by_uuid(call, str(body["savedChartUuid"]))
        charts.readable(call, row)
    else:
        row = dashboards.by_name(call, str(body.get("dashboardUuid")))
        dashboards.readable(call, row)
    error = None if body.get("enabled") else _SWITCHED_OFF
    first = "scheduled" if error is None else "error"
    return {"jobId": scheduler_jobs.start(call, row["project"], error=error, first=first)}


@routes.get("/api/v1/schedulers/{scheduler}/jobs", deprecated=_NO_REPLACEMENT)
def list_jobs(call: Call) -> object:
    """What is planned for a delivery, which the real server never says."""
    schedulers.by_uuid(call)
    return []


@routes.get("/api/v1/schedulers/{project}/runs")
def list_runs(call: Call) -> object:
    """What was sent in a project, the newest first, for those who look after it."""
    project = schedulers.looked_after(call)
    wanted = call.query.get("schedulerUuids")
    rows = call.store.all(f"{_RUNS} WHERE project = ? ORDER BY scheduler_runs.id DESC", project["uuid"])
    if isinstance(wanted, str):
        several = [as_uuid(uuid) for uuid in wanted.split(",")]
        rows = [row for row in rows if row["scheduler"] in several]
    return _paged(call, rows)


@routes.get("/api/v2/saved/{chart}/schedulers/{scheduler}/runs")
@routes.get("/api/v2/dashboards/{dashboard}/schedulers/{scheduler}/runs")
def list_runs_of_scheduler(call: Call) -> object:
    """What was sent of one delivery."""
    uuid = schedulers.by_uuid(call)["uuid"]
    return _paged(call, call.store.all(f"{_RUNS} WHERE scheduler = ? ORDER BY scheduler_runs.id DESC", uuid))


@routes.get("/api/v1/schedulers/runs/{run}/logs")
def get_logs(call: Call) -> object:
    """Every step of one run, the delivery's and each recipient's."""
    name = call.params["run"]
    row = call.store.one(f"{_RUNS} WHERE scheduler_runs.id = ?", int(name)) if name.isdecimal() else None
    if row is None:
        raise missing(f"Run with ID {name} not found")
    schedulers.by_uuid(call, row["scheduler"])
    return _head(row) | {"logs": _logs(row)} | _resource(row)


@routes.get("/api/v1/schedulers/{project}/logs", deprecated=_USE_RUNS)
def list_logs(call: Call) -> object:
    """The last step of everything that was sent, with all that it concerns beside it."""
    checks = Checks(call.query)
    page, size = read_page(checks)
    checks.done()
    project = schedulers.looked_after(call)["uuid"]
    rows = call.store.all(f"{_RUNS} WHERE project = ? ORDER BY scheduler_runs.id DESC", project)
    logs = [
        _old_log(row, log) for row in rows for log in reversed(_logs(row)) if log["status"] in {"completed", "error"}
    ]
    deliveries = call.store.all(f"{schedulers.SCHEDULERS} WHERE schedulers.project = ?", project)
    wanted = wanted_page(page, size)
    found = list_body(logs, wanted, pagination_first=True)
    return found | {"data": _around(deliveries) | {"logs": found["data"]}}


@routes.get("/api/v1/org/user/{user}/schedulers-summary")
def get_summary(call: Call) -> object:
    """How many deliveries somebody has, by project."""
    uuid = _member(call)
    rows = call.store.all(
        "SELECT project, projects.name, count(*) AS number FROM schedulers"
        " JOIN projects ON projects.uuid = schedulers.project WHERE schedulers.created_by = ? GROUP BY project",
        uuid,
    )
    hidden = [row["name"] for row in rows if not access.role_in(call.store, call.user, row["project"]).may_develop]
    if hidden:
        raise forbidden(f"You do not have permission to view scheduled deliveries in: {', '.join(hidden)}")
    by_project = [{"projectUuid": row["project"], "projectName": row["name"], "count": row["number"]} for row in rows]
    total = sum(row["number"] for row in rows)
    return {"totalCount": total, "hasGsheetsSchedulers": False, "byProject": by_project}


@routes.patch("/api/v1/org/user/{user}/reassign-schedulers")
def reassign_all(call: Call) -> object:
    """Give all of somebody's deliveries to somebody else."""
    body = contracts.read(call.body, Object(newOwnerUserUuid=TEXT))
    if call.user["role"] != "admin":
        raise forbidden()
    uuid, owner = _member(call), as_uuid(body["newOwnerUserUuid"])
    rows = call.store.all("SELECT uuid FROM schedulers WHERE created_by = ?", uuid)
    for row in rows:
        call.store.update("schedulers", row["uuid"], created_by=owner)
    return {"reassignedCount": len(rows)}


def _member(call: Call) -> str:
    uuid = call.uuid("user")
    row = call.store.one("SELECT organization FROM users WHERE uuid = ?", uuid)
    if row is None or row["organization"] != call.user["organization"]:
        raise missing("User not found or not a member of the organization")
    return uuid


def _paged(call: Call, rows: list[Row]) -> object:
    checks = Checks(call.query)
    page, size = read_page(checks)
    checks.done()
    return list_body([_run(row) for row in rows], wanted_page(page, size), pagination_first=True)


def _details(row: Row) -> dict[str, object]:
    details = {"projectUuid": row["project"], "organizationUuid": row["organization"], "createdByUserUuid": row["user"]}
    return ({"error": row["error"]} if row["error"] else {}) | details


def _head(row: Row) -> dict[str, object]:
    return {
        "runId": str(row["id"]),
        "schedulerUuid": row["scheduler"],
        "schedulerName": row["name"],
        "scheduledTime": row["scheduled_at"],
    }


def _resource(row: Row) -> dict[str, object]:
    kind = "chart" if row["chart"] else "dashboard"
    return {
        "resourceType": kind,
        "resourceUuid": row[kind],
        "resourceName": row[f"{kind}_name"],
        "createdByUserUuid": row["user"],
        "createdByUserName": f"{row['run_first']} {row['run_last']}",
    }


def _run(row: Row) -> dict[str, object]:
    done = row["error"] is None
    sent = int(done and bool(json.loads(row["targets"])))
    counts = {"total": sent, "scheduled": 0, "started": 0, "completed": sent, "error": 0}
    status = {"status": "completed" if done else "error", "runStatus": "completed" if done else "failed"}
    ending = {"createdAt": row["finished_at"], "details": _details(row), "logCounts": counts}
    return _head(row) | status | ending | _resource(row) | {"format": row["format"]}


def _logs(row: Row) -> list[dict[str, object]]:
    details = _details(row)
    plain = {key: value for key, value in details.items() if key != "error"}
    parent = [_log(row, "handleScheduledDelivery", state, details=plain) for state in ("scheduled", "started")]
    if row["error"]:
        return [*parent, _log(row, "handleScheduledDelivery", "error", details=details)]
    targets: list[dict[str, str]] = [one for one in json.loads(row["targets"]) if "recipient" in one]
    mails = [
        _log(row, "sendEmailNotification", state, target=one["recipient"], details=plain)
        for one in targets
        for state in ("started", "completed")
    ]
    results = [{"target": one["recipient"], "success": True, "targetUuid": one["uuid"]} for one in targets]
    number = len(targets)
    batch = {"type": "email", "total": number, "failed": 0, "results": results, "succeeded": number}
    parent.append(_log(row, "handleScheduledDelivery", "completed", details=plain))
    if not targets:
        return parent
    begun = _log(row, "sendEmailBatchNotification", "started", details=plain | {"targetCount": number})
    ended = _log(row, "sendEmailBatchNotification", "completed", details=plain | {"batchResult": batch})
    return [*parent, begun, *mails, ended]


def _log(
    row: Row, task: str, status: str, *, details: dict[str, object], target: str | None = None
) -> dict[str, object]:
    parent = task == "handleScheduledDelivery"
    return {
        "jobId": str(row["id"]),
        "jobGroup": str(row["id"]),
        "task": task,
        "status": status,
        "scheduledTime": row["scheduled_at"],
        "createdAt": row["finished_at"],
        "target": target,
        "targetType": None if parent else "email",
        "details": details,
        "isParent": parent,
    }


def _old_log(row: Row, log: dict[str, object]) -> dict[str, object]:
    shown = {key: value for key, value in log.items() if key != "isParent" and value is not None}
    return shown | {"schedulerUuid": row["scheduler"]}


def _around(rows: list[Row]) -> dict[str, object]:
    people = {row["created_by"]: (row["first_name"], row["last_name"]) for row in rows}
    users = [{"firstName": first, "lastName": last, "userUuid": uuid} for uuid, (first, last) in people.items()]
    named = {row["chart"]: row["chart_name"] for row in rows if row["chart"]}
    boards = {row["dashboard"]: row["dashboard_name"] for row in rows if row["dashboard"]}
    return {
        "schedulers": [schedulers.shown(row) for row in rows],
        "users": users,
        "charts": [{"name": name, "savedChartUuid": uuid} for uuid, name in named.items()],
        "dashboards": [{"name": name, "dashboardUuid": uuid} for uuid, name in boards.items()],
    }
