"""Any name goes up and comes back as it was given: through the tools, with three servers behind them."""

import unicodedata
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import mcp_types as mcp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client
from tests.nextcloud.client.servers import KINDS, Server, served
from tests.nextcloud.sessions import CATALOGUE, text_of

from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server

pytestmark = pytest.mark.anyio

TRICKY = [
    "with space.txt",
    " leading and trailing ",
    "hash#tag?query=1&x=2",
    "100% %20 %2F",
    "a+b=c;d,e@f:g!",
    "'single' \"double\" <tag> & entity;",
    "日本語のファイル名.txt",
    "emoji 🚀👩‍👩‍👧 family",
    "über ñandú ﷺ",
    "עברית",
    "~tilde$dollar^caret`tick|pipe*star",
    "...",
    ".hidden",
    "x" * 200,
]


@pytest.fixture(params=KINDS, scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with served(request.param) as made:
        yield made


def possible(name: str) -> bool:
    """Tell whether Nextcloud takes a name: it refuses some endings, and stores composed characters."""
    unusable = name in (".", "..", ".htaccess", ".sabredav") or name.lower().endswith((".part", ".filepart"))
    return not unusable and 0 < len(name.encode()) <= 200 and unicodedata.is_normalized("NFC", name)


NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co"), exclude_characters="/\\"),
    min_size=1,
    max_size=40,
).filter(possible)


class Files:
    """Someone's files through the tools; every call should succeed."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self._client.call_tool(f"nc_webdav_{tool}", arguments)
        assert not result.is_error, text_of(result)
        return result.structured_content or {}

    async def paths(self, folder: str) -> set[str]:
        return {one["path"] for one in (await self.ask("list_directory", path=folder))["items"]}

    async def resource(self, path: str) -> str:
        (read,) = (await self._client.read_resource(f"nc://files/{quote(path)}")).contents
        assert isinstance(read, mcp.TextResourceContents)
        return read.text


@asynccontextmanager
async def files_on(server: Server) -> AsyncGenerator[Files]:
    async with Client(build_server(CATALOGUE, OneClient(server.connect()))) as client:
        yield Files(client)


async def round_trip(server: Server, files: Files, folder: str, name: str) -> None:
    """Write, list, read, move, copy and delete below a folder and under a name."""
    top = uuid4().hex
    path, moved, content = f"{top}/{folder}/{name}", f"{top}/{name}", f"I am {name}"
    assert (await files.ask("create_directory", path=f"{top}/{folder}", parents=True))["created"]
    written = await files.ask("write_file", path=path, content=content, overwrite=False)
    assert (written["path"], written["created"]) == (path, True)
    assert await files.paths(f"{top}/{folder}") == {path}
    assert (await files.ask("read_file", path=path))["text"] == content
    assert await files.resource(path) == content
    if folder != name and server.moves(folder, name):
        await files.ask("move_resource", source_path=path, destination_path=moved)
        assert await files.paths(f"{top}/{folder}") == set()
        await files.ask("copy_resource", source_path=moved, destination_path=path)
        assert await files.paths(top) == {f"{top}/{folder}", moved}
    await files.ask("delete_resource", path=f"{top}/{folder}")
    await files.ask("delete_resource", path=top)


async def test_tricky_names_come_back_as_they_were_given(server: Server) -> None:
    async with files_on(server) as files:
        for name in TRICKY:
            await round_trip(server, files, name, f"{name[:190]}+")


# Several names to a session: opening one takes longer than the requests.
@settings(max_examples=5)
@given(names=st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=6))
async def test_any_names_come_back_as_they_were_given(server: Server, names: list[tuple[str, str]]) -> None:
    async with files_on(server) as files:
        for folder, name in names:
            await round_trip(server, files, folder, name)
