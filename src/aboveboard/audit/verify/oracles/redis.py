"""A Redis database: keys and their values, over its own protocol, put back with DUMP and RESTORE."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import anyio
from anyio.streams.buffered import BufferedByteReceiveStream

from aboveboard.audit.probe import Unreadable
from aboveboard.audit.verify.oracles.store import readable

Say = Callable[..., Awaitable[Any]]
"""Sends one command and returns its answer."""
LONGEST_LINE: Final = 65_536


class Redis:
    """The database that a URL names: `redis://127.0.0.1:6379/0`."""

    name = "redis"

    def __init__(self, url: str, patience: float) -> None:
        self._url, self._patience = urlsplit(url), patience
        self._kept: dict[bytes, tuple[bytes, int]] = {}

    async def dump(self) -> Any:
        """Return every key's value, and whether it expires."""
        return await self._ask(_told)

    async def marks(self) -> dict[str, str]:
        """Return how many writes Redis has counted."""
        told = readable(await self._ask(lambda say: say("INFO", "persistence")))
        counted = [line for line in told.splitlines() if line.startswith("rdb_changes_since_last_save:")]
        return {self.name: "".join(counted)}

    async def take(self) -> None:
        """Remember every key as Redis itself writes it down."""
        self._kept = await self._ask(_packed)

    async def restore(self) -> None:
        """Remove the keys that are new, and bring back what is gone or changed."""

        async def put_back(say: Say) -> None:
            now = await _packed(say)
            for key in now.keys() - self._kept.keys():
                await say("DEL", key)
            for key, (packed, left) in self._kept.items():
                there = now.get(key)
                if there is None or there[0] != packed or (there[1] > 0) != (left > 0):
                    await say("RESTORE", key, str(max(left, 0)), packed, "REPLACE")

        await self._ask(put_back)

    async def _ask(self, what: Callable[[Say], Awaitable[Any]]) -> Any:
        host, port = self._url.hostname or "127.0.0.1", self._url.port or 6379
        try:
            with anyio.fail_after(self._patience):
                async with await anyio.connect_tcp(host, port) as stream:
                    lines = BufferedByteReceiveStream(stream)

                    async def say(*words: str | bytes) -> Any:
                        await stream.send(_command(words))
                        return await _answer(lines)

                    await self._log_in(say)
                    return await what(say)
        except (OSError, TimeoutError, anyio.EndOfStream, anyio.IncompleteRead) as error:
            raise Unreadable(f"Redis at {host}:{port} does not answer: {error or type(error).__name__}.") from None

    async def _log_in(self, say: Say) -> None:
        if self._url.password:
            user = [unquote(self._url.username)] if self._url.username else []
            await say("AUTH", *user, unquote(self._url.password))
        if number := self._url.path.strip("/"):
            await say("SELECT", number)


def _command(words: Sequence[str | bytes]) -> bytes:
    parts = [word.encode() if isinstance(word, str) else word for word in words]
    return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%b\r\n" % (len(part), part) for part in parts)


async def _answer(lines: BufferedByteReceiveStream) -> Any:
    line = await lines.receive_until(b"\r\n", LONGEST_LINE)
    kind, rest = line[:1], line[1:]
    if kind == b"-":
        raise Unreadable(f"Redis refuses: {readable(rest)}.")
    if kind == b"+":
        return rest
    if kind == b":" or int(rest) < 0:
        return int(rest) if kind == b":" else None
    if kind == b"$":
        return (await lines.receive_exactly(int(rest) + 2))[:-2]
    return [await _answer(lines) for _ in range(int(rest))]


async def _keys(say: Say) -> list[bytes]:
    found: set[bytes] = set()
    cursor = b"0"
    while True:
        cursor, some = await say("SCAN", cursor, "COUNT", "500")
        found.update(some)
        if cursor == b"0":
            return sorted(found)


async def _packed(say: Say) -> dict[bytes, tuple[bytes, int]]:
    packed = {key: (await say("DUMP", key), await say("PTTL", key)) for key in await _keys(say)}
    return {key: one for key, one in packed.items() if one[0] is not None}


async def _told(say: Say) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for key in await _keys(say):
        value = await _value(say, key, readable(await say("TYPE", key)))
        told[readable(key)] = {"value": value, "expires": await say("PTTL", key) > 0}
    return told


async def _value(say: Say, key: bytes, kind: str) -> Any:
    if kind == "string":
        return readable(await say("GET", key) or b"")
    if kind == "list":
        return [readable(one) for one in await say("LRANGE", key, "0", "-1")]
    if kind == "set":
        return sorted(readable(one) for one in await say("SMEMBERS", key))
    if kind == "hash":
        return _pairs(await say("HGETALL", key))
    if kind == "zset":
        return _pairs(await say("ZRANGE", key, "0", "-1", "WITHSCORES"))
    return readable(await say("DUMP", key) or b"")


def _pairs(flat: list[bytes]) -> dict[str, str]:
    texts = [readable(one) for one in flat]
    return dict(zip(texts[::2], texts[1::2], strict=True))
