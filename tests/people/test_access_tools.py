"""The tools about signing in: their hints are true, and a page is opened where the client can."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import mcp_types as mcp
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tests.people.stores import every_row
from tests.people.team import Assistant, Team, deployed
from tests.sessions import ERAS, Era, text_of

from aboveboard.kit.people.store import Store
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio
FULL = (("mode", "full"),)
TOOLS = {
    "check_logged_in": ("Check Server Login Status", True, False, True),
    "check_provisioning_status": ("Check Provisioning Status", True, False, True),
    "provision_nextcloud_access": ("Grant Server Access to Nextcloud", False, False, False),
    "revoke_nextcloud_access": ("Revoke Server Access to Nextcloud", False, True, True),
}


@pytest.fixture
async def team(sandbox: Sandbox, tmp_path: Path) -> AsyncGenerator[Team]:
    async with deployed(sandbox, str(tmp_path / "people.db"), tmp_path) as deployment:
        yield deployment


async def call(client: Client, tool: str) -> Any:
    params = mcp.CallToolRequestParams(name=tool, arguments={})
    return await client.session.send_request(mcp.CallToolRequest(params=params), mcp.CallToolResult)


@pytest.mark.parametrize("era", ERAS)
async def test_what_the_tools_say_of_themselves_is_what_they_do(team: Team, tmp_path: Path, era: Era) -> None:
    store = Store(str(tmp_path / "people.db"))
    async with Assistant(team, "bob", FULL, name="Claude").connected(era) as client:
        assert {
            tool.name: (tool.title, hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint)
            for tool in (await client.list_tools()).tools
            if tool.name in TOOLS and (hints := tool.annotations)
        } == TOOLS
        before = every_row(store)
        status = (await call(client, "check_logged_in")).structured_content
        assert status["person"] == "bob"
        assert (status["client"], status["mode"], status["scopes"]) == ("Claude", "full", ["write"])
        assert (await call(client, "check_provisioning_status")).structured_content["status"] == "connected"
        offered = await call(client, "provision_nextcloud_access")
        assert f"{team.url}/account" in text_of(offered)
        assert every_row(store) == before, "nothing was changed, and nothing was lost"
        assert (await call(client, "revoke_nextcloud_access")).structured_content == {"revoked": True}
        assert every_row(store)["grants"] == []
    store.close()


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_can_open_a_page_is_asked_to(team: Team, era: Era) -> None:
    opened: list[str] = []

    async def open_page(context: Any, params: mcp.ElicitRequestParams) -> mcp.ElicitResult:
        del context
        assert isinstance(params, mcp.ElicitRequestURLParams)
        opened.append(params.url)
        return mcp.ElicitResult(action="accept")

    async with Assistant(team, "bob", FULL).http() as http:
        transport = streamable_http_client(f"{team.url}/mcp", http_client=http)
        async with Client(transport, mode=era, elicitation_callback=open_page) as client:
            told = await client.call_tool("provision_nextcloud_access", {})
    assert opened == [f"{team.url}/account"]
    assert f"{team.url}/account" in text_of(told)
