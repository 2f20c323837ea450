"""Evaluations: prompts that show how well an AI agent answers (enterprise edition)."""

from collections.abc import Sequence
from typing import Any

from aboveboard.http import Nature, Path
from aboveboard.lightdash.client.api import Api, Model, Page, Pagination, page_of, slice_page


class Evaluation(Model):
    """An evaluation in a list."""

    eval_uuid: str
    title: str
    description: str | None = None
    agent_uuid: str


class EvaluationPrompt(Model):
    """One prompt, with the answer it should get."""

    eval_prompt_uuid: str
    prompt: str | None = None
    expected_response: str | None = None


class EvaluationDetails(Evaluation):
    """An evaluation and its prompts."""

    prompts: list[EvaluationPrompt]


class EvaluationRun(Model):
    """One run of an evaluation."""

    run_uuid: str
    eval_uuid: str
    status: str
    passed_assessments: int
    failed_assessments: int
    created_at: str
    completed_at: str | None = None


class Assessment(Model):
    """Whether an answer will do."""

    passed: bool
    reason: str | None = None


class PromptResult(Model):
    """What became of one prompt."""

    prompt: str | None = None
    expected_response: str | None = None
    status: str
    error_message: str | None = None
    thread_uuid: str | None = None
    assessment: Assessment | None = None


class EvaluationResults(EvaluationRun):
    """A run, prompt by prompt."""

    results: list[PromptResult]


class _Made(Model):
    eval_uuid: str


class _Runs(Model):
    runs: list[EvaluationRun]


class _RunsPage(Model):
    data: _Runs
    pagination: Pagination


class AgentEvaluations:
    """The evaluations of one instance's agents."""

    def __init__(self, api: Api) -> None:
        self._api = api.about("AI agents")

    async def list(self, project: str | None, agent: str, *, limit: int, page: int) -> Page[Evaluation]:
        every = await self._api.get(self._all(project, agent), list[Evaluation])
        return slice_page(every, Evaluation, limit=limit, page=page)

    async def get(self, project: str | None, agent: str, evaluation: str) -> EvaluationDetails:
        return await self._api.get(self._one(project, agent, evaluation), EvaluationDetails)

    async def create(
        self, project: str | None, agent: str, title: str, *, description: str | None, prompts: Sequence[dict[str, Any]]
    ) -> EvaluationDetails:
        body = {"title": title, "prompts": prompts, **({} if description is None else {"description": description})}
        made = await self._api.post(self._all(project, agent), _Made, body)
        return await self.get(project, agent, made.eval_uuid)

    async def update(
        self, project: str | None, agent: str, evaluation: str, **changes: str | Sequence[dict[str, Any]] | None
    ) -> EvaluationDetails:
        body = {key: value for key, value in changes.items() if value is not None}
        return await self._api.patch(self._one(project, agent, evaluation), EvaluationDetails, body)

    async def append(
        self, project: str | None, agent: str, evaluation: str, prompts: Sequence[dict[str, Any]]
    ) -> EvaluationDetails:
        at = self._api.at(
            "/api/v1/projects/{project:uuid}/aiAgents/{agent:uuid}/evaluations/{evaluation:uuid}/append",
            project,
            agent=agent,
            evaluation=evaluation,
        )
        return await self._api.post(at, EvaluationDetails, {"prompts": prompts})

    async def run(self, project: str | None, agent: str, evaluation: str) -> EvaluationRun:
        """Let the agent answer every prompt; with content tools it may change charts on the way."""
        at = self._api.at(
            "/api/v1/projects/{project:uuid}/aiAgents/{agent:uuid}/evaluations/{evaluation:uuid}/run",
            project,
            agent=agent,
            evaluation=evaluation,
        )
        return await self._api.post(at, EvaluationRun, nature=Nature.REPLACES)

    async def runs(
        self, project: str | None, agent: str, evaluation: str, *, limit: int, page: int
    ) -> Page[EvaluationRun]:
        at = self._api.at(
            "/api/v1/projects/{project:uuid}/aiAgents/{agent:uuid}/evaluations/{evaluation:uuid}/runs",
            project,
            agent=agent,
            evaluation=evaluation,
        )
        found = await self._api.get(at, _RunsPage, {"page": page, "pageSize": limit})
        return page_of(found.data.runs, EvaluationRun, found.pagination)

    async def results(self, project: str | None, agent: str, evaluation: str, run: str) -> EvaluationResults:
        at = self._api.at(
            "/api/v1/projects/{project:uuid}/aiAgents/{agent:uuid}/evaluations/{evaluation:uuid}/runs/{run:uuid}",
            project,
            agent=agent,
            evaluation=evaluation,
            run=run,
        )
        return await self._api.get(at, EvaluationResults)

    async def delete(self, project: str | None, agent: str, evaluation: str) -> EvaluationDetails:
        """Delete an evaluation with its runs and return what it was."""
        old = await self.get(project, agent, evaluation)
        await self._api.delete(self._one(project, agent, evaluation))
        return old

    def _all(self, project: str | None, agent: str) -> Path:
        return self._api.at("/api/v1/projects/{project:uuid}/aiAgents/{agent:uuid}/evaluations", project, agent=agent)

    def _one(self, project: str | None, agent: str, evaluation: str) -> Path:
        return self._api.at(
            "/api/v1/projects/{project:uuid}/aiAgents/{agent:uuid}/evaluations/{evaluation:uuid}",
            project,
            agent=agent,
            evaluation=evaluation,
        )
