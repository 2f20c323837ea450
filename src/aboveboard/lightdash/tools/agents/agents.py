"""AI agents: Lightdash's own assistants and the conversations with them (enterprise edition; off unless asked for)."""

from typing import Annotated, Literal

import anyio
from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE, RUN
from aboveboard.errors import BadInput
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.agents.agents import Agent, AgentDetails, AgentSettings
from aboveboard.lightdash.client.agents.threads import AnyThread, FirstMessage, Message, Thread, ThreadDetails
from aboveboard.lightdash.client.api import Model, Named, Page
from aboveboard.lightdash.tools.gone import Deleted, for_good
from aboveboard.lightdash.tools.parameters import Limit, PageNumber, ProjectUuid, Search
from aboveboard.lightdash.tools.queries.waiting import BUDGET

tools = Toolset[LightdashClient](
    "agents", title="AI agents", icon="M11 2h2v3h6v12H5V5h6zM8 9v3h2V9zm6 0v3h2V9zM8 19h8v2H8z", default=False
)

AGENT = Agent(uuid="5c1e...", name="Analyst", project_uuid="3675...")
DETAILS = AgentDetails(
    uuid="5c1e...",
    name="Analyst",
    project_uuid="3675...",
    enable_data_access=True,
    user_access=[],
    group_access=[],
    space_access=[],
)
AGENT_NAME = Named(uuid="5c1e...", name="Analyst")
ADA = Named(uuid="b264...", name="Ada Byron")
MOMENT = "2026-01-31T09:00:00.000Z"
THREAD = Thread(
    uuid="7d0f...",
    created_at=MOMENT,
    created_from="web_app",
    user=ADA,
    first_message=FirstMessage(message="How many orders?"),
)
SETTINGS = AgentSettings(ai_agents_visible=True)

AgentUuid = Annotated[str, Field(description="Agent UUID or name.")]
ThreadUuid = Annotated[str, Field(description="Thread UUID.")]
Prompt = Annotated[str, Field(description="What to ask.", min_length=1)]
OneProject = Annotated[str | None, Field(description="Only of this project (UUID or name).")]


class SavedAgent(AgentDetails):
    """An agent, and where people ask it."""

    url: str


class ChangedSettings(AgentSettings):
    """What the organisation decided for all agents, and where people see it."""

    url: str


class AgentAnswer(Model):
    """What an agent answered, or that it still thinks."""

    status: Literal["answered", "running"]
    thread_uuid: str
    answer: str | None = None
    next_step: str | None = None
    url: str


SAVED = SavedAgent(**vars(DETAILS), url="https://...")
ANSWER = AgentAnswer(status="answered", thread_uuid="7d0f...", answer="12 orders.", url="https://...")


@tools.tool("List Admin Agents", READ, example=Page[Agent](items=[AGENT], total=1))
async def list_admin_agents(lightdash: LightdashClient, limit: Limit = 50, page: PageNumber = 1) -> Page[Agent]:
    """List the AI agents of all projects this server may touch; for admins."""
    return await lightdash.agents.everywhere(limit=limit, page=page)


