"""The plans as the tests use them: what a case wants is arranged, and its call does what its tool does."""

from collections.abc import Mapping
from typing import Any

import pytest
from tests.lightdash.sessions import TOOLS as LIGHTDASH
from tests.nextcloud.sessions import TOOLS as NEXTCLOUD
from tests.plans import case_of, good_cases, plan_of, refused_cases, served
from tests.sessions import text_of

from aboveboard.cli.services import NAMES

pytestmark = pytest.mark.anyio


async def test_a_case_is_arranged_and_called_with_what_was_kept() -> None:
    async with served("lightdash") as lightdash:
        before = await lightdash.state()
        case = case_of("lightdash", "delete_comment")
        arguments = await lightdash.arrange(case)
        arranged = await lightdash.state()
        assert arranged != before
        assert lightdash.sent() == []
        result = await lightdash.session.call(case.tool, **arguments)
        assert not result.is_error, text_of(result)
        assert [line.partition(" ")[0] for line in lightdash.sent()][-1] == "DELETE"
        await lightdash.reset()
        assert await lightdash.state() == before


async def test_an_argument_can_be_another_than_in_the_plan() -> None:
    async with served("nextcloud", era="legacy") as nextcloud:
        case = case_of("nextcloud", "nc_webdav_delete_resource", "a folder")
        assert case.arguments["path"] == "Documents/Meetings"
        result = await nextcloud.call(case, path="Documents/none")
        assert result.is_error
        assert "404" in text_of(result)
        assert not (await nextcloud.call(case)).is_error


@pytest.mark.parametrize("service", NAMES)
def test_good_cases_and_refused_ones_are_all_there_is(service: str) -> None:
    assert {case.tool for case in good_cases(service)} == {case.tool for case in plan_of(service).cases}
    assert len(good_cases(service)) + len(refused_cases(service)) == len(plan_of(service).cases)


@pytest.mark.parametrize(("service", "tools"), [("lightdash", LIGHTDASH), ("nextcloud", NEXTCLOUD)])
def test_the_cases_of_a_tool_are_in_the_file_of_its_area(service: str, tools: Mapping[str, Any]) -> None:
    cases = plan_of(service).cases
    assert cases
    stray = [one for one in cases if not str(one.place).startswith(f"plan/{tools[one.tool].toolset.area}.yaml")]
    assert [f"{one.tool}: {one.place}" for one in stray] == []
