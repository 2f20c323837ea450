"""Several things asked for at the same time, a few at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar, cast

import anyio

AT_ONCE: Final = 8
"""Requests that are under way at the same time."""
T = TypeVar("T")
R = TypeVar("R")


async def each(things: Sequence[T], read: Callable[[T], Awaitable[R]]) -> list[R]:
    """Read each of some things, and return what came in their order; one failure calls the others off."""
    found: dict[int, R] = {}
    limit = anyio.CapacityLimiter(AT_ONCE)

    async def one(place: int, thing: T) -> None:
        async with limit:
            found[place] = await read(thing)

    try:
        async with anyio.create_task_group() as tasks:
            for place, thing in enumerate(things):
                tasks.start_soon(one, place, thing)
    except ExceptionGroup as group:
        # Who is called off ends, also where a request fails at that very moment.
        if cast("asyncio.Task[object]", asyncio.current_task()).cancelling():
            raise asyncio.CancelledError from None
        raise _first(group) from None
    return [found[place] for place in range(len(things))]


def _first(group: ExceptionGroup[Exception]) -> Exception:
    inner = group.exceptions[0]
    return _first(cast("ExceptionGroup[Exception]", inner)) if isinstance(inner, ExceptionGroup) else inner
