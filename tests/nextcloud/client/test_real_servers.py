"""The same files client against the sandbox, WsgiDAV and sabre/dav: names come back as they were given."""

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from uuid import uuid4

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr
from tests.nextcloud.client.servers import client_of, sabre, wsgidav

from aboveboard.effects import RUN, under
from aboveboard.errors import Conflict, NotFound
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class Server:
    """A server to test against."""

    connect: Callable[[], NextcloudClient]
    mangles: str = ""
    """Characters that cut off a destination there, although they are escaped."""

    def moves(self, *names: str) -> bool:
        return not any(char in name for name in names for char in self.mangles)


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


@pytest.fixture(params=["sandbox", "wsgidav", "sabre"], scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    if request.param == "sandbox":
        sandbox = Sandbox()
        secret = SecretStr(sandbox.token)
        transport = httpx2.ASGITransport(sandbox.app)
        yield Server(lambda: NextcloudClient("http://127.0.0.1:8081", "admin", secret, transport=transport))
        sandbox.close()
    elif request.param == "wsgidav":
        with wsgidav() as url:
            # It decodes a destination before it takes it apart.
            yield Server(lambda: client_of(url, "tester"), mangles="?;#")
    else:
        with sabre() as url:
            yield Server(lambda: client_of(url, None))


def possible(name: str) -> bool:
    """Tell whether Nextcloud takes a name: it refuses some endings, and stores composed characters."""
    unusable = name in (".", "..", ".htaccess", ".sabredav") or name.lower().endswith((".part", ".filepart"))
    return not unusable and 0 < len(name.encode()) <= 200 and unicodedata.is_normalized("NFC", name)


NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co"), exclude_characters="/\\"),
    min_size=1,
    max_size=40,
).filter(possible)


async def round_trip(server: Server, folder: str, name: str) -> None:
    """Write, list, read, move, copy and delete below a folder and under a name."""
    client = server.connect()
    top = uuid4().hex
    with under(RUN):
        await client.files.mkdir(top)
        await client.files.mkdir(f"{top}/{folder}")
        path, moved = f"{top}/{folder}/{name}", f"{top}/{name}"
        assert (await client.files.write(path, name.encode(), create=True)).created
        [there] = await client.files.list(f"{top}/{folder}")
        assert (there.path, there.name, there.size) == (path, name, len(name.encode()))
        assert (await client.files.read(path)).data == name.encode()
        if folder != name and server.moves(folder, name):
            await client.files.move(path, moved)
            assert await client.files.list(f"{top}/{folder}") == []
            await client.files.copy(moved, path)
            assert {one.path for one in await client.files.list(top)} == {f"{top}/{folder}", moved}
        await client.files.delete(f"{top}/{folder}")
        await client.files.delete(top)
    await client.aclose()


@pytest.mark.parametrize("name", TRICKY, ids=lambda name: ascii(name)[:30])
async def test_a_tricky_name_comes_back_as_it_was_given(server: Server, name: str) -> None:
    await round_trip(server, "plain", name)
    await round_trip(server, name, "plain")


@settings(max_examples=25)
@given(folder=NAMES, name=NAMES)
async def test_any_name_comes_back_as_it_was_given(server: Server, folder: str, name: str) -> None:
    await round_trip(server, folder, name)


async def test_versions_guard_writes_everywhere(server: Server) -> None:
    client = server.connect()
    name = f"{uuid4().hex}.txt"
    with under(RUN):
        await client.files.write(name, b"one", create=True)
        etag = (await client.files.read(name)).etag or ""
        assert etag
        assert (await client.files.stat(name)).etag == etag
        with pytest.raises(Conflict):
            await client.files.write(name, b"two", create=True)
        await client.files.write(name, b"two, longer", etag=etag)
        with pytest.raises(Conflict, match="Read it again"):
            await client.files.write(name, b"three", etag=etag)
        assert (await client.files.read(name)).data == b"two, longer"
        await client.files.delete(name)
        with pytest.raises(NotFound):
            await client.files.read(name)
    await client.aclose()


async def test_parts_folders_and_missing_places_are_the_same_everywhere(server: Server) -> None:
    client = server.connect()
    top = uuid4().hex
    with under(RUN):
        assert await client.files.mkdir(top)
        assert not await client.files.mkdir(top)
        await client.files.write(f"{top}/a.txt", b"0123456789")
        part = await client.files.read(f"{top}/a.txt", start=3, length=4)
        assert (part.data, part.size) == (b"3456", 10)
        with pytest.raises(Conflict, match="is a file"):
            await client.files.mkdir(f"{top}/a.txt")
        with pytest.raises(NotFound, match="Create that folder first"):
            await client.files.write(f"{top}/none/a.txt", b"")
        with pytest.raises(NotFound, match="Create that folder first"):
            await client.files.mkdir(f"{top}/none/b")
        await client.files.write(f"{top}/b.txt", b"")
        with pytest.raises(Conflict, match="already something"):
            await client.files.move(f"{top}/a.txt", f"{top}/b.txt")
        await client.files.delete(top)
    await client.aclose()
