"""Waiting for what takes its time: a query's rows, within what clients allow for a call, with progress."""

import time
from collections.abc import Sequence
from typing import Any, Final

import anyio

from aboveboard.errors import ApiError
from aboveboard.kit.call import Call
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.queries.queries import Submitted
from aboveboard.lightdash.tools.queries.results import QueryResult, result_of

BUDGET: Final = 45.0
"""Seconds to wait for a query: clients give up on a call after 60."""


async def awaited(
    lightdash: LightdashClient,
    call: Call,
    project: str | None,
    submitted: Submitted,
    *,
    rows: int,
    page: int = 1,
    order: Sequence[str] = (),
    limit: int | None = None,
    url: str | None = None,
    budget: float = BUDGET,
) -> QueryResult:
    """Wait for a query and return its rows, or that it still runs and what to call next."""

    async def progress(waited: float) -> None:
        await call.progress(waited, budget, f"The query runs, {waited:.0f} s so far")

    poll = await lightdash.queries.wait(
        project, submitted.query_uuid, page=page, size=rows, budget=budget, progress=progress
    )
    return result_of(submitted, poll, rows=rows, order=order, limit=limit, url=url)


async def finished(
    lightdash: LightdashClient, call: Call, project: str | None, submitted: Submitted, *, rows: int
) -> QueryResult:
    """Wait for a query that is of no use unfinished."""
    result = await awaited(lightdash, call, project, submitted, rows=rows)
    if result.status == "running":
        raise ApiError(f"Lightdash took more than {BUDGET:.0f} seconds for this.", next_step="Try a narrower search.")
    return result


async def job_done(lightdash: LightdashClient, call: Call, job: str, *, budget: float = BUDGET) -> dict[str, Any]:
    """Wait for one of Lightdash's background jobs and return its details."""
    started, pause = time.monotonic(), 0.1
    while True:
        status = await lightdash.queries.export_status(job)
        waited = time.monotonic() - started
        if status.status == "completed":
            return status.details or {}
        if status.status == "error":
            why = (status.details or {}).get("error") or "Lightdash does not say why"
            raise ApiError(f"The job failed: {why}.")
        if waited + pause > budget:
            raise ApiError(f"The job {job} still runs.", next_step="Try again later: Lightdash goes on with it.")
        await call.progress(waited, budget, f"Lightdash works on it, {waited:.0f} s so far")
        await anyio.sleep(pause)
        pause = min(pause * 1.5, 2.0)
