"""Validation: find what is broken, and put aside what need not be mended."""

from typing import Annotated, Literal

from pydantic import Field

from aboveboard.effects import DELETE, READ, RUN
from aboveboard.kit.call import Call
from aboveboard.kit.gone import Gone, shorten_text
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Model, Page
from aboveboard.lightdash.client.validation import Affected, Problem, ProblemGroup, Source, Summary
from aboveboard.lightdash.tools.parameters import Limit, PageNumber, ProjectUuid, Search
from aboveboard.lightdash.tools.queries.waiting import BUDGET

tools = Toolset[LightdashClient]("validation", title="Validation", icon="M9 16 4 11l-2 2 7 7L22 7l-2-2z")

PROBLEM = Problem(
    validation_uuid="22f9...",
    name="Sales by day",
    error="the field 'orders_total' no longer exists",
    error_type="metric",
    source="chart",
    project_uuid="3675...",
)
NEXT_TIME = "The next validation may list it again."


class Dismissed(Problem, Gone):
    """A problem that is no longer listed, and where people see the others."""

    url: str


DISMISSED = Dismissed(
    validation_uuid="22f9...",
    name="Sales by day",
    error="the field ...",
    error_type="metric",
    source="chart",
    project_uuid="3675...",
    gone="Sales by day",
    to_get_back=NEXT_TIME,
    url="https://...",
)


class Validated(Model):
    """What a validation found, or that it still runs."""

    status: Literal["done", "running"]
    job_id: str
    total_errors: int | None = None
    next_step: str
    url: str


# The results of the last time are replaced by new ones with new ids, and what was dismissed may come back.
@tools.tool(
    "Validate Project",
    RUN,
    example=Validated(
        status="done", job_id="32", total_errors=5, next_step="get_validation_summary ...", url="https://..."
    ),
)
async def validate_project(lightdash: LightdashClient, call: Call, project_uuid: ProjectUuid = None) -> Validated:
    """Check all charts, dashboards and tables of a project against its models; the last results are gone."""

    async def progress(waited: float) -> None:
        await call.progress(waited, BUDGET, f"The validation runs, {waited:.0f} s so far")

    url = lightdash.pages.validator(project_uuid)
    started = await lightdash.validation.start(project_uuid)
    job = await lightdash.jobs.wait(started, budget=BUDGET, progress=progress)
    if job.status == "running":
        next_step = "get_job_status tells when it is done; then get_validation_summary shows what it found."
        return Validated(status="running", job_id=started, next_step=next_step, url=url)
    summary = await lightdash.validation.summary(project_uuid)
    next_step = "get_validation_summary shows the causes, get_validation_results every problem."
    found = summary.total_errors
    return Validated(status="done", job_id=started, total_errors=found, next_step=next_step, url=url)


@tools.tool("Get Validation Results", READ, example=Page[Problem](items=[PROBLEM], total=1))
async def get_validation_results(
    lightdash: LightdashClient,
    project_uuid: ProjectUuid = None,
    search: Search = None,
    source: Annotated[Source | None, Field(description="Only problems of these.")] = None,
    include_warnings: Annotated[bool, Field(description="Also fields that a chart does not use.")] = False,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[Problem]:
    """List what the last validation found broken."""
    return await lightdash.validation.list(
        project_uuid, search=search, source=source, warnings=include_warnings, limit=limit, page=page
    )


@tools.tool(
    "Get Validation Summary",
    READ,
    example=Summary(
        total_errors=1,
        total_affected_items=1,
        groups=[
            ProblemGroup(
                error_type="metric",
                error_count=1,
                sample_error="the field ...",
                affected_content=[Affected(name="Sales by day", source="chart")],
                has_more_affected_content=False,
            )
        ],
    ),
)
async def get_validation_summary(lightdash: LightdashClient, project_uuid: ProjectUuid = None) -> Summary:
    """Count what the last validation found, grouped by cause."""
    return await lightdash.validation.summary(project_uuid)


@tools.tool("Dismiss Validation", DELETE, example=DISMISSED)
async def dismiss_validation(
    lightdash: LightdashClient,
    validation_uuid: Annotated[str, Field(description="validation_uuid, from get_validation_results.")],
    project_uuid: ProjectUuid = None,
) -> Dismissed:
    """Take one problem off the list; it is not mended, and the next validation may list it again."""
    gone = await lightdash.validation.dismiss(project_uuid, validation_uuid)
    what, url = shorten_text(f"{gone.name}: {gone.error}"), lightdash.pages.validator(project_uuid)
    return Dismissed(**vars(gone), gone=what, to_get_back=NEXT_TIME, url=url)
