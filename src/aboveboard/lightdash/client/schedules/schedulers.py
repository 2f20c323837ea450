"""Schedulers: charts and dashboards that Lightdash sends out by itself."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, cast

from pydantic import model_validator

from aboveboard.errors import Refused
from aboveboard.http import Path, path
from aboveboard.http.path import uuid
from aboveboard.lightdash.client.api import Api, Model, Page
from aboveboard.lightdash.client.charts import Charts
from aboveboard.lightdash.client.dashboards.dashboards import Dashboards
from aboveboard.lightdash.client.jobs import NO_PROJECT, Started
from aboveboard.lightdash.client.kept import Kept
from aboveboard.lightdash.client.schedules.cron import check_cron, check_emails, check_timezone

Format = Literal["csv", "xlsx", "image", "pdf"]
_OPTIONS: Mapping[str, dict[str, object]] = {
    "csv": {"formatted": True, "limit": "table"},
    "xlsx": {"formatted": True, "limit": "table"},
    "image": {"withPdf": False},
    "pdf": {},
}
# What Lightdash says of a target by itself.
_BESIDE_TARGET = ("schedulerUuid", "createdAt", "updatedAt")
_LISTED = (
    "A project's schedulers are listed to its developers and admins alone: get_scheduler shows one by its UUID, and"
    " one of your own by its name."
)
Raw = dict[str, Any]


class Scheduler(Kept):
    """What is sent when, and to whom; the address of a webhook is a secret and not shown."""

    beside: ClassVar = frozenset(
        (
            *("schedulerUuid", "slug", "createdAt", "updatedAt", "createdBy", "createdByName", "enabled"),
            *("savedChartUuid", "savedChartName", "dashboardUuid", "dashboardName", "savedSqlUuid", "savedSqlName"),
            *("projectUuid", "projectName", "projectSchedulerTimezone"),
        )
    )

    scheduler_uuid: str
    name: str
    cron: str
    timezone: str | None = None
    format: str
    enabled: bool
    message: str | None = None
    project_uuid: str | None = None
    saved_chart_uuid: str | None = None
    saved_chart_name: str | None = None
    dashboard_uuid: str | None = None
    dashboard_name: str | None = None
    created_by_name: str | None = None
    targets: list[str]

    @model_validator(mode="before")
    @classmethod
    def _name_targets(cls, answer: object) -> object:
        if not isinstance(answer, dict):
            return answer
        fields = cast("Raw", answer)
        if not isinstance(fields.get("targets"), list):
            return fields
        return {**fields, "targets": [_named(target) for target in fields["targets"]]}


class Run(Model):
    """One time that a scheduler ran."""

    run_id: str
    scheduler_uuid: str
    scheduler_name: str
    run_status: str
    scheduled_time: str
    resource_type: str | None = None
    resource_name: str | None = None
    error: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _find_error(cls, answer: object) -> object:
        if not isinstance(answer, dict):
            return answer
        fields = cast("Raw", answer)
        details = fields.get("details")
        return {"error": cast("Raw", details).get("error"), **fields} if isinstance(details, dict) else fields


class Schedulers:
    """The schedulers of one instance."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def list(self, project: str | None, *, search: str | None, limit: int, page: int) -> Page[Scheduler]:
        at = self._api.at("/api/v1/schedulers/{project:uuid}/list", project)
        query = {"searchQuery": search or None, "page": page, "pageSize": limit}
        try:
            return await self._api.get_page(at, Scheduler, query)
        except Refused as refused:
            if "don't have access" not in str(refused):
                raise
            # Editors make schedulers, and are yet refused the list: Lightdash does not say why.
            raise Refused(
                str(refused).removesuffix(Refused.advice).rstrip(), status=refused.status, next_step=_LISTED
            ) from None

    async def own(self, *, search: str | None, limit: int, page: int) -> Page[Scheduler]:
        """List those that the caller made, in whatever project may be touched."""
        query = {"searchQuery": search or None, "page": page, "pageSize": limit}
        at = path("/api/v1/schedulers/user-schedulers")
        found = await self._api.get_page(at, Scheduler, query, org_wide=True)
        here = [one for one in found.items if one.project_uuid and self._api.allows(one.project_uuid)]
        return found.model_copy(update={"items": here})

    async def runs(self, project: str | None, *, scheduler: str | None, limit: int, page: int) -> Page[Run]:
        at = self._api.at("/api/v1/schedulers/{project:uuid}/runs", project)
        of = None if scheduler is None else uuid("scheduler", scheduler)
        found = await self._api.get_page(at, Run, {"schedulerUuids": of, "page": page, "pageSize": limit})
        if found.total == 0 and of is not None:
            await self.get(of)  # of one that is not there, Lightdash shows no runs
        return found

    async def get(self, scheduler: str) -> Scheduler:
        # Its address names no project, so what comes back must be of one that may be touched.
        return await self._api.get(self._at(scheduler), Scheduler, project_of=_project_of)

    async def create(
        self,
        project: str | None,
        *,
        chart: str | None,
        dashboard: str | None,
        name: str,
        cron: str,
        timezone: str,
        kind: Format,
        message: str | None,
        emails: Sequence[str],
        channels: Sequence[str],
    ) -> Scheduler:
        """Schedule a chart or a dashboard; Lightdash switches it on whatever `enabled` says."""
        body: Raw = {
            **{"name": name, "cron": check_cron(cron), "timezone": check_timezone(timezone)},
            **{"format": kind, "options": _OPTIONS[kind], "targets": _targets(emails, channels)},
            **{"enabled": True, "includeLinks": True, "appUuid": None, "appName": None},
        }
        if message is not None:
            body["message"] = message
        if chart is not None:
            found = await Charts(self._api).get(chart, project)
            at = path("/api/v1/saved/{chart:uuid}/schedulers", chart=found.uuid)
        else:
            found = await Dashboards(self._api).get(str(dashboard), project)
            at = path("/api/v1/dashboards/{dashboard:uuid}/schedulers", dashboard=found.uuid)
        return await self._api.post(at, Scheduler, body, within=found.project_uuid)

    async def update(
        self, scheduler: str, *, emails: Sequence[str] | None, channels: Sequence[str] | None, **changes: str | None
    ) -> Scheduler:
        """Change what is given; the rest is read first, since Lightdash replaces most of the whole."""
        given: Raw = {key: value for key, value in changes.items() if value is not None}
        if "cron" in given:
            given["cron"] = check_cron(given["cron"])
        if "timezone" in given:
            given["timezone"] = check_timezone(given["timezone"])
        wanted = _wanted(emails, channels)
        old = await self.get(scheduler)
        if given.get("format", old.format) != old.format:
            given["options"] = _OPTIONS[given["format"]]
        now = old.content()
        targets = _merged(now["targets"], wanted)
        body = {**now, **given, "targets": targets}
        if body == {**now, "targets": _merged(now["targets"], {})}:
            return old  # an equal update would only move the time of the last change
        return await self._api.patch(self._at(scheduler), Scheduler, body, within=_project_of(old))

    async def set_enabled(self, scheduler: str, *, enabled: bool) -> Scheduler:
        old = await self.get(scheduler)
        if old.enabled == enabled:
            return old  # Lightdash would put the next delivery off its place and plan it anew
        at = path("/api/v1/schedulers/{scheduler:uuid}/enabled", scheduler=scheduler)
        return await self._api.patch(at, Scheduler, {"enabled": enabled}, within=_project_of(old))

    async def send(self, scheduler: Scheduler) -> str:
        """Send it now, once more, and return the job's id."""
        at = path("/api/v1/schedulers/{scheduler:uuid}/send", scheduler=scheduler.scheduler_uuid)
        return (await self._api.post(at, Started, within=_project_of(scheduler))).job_id

    async def delete(self, scheduler: str) -> Scheduler:
        """Delete a scheduler and return what it was."""
        old = await self.get(scheduler)
        await self._api.delete(self._at(scheduler), within=_project_of(old))
        return old

    def _at(self, scheduler: str) -> Path:
        return path("/api/v1/schedulers/{scheduler:uuid}", scheduler=scheduler)


