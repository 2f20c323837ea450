"""LIGHTDASH_ALLOWED_PROJECTS: what a server that may touch one project does about the others."""

import re
from collections.abc import Sequence
from typing import Any

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.calls import FIRST, PREVIEW, VERA
from tests.lightdash.sessions import TOOLS, connected, facts, serving
from tests.plans import served
from tests.sessions import text_of

from aboveboard.http import Session as HttpSession
from aboveboard.http import path
from aboveboard.lightdash.client.api import Api
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

EVERY_PROJECT = "This changes the organisation, and so every project"
OF_THE_ORGANISATION = re.compile(r"(POST|PUT|PATCH|DELETE) /api/v\d/(org|groups|aiAgents/admin)\b")
"""Groups, members and their roles reach into every project."""
UPSTREAM = {"preview_promotion", "promote_content"}
"""They read and write another project."""
MONDAY = {"name": "Monday", "cron": "0 9 * * 1", "emails": ["ada@corner-shop.example"]}
NOT_ALLOWED = f"The project {places.MAIN} is not among those this server may touch"


async def test_the_list_of_projects_shows_only_the_allowed_ones_and_counts_only_them(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox), allowed=[places.PREVIEW]) as session:
        fenced = await session.ask("list_projects")
    async with connected(serving(sandbox)) as session:
        free = await session.ask("list_projects")
    assert [project["project_uuid"] for project in fenced["items"]] == [places.PREVIEW]
    assert (fenced["total"], free["total"]) == (1, 2)


async def test_a_role_in_the_organisation_is_refused_and_one_in_the_allowed_project_is_not(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox), allowed=[places.PREVIEW]) as session:
        role = {"role": "admin", "user_uuid": VERA}
        assert "every project" in await session.refusal("assign_role", organization=True, **role)
        await session.ask("assign_role", project_uuid=places.PREVIEW, **role)


async def test_every_tool_works_in_the_allowed_project_unless_it_reaches_into_another() -> None:
    said: dict[str, str] = {}
    fence = {"LIGHTDASH_ALLOWED_PROJECTS": places.PREVIEW}
    async with served("lightdash", environment=fence, values=PREVIEW) as lightdash:
        for tool, case in FIRST.items():
            arguments = await lightdash.arrange(case)
            before = await lightdash.state()
            result = await lightdash.session.call(tool, **arguments)
            assert of_the_organisation(lightdash.sent()) == [], tool
            if result.is_error:
                said[tool] = text_of(result)
                assert await lightdash.state() == before, tool
            await lightdash.reset()
    assert all("LIGHTDASH_ALLOWED_PROJECTS" in text for text in said.values())
    organisations = {tool for tool, text in said.items() if EVERY_PROJECT in text}
    assert said.keys() - organisations == UPSTREAM
    async with served("lightdash") as lightdash:
        for tool in organisations:
            await lightdash.call(FIRST[tool])
            assert of_the_organisation(lightdash.sent()) != [], f"{tool} is refused for nothing"
            await lightdash.reset()
    assert organisations
    assert FIRST.keys() == TOOLS.keys()


def of_the_organisation(sent: Sequence[str]) -> list[str]:
    """Pick the requests that change what all projects share."""
    return [line for line in sent if OF_THE_ORGANISATION.match(line)]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_chart", {"chart": places.MAIN_CHART.upper()}),
        ("get_dashboard", {"dashboard": places.MAIN_DASHBOARD}),
        ("create_scheduler", {**MONDAY, "chart": places.MAIN_CHART}),
        ("update_scheduler", {"scheduler_uuid": places.MAIN_SCHEDULER, "name": "Taken over"}),
    ],
)
async def test_what_belongs_to_another_project_is_refused_though_no_project_was_named(
    sandbox: Sandbox, tool: str, arguments: dict[str, Any]
) -> None:
    before = facts(sandbox)
    service = serving(sandbox)
    async with connected(service, allowed=[places.PREVIEW]) as session:
        text = await session.refusal(tool, **arguments)
    assert NOT_ALLOWED in text
    assert facts(sandbox) == before
    assert {request.method for request in service.arrived} == {"GET"}


