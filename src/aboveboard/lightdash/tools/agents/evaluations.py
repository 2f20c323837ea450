"""Evaluations of AI agents: prompts with expected answers, and how an agent did; part of the area of agents."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE, RUN
from aboveboard.errors import BadInput
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.agents.evaluations import (
    Assessment,
    Evaluation,
    EvaluationDetails,
    EvaluationPrompt,
    EvaluationResults,
    EvaluationRun,
    PromptResult,
)
from aboveboard.lightdash.client.api import Page
from aboveboard.lightdash.tools.agents.agents import MOMENT, AgentUuid, tools
from aboveboard.lightdash.tools.gone import Deleted, for_good
from aboveboard.lightdash.tools.parameters import Limit, PageNumber, ProjectUuid

EVALUATION = Evaluation(eval_uuid="e41c...", title="Basics", agent_uuid="5c1e...")
DETAILS = EvaluationDetails(
    **vars(EVALUATION), prompts=[EvaluationPrompt(eval_prompt_uuid="9f3d...", prompt="How many orders?")]
)
RUNNING = EvaluationRun(
    run_uuid="b7a6...",
    eval_uuid="e41c...",
    status="completed",
    passed_assessments=1,
    failed_assessments=0,
    created_at=MOMENT,
)


class SavedEvaluation(EvaluationDetails):
    """An evaluation with its prompts, and where people open it."""

    url: str


class StartedRun(EvaluationRun):
    """A run that was started, and where people watch it."""

    url: str


SAVED = SavedEvaluation(**vars(DETAILS), url="https://...")


class GivenPrompt(BaseModel):
    """A prompt, and the answer it should get."""

    model_config = ConfigDict(extra="forbid")

    prompt: str = Field(min_length=1)
    expected_response: str | None = None


EvalUuid = Annotated[str, Field(description="Evaluation UUID or title.")]
Title = Annotated[str, Field(description="What people see.", min_length=1, max_length=255)]
About = Annotated[str | None, Field(description="What it is for.")]
Prompts = Annotated[list[GivenPrompt], Field(description="What to ask.", min_length=1)]


@tools.tool("List Agent Evaluations", READ, example=Page[Evaluation](items=[EVALUATION], total=1))
async def list_agent_evaluations(
    lightdash: LightdashClient,
    agent_uuid: AgentUuid,
    project_uuid: ProjectUuid = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[Evaluation]:
    """List the evaluations of an AI agent."""
    return await lightdash.agent_evaluations.list(project_uuid, agent_uuid, limit=limit, page=page)


@tools.tool("Get Agent Evaluation", READ, example=DETAILS)
async def get_agent_evaluation(
    lightdash: LightdashClient, agent_uuid: AgentUuid, eval_uuid: EvalUuid, project_uuid: ProjectUuid = None
) -> EvaluationDetails:
    """Get an evaluation and its prompts."""
    return await lightdash.agent_evaluations.get(project_uuid, agent_uuid, eval_uuid)


@tools.tool("Create Agent Evaluation", ADD, example=SAVED)
async def create_agent_evaluation(
    lightdash: LightdashClient,
    agent_uuid: AgentUuid,
    title: Title,
    prompts: Prompts,
    project_uuid: ProjectUuid = None,
    description: About = None,
) -> SavedEvaluation:
    """Create an evaluation of an AI agent, to be run later; the same call again creates another."""
    made = await lightdash.agent_evaluations.create(
        project_uuid, agent_uuid, title, description=description, prompts=_written(prompts)
    )
    return _saved(lightdash, project_uuid, agent_uuid, made)


@tools.tool("Update Agent Evaluation", REPLACE, example=SAVED)
async def update_agent_evaluation(
    lightdash: LightdashClient,
    agent_uuid: AgentUuid,
    eval_uuid: EvalUuid,
    project_uuid: ProjectUuid = None,
    title: Annotated[str | None, Field(description="New title.", min_length=1, max_length=255)] = None,
    description: About = None,
    prompts: Annotated[list[GivenPrompt] | None, Field(description="All prompts: others go.", min_length=1)] = None,
) -> SavedEvaluation:
    """Change an evaluation; what is left out stays, what it replaces is gone."""
    if title is None and description is None and prompts is None:
        raise BadInput("Give what should change: there is nothing to do.")
    now = await lightdash.agent_evaluations.get(project_uuid, agent_uuid, eval_uuid)
    # Prompts that are written again get new ids, so those that are there already are left alone.
    fresh = None if prompts is None or _written(prompts) == _written(now.prompts) else _written(prompts)
    if title is not None or description is not None or fresh is not None:
        now = await lightdash.agent_evaluations.update(
            project_uuid, agent_uuid, eval_uuid, title=title, description=description, prompts=fresh
        )
    return _saved(lightdash, project_uuid, agent_uuid, now)


@tools.tool("Append Agent Evaluation Prompts", ADD, example=SAVED)
async def append_agent_evaluation_prompts(
    lightdash: LightdashClient,
    agent_uuid: AgentUuid,
    eval_uuid: EvalUuid,
    prompts: Prompts,
    project_uuid: ProjectUuid = None,
) -> SavedEvaluation:
    """Add prompts to an evaluation; the same call again adds them once more."""
    changed = await lightdash.agent_evaluations.append(project_uuid, agent_uuid, eval_uuid, _written(prompts))
    return _saved(lightdash, project_uuid, agent_uuid, changed)


# For the same reasons as asking the agent.
@tools.tool("Run Agent Evaluation", RUN.reaching_out(), example=StartedRun(**vars(RUNNING), url="https://..."))
async def run_agent_evaluation(
    lightdash: LightdashClient, agent_uuid: AgentUuid, eval_uuid: EvalUuid, project_uuid: ProjectUuid = None
) -> StartedRun:
    """Start a run: the agent answers every prompt, with whatever its own tools let it do."""
    run = await lightdash.agent_evaluations.run(project_uuid, agent_uuid, eval_uuid)
    url = lightdash.pages.evaluation_run(project_uuid, agent_uuid, run.eval_uuid, run.run_uuid)
    return StartedRun(**vars(run), url=url)


@tools.tool("List Agent Evaluation Runs", READ, example=Page[EvaluationRun](items=[RUNNING], total=1))
async def list_agent_evaluation_runs(
    lightdash: LightdashClient,
    agent_uuid: AgentUuid,
    eval_uuid: EvalUuid,
    project_uuid: ProjectUuid = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[EvaluationRun]:
    """List the runs of an evaluation and how many prompts passed."""
    return await lightdash.agent_evaluations.runs(project_uuid, agent_uuid, eval_uuid, limit=limit, page=page)


@tools.tool(
    "Get Agent Evaluation Results",
    READ,
    example=EvaluationResults(
        **vars(RUNNING), results=[PromptResult(status="completed", assessment=Assessment(passed=True))]
    ),
)
async def get_agent_evaluation_run_results(
    lightdash: LightdashClient,
    agent_uuid: AgentUuid,
    eval_uuid: EvalUuid,
    run_uuid: Annotated[str, Field(description="Run UUID.")],
    project_uuid: ProjectUuid = None,
) -> EvaluationResults:
    """Get a run of an evaluation, prompt by prompt."""
    return await lightdash.agent_evaluations.results(project_uuid, agent_uuid, eval_uuid, run_uuid)


@tools.tool("Delete Agent Evaluation", DELETE, example=for_good("e41c...", "Basics"))
async def delete_agent_evaluation(
    lightdash: LightdashClient, agent_uuid: AgentUuid, eval_uuid: EvalUuid, project_uuid: ProjectUuid = None
) -> Deleted:
    """Delete an evaluation for good, with its runs."""
    gone = await lightdash.agent_evaluations.delete(project_uuid, agent_uuid, eval_uuid)
    return for_good(gone.eval_uuid, gone.title)


def _written(prompts: Sequence[GivenPrompt | EvaluationPrompt]) -> list[dict[str, Any]]:
    return [{"prompt": one.prompt, "expectedResponse": one.expected_response} for one in prompts]


def _saved(
    lightdash: LightdashClient, project: str | None, agent: str, evaluation: EvaluationDetails
) -> SavedEvaluation:
    url = lightdash.pages.evaluation(project, agent, evaluation.eval_uuid)
    return SavedEvaluation(**vars(evaluation), url=url)
