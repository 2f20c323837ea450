"""What README and CONTRIBUTING show, done: the tool is proven by its cases, commands end well, servers start."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.server import MCPServer
from tests.cli.command import environment, in_process
from tests.forked import forked
from tests.kit.shop import said
from tests.snippets import commands_in, ours_in, snippets_of

from aboveboard.audit.judge import judge
from aboveboard.audit.verdict import Ruling
from aboveboard.audit.verify import Proof, load_plan, verify
from aboveboard.cli.embedding import embed_plan
from aboveboard.cli.services import plan_folder
from aboveboard.effects import READ
from aboveboard.errors import GuardError
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash import server
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.tools import spaces

TOOL: Final = "rename_space"
RUN: Final = ("rules", "tools", "call")
"""The commands that need no account, no other server, and no minutes."""


def shown(page: str, *languages: str) -> list[str]:
    return [one.text for one in snippets_of(page) if one.language in languages]


def added_tool(code: str) -> Toolset[LightdashClient]:
    """Declare a tool as if it stood at the end of the module of spaces."""
    tools = Toolset[LightdashClient]("spaces", title="Spaces")
    exec(code, {**vars(spaces), "tools": tools})  # noqa: S102 (our own page)
    return tools


def proven(code: str, folder: Path, patch: pytest.MonkeyPatch) -> Proof:
    """Prove the tool that CONTRIBUTING adds, with the cases that it adds."""
    shutil.copy(plan_folder("lightdash") / "base.yaml", folder)
    [cases] = shown("CONTRIBUTING.md", "yaml")
    (folder / "spaces.yaml").write_text(cases, "utf-8")
    patch.setattr(server, "SERVICE", replace(server.SERVICE, toolsets=[*server.SERVICE.toolsets, added_tool(code)]))
    plan = load_plan(folder)
    return verify(plan, repeats=1, only=[TOOL], late=0, setup=embed_plan(plan))


def test_the_tool_that_contributing_adds_is_proven_by_its_cases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [code] = shown("CONTRIBUTING.md", "python")
    proof = proven(code, tmp_path, monkeypatch)
    assert [one.verdict for one in proof.verdicts] == [Ruling.HOLDS] * 4
    [behaviour] = proof.behaviours
    assert (len(behaviour.trials), len(behaviour.refusals)) == (1, 1)
    assert [finding for finding in judge(proof.evidence) if finding.rule.startswith("BEH")] == []


def test_were_its_effect_another_the_same_cases_would_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [code] = shown("CONTRIBUTING.md", "python")
    assert "REPLACE" in code
    assert not all(one.settled for one in proven(code.replace("REPLACE", "ADD"), tmp_path, monkeypatch).verdicts)


def test_the_tool_that_the_readme_shows_is_ours() -> None:
    declared, _ = shown("README.md", "python")
    assert declared in Path(spaces.__file__).read_text("utf-8")


@pytest.mark.anyio
async def test_the_two_lines_for_another_framework_hold_a_tool_to_its_hints() -> None:
    _, lines = shown("README.md", "python")
    names: dict[str, Any] = {"server": MCPServer("notes"), "httpx2": httpx2}
    exec(lines, names)  # noqa: S102 (our own page)

    @names["tool"]("List Notes", READ)
    async def list_notes() -> str:
        """List them, or so it says."""
        with pytest.raises(GuardError):
            await names["api"].post("http://127.0.0.1:9/notes")
        return "stopped"

    assert callable(list_notes)
    async with names["api"], Client(names["server"]) as client:
        [tool] = (await client.list_tools()).tools
        assert said(await client.call_tool("list_notes", {})) == "stopped"
    hints = {} if tool.annotations is None else tool.annotations.model_dump(by_alias=True, exclude_none=True)
    assert (len(hints), hints["title"], hints["readOnlyHint"]) == (5, "List Notes", True)


def test_the_commands_of_the_readme_that_need_nothing_else_end_well(capsys: pytest.CaptureFixture[str]) -> None:
    every = [ours for script in shown("README.md", "sh") for one in commands_in(script) if (ours := ours_in(one))]
    ran = [in_process(*ours, capsys=capsys) for ours in every if ours[0] in RUN]
    assert len(ran) == len(RUN)
    assert [one.stderr for one in ran if one.returncode or not one.stdout] == []


@pytest.mark.anyio
@pytest.mark.parametrize("text", shown("README.md", "json"), ids=["mcpServers", "servers"])
async def test_a_client_s_configuration_starts_a_server_that_lists_its_tools(text: str) -> None:
    data = json.loads(text.replace("${input:lightdash-token}", "ldpat_..."))
    [started] = (data.get("mcpServers") or data["servers"]).values()
    command, *arguments = forked(started["command"], *started["args"])
    parameters = StdioServerParameters(command=command, args=arguments, env=environment(started["env"]))
    async with Client(parameters) as client:
        assert len((await client.list_tools()).tools) > 100
