"""Threads: conversations with an AI agent (enterprise edition)."""

from typing import Any

from aboveboard.errors import NotFound
from aboveboard.http import Nature, Path, path
from aboveboard.http.path import uuid
from aboveboard.lightdash.client.api import Api, Model, Named, Page, Pagination, page_of, slice_page


class FirstMessage(Model):
    """What a thread began with."""

    message: str


class Thread(Model):
    """A thread in a list."""

    uuid: str
    title: str | None = None
    created_at: str
    created_from: str
    user: Named
    first_message: FirstMessage


class Message(Model):
    """What a person asked, or what the agent answered."""

    uuid: str
    role: str
    message: str | None = None
    created_at: str
    status: str | None = None
    error_message: str | None = None


class ThreadDetails(Thread):
    """A thread and all that was said in it."""

    messages: list[Message]


class AnyThread(Model):
    """A thread of any agent, as admins see it."""

    uuid: str
    title: str | None = None
    created_at: str
    created_from: str
    prompt_count: int
    user: Named
    agent: Named
    project: Named


class _AnyThreads(Model):
    threads: list[AnyThread]


class _AnyThreadsPage(Model):
    data: _AnyThreads
    pagination: Pagination


class _Answer(Model):
    response: str


class AgentThreads:
    """The conversations with one instance's agents."""

    def __init__(self, api: Api) -> None:
        self._api = api.about("AI agents")

    async def everywhere(
        self, *, project: str | None, agent: str | None, search: str | None, limit: int, page: int
    ) -> Page[AnyThread]:
        query: dict[str, Any] = {
            "projectUuids": self._api.allowed_projects or None if project is None else [uuid("project", project)],
            "agentUuids": None if agent is None else uuid("agent", agent),
            "search": search or None,
            "page": page,
            "pageSize": limit,
        }
        at = path("/api/v1/aiAgents/admin/threads")
        found = await self._api.get(at, _AnyThreadsPage, query, org_wide=True)
        threads = page_of(found.data.threads, AnyThread, found.pagination)
        if threads.total == 0:  # as it is of a project or an agent that is not there
            await self._look_for(project, agent)
        return threads

    async def _look_for(self, project: str | None, agent: str | None) -> None:
        if project is not None:
            await self._api.get(self._api.at("/api/v1/projects/{project:uuid}", project), dict[str, object])
        if agent is None:
            return
        agents = await self._api.get(path("/api/v1/aiAgents/admin/agents"), list[Named], org_wide=True)
        if uuid("agent", agent) not in {one.uuid for one in agents}:
            raise NotFound(f"There is no agent with the UUID {agent}.", status=404)

    async def list(self, project: str | None, agent: str, *, everyone: bool, limit: int, page: int) -> Page[Thread]:
        at = self._at(project, agent)
        every = await self._api.get(at, list[Thread], {"allUsers": "true" if everyone else None})
        return slice_page(every, Thread, limit=limit, page=page)

    async def get(self, project: str | None, agent: str, thread: str) -> ThreadDetails:
        at = self._api.at(
            "/api/v1/projects/{project:uuid}/aiAgents/{agent:uuid}/threads/{thread:uuid}",
            project,
            agent=agent,
            thread=thread,
        )
        return await self._api.get(at, ThreadDetails)

    async def start(self, project: str | None, agent: str, prompt: str) -> str:
        """Begin a thread with a prompt and return the thread's id."""
        return (await self._api.post(self._at(project, agent), Thread, {"prompt": prompt})).uuid

    async def say(self, project: str | None, agent: str, thread: str, prompt: str) -> str:
        """Put one more prompt into a thread and return the thread's id."""
        at = self._api.at(
            "/api/v1/projects/{project:uuid}/aiAgents/{agent:uuid}/threads/{thread:uuid}/messages",
            project,
            agent=agent,
            thread=thread,
        )
        await self._api.post(at, Message, {"prompt": prompt})
        return at.parts["thread"]

    async def answer(self, project: str | None, agent: str, thread: str) -> str:
        """Let the agent answer the last prompt of a thread; with content tools it may change charts on the way."""
        at = self._api.at(
            "/api/v1/projects/{project:uuid}/aiAgents/{agent:uuid}/threads/{thread:uuid}/generate",
            project,
            agent=agent,
            thread=thread,
        )
        return (await self._api.post(at, _Answer, nature=Nature.REPLACES)).response

    def _at(self, project: str | None, agent: str) -> Path:
        return self._api.at("/api/v1/projects/{project:uuid}/aiAgents/{agent:uuid}/threads", project, agent=agent)
