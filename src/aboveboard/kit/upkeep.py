"""What a server does beside its calls; it ends with the server, and never ends it."""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio

from aboveboard.errors import Failure

logger = logging.getLogger("aboveboard")
Work = Callable[[], Awaitable[None]]


@asynccontextmanager
async def beside(work: Work | None) -> AsyncGenerator[None]:
    """Let work run while a block does; what goes wrong with it is logged."""
    if work is None:
        yield
        return
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_done, work)
        try:
            yield
        finally:
            tasks.cancel_scope.cancel()


async def _done(work: Work) -> None:
    try:
        await work()
    except Failure as failure:
        logger.warning("%s", failure)
    except Exception:
        logger.exception("A defect beside the calls")
