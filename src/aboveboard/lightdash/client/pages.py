"""Pages: where people open things in Lightdash's own web client; no request is sent to find out."""

from typing import Literal

from aboveboard.lightdash.client.api import Api
from aboveboard.lightdash.client.schedules.schedulers import Scheduler


class Pages:
    """The addresses of one instance's pages."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def content(self, kind: Literal["chart", "dashboard"], project: str | None, item: str) -> str:
        """Return the page of a chart or dashboard, by UUID or slug."""
        return self._api.page(project, "saved" if kind == "chart" else "dashboards", item)

    def explores(self, project: str | None) -> str:
        return self._api.page(project, "tables")

    def metrics(self, project: str | None) -> str:
        """Return the catalog of a project's metrics, which shows their tags too."""
        return self._api.page(project, "metrics")

    def delivery(self, scheduler: Scheduler) -> str:
        """Return the page of what is sent: it has a list of its deliveries."""
        if scheduler.project_uuid and scheduler.saved_chart_uuid:
            return self.content("chart", scheduler.project_uuid, scheduler.saved_chart_uuid)
        if scheduler.project_uuid and scheduler.dashboard_uuid:
            return self.content("dashboard", scheduler.project_uuid, scheduler.dashboard_uuid)
        return self._settings("userScheduledDeliveries")  # an SQL chart is opened by its slug, which is not told

    def validator(self, project: str | None) -> str:
        return self._project_settings(project, "validator")

    def project_access(self, project: str | None) -> str:
        return self._project_settings(project, "projectAccess")

    def people(self) -> str:
        """Return the page of the organisation's members and groups: none of them has one of its own."""
        return self._settings("userManagement")

    def ai_settings(self) -> str:
        return self._settings("ai/general")

    def agent(self, project: str | None, agent: str) -> str:
        return self._api.page(project, "ai-agents", agent.lower())

    def thread(self, project: str | None, agent: str, thread: str) -> str:
        return f"{self.agent(project, agent)}/threads/{thread}"

    def evaluation(self, project: str | None, agent: str, evaluation: str) -> str:
        return f"{self.agent(project, agent)}/edit/evals/{evaluation}"

    def evaluation_run(self, project: str | None, agent: str, evaluation: str, run: str) -> str:
        return f"{self.evaluation(project, agent, evaluation)}/run/{run}"

    def _project_settings(self, project: str | None, page: str) -> str:
        return self._settings(f"projectManagement/{self._api.project(project).lower()}/{page}")

    def _settings(self, page: str) -> str:
        return f"{self._api.url}/generalSettings/{page}"
