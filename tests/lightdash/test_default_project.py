"""The default project: what is meant where none is named."""

from typing import Final

import pytest
from tests.lightdash import places
from tests.lightdash.analyst import Prompt, analyst
from tests.lightdash.calls import FIRST, VALUES
from tests.lightdash.sessions import TOOLS, connected, text_of
from tests.plans import arrange

from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import connect

pytestmark = pytest.mark.anyio


MISSING: Final = "Give a project_uuid: list_projects shows them. (LIGHTDASH_PROJECT_UUID sets a default.)"
# In the plan these name a project of their own, beside the default one.
CASES: Final = [
    case
    for case in FIRST.values()
    if "project_uuid" in TOOLS[case.tool].load().fields and "project_uuid" not in case.arguments
]
# A server that ran the query knows its labels and its address, and another one only the rows.
REMEMBERED: Final = ("get_query_result",)


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


async def test_without_a_default_project_one_must_be_named_and_the_error_says_how_unless_the_thing_shows_it(
    sandbox: Sandbox,
) -> None:
    wrong: dict[str, str] = {}
    asking: set[str] = set()
    service = Prompt(sandbox)
    async with analyst(sandbox) as main, connected(service) as nowhere:
        for case in CASES:
            arguments = await arrange(main, case, VALUES)
            service.arrived.clear()
            result = await nowhere.call(case.tool, **arguments)
            if text_of(result) == MISSING and service.lines in ([], ["GET /api/v1/health"]):
                asking.add(case.tool)
            elif result.is_error or not arguments.keys() & {"chart", "dashboard", "item"}:
                wrong[case.tool] = text_of(result)
            sandbox.reset()
    assert wrong.keys() == {"list_admin_agent_threads"}  # those of all projects
    assert len(asking) > 60


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