@tools.tool(
    "List Admin Agent Threads",
    READ,
    example=Page[AnyThread](
        items=[
            AnyThread(
                uuid="7d0f...",
                created_at=MOMENT,
                created_from="web_app",
                prompt_count=1,
                user=ADA,
                agent=AGENT_NAME,
                project=Named(uuid="3675...", name="Corner Shop"),
            )
        ],
        total=1,
    ),
)
async def list_admin_agent_threads(
    lightdash: LightdashClient,
    project_uuid: OneProject = None,
    agent_uuid: Annotated[str | None, Field(description="Only of this agent (UUID or name).")] = None,
    search: Search = None,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[AnyThread]:
    """List everyone's conversations with AI agents; for admins."""
    return await lightdash.agent_threads.everywhere(
        project=project_uuid, agent=agent_uuid, search=search, limit=limit, page=page
    )


@tools.tool("Get AI Organization Settings", READ, example=SETTINGS)
async def get_ai_organization_settings(lightdash: LightdashClient) -> AgentSettings:
    """Tell what the organisation decided for all AI agents."""
    return await lightdash.agents.settings()


@tools.tool("Update AI Organization Settings", REPLACE, example=ChangedSettings(**vars(SETTINGS), url="https://..."))
async def update_ai_organization_settings(
    lightdash: LightdashClient,
    ai_agents_visible: Annotated[bool, Field(description="Whether people see AI agents at all.")],
) -> ChangedSettings:
    """Show AI agents to the whole organisation or hide them; the old choice is gone."""
    settings = await lightdash.agents.set_visible(visible=ai_agents_visible)
    return ChangedSettings(**vars(settings), url=lightdash.pages.ai_settings())


@tools.tool("List Project Agents", READ, example=Page[Agent](items=[AGENT], total=1))
async def list_project_agents(
    lightdash: LightdashClient, project_uuid: ProjectUuid = None, limit: Limit = 50, page: PageNumber = 1
) -> Page[Agent]:
    """List the AI agents of a project."""
    return await lightdash.agents.list(project_uuid, limit=limit, page=page)


@tools.tool("Get Project Agent", READ, example=DETAILS)
async def get_project_agent(
    lightdash: LightdashClient, agent_uuid: AgentUuid, project_uuid: ProjectUuid = None
) -> AgentDetails:
    """Get an AI agent: its instruction, what it may use and who may use it."""
    return await lightdash.agents.get(project_uuid, agent_uuid)


@tools.tool("Create Project Agent", ADD, example=SAVED)
async def create_project_agent(
    lightdash: LightdashClient,
    name: Annotated[str, Field(description="The name people see.", min_length=1, max_length=255)],
    project_uuid: ProjectUuid = None,
    description: Annotated[str | None, Field(description="What it is for.")] = None,
    instruction: Annotated[str | None, Field(description="What it is told before every question.")] = None,
) -> SavedAgent:
    """Create an AI agent that everyone in the project may ask, without access to rows; again creates another."""
    made = await lightdash.agents.create(project_uuid, name, description=description, instruction=instruction)
    return SavedAgent(**vars(made), url=lightdash.pages.agent(project_uuid, made.uuid))


@tools.tool("Update Project Agent", REPLACE, example=SAVED)
async def update_project_agent(
    lightdash: LightdashClient,
    agent_uuid: AgentUuid,
    project_uuid: ProjectUuid = None,
    name: Annotated[str | None, Field(description="New name.", min_length=1, max_length=255)] = None,
    description: Annotated[str | None, Field(description="What it is for.")] = None,
    instruction: Annotated[str | None, Field(description="What it is told before every question.")] = None,
) -> SavedAgent:
    """Change an AI agent; what is left out stays, what it replaces is gone."""
    if name is None and description is None and instruction is None:
        raise BadInput("Give what should change: there is nothing to do.")
    changed = await lightdash.agents.update(
        project_uuid, agent_uuid, name=name, description=description, instruction=instruction
    )
    return SavedAgent(**vars(changed), url=lightdash.pages.agent(project_uuid, changed.uuid))


@tools.tool("Delete Project Agent", DELETE, example=for_good("5c1e...", "Analyst"))
async def delete_project_agent(
    lightdash: LightdashClient, agent_uuid: AgentUuid, project_uuid: ProjectUuid = None
) -> Deleted:
    """Delete an AI agent for good, with its conversations and evaluations."""
    gone = await lightdash.agents.delete(project_uuid, agent_uuid)
    return for_good(gone.uuid, gone.name)


@tools.tool("List Agent Threads", READ, example=Page[Thread](items=[THREAD], total=1))
async def list_agent_threads(
    lightdash: LightdashClient,
    agent_uuid: AgentUuid,
    project_uuid: ProjectUuid = None,
    everyone: Annotated[bool, Field(description="True: also those of others.")] = False,
    limit: Limit = 50,
    page: PageNumber = 1,
) -> Page[Thread]:
    """List the conversations with an AI agent."""
    return await lightdash.agent_threads.list(project_uuid, agent_uuid, everyone=everyone, limit=limit, page=page)


@tools.tool(
    "Get Agent Thread",
    READ,
    example=ThreadDetails(
        **vars(THREAD), messages=[Message(uuid="0a4b...", role="user", message="How many orders?", created_at=MOMENT)]
    ),
)
async def get_agent_thread(
    lightdash: LightdashClient, agent_uuid: AgentUuid, thread_uuid: ThreadUuid, project_uuid: ProjectUuid = None
) -> ThreadDetails:
    """Get a conversation with an AI agent, message by message."""
    return await lightdash.agent_threads.get(project_uuid, agent_uuid, thread_uuid)


# An agent with content tools may make and change charts, and the question goes to the provider of its model.
@tools.tool("Generate Agent Message", RUN.reaching_out(), example=ANSWER)
async def generate_agent_message(
    lightdash: LightdashClient, agent_uuid: AgentUuid, prompt: Prompt, project_uuid: ProjectUuid = None
) -> AgentAnswer:
    """Ask an AI agent in a new conversation and wait for its answer; it may do whatever its own tools let it."""
    thread = await lightdash.agent_threads.start(project_uuid, agent_uuid, prompt)
    return await _answered(lightdash, project_uuid, agent_uuid, thread)


@tools.tool("Continue Agent Thread", RUN.reaching_out(), example=ANSWER)
async def continue_agent_thread(
    lightdash: LightdashClient,
    agent_uuid: AgentUuid,
    thread_uuid: ThreadUuid,
    prompt: Prompt,
    project_uuid: ProjectUuid = None,
) -> AgentAnswer:
    """Ask on in a conversation with an AI agent and wait for its answer; it may do whatever its own tools let it."""
    thread = await lightdash.agent_threads.say(project_uuid, agent_uuid, thread_uuid, prompt)
    return await _answered(lightdash, project_uuid, agent_uuid, thread)


async def _answered(lightdash: LightdashClient, project: str | None, agent: str, thread: str) -> AgentAnswer:
    url = lightdash.pages.thread(project, agent, thread)
    with anyio.move_on_after(BUDGET):
        answer = await lightdash.agent_threads.answer(project, agent, thread)
        return AgentAnswer(status="answered", thread_uuid=thread, answer=answer, url=url)
    next_step = "get_agent_thread with this thread_uuid shows the answer once it is there."
    return AgentAnswer(status="running", thread_uuid=thread, next_step=next_step, url=url)
