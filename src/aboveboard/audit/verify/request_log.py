"""What a server sent, written down request by request and taken call by call, however the requests came by."""

import asyncio
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from aboveboard.addresses import is_loopback
from aboveboard.audit.verify.seen import SeenRequest


@dataclass(frozen=True)
class Destination:
    """Where a request goes."""

    host: str
    port: int
    tls: bool
    path: str
    upstream: bool


class RequestLog:
    """Knows which service is watched, which hosts may be asked besides, and what was asked."""

    def __init__(self, upstream: str = "", reachable: Collection[str] = ()) -> None:
        parts = urlsplit(upstream)
        self._upstream = parts
        self._tls = parts.scheme == "https"
        self._port = parts.port or (443 if self._tls else 80)
        self._reachable = reachable
        self._seen: list[SeenRequest] = []
        self._open: dict[int, SeenRequest] = {}
        self._last = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def wait_until_idle(self, patience: float) -> None:
        """Wait until no request is under way: some servers answer first and send afterwards."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._idle.wait()

    def take_requests(self) -> list[SeenRequest]:
        """Return what was seen since the last time, what is still under way included."""
        seen, self._seen = [*self._seen, *self._open.values()], []
        # What was told already is not told again when it ends.
        self._open = dict.fromkeys(self._open, SeenRequest("", "", ""))
        return seen

    def host_of(self, goal: Destination) -> str:
        """Name a host; on this machine, ports tell services apart."""
        if not is_loopback(goal.host) or goal.upstream:
            return goal.host
        same = is_loopback(self._upstream.hostname or "") and goal.port == self._port
        return (self._upstream.hostname or goal.host) if same else f"{goal.host}:{goal.port}"

    def allows(self, goal: Destination) -> bool:
        """Tell whether a request may really go there."""
        return (
            goal.upstream
            or is_loopback(goal.host)
            or goal.host in self._reachable
            or goal.host == self._upstream.hostname
        )

    def begin(self, method: str, goal: Destination) -> int:
        """Write down a request that came; the number is for its end."""
        self._last += 1
        self._open[self._last] = SeenRequest(method, self.host_of(goal), goal.path)
        self._idle.clear()
        return self._last

    def end(self, number: int, status: int) -> None:
        """Write down how a request ended."""
        seen = self._open.pop(number)
        if seen.method:
            self._seen.append(replace(seen, status=status))
        if not self._open:
            self._idle.set()


def refusal(host: str) -> str:
    """Say why a request goes nowhere."""
    return f"{host} is outside this test: the plan lists no such host."
