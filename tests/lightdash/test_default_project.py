"""The default project: what is meant where none is named."""

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import MISSING, TwoProjects
from tests.lightdash.scripted import Clock
from tests.lightdash.sessions import TOOLS, connected, ok, serving

from aboveboard.lightdash.client import LightdashClient, project_choice
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import connect

pytestmark = pytest.mark.anyio


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
