"""Answers that are asked for once in a while per client, however many calls want them."""

import time
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

import anyio

from aboveboard.errors import Failure

AGE: Final = 300.0
"""Seconds. For so long an answer holds: an app that is installed meanwhile is seen without a restart."""

T = TypeVar("T")


class Once(Generic[T]):
    """A value that is fetched when it is first wanted, and kept for a while.

    A failure is not kept: the next call asks again. Only those who waited while it was asked for share it, so that a
    service in trouble is not asked by each of them in turn.
    """

    def __init__(self, fetch: Callable[[], Awaitable[T]], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._fetch = fetch
        self._clock = clock
        self._lock = anyio.Lock()
        self._kept: tuple[T, float] | None = None
        self._failure: Failure | None = None
        self._failures = 0

    async def get(self) -> T:
        """Return what is kept, or ask for it."""
        seen = self._failures
        async with self._lock:
            if self._kept is not None and self._clock() < self._kept[1]:
                return self._kept[0]
            if self._failure is not None and self._failures > seen:
                raise self._failure.with_traceback(None)
            try:
                value = await self._fetch()
            except Failure as failure:
                self._failure, self._failures = failure, self._failures + 1
                raise
            self._kept = (value, self._clock() + AGE)
            return value
