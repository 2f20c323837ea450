"""Jobs known by a UUID: reading the dbt project anew."""

import json
from sqlite3 import Row

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.wire import ServiceError, forbidden, missing
from aboveboard.sandbox.table import Table

JOBS_TABLE = Table(
    "jobs",
    "uuid TEXT PRIMARY KEY, project TEXT, user TEXT, status TEXT, polls INTEGER, outcome TEXT, error TEXT,"
    " created_at TEXT, updated_at TEXT, started_at TEXT",
    fleeting=True,
)

routes = Routes()

_NO_DBT = (
    "Cannot compile explores as this project was created via CLI and has no dbt connection configured. Either configure"
    " a dbt connection in project settings or use the CLI to deploy explores."
)
_STEPS = {"STARTED": "PENDING"}


@routes.post("/api/v1/projects/{project}/refresh")
def refresh(call: Call) -> object:
    """Read the project's models again; each call is one more job."""
    project = access.project(call)
    if call.user["role"] not in {"admin", "developer"}:
        raise forbidden()
    dbt = json.loads(project["settings"])["dbtConnection"]["type"] != "none"
    uuid, now = call.store.new_uuid(), call.store.now()
    call.store.insert(
        "jobs",
        uuid=uuid,
        project=project["uuid"],
        user=call.user["uuid"],
        status="RUNNING" if dbt else "STARTED",
        polls=2 if dbt else 1,
        outcome="DONE" if dbt else "ERROR",
        error=None if dbt else _NO_DBT,
        created_at=now,
        updated_at=now,
        started_at=now if dbt else None,
    )
    return {"jobUuid": uuid}


@routes.get("/api/v1/jobs")
def list_jobs(call: Call) -> object:
    """No list: the route wants a browser session, whatever the token."""
    raise ServiceError(401, "AuthorizationError", "Failed to authorize user")


@routes.get("/api/v1/jobs/{job}")
def get_job(call: Call) -> object:
    """Where a job is; its owner's asking brings it on."""
    row = call.store.one(
        "SELECT jobs.*, organization FROM jobs JOIN projects ON projects.uuid = jobs.project WHERE jobs.uuid = ?",
        call.uuid("job"),
    )
    if row is None:
        raise missing(f"job with jobUuid {call.params['job']} does not exist")
    if row["organization"] != call.user["organization"]:
        raise missing("Cannot find job")
    if row["user"] == call.user["uuid"]:
        row = _brought_on(call, row)
    return _shown(row)


def _brought_on(call: Call, row: Row) -> Row:
    if row["status"] == row["outcome"]:
        return row
    if row["polls"] > 0:
        call.store.run("UPDATE jobs SET polls = polls - 1 WHERE uuid = ?", row["uuid"])
        return row
    call.store.run(
        "UPDATE jobs SET status = outcome, updated_at = ?, started_at = coalesce(started_at, created_at)"
        " WHERE uuid = ?",
        call.store.now(),
        row["uuid"],
    )
    return call.store.one("SELECT * FROM jobs WHERE uuid = ?", row["uuid"]) or row


def _shown(row: Row) -> dict[str, object]:
    times = {"createdAt": row["created_at"], "updatedAt": row["updated_at"]}
    done = row["status"] == row["outcome"]
    return {
        **times,
        "projectUuid": row["project"],
        "userUuid": row["user"],
        "jobUuid": row["uuid"],
        "jobStatus": row["status"],
        "steps": [
            {
                "jobUuid": row["uuid"],
                **times,
                "stepStatus": _STEPS.get(row["status"], row["status"]),
                "stepType": "COMPILING",
                "stepError": row["error"] if done else None,
                "stepLabel": "Compiling",
                "startedAt": row["started_at"],
                "stepDbtLogs": [] if row["status"] == "ERROR" else None,
            }
        ],
        "jobType": "COMPILE_PROJECT",
        "jobResults": {"indexCatalogJobUuid": "1"} if row["status"] == "DONE" else None,
    }