async def test_a_job_of_another_project_is_not_told_of(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        refresh = await session.ask("refresh_project", project_uuid=places.MAIN)
        check = await session.ask("validate_project", project_uuid=places.MAIN)
    async with connected(serving(sandbox), allowed=[places.PREVIEW]) as session:
        for job in (refresh, check):
            assert NOT_ALLOWED in await session.refusal("get_job_status", job_id=job["job_id"])


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("delete_tag", {"tag_uuid": places.MAIN_TAG}),
        ("grant_user_space_access", {"space_uuid": places.SALES, "user_uuid": VERA, "role": "admin"}),
        ("delete_comment", {"dashboard": places.MAIN_DASHBOARD, "comment_id": places.MAIN_TILE}),
        ("delete_space", {"space_uuid": places.SALES.upper()}),
        ("create_space", {"parent_space_uuid": places.SALES, "name": "Annexe"}),
    ],
)
async def test_what_is_changed_under_the_path_of_another_project_is_looked_for_first(
    sandbox: Sandbox, tool: str, arguments: dict[str, Any]
) -> None:
    # Lightdash does not check the project in the path of a tag, nor that in the path of a space.
    before = facts(sandbox)
    service = serving(sandbox)
    async with connected(service, allowed=[places.PREVIEW]) as session:
        text = await session.refusal(tool, project_uuid=places.PREVIEW, **arguments)
    assert "Lightdash answered 404" in text or "The project has no tag" in text
    assert facts(sandbox) == before
    assert {request.method for request in service.arrived} == {"GET"}


async def test_lists_over_all_projects_show_only_the_allowed_one(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        for project in (places.MAIN, places.PREVIEW):
            agent = await session.ask("create_project_agent", name="Analyst", project_uuid=project)
            asked = {"agent_uuid": agent["uuid"], "prompt": "Well?", "project_uuid": project}
            await session.ask("generate_agent_message", **asked)
        free = await session.ask("list_admin_agents"), await session.ask("list_admin_agent_threads")
    async with connected(serving(sandbox), allowed=[places.PREVIEW]) as session:
        fenced = await session.ask("list_admin_agents"), await session.ask("list_admin_agent_threads")
        context = await session.ask("get_context")
    assert [page["total"] for page in free] == [2, 2]
    assert [page["total"] for page in fenced] == [1, 1]
    assert fenced[0]["items"][0]["project_uuid"] == fenced[1]["items"][0]["project"]["uuid"] == places.PREVIEW
    assert [project["project_uuid"] for project in context["projects"]] == [places.PREVIEW]


@pytest.mark.parametrize("tool", ["list_charts", "list_dashboards"])
async def test_a_list_by_space_stays_in_the_allowed_project(sandbox: Sandbox, tool: str) -> None:
    async with connected(serving(sandbox), allowed=[places.PREVIEW]) as session:
        foreign = await session.refusal(tool, project_uuid=places.PREVIEW, space_uuid=places.SALES)
        own = await session.ask(tool, project_uuid=places.PREVIEW, space_uuid=places.PREVIEW_SPACE)
    assert foreign.startswith("Lightdash answered 404")
    assert own["total"] > 0


async def test_without_a_list_of_projects_all_may_be_touched(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        for project in (places.MAIN, places.PREVIEW):
            assert (await session.ask("get_project", project_uuid=project))["project_uuid"] == project


async def test_a_request_that_does_not_show_its_project_cannot_be_written_into_the_client() -> None:
    session = HttpSession("Lightdash", "http://lightdash", headers={}, transport=httpx2.MockTransport(no_service))
    api = Api(session, frozenset([places.PREVIEW]))
    with pytest.raises(AssertionError, match="does not show which project it touches"):
        await api.get(path("/api/v1/schedulers/{scheduler}", scheduler="1"), dict[str, object])


def no_service(request: httpx2.Request) -> httpx2.Response:
    pytest.fail(f"{request.url} was asked")
