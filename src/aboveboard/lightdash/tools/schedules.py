"""Schedules: what Lightdash sends out by itself, when and to whom."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Model, Page
from aboveboard.lightdash.client.schedules.schedulers import Format, Run, Scheduler
from aboveboard.lightdash.tools.gone import Deleted, for_good
from aboveboard.lightdash.tools.parameters import Limit, PageNumber, ProjectUuid, Search

tools = Toolset[LightdashClient](
    "schedules", title="Schedules", icon="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm-1 4h2v5l4 2-1 2-5-3z"
)

SCHEDULER = Scheduler(
    scheduler_uuid="f10a...",
    name="Monday mail",
    cron="0 9 * * 1",
    format="csv",
    enabled=True,
    targets=["ada@example.com"],
)


class SavedScheduler(Scheduler):
    """A scheduled delivery, and where people open what it sends."""

    url: str


SAVED = SavedScheduler(**vars(SCHEDULER), url="https://...")

SchedulerUuid = Annotated[str, Field(description="Scheduler UUID or name.")]
Cron = "Cron expression such as 0 9 * * 1, hourly at most."
TimeZone = "Time zone such as Europe/Berlin."
Emails = "E-mail addresses."
Channels = "Slack channel ids."


class Sent(Model):
    """That it is on its way, and what to know of it."""

    scheduler_uuid: str
    job_id: str
    next_step: str
    url: str


@tools.tool("List Schedulers", READ, example=Page[Scheduler](items=[SCHEDULER], total=1))
async def list_schedulers(
    lightdash: LightdashClient,
    project_uuid: ProjectUuid = None,
    search: Search = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[Scheduler]:
    """List a project's scheduled deliveries: what is sent, when and to whom."""
    return await lightdash.schedulers.list(project_uuid, search=search, limit=limit, page=page)


@tools.tool("Get Scheduler", READ, example=SCHEDULER)
async def get_scheduler(lightdash: LightdashClient, scheduler_uuid: SchedulerUuid) -> Scheduler:
    """Get a scheduled delivery: what is sent, when and to whom."""
    return await lightdash.schedulers.get(scheduler_uuid)


# Lightdash will mail on the caller's behalf, later and to any address: that reaches beyond it as sending now does.
@tools.tool("Create Scheduler", ADD.reaching_out(), example=SAVED)
async def create_scheduler(
    lightdash: LightdashClient,
    name: Annotated[str, Field(description="The subject of the mail.", min_length=1, max_length=255)],
    cron: Annotated[str, Field(description=Cron)],
    chart: Annotated[str | None, Field(description="What to send: a chart (UUID, slug or name),")] = None,
    dashboard: Annotated[str | None, Field(description="or a dashboard (UUID, slug or name).")] = None,
    project_uuid: ProjectUuid = None,
    emails: Annotated[list[str] | None, Field(description=Emails)] = None,
    slack_channels: Annotated[list[str] | None, Field(description=Channels)] = None,
    format: Annotated[Format, Field(description="What is attached.")] = "csv",  # noqa: A002 (Lightdash's own word)
    timezone: Annotated[str, Field(description=TimeZone)] = "UTC",
    message: Annotated[str | None, Field(description="Text of the mail.")] = None,
) -> SavedScheduler:
    """Schedule a chart or dashboard to be sent by mail or Slack; it is on at once, and the first goes out when due."""
    if (chart is None) == (dashboard is None):
        raise BadInput("Give a chart or a dashboard, one of them.")
    if not emails and not slack_channels:
        raise BadInput("Give emails, slack_channels, or both: nobody would get it.")
    made = await lightdash.schedulers.create(
        project_uuid,
        chart=chart,
        dashboard=dashboard,
        name=name,
        cron=cron,
        timezone=timezone,
        kind=format,
        message=message,
        emails=emails or [],
        channels=slack_channels or [],
    )
    return SavedScheduler(**vars(made), url=lightdash.pages.delivery(made))


