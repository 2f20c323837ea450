"""The guard for servers with an HTTP client of their own: a transport that sends what the effect in force allows.

It fits httpx2 and httpx, their clients for `async` and for plain code alike, and imports neither: a transport is
whatever has their methods.
"""

import re
from collections.abc import Collection, Sequence
from typing import Any, Self, TypeVar, cast

from aboveboard import effects
from aboveboard.errors import BadInput
from aboveboard.http import guard
from aboveboard.http.guard import Nature

T = TypeVar("T")


def guarded(transport: T, *, reads: Sequence[str] = ()) -> T:
    """Hold every request that goes through a transport to the effect in force; outside a tool, only reading is allowed.

    A request that the effect does not allow raises `GuardError` before a byte leaves. `reads` names requests that only
    read although their method says otherwise, such as `POST /search`; `*` stands for one part of a path.
    """
    return cast("T", _Guarded(transport, [_route(one) for one in reads]))


class _Guarded:
    def __init__(self, transport: Any, reads: Collection[re.Pattern[str]]) -> None:
        self._transport, self._reads = transport, reads

    def handle_request(self, request: Any) -> Any:
        self._check(request)
        return self._transport.handle_request(request)

    async def handle_async_request(self, request: Any) -> Any:
        self._check(request)
        return await self._transport.handle_async_request(request)

    def _check(self, request: Any) -> None:
        method, path = request.method, request.url.path
        reads = any(route.fullmatch(f"{method} {path}") for route in self._reads)
        nature = guard.nature_of(method, Nature.READS if reads else None)
        guard.check(effects.in_force(), method, path, nature, lambda: None)

    def close(self) -> None:
        self._transport.close()

    async def aclose(self) -> None:
        await self._transport.aclose()

    def __enter__(self) -> Self:
        self._transport.__enter__()
        return self

    def __exit__(self, *ended: Any) -> None:
        self._transport.__exit__(*ended)

    async def __aenter__(self) -> Self:
        await self._transport.__aenter__()
        return self

    async def __aexit__(self, *ended: Any) -> None:
        await self._transport.__aexit__(*ended)


def _route(text: str) -> re.Pattern[str]:
    """Make a pattern of `METHOD /path/*/of`."""
    if not re.fullmatch(r"[A-Z]+ /\S*", text):
        raise BadInput(f"{text!r} names no requests: write a method and a path, such as POST /search.")
    return re.compile("[^/]+".join(re.escape(part) for part in text.split("*")))
