"""Files that are written twice within a second: their ETags do not tell, and no version is kept. Nothing is lost."""

from collections.abc import AsyncIterator, Awaitable, Callable

import httpx2
import pytest
from tests.nextcloud.client.people import Person

from aboveboard.effects import ADD, EDIT, REPLACE, under
from aboveboard.errors import Conflict
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

PLAN = "Documents/plan.md"


class Patient(Person):
    """Someone in a world where time passes only while she waits, and then others do something."""

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__(httpx2.ASGITransport(sandbox.app), "admin", sandbox.token, sleep=self._wait)
        sandbox.hold_clock()
        self._sandbox = sandbox
        self.waited: list[float] = []
        self.meanwhile: list[Callable[[], Awaitable[object]]] = []

    async def _wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        while self.meanwhile:
            await self.meanwhile.pop()()
        self._sandbox.pass_time(int(seconds))


@pytest.fixture
async def ada(sandbox: Sandbox) -> AsyncIterator[Patient]:
    made = Patient(sandbox)
    with under(REPLACE):
        await made.files.write(PLAN, b"one, and more")
    made.waited.clear()
    yield made
    await made.aclose()


Deed = Callable[[], Awaitable[object]]


@pytest.fixture
async def other(sandbox: Sandbox) -> AsyncIterator[Deed]:
    """Let someone else write what Nextcloud's own ETag does not tell from what is there."""
    auth = (sandbox.username, sandbox.token)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(sandbox.app), auth=auth) as client:
        url = f"http://127.0.0.1:8081/remote.php/dav/files/admin/{PLAN}"
        yield lambda: client.put(url, content=b"two, and more")


def versions(sandbox: Sandbox) -> int:
    return sum(key.startswith(f"files/admin/{PLAN}/versions/") for key in sandbox.dump())


@pytest.mark.parametrize(("start", "length"), [(0, None), (0, 4), (4, 2), (0, 3)])
async def test_what_was_read_just_after_it_was_written_is_compared_with_what_is_there(
    ada: Patient, other: Deed, start: int, length: int | None
) -> None:
    read = await ada.files.read(PLAN, start=start, length=length)
    own = (await ada.files.stat(PLAN)).etag
    await other()
    assert (await ada.files.stat(PLAN)).etag == own
    changed = start == 0  # what was not read may change
    with under(EDIT):
        if changed:
            with pytest.raises(Conflict, match="Nothing was written"):
                await ada.files.write(PLAN, b"mine", etag=read.etag)
            assert (await ada.files.read(PLAN)).data == b"two, and more"
        else:
            await ada.files.write(PLAN, b"mine", etag=read.etag)


async def test_a_file_that_got_shorter_than_what_was_read_of_it_is_another(ada: Patient, other: Deed) -> None:
    with under(EDIT):
        await ada.files.write(PLAN, b"much longer than what others write")
        read = await ada.files.read(PLAN, start=20, length=5)
        await other()
        with pytest.raises(Conflict, match="Nothing was written"):
            await ada.files.write(PLAN, b"mine", etag=read.etag)


async def test_what_was_written_is_compared_with_what_is_there(ada: Patient, other: Deed) -> None:
    with under(EDIT):
        mine = await ada.files.write(PLAN, b"mine, at first")
        await other()
        with pytest.raises(Conflict, match="Nothing was written"):
            await ada.files.write(PLAN, b"mine", etag=mine.etag)
        assert (await ada.files.read(PLAN)).data == b"two, and more"
        mine = await ada.files.write(PLAN, b"mine, again")
        await ada.files.write(PLAN, b"mine", etag=mine.etag)
    assert (await ada.files.read(PLAN)).data == b"mine"


async def test_a_file_is_written_over_when_its_second_is_over_so_that_a_version_is_kept(
    ada: Patient, sandbox: Sandbox
) -> None:
    before = versions(sandbox)
    with under(REPLACE):
        await ada.files.write(PLAN, b"two")
        assert ada.waited == [2.0]
        assert versions(sandbox) > before
        sandbox.pass_time(10)
        await ada.files.write(PLAN, b"three")
    assert ada.waited == [2.0]


async def test_a_file_from_the_future_is_not_waited_for(ada: Patient, sandbox: Sandbox) -> None:
    sandbox.pass_time(-3600)
    with under(REPLACE):
        await ada.files.write(PLAN, b"two")
    assert ada.waited == []


async def test_an_append_keeps_what_is_written_in_the_same_second(ada: Patient, other: Deed) -> None:
    ada.meanwhile.append(other)
    with under(ADD):
        await ada.files.append(PLAN, lambda old: b", " + str(len(old)).encode())
    assert ada.waited == [2.0]
    assert (await ada.files.read(PLAN)).data == b"two, and more, 13"
