"""The recording proxy: it stands between a server and its upstream, and writes down who asked whom for what.

The server is told that the upstream is here (a redirect), or that this is its HTTP proxy. Hosts outside this machine
are written down and refused, unless the plan lists them; of an encrypted connection only the host is seen.
"""

import asyncio
from collections.abc import Collection
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

from aboveboard.addresses import is_loopback
from aboveboard.audit.verify.http1 import HOP, LONGEST_HEAD, Head, Malformed, hand_on_body, pump
from aboveboard.audit.verify.request_log import Destination, RequestLog, refusal

REFUSED: Final = 403
UNREACHED: Final = 502
_BODILESS: Final = (204, 304)


class Recorder(RequestLog):
    """A proxy for one server."""

    def __init__(self, upstream: str = "", reachable: Collection[str] = ()) -> None:
        super().__init__(upstream, reachable)
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=LONGEST_HEAD)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def url(self) -> str:
        """Where the server under test believes its upstream to be; the upstream's own path is kept."""
        return f"http://127.0.0.1:{self.port}{self._upstream.path.rstrip('/')}"

    @property
    def proxy(self) -> str:
        """What goes into HTTP_PROXY."""
        return f"http://127.0.0.1:{self.port}"

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._connection(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = _Link()
        try:
            while (head := await Head.read(reader)) is not None:
                if not await self._request(head, reader, writer, link):
                    break
        except (Malformed, OSError, ValueError, asyncio.IncompleteReadError):
            pass  # whoever breaks off or speaks nonsense is let go
        finally:
            link.close()
            writer.close()

    async def _request(
        self, head: Head, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, link: "_Link"
    ) -> bool:
        method, _, rest = head.first.partition(" ")
        goal = self._goal(method, rest.partition(" ")[0])
        number = self.begin(method, goal)
        status = 0
        try:
            if not self.allows(goal):
                status = REFUSED
                await _answer(writer, status, refusal(goal.host))
                return False
            if method == "CONNECT":
                status = await self._tunnel(goal, reader, writer)
                return False
            status, again = await self._exchange(head, goal, reader, writer, link)
            return again
        finally:
            self.end(number, status)

    def _goal(self, method: str, target: str) -> Destination:
        if method == "CONNECT":
            host, _, port = target.rpartition(":")
            return Destination(host.strip("[]"), int(port), tls=False, path="", upstream=False)
        parts = urlsplit(target)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        own = not parts.hostname or (is_loopback(parts.hostname) and parts.port == self.port)
        if own:
            return Destination(self._upstream.hostname or "", self._port, self._tls, path, upstream=True)
        tls = parts.scheme == "https"
        return Destination(parts.hostname or "", parts.port or (443 if tls else 80), tls, path, upstream=False)

    async def _tunnel(self, goal: Destination, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        try:
            far_reader, far_writer = await asyncio.open_connection(goal.host, goal.port)
        except OSError:
            await _answer(writer, UNREACHED, f"{goal.host} does not answer.")
            return UNREACHED
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))
        return 200

    async def _exchange(
        self, head: Head, goal: Destination, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, link: "_Link"
    ) -> tuple[int, bool]:
        method = head.first.partition(" ")[0]
        if head.get("expect").lower() == "100-continue":
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        try:
            far_reader, far_writer = await link.to(goal)
            sent = _addressed(head, goal, keep_upgrade=bool(head.get("upgrade")))
            far_writer.write(sent.encoded())
            await hand_on_body(head, reader, far_writer)
            answer = await _final_head(far_reader, writer)
        except OSError:
            link.close()
            await _answer(writer, UNREACHED, f"{goal.host} does not answer.")
            return UNREACHED, False
        status = int(answer.first.split(" ")[1])
        writer.write(answer.encoded())
        if status == 101:
            await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))
            return status, False
        lengthless = not answer.get("content-length") and "chunked" not in answer.get("transfer-encoding").lower()
        if method != "HEAD" and status not in _BODILESS:
            await hand_on_body(answer, far_reader, writer, until_close=True)
        await writer.drain()
        if answer.closes:
            link.close()
        ends = lengthless and method != "HEAD" and status not in _BODILESS
        return status, not (answer.closes or head.closes or ends)


class _Link:
    """The connection to the other side, kept while the requests go to the same place."""

    def __init__(self) -> None:
        self._at: tuple[str, int] | None = None
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def to(self, goal: Destination) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None or self._at != (goal.host, goal.port) or self._streams[0].at_eof():
            self.close()
            self._streams = await asyncio.open_connection(
                goal.host, goal.port, ssl=goal.tls or None, limit=LONGEST_HEAD
            )
            self._at = (goal.host, goal.port)
        return self._streams

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


def _addressed(head: Head, goal: Destination, *, keep_upgrade: bool) -> Head:
    """Turn a request to the proxy into one to the place it is for."""
    method, _, rest = head.first.partition(" ")
    names = [name for name in HOP if not (keep_upgrade and name == "connection")]
    standard = goal.port == (443 if goal.tls else 80)
    host = ("Host", goal.host if standard else f"{goal.host}:{goal.port}")
    kept = [(key, value) for key, value in head.without(names).headers if key.lower() != "host"]
    return Head(f"{method} {goal.path} {rest.partition(' ')[2]}", [host, *kept])


async def _final_head(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Head:
    """Read the head of an answer; the ones that only announce it (1xx) are handed on."""
    while True:
        head = await Head.read(reader)
        if head is None:
            raise ConnectionResetError
        status = head.first.split(" ")[1]
        if not status.startswith("1") or status == "101":
            return head
        writer.write(head.encoded())


async def _answer(writer: asyncio.StreamWriter, status: int, text: str) -> None:
    body = text.encode()
    first = f"HTTP/1.1 {status} Refused by the recorder"
    headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(body))), ("Connection", "close")]
    writer.write(Head(first, headers).encoded() + body)
    await writer.drain()
