"""Jobs of the scheduler, known by a number: downloads, deliveries, validations.

A job is `started`, or `scheduled` first, and done on the next look. `start` is for whichever area has work to do:
its outcome is known at once here, and only shown later.
"""

import json
from collections.abc import Mapping
from sqlite3 import Row

from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.wire import forbidden, missing
from aboveboard.sandbox.table import Table

SCHEDULER_JOBS_TABLE = Table(
    "scheduler_jobs",
    "id INTEGER PRIMARY KEY, project TEXT, organization TEXT, user TEXT, status TEXT, outcome TEXT, details TEXT",
    fleeting=True,
    json={"details"},
)

routes = Routes()


@routes.get("/api/v1/schedulers/job/{job}/status")
def get_status(call: Call) -> object:
    """Where a job is; asking brings it on."""
    name = call.params["job"]
    row = call.store.one("SELECT * FROM scheduler_jobs WHERE id = ?", int(name)) if name.isdecimal() else None
    if row is None:
        raise missing("Job not found")
    if row["user"] != call.user["uuid"]:
        raise forbidden()
    return _shown(call, row)


def start(
    call: Call,
    project: str,
    details: Mapping[str, object] | None = None,
    *,
    error: str | None = None,
    first: str = "started",
) -> str:
    """A new job of the caller's, which will end with these details, or with an error; its number."""
    ending = {"error": error} if error is not None else dict(details or {})
    row = call.store.one("SELECT max(id) AS last FROM scheduler_jobs")
    number = ((row["last"] if row else None) or 0) + 1
    call.store.insert(
        "scheduler_jobs",
        id=number,
        project=project,
        organization=call.user["organization"],
        user=call.user["uuid"],
        status=first,
        outcome="completed" if error is None else "error",
        details=ending,
    )
    return str(number)


def _shown(call: Call, row: Row) -> dict[str, object]:
    ended = row["status"] == row["outcome"]
    call.store.run(
        "UPDATE scheduler_jobs SET status = CASE status WHEN 'scheduled' THEN 'started' ELSE outcome END WHERE id = ?",
        row["id"],
    )
    return {
        "status": row["status"],
        "details": {
            **(json.loads(row["details"]) if ended else {}),
            "projectUuid": row["project"],
            "organizationUuid": row["organization"],
            "createdByUserUuid": row["user"],
        },
    }
