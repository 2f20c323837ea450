"""The default project: what is meant where none is named."""

from typing import Final

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import Prompt, analyst
from tests.lightdash.calls import FIRST, VALUES
from tests.lightdash.scripted import Clock
from tests.lightdash.sessions import TOOLS, connected, ok, serving, text_of
from tests.plans import arrange

from aboveboard.lightdash.client import LightdashClient, project_choice
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import connect

pytestmark = pytest.mark.anyio


MISSING: Final = (
    f"Give a project_uuid: {places.MAIN} (Corner Shop), {places.PREVIEW} (Corner Shop preview)."
    " (LIGHTDASH_PROJECT_UUID sets a default.)"
)
# In the plan these name a project of their own, beside the default one.
CASES: Final = [
    case
    for case in FIRST.values()
    if "project_uuid" in TOOLS[case.tool].load().fields and "project_uuid" not in case.arguments
]
# A server that ran the query knows its labels and its address, and another one only the rows.
REMEMBERED: Final = ("get_query_result",)


class TwoProjects(Prompt):
    """A sandbox in which the preview is a project like others."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = await super().handle_async_request(request)
        content = answer.content.replace(b'"PREVIEW"', b'"DEFAULT"')
        return httpx2.Response(answer.status_code, headers={"content-type": "application/json"}, content=content)


async def test_a_project_that_is_named_is_meant_and_where_none_is_the_default(sandbox: Sandbox) -> None:
    told_apart: list[str] = []
    async with analyst(sandbox) as main, analyst(sandbox, project=places.PREVIEW) as preview:
        for case in CASES:
            answers: list[str] = []
            for session, named in ((main, {}), (preview, {"project_uuid": places.MAIN})):
                arguments = await arrange(main, case, VALUES)
                answers.append(text_of(await session.call(case.tool, **arguments, **named)))
                sandbox.reset()
            if answers[0] != answers[1] and case.tool not in REMEMBERED:
                told_apart.append(f"{case.tool}: {answers[1]}")
    assert told_apart == []
    assert len(CASES) > 100


async def test_which_projects_there_are_is_asked_once_and_again_after_a_while(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, service = Clock(), serving(sandbox)
    monkeypatch.setattr(project_choice, "time", clock)
    asked: list[int] = []
    async with connected(service) as session:
        for seconds in (0.0, project_choice.FRESH - 1, 2.0):
            clock.now += seconds
            await session.ask("list_tags")
            asked.append(service.lines.count("GET /api/v1/org/projects"))
    assert asked == [1, 1, 2]


async def test_without_a_default_the_only_project_that_is_no_preview_is_meant(sandbox: Sandbox) -> None:
    told_apart: list[str] = []
    async with analyst(sandbox) as main, connected(serving(sandbox)) as anywhere:
        for case in CASES:
            answers: list[str] = []
            for session in (main, anywhere):
                arguments = await arrange(main, case, VALUES)
                answers.append(text_of(await session.call(case.tool, **arguments)))
                sandbox.reset()
            if answers[0] != answers[1] and case.tool not in REMEMBERED:
                told_apart.append(case.tool)
    assert told_apart == []


async def test_where_several_could_be_meant_the_error_names_them_and_nothing_else_is_asked(sandbox: Sandbox) -> None:
    wrong: dict[str, str] = {}
    asking: set[str] = set()
    service = TwoProjects(sandbox)
    async with analyst(sandbox) as main, connected(service) as nowhere:
        for case in CASES:
            arguments = await arrange(main, case, VALUES)
            service.arrived.clear()
            result = await nowhere.call(case.tool, **arguments)
            if text_of(result) == MISSING and set(service.lines) <= {"GET /api/v1/health", "GET /api/v1/org/projects"}:
                asking.add(case.tool)
            elif result.is_error or not arguments.keys() & {"chart", "dashboard", "item"}:
                wrong[case.tool] = text_of(result)
            sandbox.reset()
    assert wrong.keys() == {"list_admin_agent_threads"}  # those of all projects
    assert len(asking) > 60


@pytest.mark.parametrize(
    ("tool", "given"),
    [("get_chart", {"chart": places.CHART_SLUG}), ("delete_dashboard", {"dashboard": places.DASHBOARD_SLUG})],
)
async def test_a_slug_shows_no_project_where_several_could_be_meant(
    sandbox: Sandbox, tool: str, given: dict[str, str]
) -> None:
    before = sandbox.dump()
    async with connected(TwoProjects(sandbox)) as nowhere:
        assert await nowhere.refusal(tool, **given) == MISSING
    assert sandbox.dump() == before


async def test_who_sees_no_project_is_told_that_and_not_to_look_for_one() -> None:
    def empty(_: httpx2.Request) -> httpx2.Response:
        return ok([])

    async with connected(empty) as nobody:
        text = await nobody.refusal("list_charts")
    assert text == "This token sees no project. Somebody who administers one can give its owner access."


def test_no_tool_requires_the_project_that_a_default_can_stand_for() -> None:
    requiring = {name for name, tool in TOOLS.items() if "project_uuid" in tool.input_schema.get("required", [])}
    assert requiring <= {"get_project"}


async def test_the_default_project_comes_from_the_environment() -> None:
    environment = {
        "LIGHTDASH_URL": "https://lightdash.example",
        "LIGHTDASH_API_KEY": "ldpat_x",
        "LIGHTDASH_PROJECT_UUID": places.MAIN.upper(),
    }
    client: LightdashClient = connect(environment)
    assert client.project(None) == places.MAIN
    assert client.project(places.PREVIEW) == places.PREVIEW
    await client.aclose()
