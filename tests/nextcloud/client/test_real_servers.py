"""The same files client against the sandbox, WsgiDAV and sabre/dav."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from tests.nextcloud.client.servers import KINDS, Server, served

from aboveboard.effects import RUN, under
from aboveboard.errors import Conflict, NotFound
from aboveboard.nextcloud.client.files.etags import marks_of

pytestmark = pytest.mark.anyio


@pytest.fixture(params=KINDS, scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with served(request.param) as made:
        yield made


async def test_versions_guard_writes_everywhere(server: Server) -> None:
    client = server.connect()
    name = f"{uuid4().hex}.txt"
    with under(RUN):
        await client.files.write(name, b"one", create=True)
        etag = (await client.files.read(name)).etag or ""
        assert etag
        assert (await client.files.stat(name)).etag == marks_of(etag)[0]
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
        assert (await client.files.mkdir(top)).created
        assert not (await client.files.mkdir(top)).created
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