def _project_of(scheduler: Scheduler) -> str:
    return scheduler.project_uuid or NO_PROJECT


def _named(target: object) -> str:
    """Name a target in words: an address, a Slack channel, or that it is a webhook."""
    if isinstance(target, str):
        return target
    fields = cast("Raw", target) if isinstance(target, dict) else {}
    if "recipient" in fields:
        return str(fields["recipient"])
    return f"slack:{fields['channel']}" if "channel" in fields else "webhook"


def _targets(emails: Sequence[str], channels: Sequence[str]) -> list[Raw]:
    return [{"recipient": one} for one in check_emails(emails)] + [{"channel": one} for one in dict.fromkeys(channels)]


def _wanted(emails: Sequence[str] | None, channels: Sequence[str] | None) -> dict[str, list[str]]:
    """Return the targets to have, by kind; a kind that was not given stays as it is."""
    wanted = {} if emails is None else {"recipient": check_emails(emails)}
    return wanted if channels is None else {**wanted, "channel": list(dict.fromkeys(channels))}


def _merged(old: list[Raw], wanted: dict[str, list[str]]) -> list[Raw]:
    """Keep the targets that stay, under the ids they have, and add the new ones."""
    kept = [one for one in old if all(key not in one or one[key] in values for key, values in wanted.items())]
    had = {(key, one[key]) for one in kept for key in wanted if key in one}
    new = [{key: value} for key, values in wanted.items() for value in values if (key, value) not in had]
    return [{key: value for key, value in one.items() if key not in _BESIDE_TARGET} for one in kept] + new
