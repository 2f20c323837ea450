"""`aboveboard serve` as clients start it: on stdio and over HTTP."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from tests.cli.command import INSTALLED, announced, environment, running
from tests.forked import forked

from aboveboard.lightdash.server import SERVICE

pytestmark = pytest.mark.anyio

PROJECTS = "lightdash_tools__list_projects"


def over_stdio(command: Sequence[str], **settings: str) -> StdioServerParameters:
    args = [*command[1:], "serve", "lightdash", "--sandbox"]
    return StdioServerParameters(command=command[0], args=args, env=environment(settings))


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_a_client_of_either_era_works_over_stdio(era: str) -> None:
    async with Client(over_stdio(INSTALLED if era == "auto" else forked("aboveboard")), mode=era) as client:
        result = await client.call_tool(PROJECTS, {})
    assert projects_in(result.structured_content) == ["Corner Shop", "Corner Shop preview"]


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_a_client_of_either_era_works_over_http(era: str) -> None:
    arguments = ("serve", "lightdash", "--sandbox", "--transport", "streamable-http", "--port", "0")
    with running(*arguments, command=INSTALLED if era == "auto" else ()) as process:
        async with Client(announced(process).split()[-1], mode=era) as client:
            result = await client.call_tool(PROJECTS, {})
    assert projects_in(result.structured_content) == ["Corner Shop", "Corner Shop preview"]


async def test_the_environment_sets_the_policy_the_names_and_the_log(tmp_path: Path) -> None:
    log = tmp_path / "calls.ndjson"
    settings = {
        "ABOVEBOARD_SAFETY_MODE": "read-only",
        "ABOVEBOARD_TOOL_PREFIX": "ld_",
        "ABOVEBOARD_TOOLSETS": "projects,spaces",
        "ABOVEBOARD_EXCLUDE": "get_project",
        "ABOVEBOARD_AUDIT_LOG": str(log),
    }
    async with Client(over_stdio(forked("aboveboard"), **settings)) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert not (await client.call_tool("ld_list_projects", {"limit": 1})).is_error
        assert (await client.call_tool("ld_create_space", {"project_uuid": "x", "name": "y"})).is_error
    assert names == [
        f"ld_{tool.name}"
        for tool in SERVICE.tools
        if tool.effect.read_only and tool.toolset.area in ("projects", "spaces") and tool.name != "get_project"
    ]
    assert names
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["tool"], line["outcome"]) for line in lines] == [
        ("ld_list_projects", "ok"),
        ("ld_create_space", "refused"),
    ]


def projects_in(structured: Any) -> list[str]:
    return [project["name"] for project in structured["items"]]
