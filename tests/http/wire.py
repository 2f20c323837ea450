"""A service on a real socket that answers what a test scripts, or hangs up, and remembers what reached it."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from enum import Enum

import httpx2

from aboveboard.http import Session

TOKEN = "ldpat_5ecretT0ken"


class HangUp(Enum):
    """Ways to give no answer."""

    BEFORE_READING = "closes the connection without reading the request"
    AFTER_READING = "reads the whole request, then resets the connection"
    WITHIN_THE_ANSWER = "breaks off in the middle of the answer"


Step = bytes | HangUp


def answer(status: int, body: bytes = b"{}", **headers: str) -> bytes:
    """Spell out an HTTP answer; `retry_after="1"` is a header."""
    lines = [f"HTTP/1.1 {status} As scripted", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


class Wire:
    """The service: one step per connection, the last one again and again."""

    def __init__(self, *steps: Step) -> None:
        self._steps = list(steps)
        self.arrived: list[bytes] = []
        """Every request that was read, from its first line to the end of its body."""
        self.connections = 0
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def lines(self) -> list[str]:
        """The first line of every request, without the protocol's version."""
        return [request.split(b"\r\n")[0].decode().removesuffix(" HTTP/1.1") for request in self.arrived]

    @asynccontextmanager
    async def listening(self, port: int = 0) -> AsyncGenerator["Wire"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", port)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            await server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        step = self._steps[min(self.connections, len(self._steps) - 1)]
        self.connections += 1
        if step is not HangUp.BEFORE_READING:
            self.arrived.append(await _request(reader))
        if isinstance(step, bytes):
            writer.write(step)
            await writer.drain()
            writer.close()
        elif step is HangUp.WITHIN_THE_ANSWER:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
            await writer.drain()
            writer.close()
        else:
            writer.transport.abort()


async def _request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return head + await reader.readexactly(int(lengths[0]) if lengths else 0)


class Naps:
    """Stands in for sleep: takes no time, and remembers how long it should have taken."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


@asynccontextmanager
async def session(
    base_url: str,
    *,
    sleep: Callable[[float], Awaitable[None]] | None = None,
    script: Callable[[httpx2.Request], httpx2.Response] | None = None,
    secrets: Sequence[str] = (TOKEN,),
) -> AsyncGenerator[Session]:
    """Open a session over a socket, or to a script."""
    opened = Session(
        "The shop",
        base_url,
        headers={"Authorization": f"ApiKey {TOKEN}"},
        secrets=secrets,
        transport=None if script is None else httpx2.MockTransport(script),
        sleep=sleep or Naps(),
    )
    try:
        yield opened
    finally:
        await opened.aclose()
