"""What runs beside the calls of a server starts with it, ends with it, and never ends it."""

import anyio
import pytest

from aboveboard.errors import Failure
from aboveboard.kit.upkeep import beside

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
