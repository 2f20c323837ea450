"""`aboveboard tools` shows what a client is shown, under the same policy."""

import json
from typing import Any

import pytest
from click.testing import CliRunner
from mcp import Client, StdioServerParameters
from tests.cli.command import environment, running
from tests.forked import forked

from aboveboard.cli import group
from aboveboard.effects import Effect
from aboveboard.lightdash.server import SERVICE

POLICIES = [
    (),
    ("--safety-mode", "additive", "--toolsets", "charts,spaces", "--exclude", "get_space"),
    ("--dry-run", "--prefix", "ld_"),
]


def shown(*arguments: str, **variables: str) -> str:
    result = CliRunner().invoke(
        group, ["tools", "lightdash", *arguments], env={"COLUMNS": None, **variables}, prog_name="aboveboard"
    )
    assert result.exit_code == 0, result.output
    return result.output


def names_in(table: str) -> set[str]:
    return {line.split()[2].removeprefix(SERVICE.prefix) for line in table.splitlines()[1:-1]}


# Without those that are off unless they are asked for.
USUAL = [tool for tool in SERVICE.tools if tool.toolset.default]


def names_of(*effects: str) -> set[str]:
    return {tool.name for tool in USUAL if tool.effect.name in effects}


@pytest.mark.parametrize("policy", POLICIES)
def test_the_json_is_byte_for_byte_what_a_client_of_an_older_era_is_listed_over_stdio(policy: tuple[str, ...]) -> None:
    opening: list[dict[str, Any]] = [
        {
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ]
    with running("serve", "lightdash", "--sandbox", *policy) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.writelines(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in opening)
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
    assert answers[1]["id"] == 2
    assert answers[1]["result"]["tools"] == json.loads(shown("--json", *policy))["tools"]


@pytest.mark.anyio
async def test_the_json_is_what_a_client_of_todays_era_is_listed_over_stdio() -> None:
    command, *arguments = forked("aboveboard", "serve", "lightdash", "--sandbox")
    serve = StdioServerParameters(command=command, args=arguments, env=environment())
    async with Client(serve) as client:
        tools = (await client.list_tools()).tools
    listed = [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in tools]
    assert listed == json.loads(shown("--json"))["tools"]


def test_the_table_shows_every_tool_with_its_area_effect_title_and_hints() -> None:
    lines = shown().splitlines()
    assert lines[0].split("  ")[0] == "area"
    assert lines[-1] == f"{len(USUAL)} tools, {len(SERVICE.tools) - len(USUAL)} switched off"
    for line, tool in zip(lines[1:-1], USUAL, strict=True):
        columns = [column.strip() for column in line.split("  ") if column]
        name = SERVICE.prefix + tool.name
        assert columns == [tool.toolset.area, tool.effect.name, name, tool.title, *words(tool.effect)]
    assert len(USUAL) > 100


@pytest.mark.parametrize(
    ("policy", "variables", "left"),
    [
        (("--safety-mode", "read-only"), {}, names_of("READ")),
        (("--safety-mode", "additive"), {}, names_of("READ", "ADD", "ENSURE")),
        ((), {"ABOVEBOARD_SAFETY_MODE": "read-only"}, names_of("READ")),
        (("--toolsets", "spaces"), {}, {tool.name for tool in SERVICE.tools if tool.toolset.area == "spaces"}),
        (("--toolsets", "tags", "--exclude", "delete_tag create_tag"), {}, {"list_tags", "update_tag"}),
    ],
)
def test_the_policy_decides_which_tools_are_shown_and_how_many_are_switched_off(
    policy: tuple[str, ...], variables: dict[str, str], left: set[str]
) -> None:
    table = shown(*policy, **variables)
    assert names_in(table) == left
    assert table.splitlines()[-1] == f"{len(left)} tools, {len(SERVICE.tools) - len(left)} switched off"


def test_a_flag_wins_over_the_environment() -> None:
    assert shown("--safety-mode", "full", ABOVEBOARD_SAFETY_MODE="read-only") == shown()


def words(effect: Effect) -> list[str]:
    open_world = SERVICE.open_world if effect.open_world is None else effect.open_world
    flags = (effect.read_only, effect.destructive, effect.idempotent, open_world)
    return ["yes" if flag else "no" for flag in flags]
