"""How much one person may ask for: calls at once, and calls a minute; in memory, or in Redis for several machines."""

import math
import time
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final, NoReturn, Protocol

from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import MovingWindowRateLimiter

from aboveboard.errors import BadInput, Failure

MEMORY: Final = "memory"
FORGOTTEN_AFTER: Final = 300
"""Seconds after which a place that nobody gave back, since its process was killed, is free again."""


class TooMuch(Failure):
    """Somebody asks for more than this server lets one have."""


class _Places(Protocol):
    async def take(self, who: str) -> int: ...
    async def give_back(self, who: str) -> None: ...
    async def aclose(self) -> None: ...


class Limits:
    """The limits of every person."""

    def __init__(self, *, at_once: int = 4, a_minute: int = 120, where: str = MEMORY) -> None:
        if where != MEMORY and not where.startswith(("redis://", "rediss://")):
            raise BadInput(
                "ABOVEBOARD_LIMITS must be memory, or the address of a Redis such as redis://127.0.0.1:6379/0."
            )
        self._at_once, self._a_minute = at_once, RateLimitItemPerMinute(a_minute)
        storage = MemoryStorage() if where == MEMORY else RedisStorage(f"async+{where}", implementation="redispy")
        self._window = MovingWindowRateLimiter(storage)
        self._places: _Places = _InMemory() if where == MEMORY else _InRedis(where)

    @asynccontextmanager
    async def turn(self, who: str) -> AsyncGenerator[None]:
        """Let one call through, or say how long to wait."""
        try:
            if await self._places.take(who) > self._at_once:
                raise TooMuch(
                    f"You have {self._at_once} calls running, which is as many as one person may.",
                    next_step="Wait until one of them has ended.",
                )
            await self.count(who, self._a_minute, "calls")
            yield
        finally:
            await self._places.give_back(who)

    async def count(self, who: str, limit: RateLimitItemPerMinute, what: str) -> None:
        """Count something, or say how long to wait."""
        if not await self._window.hit(limit, what, who):
            await self._refuse(who, limit, what)

    async def room(self, who: str, limit: RateLimitItemPerMinute, what: str) -> None:
        """Say how long to wait, where one more of what is counted elsewhere would be too much."""
        if not await self._window.test(limit, what, who):
            await self._refuse(who, limit, what)

    async def _refuse(self, who: str, limit: RateLimitItemPerMinute, what: str) -> NoReturn:
        until = (await self._window.get_window_stats(limit, what, who)).reset_time
        raise TooMuch(
            f"{limit.amount} {what} a minute are as many as this server takes.",
            next_step=f"Try again in {math.ceil(max(1.0, until - time.time()))} seconds.",
        )

    async def aclose(self) -> None:
        """Let go of connections."""
        await self._places.aclose()


class _InMemory:
    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    async def take(self, who: str) -> int:
        self._taken[who] += 1
        return self._taken[who]

    async def give_back(self, who: str) -> None:
        self._taken[who] -= 1
        if self._taken[who] <= 0:
            del self._taken[who]

    async def aclose(self) -> None: ...


class _InRedis:
    def __init__(self, address: str) -> None:
        from redis import asyncio as redis

        self._redis: Any = redis.Redis.from_url(address)  # pyright: ignore[reportUnknownMemberType]

    async def take(self, who: str) -> int:
        async with self._redis.pipeline(transaction=True) as steps:
            steps.incr(_key(who))
            steps.expire(_key(who), FORGOTTEN_AFTER)
            taken, _ = await steps.execute()
        return int(taken)

    async def give_back(self, who: str) -> None:
        if await self._redis.decr(_key(who)) <= 0:
            await self._redis.delete(_key(who))

    async def aclose(self) -> None:
        await self._redis.aclose()


def _key(who: str) -> str:
    return f"aboveboard/at-once/{who}"
