"""The door before MCP, whatever is behind it: which streams it watches, and that it passes on what it looks at."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final

import anyio
import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from tests.kit.serving.processes import deadline
from tests.kit.shop import TEAPOT, ShopClient, Thing, service
from tests.people.web import plain, served

from aboveboard.effects import ADD
from aboveboard.kit.caller import Caller
from aboveboard.kit.people.access import Access
from aboveboard.kit.people.door import LOOKED_AT, Door
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.server import SERVICE

pytestmark = pytest.mark.anyio
CALL: Final = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "nc_notes_list_notes"}}'


class Keeper:
    """Lets everybody in, with the scopes that a test gives, for as long as it says."""

    def __init__(self, *scopes: str) -> None:
        self.caller, self.welcome = Caller(subject="bob", scopes=frozenset(scopes)), True

    async def admit(self, request: Request) -> Access | Response:
        del request
        holder: Any = None
        return Access(token="", client_id="c", scopes=[], caller=self.caller, holder=holder)

    async def is_welcome(self, access: Access) -> bool:
        del access
        return self.welcome

    def lacks(self, access: Access, scope: str) -> Response | None:
        del access
        return Response(scope, status_code=403)


async def endless(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a stream that does not end by itself."""
    if scope["type"] != "http":
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"first", "more_body": True})
    await anyio.sleep_forever()


async def length(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer how much was sent."""
    if scope["type"] == "http":
        body = await Request(scope, receive).body()
        await Response(str(len(body)))(scope, receive, send)


@asynccontextmanager
async def behind(keeper: Keeper, app: Any) -> AsyncGenerator[tuple[str, httpx2.AsyncClient]]:
    catalogue = Catalogue(SERVICE, Policy())
    door = Door(app, path="/mcp", keeper=keeper, catalogue=catalogue, watched_every=0.01)
    async with served(lambda _: door) as url, plain() as http:
        yield f"{url}/mcp", http


@pytest.mark.parametrize(("method", "headers"), [("GET", {}), ("POST", {"mcp-method": "subscriptions/listen"})])
async def test_a_stream_of_either_era_ends_with_the_welcome(method: str, headers: dict[str, str]) -> None:
    keeper = Keeper()
    with anyio.fail_after(deadline()):
        async with behind(keeper, endless) as (url, http), http.stream(method, url, headers=headers) as stream:
            pieces = stream.aiter_bytes()
            assert await anext(pieces) == b"first"
            keeper.welcome = False
            assert [piece async for piece in pieces] == []


@pytest.mark.parametrize("size", [len(CALL), LOOKED_AT, LOOKED_AT + 100_000])
async def test_a_body_that_was_looked_at_is_passed_on_whole(size: int) -> None:
    body = CALL + b" " * (size - len(CALL))
    async with behind(Keeper("notes.read"), length) as (url, http):
        assert (await http.post(url, content=body)).text == str(size)
    async with behind(Keeper("files.read"), length) as (url, http):
        refused = await http.post(url, content=body)
    assert (refused.status_code, refused.text) == (403, "notes.read")


@pytest.mark.parametrize(
    "body", [b"", b"no json", b"[1, 2]", b'{"method": 5, "params": []}', b'{"params": {"ref": 1}}']
)
async def test_what_is_no_call_is_left_to_the_transport(body: bytes) -> None:
    async with behind(Keeper(), length) as (url, http):
        assert (await http.post(url, content=body)).text == str(len(body))


async def test_an_old_name_of_a_tool_needs_the_scope_of_the_tool() -> None:
    tools = Toolset[ShopClient]("things", title="Things", icon="M0 0h1")

    @tools.tool("Buy Thing", ADD, example=TEAPOT, aliases=["order"])
    async def buy(shop: ShopClient) -> Thing:
        """Buy it."""
        return await shop.send("POST")

    assert callable(buy)
    door = Door(length, path="/mcp", keeper=Keeper("things.read"), catalogue=Catalogue(service(tools), Policy()))
    async with served(lambda _: door) as url, plain() as http:
        for name in ("shop_buy", "shop_order"):
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name}}
            told = await http.post(f"{url}/mcp", json=call)
            assert (told.status_code, told.text) == (403, "things.write"), name
            named = await http.post(f"{url}/mcp", json=call, headers={"mcp-method": "tools/call", "mcp-name": name})
            assert (named.status_code, named.text) == (403, "things.write"), name
