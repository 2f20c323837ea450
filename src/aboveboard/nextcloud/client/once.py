"""Answers that are asked for once in a while per client, however many calls want them."""

import time
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

import anyio

from aboveboard.errors import Failure

PATIENCE: Final = 30.0
"""Seconds. For so long a failure is the answer too: a service in trouble is not asked again by every call."""

AGE: Final = 300.0
"""Seconds. For so long an answer holds: an app that is installed meanwhile is seen without a restart."""

T = TypeVar("T")


class Once(Generic[T]):
    """A value that is fetched when it is first wanted, and kept for a while."""

    def __init__(self, fetch: Callable[[], Awaitable[T]], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._fetch = fetch
        self._clock = clock
        self._lock = anyio.Lock()
        self._kept: tuple[T, float] | None = None
        self._failed: tuple[Failure, float] | None = None

    async def get(self) -> T:
        async with self._lock:
            if self._kept is not None and self._clock() < self._kept[1]:
                return self._kept[0]
            if self._failed is not None and self._clock() < self._failed[1]:
                raise self._failed[0].with_traceback(None)
            try:
                value = await self._fetch()
            except Failure as failure:
                self._failed = (failure, self._clock() + PATIENCE)
                raise
            self._kept = (value, self._clock() + AGE)
            return value
