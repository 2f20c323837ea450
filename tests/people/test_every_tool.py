"""Every reading tool of Nextcloud, two people, every cache warm: nothing of one is in the other's answers."""

from pathlib import Path
from typing import Any

import mcp_types as mcp
import pytest
from mcp import Client
from tests.people.team import Assistant, deployed
from tests.sessions import ERAS, Era, text_of

from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.server import SERVICE

pytestmark = pytest.mark.anyio
FULL = (("mode", "full"),)
# What only one of them has and has not shared, wherever it may stand.
HERS = ("budget.csv", "old draft.md", "carol@example.org")
HIS = ("Nobody else reads this", "Presents", "Salary", "Diary.md", "bicycle")


def arguments_of(tool: mcp.Tool) -> dict[str, Any]:
    """Make up a call with the names of the other one's things: a server that mixed people up would find them."""
    made = {"path": "Diary.md", "directory": "", "query": "e", "title": "x", "content": "x", "category": ""}
    kinds: dict[str, Any] = {"integer": 1, "number": 1, "boolean": False, "array": [], "object": {}}
    properties = tool.input_schema.get("properties", {})

    def of(name: str) -> Any:
        kind = properties[name].get("type")
        return made.get(name, kinds.get(kind, "Diary.md") if isinstance(kind, str) else "Diary.md")

    return {name: of(name) for name in tool.input_schema.get("required", [])}


async def ask(client: Client, tool: mcp.Tool) -> str:
    params = mcp.CallToolRequestParams(name=tool.name, arguments=arguments_of(tool))
    return text_of(await client.session.send_request(mcp.CallToolRequest(params=params), mcp.CallToolResult))


@pytest.mark.parametrize("era", ERAS)
async def test_nothing_of_one_person_is_in_the_answers_to_another(sandbox: Sandbox, tmp_path: Path, era: Era) -> None:
    declared = Catalogue(SERVICE, Policy()).tools
    reads = {name for name, tool in declared.items() if tool.effect.read_only}
    async with deployed(sandbox, str(tmp_path / "db"), tmp_path) as team:
        ada, bob = Assistant(team, "admin", FULL), Assistant(team, "bob", FULL)
        async with ada.connected(era) as hers, bob.connected(era) as his:
            tools = [tool for tool in (await hers.list_tools()).tools if tool.name in reads]
            seen = {tool.name for tool in (await his.list_tools()).tools}
            assert {tool.name for tool in tools} <= seen
            assert len(tools) > 25
            own = {"hers": "", "his": ""}
            for _ in range(2):
                for tool in tools:
                    told_her, told_him = await ask(hers, tool), await ask(his, tool)
                    own["hers"] += told_her
                    own["his"] += told_him
                    leaked = [word for word in HIS if word in told_her and word not in str(arguments_of(tool))]
                    leaked += [word for word in HERS if word in told_him]
                    assert not leaked, f"{tool.name}: {leaked}"
            assert any(word in own["his"] for word in HIS), "the words are such that answers hold them"
            assert any(word in own["hers"] for word in HERS)
