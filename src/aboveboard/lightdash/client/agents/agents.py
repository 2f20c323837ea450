"""AI agents: Lightdash's own assistants, which answer questions with a project's data (enterprise edition)."""

from typing import Any

from aboveboard.http import Path, path
from aboveboard.http.path import uuid
from aboveboard.lightdash.client.api import Api, Model, Page, slice_page

VERSION = 2
"""Of the way agents work: what Lightdash's own pages send for a new one."""


class Agent(Model):
    """An agent in a list."""

    uuid: str
    name: str
    description: str | None = None
    project_uuid: str
    tags: list[str] | None = None


class AgentDetails(Agent):
    """An agent, what it is told to do, and what it may use."""

    instruction: str | None = None
    enable_data_access: bool
    enable_content_tools: bool | None = None
    enable_sql_mode: bool | None = None
    user_access: list[str]
    group_access: list[str]
    space_access: list[str]


class AgentSettings(Model):
    """What the organisation decided for all agents."""

    ai_agents_visible: bool
    ai_agent_memory_enabled: bool | None = None
    ai_agent_reviews_enabled: bool | None = None
    mcp_content_writes_enabled: bool | None = None


class Agents:
    """The agents of one instance."""

    def __init__(self, api: Api) -> None:
        self._api = api.about("AI agents")

    async def everywhere(self, *, limit: int, page: int) -> Page[Agent]:
        every = await self._api.get(path("/api/v1/aiAgents/admin/agents"), list[Agent], org_wide=True)
        allowed = [agent for agent in every if self._api.allows(agent.project_uuid)]
        return slice_page(allowed, Agent, limit=limit, page=page)

    async def settings(self) -> AgentSettings:
        return await self._api.get(path("/api/v1/aiAgents/admin/settings"), AgentSettings, org_wide=True)

    async def set_visible(self, *, visible: bool) -> AgentSettings:
        body = {"aiAgentsVisible": visible}
        return await self._api.patch(path("/api/v1/aiAgents/admin/settings"), AgentSettings, body, org_wide=True)

    async def list(self, project: str | None, *, limit: int, page: int) -> Page[Agent]:
        at = self._api.at("/api/v1/projects/{project:uuid}/aiAgents", project)
        return slice_page(await self._api.get(at, list[Agent]), Agent, limit=limit, page=page)

    async def get(self, project: str | None, agent: str) -> AgentDetails:
        return await self._api.get(self._at(project, agent), AgentDetails)

    async def create(
        self, project: str | None, name: str, *, description: str | None, instruction: str | None
    ) -> AgentDetails:
        at = self._api.at("/api/v1/projects/{project:uuid}/aiAgents", project)
        # All of these are required, and empty lists let everyone use it with all that they see themselves.
        body: dict[str, Any] = {
            **{"name": name, "description": description, "instruction": instruction, "version": VERSION},
            **{"projectUuid": at.parts["project"], "tags": None, "imageUrl": None, "integrations": []},
            **{"userAccess": [], "groupAccess": [], "spaceAccess": []},
            # Left out, the last one would be true: an agent that may change charts is for people to make.
            **{"enableDataAccess": False, "enableSelfImprovement": False, "enableContentTools": False},
        }
        return await self._api.post(at, AgentDetails, body)

    async def update(self, project: str | None, agent: str, **changes: str | None) -> AgentDetails:
        body = {key: value for key, value in changes.items() if value is not None}
        return await self._api.patch(self._at(project, agent), AgentDetails, {**body, "uuid": uuid("agent", agent)})

    async def delete(self, project: str | None, agent: str) -> AgentDetails:
        """Delete an agent and return what it was."""
        old = await self.get(project, agent)
        await self._api.delete(self._at(project, agent))
        return old

    def _at(self, project: str | None, agent: str) -> Path:
        return self._api.at("/api/v1/projects/{project:uuid}/aiAgents/{agent:uuid}", project, agent=agent)
