"""What runs beside the calls of a server starts with it, ends with it, and never ends it."""

import anyio
import pytest

from aboveboard.errors import Failure
from aboveboard.kit.caller import Caller
from aboveboard.kit.upkeep import Upkeep, beside

pytestmark = pytest.mark.anyio


async def test_it_runs_while_the_server_does_and_ends_with_it() -> None:
    started, ended = anyio.Event(), anyio.Event()

    async def work() -> None:
        started.set()
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()

    async with beside(work):
        await started.wait()
    assert ended.is_set()


@pytest.mark.parametrize("error", [Failure("The index cannot be kept."), ZeroDivisionError("a defect")])
async def test_what_goes_wrong_with_it_is_logged_and_the_server_goes_on(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    tried = anyio.Event()

    async def work() -> None:
        tried.set()
        raise error

    async with beside(work):
        await tried.wait()
        await anyio.lowlevel.checkpoint()
    assert ("The index cannot be kept." in caplog.text) is isinstance(error, Failure)
    assert caplog.records


@pytest.mark.parametrize(
    ("held", "left"),
    [(None, {"notes.read", "deck.read"}), ({"notes.read", "files.read"}, {"notes.read"}), (set[str](), set[str]())],
)
async def test_it_goes_as_far_as_the_operator_lets_it_and_no_further_than_the_persons_own_rights(
    held: set[str] | None, left: set[str]
) -> None:
    seen: list[Caller] = []

    async def look(client: str, caller: Caller, seconds: float) -> None:
        del client, seconds
        seen.append(caller)

    async def forget(instance: str, principal: str) -> None:
        del instance, principal

    upkeep = Upkeep[str](area="notes", is_wanted=lambda: True, look=look, forget=forget)
    person = Caller(subject="ada", scopes=None if held is None else frozenset(held))
    await upkeep.within(frozenset({"notes.read", "deck.read"})).look("client", person, 1.0)
    assert [(one.subject, one.scopes) for one in seen] == [("ada", left)]