@tools.tool("Update Scheduler", REPLACE.reaching_out(), example=SAVED)
async def update_scheduler(
    lightdash: LightdashClient,
    scheduler_uuid: SchedulerUuid,
    name: Annotated[str | None, Field(description="New name.", min_length=1, max_length=255)] = None,
    cron: Annotated[str | None, Field(description=Cron)] = None,
    timezone: Annotated[str | None, Field(description=TimeZone)] = None,
    message: Annotated[str | None, Field(description="Text of the mail.")] = None,
    format: Annotated[Format | None, Field(description="What is attached.")] = None,  # noqa: A002
    emails: Annotated[list[str] | None, Field(description=f"{Emails} All of them: others are dropped.")] = None,
    slack_channels: Annotated[list[str] | None, Field(description=f"{Channels} All of them.")] = None,
) -> SavedScheduler:
    """Change a scheduled delivery; what is left out stays, the rest is replaced. It is sent so whenever it is due."""
    changes = {"name": name, "cron": cron, "timezone": timezone, "message": message, "format": format}
    if emails is None and slack_channels is None and not any(value is not None for value in changes.values()):
        raise BadInput("Give what should change: there is nothing to do.")
    changed = await lightdash.schedulers.update(scheduler_uuid, emails=emails, channels=slack_channels, **changes)
    return SavedScheduler(**vars(changed), url=lightdash.pages.delivery(changed))


@tools.tool("Set Scheduler Enabled", REPLACE.reaching_out(), example=SAVED)
async def set_scheduler_enabled(
    lightdash: LightdashClient,
    scheduler_uuid: SchedulerUuid,
    enabled: Annotated[bool, Field(description="True: send when due. False: send nothing.")],
) -> SavedScheduler:
    """Switch a scheduled delivery on or off; switched on, it is sent to its targets whenever it is due."""
    changed = await lightdash.schedulers.set_enabled(scheduler_uuid, enabled=enabled)
    return SavedScheduler(**vars(changed), url=lightdash.pages.delivery(changed))


@tools.tool(
    "Send Scheduler Now",
    ADD.reaching_out(),
    example=Sent(scheduler_uuid="f10a...", job_id="29", next_step="get_job_status tells ...", url="https://..."),
)
async def send_scheduler_now(lightdash: LightdashClient, scheduler_uuid: SchedulerUuid) -> Sent:
    """Send a delivery to all its targets now, beside its schedule; each call sends it once more."""
    scheduler = await lightdash.schedulers.get(scheduler_uuid)
    if not scheduler.enabled:
        # Lightdash takes the order, and its job then fails.
        raise BadInput("The scheduler is switched off: set_scheduler_enabled switches it on.")
    mail = any("@" in target for target in scheduler.targets)
    unmailed = mail and (await lightdash.instance.health()).has_email_client is False
    job = await lightdash.schedulers.send(scheduler)
    # Without a mail server the job still says that it is completed.
    note = "This Lightdash has no mail server: no mail will arrive. " if unmailed else ""
    return Sent(
        scheduler_uuid=scheduler.scheduler_uuid,
        job_id=job,
        next_step=f"{note}get_job_status with this job_id tells what became of it.",
        url=lightdash.pages.delivery(scheduler),
    )


@tools.tool("Delete Scheduler", DELETE, example=for_good("f10a...", "Monday mail"))
async def delete_scheduler(lightdash: LightdashClient, scheduler_uuid: SchedulerUuid) -> Deleted:
    """Delete a scheduled delivery for good; the chart or dashboard stays."""
    gone = await lightdash.schedulers.delete(scheduler_uuid)
    return for_good(gone.scheduler_uuid, gone.name)


@tools.tool(
    "Get Scheduler Runs",
    READ,
    example=Page[Run](
        items=[
            Run(
                run_id="29",
                scheduler_uuid="f10a...",
                scheduler_name="Monday mail",
                run_status="completed",
                scheduled_time="2026-01-31T09:00:00.000Z",
            )
        ],
        total=1,
    ),
)
async def get_scheduler_runs(
    lightdash: LightdashClient,
    project_uuid: ProjectUuid = None,
    scheduler_uuid: Annotated[str | None, Field(description="Only of this scheduler (UUID or name).")] = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[Run]:
    """List the deliveries of a project that ran, the latest first, and why some failed."""
    return await lightdash.schedulers.runs(project_uuid, scheduler=scheduler_uuid, limit=limit, page=page)
