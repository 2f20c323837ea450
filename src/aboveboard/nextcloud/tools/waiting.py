"""Progress of what Nextcloud does by itself: nobody knows how far it is, and yet a client learns that it goes on."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import anyio

from aboveboard.kit.call import Call

EVERY: Final = 5.0
"""Seconds between two signs of life; clients that give up after a time of silence wait longer."""

T = TypeVar("T")


async def tell_while(call: Call, words: str, work: Callable[[], Awaitable[T]], *, every: float = EVERY) -> T:
    """Do something that takes long, and tell the client at once and every few seconds that it is being done."""

    async def tell() -> None:
        told = 0
        while True:
            await call.progress(told, message=words)
            told += 1
            await anyio.sleep(every)

    outcome = list[T]()
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(tell)
            outcome.append(await work())
            tasks.cancel_scope.cancel()
    except BaseExceptionGroup as failed:
        # What a task group raises is always a group, here of what the work failed of.
        raise failed.exceptions[0] from None
    return outcome[0]
