"""Waiting for what takes its time: a query's rows, within what clients allow for a call, with progress."""

import time
from collections.abc import Awaitable, Sequence
from typing import Any, Final

import anyio

from aboveboard.errors import ApiError
from aboveboard.kit.call import Call
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.queries.queries import Submitted
from aboveboard.lightdash.tools.queries.results import QueryResult, result_of

BUDGET: Final = 45.0
"""Seconds to wait for a query: clients give up on a call after 60."""
TOLD_EVERY: Final = 2.0
"""Seconds between two notes of progress while there is nothing to look at."""


async def await_rows(
    lightdash: LightdashClient,
    call: Call | None,
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
    """Wait for a query and return its rows, or that it still runs and what to call next; a call is told of progress."""
    if url is not None or order:
        lightdash.queries.remember(submitted, order, url)

    async def progress(waited: float) -> None:
        so_far = waited + BUDGET - budget
        if call is not None:
            await call.progress(so_far, BUDGET, f"The query runs, {so_far:.0f} s so far")

    poll = await lightdash.queries.wait(
        project, submitted.query_uuid, page=page, size=rows, budget=budget, progress=progress
    )
    return result_of(submitted, poll, rows=rows, order=order, limit=limit, url=url)


async def submit_in_time(call: Call, submit: Awaitable[Submitted]) -> tuple[Submitted, float]:
    """Submit what Lightdash runs once before it answers; return it with the seconds that are left of the budget.

    Until then there is no query to ask about or to cancel, so all that can be told is that it goes on.
    """
    started = time.monotonic()

    async def tell() -> None:
        while True:
            await anyio.sleep(TOLD_EVERY)
            waited = time.monotonic() - started
            await call.progress(waited, BUDGET, f"Lightdash tries the statement, {waited:.0f} s so far")

    with anyio.move_on_after(BUDGET):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(tell)
            submitted = await submit
            tasks.cancel_scope.cancel()
            return submitted, max(BUDGET - (time.monotonic() - started), 0.0)
    raise ApiError(
        f"Lightdash tried the statement for {BUDGET:.0f} seconds and did not come to its end: there is no query_uuid.",
        next_step="It may go on in the warehouse, and nothing here can stop it: make it read less before trying again.",
    )


async def await_end(
    lightdash: LightdashClient, call: Call, project: str | None, submitted: Submitted, *, rows: int
) -> QueryResult:
    """Wait for a query that is of no use unfinished."""
    result = await await_rows(lightdash, call, project, submitted, rows=rows)
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
