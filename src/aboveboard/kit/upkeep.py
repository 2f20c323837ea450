"""What a server does beside its calls, for those whom it serves; it ends with the server, and never ends it."""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import anyio

from aboveboard.errors import Failure
from aboveboard.kit.caller import Caller

logger = logging.getLogger("aboveboard")
C = TypeVar("C")
Work = Callable[[], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class Upkeep(Generic[C]):
    """What a service wants to be done for each person, over and over, for a short time each."""

    area: str
    """Whose tools live on it: for one who may not read there, nothing is done."""
    is_wanted: Callable[[], bool]
    """Tells, at little cost, whether there may be anything to do."""
    look: Callable[[C, Caller, float], Awaitable[None]]
    """Does what there is to do, with a person's client and as far as their rights go, for about so many seconds."""
    forget: Callable[[str, str], Awaitable[None]]
    """Deletes what is kept of a person: the address of the instance, and who they are there."""
    first: float = 3.0
    """Seconds after which a server that has started is left alone by those who start it."""
    every: float = 300.0
    budget: float = 60.0

    def within(self, scopes: frozenset[str]) -> "Upkeep[C]":
        """Return the same, which goes no further than some scopes, whatever a person's rights are."""

        async def look(client: C, caller: Caller, seconds: float) -> None:
            await self.look(client, caller.within(scopes), seconds)

        return replace(self, look=look)

    async def alone(self, client: C, *, stays: bool) -> None:
        """Look after the one person whom a server serves: once, or as long as a server that stays is there."""
        if not stays and not self.is_wanted():
            return
        await anyio.sleep(self.first)
        while True:
            if self.is_wanted():
                await try_work(lambda: self.look(client, Caller(), self.budget))
            if not stays:
                return
            await anyio.sleep(self.every)


@asynccontextmanager
async def beside(work: Work | None) -> AsyncGenerator[None]:
    """Let work run while a block does; what goes wrong with it is logged."""
    if work is None:
        yield
        return
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(try_work, work)
        try:
            yield
        finally:
            tasks.cancel_scope.cancel()


async def try_work(work: Work) -> None:
    """Do something that others do not depend on; what goes wrong with it is logged."""
    try:
        await work()
    except Failure as failure:
        logger.warning("%s", failure)
    except Exception:
        logger.exception("A defect beside the calls")
