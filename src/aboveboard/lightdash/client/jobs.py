"""Jobs: work that Lightdash does behind the scenes, in two systems that do not know each other's ids."""

import time
from typing import Any, Literal

import anyio

from aboveboard.errors import ApiError, BadInput
from aboveboard.http import path
from aboveboard.http.path import uuid
from aboveboard.lightdash.client.api import Api, Model
from aboveboard.lightdash.client.queries.queries import FIRST_PAUSE, LONGEST_PAUSE, Progress

State = Literal["running", "done", "failed"]
_STATES: dict[str, State] = {"DONE": "done", "ERROR": "failed", "completed": "done", "error": "failed"}
NO_PROJECT = "(unknown)"


class Job(Model):
    """How a job goes, and what went wrong where it failed."""

    job_id: str
    status: State
    error: str | None = None
    project_uuid: str | None = None


class Started(Model):
    """A job of the scheduler that Lightdash has taken on."""

    job_id: str


class _Step(Model):
    step_error: str | None = None


class _Compilation(Model):
    job_uuid: str
    job_status: str
    project_uuid: str | None = None
    steps: list[_Step] | None = None


class _Task(Model):
    status: str
    details: dict[str, Any] | None = None

    @property
    def project_uuid(self) -> str:
        return str((self.details or {}).get("projectUuid") or NO_PROJECT)


class Jobs:
    """The jobs of one instance."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def get(self, job: str) -> Job:
        """Look at a job; refreshes have UUIDs, everything else has numbers."""
        if job.isdecimal():
            return await self._task(job)
        try:
            return await self._compilation(uuid("job", job))
        except BadInput:
            raise BadInput(
                f"{job!r} is not the id of a job.", next_step="Use the job_id that a tool answered."
            ) from None

    async def wait(self, job: str, *, budget: float, progress: Progress) -> Job:
        """Wait until a job has ended, or until the budget is used up; a failed one is an error in Lightdash's words."""
        started, pause = time.monotonic(), FIRST_PAUSE
        while True:
            found = await self.get(job)
            waited = time.monotonic() - started
            if found.status == "failed":
                raise ApiError(f"The job failed: {found.error or 'Lightdash does not say why'}.", status=200)
            if found.status == "done" or waited + pause > budget:
                return found
            await progress(waited)
            await anyio.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)

    async def _compilation(self, job: str) -> Job:
        at = path("/api/v1/jobs/{job:uuid}", job=job)
        found = await self._api.get(at, _Compilation, project_of=lambda it: it.project_uuid or NO_PROJECT)
        errors = [step.step_error for step in found.steps or () if step.step_error]
        return Job(
            job_id=found.job_uuid,
            status=_STATES.get(found.job_status, "running"),
            error=" ".join(errors) or None,
            project_uuid=found.project_uuid,
        )

    async def _task(self, job: str) -> Job:
        at = path("/api/v1/schedulers/job/{job}/status", job=job)
        found = await self._api.get(at, _Task, project_of=lambda it: it.project_uuid)
        project = found.project_uuid
        return Job(
            job_id=job,
            status=_STATES.get(found.status, "running"),
            error=(found.details or {}).get("error"),
            project_uuid=None if project == NO_PROJECT else project,
        )
