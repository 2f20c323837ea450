"""How much one person may ask for: calls at once, and calls a minute; in memory, or in Redis for several machines.

Who is not known yet is counted by their address.
"""

import logging
import math
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import Any, Final, NoReturn, Protocol, TypeVar

import anyio
from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import MovingWindowRateLimiter
from starlette.requests import HTTPConnection

from aboveboard.errors import BadInput, Failure
from aboveboard.kit.people.secrets import new_id

logger = logging.getLogger("aboveboard")

T = TypeVar("T")
MEMORY: Final = "memory"
FORGOTTEN_AFTER: Final = 300
"""Seconds after which a place that nobody gave back, since its process was killed, is free again."""
WITHIN: Final = 5.0
"""Seconds in which a Redis must answer to count as one that does."""
HOUSEHOLD: Final = 64
"""Bits of an IPv6 address that tell one customer of a provider from another."""
SIGN_INS: Final = RateLimitItemPerMinute(30)
"""That one address may begin: all who sign in share the room for those that are on their way."""


class TooMuch(Failure):
    """Somebody asks for more than this server lets one have."""


class Uncounted(Failure):
    """Calls cannot be counted, so none is let through: nobody's service is to blame."""

    advice = "Try again in a while; the operator's log has the details."


class _Places(Protocol):
    storage: MemoryStorage | RedisStorage
    down: tuple[type[Exception], ...]
    """What is raised where it cannot be reached."""

    async def take(self, who: str, place: str) -> int: ...
    async def give_back(self, who: str, place: str) -> None: ...
    async def aclose(self) -> None: ...


class Limits:
    """The limits of every person."""

    def __init__(
        self, *, at_once: int = 4, a_minute: int = 120, where: str = MEMORY, clock: Callable[[], float] = time.time
    ) -> None:
        if where != MEMORY and not where.startswith(("redis://", "rediss://")):
            raise BadInput(
                "ABOVEBOARD_LIMITS must be memory, or the address of a Redis such as redis://127.0.0.1:6379/0."
            )
        self._at_once, self._a_minute = at_once, RateLimitItemPerMinute(a_minute)
        self._places: _Places = _InMemory() if where == MEMORY else _InRedis(where, clock)
        self._window = MovingWindowRateLimiter(self._places.storage)

    @asynccontextmanager
    async def turn(self, who: str) -> AsyncGenerator[None]:
        """Let one call through, or say how long to wait."""
        place = new_id()
        try:
            if await self._asked(self._places.take(who, place)) > self._at_once:
                raise TooMuch(
                    f"You have {self._at_once} calls running, which is as many as one person may.",
                    next_step="Wait until one of them has ended.",
                )
            await self.count(who, self._a_minute, "calls")
            yield
        finally:
            await self._give_back(who, place)

    async def _give_back(self, who: str, place: str) -> None:
        """Give a place back, also of a call that was called off: it would be taken for minutes."""
        with anyio.CancelScope(shield=True):
            try:
                await self._asked(self._places.give_back(who, place))
            except Uncounted:  # what was done is done; the place is forgotten after a while
                logger.warning("A call has ended, and the place that it had in Redis may still be taken.")

    async def count(self, who: str, limit: RateLimitItemPerMinute, what: str) -> None:
        """Count something, or say how long to wait."""
        if not await self._asked(self._window.hit(limit, what, who)):
            await self._refuse(who, limit, what)

    async def count_sign_in(self, request: HTTPConnection, what: str = "sign-ins") -> None:
        """Count a step that costs room here or a request to the service, by where it comes from."""
        await self.count(came_from(request), SIGN_INS, what)

    async def room(self, who: str, limit: RateLimitItemPerMinute, what: str) -> None:
        """Say how long to wait, where one more of what is counted elsewhere would be too much."""
        if not await self._asked(self._window.test(limit, what, who)):
            await self._refuse(who, limit, what)

    async def _refuse(self, who: str, limit: RateLimitItemPerMinute, what: str) -> NoReturn:
        until = (await self._asked(self._window.get_window_stats(limit, what, who))).reset_time
        raise TooMuch(
            f"{limit.amount} {what} a minute are as many as this server takes.",
            next_step=f"Try again in {math.ceil(max(1.0, until - time.time()))} seconds.",
        )

    async def _asked(self, answer: Awaitable[T]) -> T:
        try:
            return await answer
        except self._places.down as error:
            raise Uncounted("This server cannot count calls: its Redis does not answer.") from error

    async def aclose(self) -> None:
        """Let go of connections."""
        await self._places.aclose()


class _InMemory:
    def __init__(self) -> None:
        self._taken: defaultdict[str, set[str]] = defaultdict(set)
        self.storage: MemoryStorage | RedisStorage = MemoryStorage()
        self.down: tuple[type[Exception], ...] = ()

    async def take(self, who: str, place: str) -> int:
        self._taken[who].add(place)
        return len(self._taken[who])

    async def give_back(self, who: str, place: str) -> None:
        self._taken[who].discard(place)
        if not self._taken[who]:
            del self._taken[who]

    async def aclose(self) -> None: ...


class _InRedis:
    """A set of places for each person, with the time at which each was taken."""

    def __init__(self, address: str, clock: Callable[[], float]) -> None:
        from redis import asyncio as redis
        from redis.exceptions import RedisError

        patience = {"socket_timeout": WITHIN, "socket_connect_timeout": WITHIN}
        self._pool: Any = redis.ConnectionPool.from_url(address, **patience)  # pyright: ignore[reportUnknownMemberType]
        self._redis: Any = redis.Redis(connection_pool=self._pool)
        self._clock = clock
        self.storage: MemoryStorage | RedisStorage = RedisStorage(
            f"async+{address}", implementation="redispy", connection_pool=self._pool
        )
        self.down: tuple[type[Exception], ...] = (RedisError,)

    async def take(self, who: str, place: str) -> int:
        now = self._clock()
        async with self._redis.pipeline(transaction=True) as steps:
            steps.zremrangebyscore(_key(who), "-inf", now - FORGOTTEN_AFTER)
            steps.zadd(_key(who), {place: now})
            steps.zcard(_key(who))
            steps.expire(_key(who), FORGOTTEN_AFTER)
            _, _, taken, _ = await steps.execute()
        return int(taken)

    async def give_back(self, who: str, place: str) -> None:
        await self._redis.zrem(_key(who), place)

    async def aclose(self) -> None:
        await self._pool.aclose()


def came_from(request: HTTPConnection) -> str:
    """Return the address that a request comes from; of IPv6 the network, all of which one household has."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv4Address):
        return host
    mapped = address.ipv4_mapped
    return str(mapped or IPv6Network((int(address), HOUSEHOLD), strict=False))


def _key(who: str) -> str:
    return f"aboveboard/running/{who}"
